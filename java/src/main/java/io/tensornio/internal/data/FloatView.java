package io.tensornio.internal.data;

import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorIterator;
//~int,long import io.tensornio.internal.element.Encodings;
import io.tensornio.internal.element.FloatArray;
import io.tensornio.internal.element.FloatBlock;
import io.tensornio.internal.element.FloatElement;
//#if float int long
import io.tensornio.internal.element.FloatGiven;
import io.tensornio.internal.element.FloatNarrow;
//#end
//#if buffer
import io.tensornio.internal.element.FloatOtherBuffer;
//#end
import io.tensornio.internal.element.FloatSource;
import io.tensornio.internal.element.FloatWindows;
import io.tensornio.internal.layout.FourIndices;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.memory.Block;
import java.nio.FloatBuffer;
import java.util.Objects;

/**
 * {@code float} data of any layout over any source: layouts that {@link FloatStrided} and its twin for arrays cannot
 * represent, mainly lists of positions, and sources other than native memory and arrays.
 */
public final class FloatView extends FloatData {
    private static final Layout NONE = Layout.rowMajor(new long[] {0});
    /** The minimum length of rows that are copied through a view of their own. */
    private static final int SHORT_ROW = 16;

    private final FloatSource source;
    private final Layout layout;
    private final int rank;
    /** The source if it is a block, a float[] or another buffer: a branch costs less than a megamorphic call. */
    private final FloatBlock block;
    private final FloatArray array;
    //#if buffer
    /** The buffer of a {@link FloatOtherBuffer}. */
    private final FloatBuffer other;
    //#end
    /** Whether the elements cannot be written through this, even if the source is writable. */
    private final boolean readOnly;
    /** The layout, or an empty one if it has runs: so one bounds check covers both. */
    private final Layout plain;
    /** The offset and the first two axes of the layout, cached to avoid loads and checks. */
    private final long offset;
    /** The size at rank 1 and the sizes at rank 2, truncated to an int; 0 at other ranks, and if there are runs. */
    private final int n;
    private final int n0;
    private final int n1;
    private final long s0;
    private final long s1;
    private final long[] l0;
    private final long[] l1;

    private FloatView(FloatSource source, Layout layout) {
        this.source = source;
        this.layout = layout;
        rank = layout.rank();
        readOnly = layout.isReadOnly();
        plain = layout.hasRuns() ? NONE : layout;
        offset = layout.offset();
        n = rank == 1 ? limit(0) : 0;
        n0 = rank == 2 ? limit(0) : 0;
        n1 = rank == 2 && !layout.hasRuns() ? limit(1) : 0;
        s0 = rank > 0 ? layout.stride(0) : 0;
        s1 = rank > 1 ? layout.stride(1) : 0;
        l0 = rank > 0 ? layout.list(0) : null;
        l1 = rank > 1 ? layout.list(1) : null;
        block = source instanceof FloatBlock ? (FloatBlock) source : null;
        array = source instanceof FloatArray ? (FloatArray) source : null;
        //#if buffer
        other = source instanceof FloatOtherBuffer ? ((FloatOtherBuffer) source).buffer : null;
        //#end
    }

    private int limit(int d) {
        return (int) Math.min(plain.size(d), Integer.MAX_VALUE);
    }

    /**
     * Data over all elements of a source.
     *
     * @param source the elements, in row-major order from position 0
     * @param shape a checked shape, which this object keeps
     * @return the data
     */
    public static FloatView of(FloatSource source, long... shape) {
        return new FloatView(source, Layout.rowMajor(shape));
    }

    /**
     * Data over all elements of a block.
     *
     * @param block a block of this type
     * @return the data; it can be written until the block is published
     */
    public static FloatTensorData of(Block block) {
        return block instanceof FloatBlock ? FloatStrided.of((FloatBlock) block) : of((FloatSource) block, block.shape());
    }

    /**
     * Data over a selection of a source, in the most specific class.
     *
     * @param source the elements
     * @param layout their layout
     * @return the data
     */
    public static FloatTensorData of(FloatSource source, Layout layout) {
        return data(source, layout);
    }

    /** The same, for this package. */
    static FloatData data(FloatSource source, Layout layout) {
        boolean isStrided = layout.isStrided() && layout.totalSize() <= Integer.MAX_VALUE;       // repeated positions can exceed it
        if (isStrided && source instanceof FloatBlock) {
            return FloatStrided.of((FloatBlock) source, layout);
        }
        if (isStrided && source instanceof FloatWindows) {
            FloatBlock window = ((FloatWindows) source).window(layout);
            if (window != null) {
                return FloatStrided.of(window, layout.from(-window.origin()));
            }
        }
        if (isStrided && source instanceof FloatArray) {
            return FloatArrayStrided.of((FloatArray) source, layout);
        }
        return new FloatView(source, layout);
    }

