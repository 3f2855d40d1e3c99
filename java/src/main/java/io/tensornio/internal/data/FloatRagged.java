package io.tensornio.internal.data;

import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorIterator;
import io.tensornio.internal.element.FloatBlock;
import io.tensornio.internal.element.FloatSource;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.ragged.RaggedLayout;
//#if buffer
import java.nio.FloatBuffer;
//#end
import java.util.Objects;

/**
 * {@code float} data with rows of different lengths, or at irregular starts. All other data is a {@link FloatStrided} or a {@link FloatView}.
 */
final class FloatRagged extends FloatData {
    private final FloatSource source;
    private final RaggedLayout layout;
    /** The source if it is a block, else null. */
    private final FloatBlock block;
    /** Whether the rank is 2 and all rows are contiguous. */
    private final boolean simple;

    FloatRagged(FloatSource source, RaggedLayout layout) {
        this.source = source;
        this.layout = layout;
        block = source instanceof FloatBlock ? (FloatBlock) source : null;
        simple = block != null && layout.rank() == 2 && layout.isContiguous();
    }

    @Override
    RaggedLayout tree() {
        return layout;
    }

    /** A layout that covers all elements, though not in their order. */
    @Override
    public Layout layout() {
        return layout.stretch();
    }

    //#if float int long
    @Override
    Carrier<FloatTensorData, float[]> carrier() {
        return FloatCarrier.FLOAT.of(source.type());
    }

    //#end
    @Override
    FloatSource source() {
        return source;
    }

    @Override
    public int rank() {
        return layout.rank();
    }

    @Override
    public long size(int axis) {
        return Shapes.size(layout.shape(), axis);
    }

    @Override
    public long totalSize() {
        return layout.totalSize();
    }

    @Override
    public long[] shape() {
        return layout.shape().clone();
    }

    /** The elements of one row of the tree. */
    FloatData row(long node) {
        return FloatView.data(source, layout.row(node));
    }

    /** All elements as dense data of rank 1 if they are contiguous, else null. */
    private FloatData flat() {
        return layout.isContiguous() ? FloatView.data(source, layout.stretch()) : null;
    }

    // ---- One element -----------------------------------------------------------------------------------------------

    private float read(long at) {
        return block != null ? block.read(at) : source.read(at);
    }

    private long at(boolean toWrite, int... indices) {
        Objects.requireNonNull(indices, "indices");
        if (toWrite) {
            checkWritable();
        } else {
            source.checkOpen();
        }
        return layout.position(indices);
    }

    @Override
    public float get(int i, int j) {
        source.checkOpen();
        return read(layout.position(i, j));
    }

    @Override
    float getBy(int n, int i, int j, int k, int l) {
        source.checkOpen();
        return read(layout.position(n, i, j, k, l));
    }

    @Override
    public float get(int... indices) {
        //~int if (indices.length > rank()) {
        //~int     checkOpen();
        //~int     throw carrier().outside(shape(), indices);
        //~int }
        return read(at(false, indices));
    }

    @Override
    void putBy(float value, int n, int i, int j, int k, int l) {
        checkWritable();
        source.write(value, layout.position(n, i, j, k, l));
    }

    @Override
    public void put(float value, int... indices) {
        source.write(value, at(true, indices));
    }

    // ---- Slices ----------------------------------------------------------------------------------------------------

    @Override
    public FloatTensorData slice(int i) {
        if (simple && i >= 0 && i < layout.size(0, 0)) {
            block.readable();
            long row = layout.firstNode() + i;
            long start = layout.split(row);
            return FloatStrided.row(block, (int) start, (int) layout.length(start, row));
        }
        return slice(new int[] {i});
    }

    // ---- One by one ------------------------------------------------------------------------------------------------

    @Override
    public FloatTensorIterator scalars() {
        checkOpen();
        FloatData flat = flat();
        return flat != null ? flat.scalars() : new FloatRaggedScalars(this);
    }

    // ---- In bulk ---------------------------------------------------------------------------------------------------

    @Override
    void readAll(float[] to, int at) {
        RaggedRows.readAll(this, layout, to, at);
    }

    @Override
    void writeFirst(int n, float[] from, int at) {
        RaggedRows.writeFirst(this, layout, n, from, at);
    }

    @Override
    void checkReadable() {
        if (block == null) {
            RaggedRows.rows(this, layout, row -> {
                row.checkReadable();
                return true;
            });
        }
    }

    @Override
    void checkCapacity(long count) {
        RaggedRows.checkCapacity(this, layout, count);
    }

    //#if buffer
    @Override
    void readAll(FloatBuffer to) {
        FloatData flat = flat();
        if (flat != null) {
            flat.readAll(to);
            return;
        }
        FloatBuffer target = to.duplicate();
        //~byte target.order(to.order());
        RaggedRows.rows(this, layout, row -> {
            ((FloatData) row).readAll(target);
            return true;
        });
        to.position(target.position());
    }

    @Override
    void writeFirst(FloatBuffer from) {
        FloatBuffer rest = from.duplicate();
        int end = from.limit();
        RaggedRows.rows(this, layout, row -> {
            if (rest.position() == end) {
                return false;
            }
            rest.limit((int) Math.min(end, rest.position() + row.totalSize()));
            ((FloatData) row).writeFirst(rest);
            return true;
        });
        from.position(end);
    }
    //#end
}
