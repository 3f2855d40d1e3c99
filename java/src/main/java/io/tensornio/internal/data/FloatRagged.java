package io.tensornio.internal.data;

import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorIterator;
import io.tensornio.internal.element.FloatBlock;
import io.tensornio.internal.element.FloatSource;
import io.tensornio.internal.layout.Layout;
//~int import io.tensornio.internal.layout.TensorIndexOutOfBoundsException;
import io.tensornio.internal.ragged.RaggedLayout;
//#if buffer
import java.nio.FloatBuffer;
//#end
import java.util.Objects;

/**
 * {@code float} data with rows of different lengths, or at irregular starts. All other data is a {@link FloatStrided} or a {@link FloatView}.
 */
final class FloatRagged extends FloatRaggedViewed {
    /** The source if it is a block, else null. */
    private final FloatBlock block;
    /** Whether the rank is 2 and all rows are contiguous. */
    private final boolean simple;

    private FloatRagged(FloatSource source, RaggedLayout layout) {
        super(source, layout);
        block = source instanceof FloatBlock ? (FloatBlock) source : null;
        simple = block != null && layout.rank() == 2 && layout.isContiguous();
    }

    /** Data over a selection of a source, in the most specific class. */
    static FloatData of(FloatSource source, RaggedLayout layout) {
        Layout plain = layout.plain();
        return plain != null ? FloatView.data(source, plain) : new FloatRagged(source, layout);
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
        //~int     throw new TensorIndexOutOfBoundsException(shape(), indices).orElements();
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
    boolean isCopiedByRows() {
        return layout.shape()[0] <= Integer.MAX_VALUE;
    }

    @Override
    void readAll(float[] to, int at) {
        FloatData flat = flat();
        if (flat != null) {
            flat.readAll(to, at);
            return;
        }
        int place = at;
        for (long end = end(), node = firstRow(end); node < end; node = layout.nextRow(node + 1, end)) {
            FloatData row = row(node);
            row.readAll(to, place);
            place += (int) row.totalSize();
        }
    }

    @Override
    void checkReadable() {
        for (long end = end(), node = firstRow(end); block == null && node < end; node = layout.nextRow(node + 1, end)) {
            row(node).checkReadable();
        }
    }

    @Override
    void checkCapacity(long count) {
        long rest = count;
        for (long end = end(), node = firstRow(end); rest > 0; node = layout.nextRow(node + 1, end)) {
            FloatData row = row(node);
            long some = Math.min(rest, row.totalSize());
            row.checkCapacity(some);
            rest -= some;
        }
    }

    @Override
    void writeFirst(int n, float[] from, int at) {
        int done = 0;
        for (long end = end(), node = firstRow(end); done < n; node = layout.nextRow(node + 1, end)) {
            FloatData row = row(node);
            int some = (int) Math.min(n - done, row.totalSize());
            row.writeFirst(some, from, at + done);
            done += some;
        }
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
        for (long end = end(), node = firstRow(end); node < end; node = layout.nextRow(node + 1, end)) {
            row(node).readAll(target);
        }
        to.position(target.position());
    }

    @Override
    void writeFirst(FloatBuffer from) {
        FloatBuffer rest = from.duplicate();
        int end = from.limit();
        for (long last = end(), node = firstRow(last); rest.position() < end; node = layout.nextRow(node + 1, last)) {
            FloatData row = row(node);
            rest.limit((int) Math.min(end, rest.position() + row.totalSize()));
            row.writeFirst(rest);
        }
        from.position(end);
    }
    //#end

    // ---- As a whole ------------------------------------------------------------------------------------------------

    /** Copies all elements to the same indices of dense data that is at least as large. */
    static void copyDense(FloatTensorData from, FloatData to) {
        FloatSource source = ((FloatData) from).source();
        RaggedRows.each(from, to.shape(), (row, place) ->
            FloatCopies.copyDisjoint(FloatView.data(source, row), FloatView.data(to.source(), place)));
    }
}