    //#if float int long
    @Override
    Carrier<FloatTensorData, float[]> carrier() {
        return FloatCarrier.FLOAT.of(source.type());
    }

    /** Whether this is strided elements in one buffer that are stored narrow. */
    @Override
    boolean isStrided() {
        return layout.isStrided() && (source instanceof FloatNarrow && ((FloatNarrow) source).isOne() || source instanceof FloatGiven);
    }
    //#end

    @Override
    FloatSource source() {
        return source;
    }

    @Override
    public Layout layout() {
        return layout;
    }

    @Override
    public int rank() {
        return rank;
    }

    // ---- One element -----------------------------------------------------------------------------------------------

    /**
     * Reads a buffer directly if possible: a call of a source that had not been called when this was compiled may not
     * be inlined. A closed block, without a buffer, is called like other sources, and throws.
     */
    private float read(long at) {
        FloatBuffer b = block == null ? null : block.rd;
        if (b != null) {
            return FloatElement.read(b, (int) at);
        }
        //#if buffer
        if (other != null) {
            return other.get((int) at);
        }
        //#end
        return array != null ? array.read(at) : source.read(at);
    }

    private void write(float value, long at) {
        if (readOnly) {
            throw notWritable(dataType(), source, layout.sizes());
        }
        FloatBuffer b = block == null ? null : block.wr;
        if (b != null) {
            FloatElement.write(b, (int) at, value);
        } else if (array != null) {
            array.write(value, at);
        } else {
            source.write(value, at);
        }
    }

    /** The exception for invalid indices; an exception for closed or read-only data takes precedence. */
    private IndexOutOfBoundsException bad(boolean toWrite, int... indices) {
        if (toWrite) {
            checkWritable();
        } else {
            source.checkOpen();
        }
        return carrier().outside(layout.sizes(), indices);
    }

    private static boolean isInside(Layout l, int d, int i) {
        return i >= 0 && i < l.size(d);
    }

    /** The position of the element at the first {@code n} of four indices, for any layout: the slow path. */
    private long anyAt(boolean toWrite, int n, int i, int j, int k, int l) {
        Layout all = layout;
        boolean isInside = n == rank;
        long at = offset;
        for (int d = 0; d < n && isInside; d++) {
            int index = FourIndices.get(d, i, j, k, l);
            isInside = isInside(all, d, index);
            at += isInside ? all.distance(d, index) : 0;
        }
        if (!isInside) {
            throw bad(toWrite, FourIndices.array(n, i, j, k, l));
        }
        return at;
    }

    private long at(boolean toWrite) {
        if (rank != 0) {
            throw bad(toWrite);
        }
        return offset;
    }

    private long at(boolean toWrite, int i) {
        if (i < 0 || i >= n) {
            return anyAt(toWrite, 1, i, 0, 0, 0);
        }
        return offset + (l0 == null ? i * s0 : l0[i]);
    }

    private long at(boolean toWrite, int i, int j) {
        if (i < 0 || i >= n0 || j < 0 || j >= n1) {
            return anyAt(toWrite, 2, i, j, 0, 0);
        }
        return offset + (l0 == null ? i * s0 : l0[i]) + (l1 == null ? j * s1 : l1[j]);
    }

    private long at(boolean toWrite, int i, int j, int k) {
        Layout l = plain;
        if (l.rank() != 3 || !isInside(l, 0, i) || !isInside(l, 1, j) || !isInside(l, 2, k)) {
            return anyAt(toWrite, 3, i, j, k, 0);
        }
        return l.offset() + l.distanceWithoutRuns(0, i) + l.distanceWithoutRuns(1, j) + l.distanceWithoutRuns(2, k);
    }

    private long at(boolean toWrite, int... indices) {
        Layout all = layout;
        boolean isInside = Objects.requireNonNull(indices, "indices").length == rank;
        long at = offset;
        for (int d = 0; d < indices.length && isInside; d++) {
            int index = indices[d];         // read once: the caller may change the array concurrently
            isInside = isInside(all, d, index);
            at += isInside ? all.distance(d, index) : 0;
        }
        if (!isInside) {
            throw bad(toWrite, indices.clone());
        }
        return at;
    }

    @Override
    public float get() {
        return read(at(false));
    }

    @Override
    public float get(int i) {
        return read(at(false, i));
    }

    @Override
    public float get(int i, int j) {
        return read(at(false, i, j));
    }

    @Override
    public float get(int i, int j, int k) {
        return read(at(false, i, j, k));
    }

    @Override
    public float get(int i, int j, int k, int l) {
        return read(anyAt(false, 4, i, j, k, l));
    }

    @Override
    public float get(int... indices) {
        return read(at(false, indices));
    }

    @Override
    public void put(float value) {
        write(value, at(true));
    }

    @Override
    public void put(float value, int i) {
        write(value, at(true, i));
    }

    @Override
    public void put(float value, int i, int j) {
        write(value, at(true, i, j));
    }

    @Override
    public void put(float value, int i, int j, int k) {
        write(value, at(true, i, j, k));
    }

    @Override
    public void put(float value, int i, int j, int k, int l) {
        write(value, anyAt(true, 4, i, j, k, l));
    }

    @Override
    public void put(float value, int... indices) {
        write(value, at(true, indices));
    }

    // ---- One by one ------------------------------------------------------------------------------------------------

    @Override
    public FloatTensorIterator scalars() {
        checkOpen();
        return new FloatViewScalars(source, layout);
    }

    // ---- In bulk ---------------------------------------------------------------------------------------------------

    @Override
    public StridedOperand operand(boolean write) {
        //#if float int long
        if (source instanceof FloatNarrow && layout.isStrided()) {
            FloatNarrow narrow = (FloatNarrow) source;
            return StridedOperand.of(narrow.first(write), narrow, 0, layout);
        }
        //#end
        return carried(write);
    }

    /** An operand whose elements in memory are those of an array. */
    private StridedOperand carried(boolean write) {
        if (!(source instanceof FloatWindows) || !layout.isStrided()) {
            return null;
        }
        FloatWindows all = (FloatWindows) source;
        return StridedOperand.of(all.first(write), all, 0, layout);
    }

    @Override
    boolean isCopiedAtOnce() {
        return block != null || array != null || layout.isStrided() && source.copiesAtOnce() && totalSize() <= Integer.MAX_VALUE;
    }

    @Override
    boolean isCopiedByRows() {
        if (source instanceof FloatWindows && layout.isStrided()) {
            return rank > 1 && layout.size(0) <= Integer.MAX_VALUE;         // rows may lie in one window each
        }
        return rank > 1 && !layout.isStrided() && (block != null || array != null || source.copiesAtOnce())
            && layout.list(rank - 1) == null && layout.runs(rank - 1) == null && layout.size(rank - 1) >= SHORT_ROW
            && layout.size(0) <= Integer.MAX_VALUE;
    }

    private FloatData row(long i) {
        return (FloatData) DataPart.withoutOnes(of(source, layout.at((int) i)));
    }

    @Override
    void readAll(float[] to, int at) {
        if (totalSize() == 0 || PieceCopies.read(FloatCarrier.FLOAT, source, layout, to, at) || source.readAll(layout, to, at)) {
            return;
        }
        try (StridedOperand operand = carried(false)) {
            if (operand != null) {
                operand.read(totalSize(), to, at);
                return;
            }
        }
        if (isCopiedByRows()) {
            int inner = (int) (totalSize() / layout.size(0));
            for (int i = 0; i < layout.size(0); i++) {
                row(i).readAll(to, at + i * inner);
            }
        } else if (block != null) {
            FloatLoops.read(block, layout, to, at);
        } else if (array != null) {
            FloatArrayLoops.read(array, layout, to, at);
        } else {
            FloatArrayCopies.readEach(this, to, at);
        }
    }

    @Override
    void writeFirst(int n, float[] from, int at) {
        if (n == 0 || source.writeFirst(layout, n, from, at)) {
            return;
        }
        try (StridedOperand operand = carried(true)) {
            if (operand != null) {
                operand.write(n, from, at);
                return;
            }
        }
        if (isCopiedByRows()) {
            long inner = totalSize() / layout.size(0);
            for (long done = 0; done < n; done += inner) {
                row(done / inner).writeFirst((int) Math.min(inner, n - done), from, (int) (at + done));
            }
        } else if (block != null) {
            FloatLoops.write(block, layout, from, at, at + n);
        } else if (array != null) {
            FloatArrayLoops.write(array, layout, from, at, at + n);
        } else {
            FloatArrayCopies.writeEach(this, n, from, at);
        }
    }

    //#if buffer
    @Override
    void readAll(FloatBuffer to) {
        FloatBufferCopies.readByChunks(this, to);
    }

    @Override
    void writeFirst(FloatBuffer from) {
        //~int,long if (Encodings.isRanged(source.type())) {
        //~int,long     for (int i = from.position(); i < from.limit(); i++) {
        //~int,long         Encodings.check(source.type(), from.get(i));
        //~int,long     }
        //~int,long }
        FloatBufferCopies.writeByChunks(this, from);
    }
    //#end
}
