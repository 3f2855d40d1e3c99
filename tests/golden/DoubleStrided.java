package io.tensornio.internal;

import io.tensornio.DataType;
import io.tensornio.DoubleTensorData;
import io.tensornio.DoubleTensorIterator;
import io.tensornio.TensorIndex;
import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.Objects;

/**
 * All {@code double} data in native memory with a stride for each axis: whole tensors, slices, single elements; of any rank, contiguous or
 * not. For that in arrays there is a class of its own, DoubleArrayStrided, which is made from this source.
 *
 * <p>It is one final class on purpose: an access through a call site that has met two classes costs several times as
 * much. For the same reason sizes and strides up to rank 4 are fields of their own, the last stride has a branch for 1,
 * and exceptions are made out of line.
 *
 * <p>Invariants, beside those of {@link Layout}:
 * <ol>
 * <li>positions of elements fit an {@code int}, since they lie in one buffer or array; so does every
 *     partial sum of an offset and leading indices times strides, being the position of an element itself;
 * <li>{@code n0} to {@code n3} are the sizes, cut to an {@code int} where a size beside a 0 is larger, and
 *     {@code s0} to {@code s3} the strides; both are 0 from {@code rank} on;
 * <li>{@code layout} is there when the fields cannot say it all: above rank 4, or when a size was cut.
 * </ol>
 */
public final class DoubleStrided extends DoubleData {
    private static final int FIELDS = 4;

    final DoubleBlock block;
    private final int rank;
    private final int offset;
    private final int n0;
    private final int n1;
    private final int n2;
    private final int n3;
    private final int s0;
    private final int s1;
    private final int s2;
    private final int s3;
    /** The last stride is 1. */
    private final boolean unit;
    /**
     * Moreover the offset is 0: C2 17 vectorises a loop with one invariant besides the index, the buffer's address, but not with two; and
     * C2 25 copies 64 elements half a nanosecond faster from a constant 0 on.
     */
    private final boolean plain;
    /** How many elements there are, if there are any and rank 1 or 2 shows at once that they lie without gaps; else -1, which no array is as short as. */
    private final int dense;
    private final Layout layout;

    private DoubleStrided(DoubleBlock block, int rank, int offset, int n0, int n1, int n2, int n3, int s0, int s1, int s2, int s3, Layout layout) {
        this.block = block;
        this.rank = rank;
        this.offset = offset;
        this.n0 = n0;
        this.n1 = n1;
        this.n2 = n2;
        this.n3 = n3;
        this.s0 = s0;
        this.s1 = s1;
        this.s2 = s2;
        this.s3 = s3;
        this.layout = layout;
        unit = (rank == 1 ? s0 : rank == 2 ? s1 : rank == 3 ? s2 : s3) == 1;
        plain = unit && offset == 0;
        int count = !unit || layout != null ? 0 : rank == 1 ? n0 : rank == 2 && s0 == n1 ? n0 * n1 : 0;
        dense = count == 0 ? -1 : count;
    }

    /**
     * Data over all elements of a block.
     *
     * @param block the elements
     * @return the data; it can be written until the block is published
     */
    public static DoubleStrided of(DoubleBlock block) {

        long[] shape = block.shape();
        int rank = shape.length;
        long n0 = rank > 0 ? shape[0] : 0;
        long n1 = rank > 1 ? shape[1] : 0;
        long n2 = rank > 2 ? shape[2] : 0;
        long n3 = rank > 3 ? shape[3] : 0;
        if (rank > FIELDS || (n0 | n1 | n2 | n3) > Integer.MAX_VALUE || n0 == 0 || rank > 1 && Shapes.product(shape) == 0) {
            return of(block, Layout.rowMajor(shape));
        }
        // Without arrays of strides: this is half of what a small tensor costs.
        int s3 = rank > 3 ? 1 : 0;
        int s2 = rank > 3 ? (int) n3 : rank > 2 ? 1 : 0;
        int s1 = rank > 2 ? s2 * (int) n2 : rank > 1 ? 1 : 0;
        int s0 = rank > 1 ? s1 * (int) n1 : rank > 0 ? 1 : 0;
        return new DoubleStrided(block, rank, 0, (int) n0, (int) n1, (int) n2, (int) n3, s0, s1, s2, s3, null);


    }


    /** Elements that follow each other, as a vector. */
    static DoubleStrided row(DoubleBlock block, int offset, int n) {
        return new DoubleStrided(block, 1, offset, n, 0, 0, 0, 1, 0, 0, 0, null);
    }


    /** Data over some elements of a block. The layout has no lists. */
    static DoubleStrided of(DoubleBlock block, Layout l) {
        int rank = l.rank();
        boolean fits = rank <= FIELDS;
        for (int d = 0; d < rank && fits; d++) {
            fits = l.size(d) <= Integer.MAX_VALUE && l.stride(d) == (int) l.stride(d);
        }
        return new DoubleStrided(block, rank, (int) l.offset(), size(l, 0), size(l, 1), size(l, 2), size(l, 3),
            stride(l, 0), stride(l, 1), stride(l, 2), stride(l, 3), fits ? null : l);
    }


    /**
     * Checks data that is to be copied, before memory is taken for it.
     *
     * @param data any data
     * @throws io.tensornio.TensorClosedException if it is closed
     */
    public static void checkOpen(DoubleTensorData data) {
        DoubleCopies.checkOpen(data);
    }

    /**
     * Copies data to new memory, which nobody else has seen.
     *
     * @param memory data of the same shape
     * @param from any data
     */
    public static void fill(DoubleStrided memory, DoubleTensorData from) {
        DoubleCopies.fill(memory, from);
    }


    private static int size(Layout l, int d) {
        return d < l.rank() ? (int) Math.min(l.size(d), Integer.MAX_VALUE) : 0;
    }

    private static int stride(Layout l, int d) {
        return d < l.rank() ? (int) l.stride(d) : 0;
    }

    private int size4(int d) {
        return d == 0 ? n0 : d == 1 ? n1 : d == 2 ? n2 : n3;
    }

    private int stride(int d) {
        return layout != null ? (int) layout.stride(d) : d == 0 ? s0 : d == 1 ? s1 : d == 2 ? s2 : s3;
    }

    @Override
    Layout layout() {
        if (layout != null) {
            return layout;
        }
        long[] sizes = new long[rank];
        long[] strides = new long[rank];
        for (int d = 0; d < rank; d++) {
            sizes[d] = size4(d);
            strides[d] = stride(d);
        }
        return new Layout(offset, sizes, strides);
    }

    // ---- What it is ------------------------------------------------------------------------------------------------

    @Override
    public DataType dataType() {
        return DoubleElement.TYPE;
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public long size(int dimension) {
        return layout == null && dimension >= 0 && dimension < rank ? size4(dimension) : Shapes.size(layout().sizes(), dimension);
    }

    @Override
    public long totalSize() {
        if (layout != null) {
            return layout.totalSize();
        }
        if (rank == 1 || rank == 2) {
            return rank == 1 ? n0 : (long) n0 * n1;
        }
        long total = 1;
        for (int d = 0; d < rank; d++) {
            total *= size4(d);
        }
        return total;
    }

    @Override
    public long[] shape() {
        return layout().sizes().clone();
    }

    @Override
    public boolean isReadOnly() {
        return block.wr == null;
    }

    // ---- One element -----------------------------------------------------------------------------------------------

    private RuntimeException unreadable(boolean closed, int... indices) {
        return closed ? block.closedException() : new BadIndexException(layout().sizes(), indices);
    }

    private RuntimeException unwritable(boolean stopped, int... indices) {
        return stopped ? block.notWritable() : new BadIndexException(layout().sizes(), indices);
    }

    @Override
    public double get() {
        DoubleBuffer b = block.rd;
        if (b == null || rank != 0) {
            throw unreadable(b == null);
        }
        return DoubleElement.read(b, offset);
    }

    @Override
    public double get(int i) {
        DoubleBuffer b = block.rd;
        if (b == null || rank != 1 || i < 0 || i >= n0) {
            throw unreadable(b == null, i);
        }
        return DoubleElement.read(b, plain ? i : offset + (unit ? i : i * s0));
    }

    @Override
    public double get(int i, int j) {
        DoubleBuffer b = block.rd;
        if (b == null || rank != 2 || i < 0 || i >= n0 || j < 0 || j >= n1) {
            throw unreadable(b == null, i, j);
        }
        return DoubleElement.read(b, offset + i * s0 + (unit ? j : j * s1));
    }

    @Override
    public double get(int i, int j, int k) {
        DoubleBuffer b = block.rd;
        if (b == null || rank != 3 || i < 0 || i >= n0 || j < 0 || j >= n1 || k < 0 || k >= n2) {
            throw unreadable(b == null, i, j, k);
        }
        return DoubleElement.read(b, offset + i * s0 + j * s1 + (unit ? k : k * s2));
    }

    @Override
    public double get(int i, int j, int k, int l) {
        DoubleBuffer b = block.rd;
        if (b == null || rank != 4 || i < 0 || i >= n0 || j < 0 || j >= n1 || k < 0 || k >= n2 || l < 0 || l >= n3) {
            throw unreadable(b == null, i, j, k, l);
        }
        return DoubleElement.read(b, offset + i * s0 + j * s1 + k * s2 + (unit ? l : l * s3));
    }

    @Override
    public double get(int... indices) {
        DoubleBuffer b = block.rd;
        if (Objects.requireNonNull(indices, "indices").length != rank || b == null) {
            throw unreadable(b == null, indices);
        }
        return DoubleElement.read(b, position(indices));
    }

    /** The position of an element. There is one path through all ranks: a method per rank makes more code than the compiler inlines. */
    private int position(int... indices) {
        if (layout != null) {
            return (int) layout.offsetOf(indices);
        }
        int at = offset;
        int axes = rank;
        if (axes > 0) {
            int i = indices[0];         // each once: the caller's array may change meanwhile
            if (i < 0 || i >= n0) {
                throw unreadable(false, indices);
            }
            at += axes == 1 && unit ? i : i * s0;
        }
        if (axes > 1) {
            int j = indices[1];
            if (j < 0 || j >= n1) {
                throw unreadable(false, indices);
            }
            at += axes == 2 && unit ? j : j * s1;
        }
        if (axes > 2) {
            int k = indices[2];
            if (k < 0 || k >= n2) {
                throw unreadable(false, indices);
            }
            at += axes == 3 && unit ? k : k * s2;
        }
        if (axes > 3) {
            int l = indices[3];
            if (l < 0 || l >= n3) {
                throw unreadable(false, indices);
            }
            at += unit ? l : l * s3;
        }
        return at;
    }

    @Override
    public void put(double value) {
        DoubleBuffer b = block.wr;
        if (b == null || rank != 0) {
            throw unwritable(b == null);
        }
        DoubleElement.write(b, offset, value);
    }

    @Override
    public void put(double value, int i) {
        DoubleBuffer b = block.wr;
        if (b == null || rank != 1 || i < 0 || i >= n0) {
            throw unwritable(b == null, i);
        }
        DoubleElement.write(b, plain ? i : offset + (unit ? i : i * s0), value);
    }

    @Override
    public void put(double value, int i, int j) {
        DoubleBuffer b = block.wr;
        if (b == null || rank != 2 || i < 0 || i >= n0 || j < 0 || j >= n1) {
            throw unwritable(b == null, i, j);
        }
        DoubleElement.write(b, offset + i * s0 + (unit ? j : j * s1), value);
    }

    @Override
    public void put(double value, int i, int j, int k) {
        DoubleBuffer b = block.wr;
        if (b == null || rank != 3 || i < 0 || i >= n0 || j < 0 || j >= n1 || k < 0 || k >= n2) {
            throw unwritable(b == null, i, j, k);
        }
        DoubleElement.write(b, offset + i * s0 + j * s1 + (unit ? k : k * s2), value);
    }

    @Override
    public void put(double value, int i, int j, int k, int l) {
        DoubleBuffer b = block.wr;
        if (b == null || rank != 4 || i < 0 || i >= n0 || j < 0 || j >= n1 || k < 0 || k >= n2 || l < 0 || l >= n3) {
            throw unwritable(b == null, i, j, k, l);
        }
        DoubleElement.write(b, offset + i * s0 + j * s1 + k * s2 + (unit ? l : l * s3), value);
    }

    @Override
    public void put(double value, int... indices) {
        DoubleBuffer b = block.wr;
        if (Objects.requireNonNull(indices, "indices").length != rank || b == null) {
            throw unwritable(b == null, indices);
        }
        DoubleElement.write(b, position(indices), value);
    }

    // ---- Slices ----------------------------------------------------------------------------------------------------

    @Override
    void checkOpen() {
        if (block.rd == null) {
            throw block.closedException();
        }
    }

    @Override
    void checkWritable() {
        if (block.wr == null) {
            throw block.notWritable();
        }
    }

    @Override
    public DoubleStrided slice() {
        checkOpen();
        return this;
    }

    @Override
    public DoubleStrided slice(int i) {
        if (layout != null) {           // n0 may be cut
            checkOpen();
            return of(block, layout.at(i));
        }
        DoubleBuffer b = block.rd;
        if (b == null || rank == 0 || i < 0 || i >= n0) {
            throw unreadable(b == null, i);
        }
        return new DoubleStrided(block, rank - 1, offset + i * s0, n1, n2, n3, 0, s1, s2, s3, 0, null);
    }

    @Override
    public DoubleStrided slice(int i, int j) {
        if (layout != null) {
            checkOpen();
            return of(block, layout.at(i, j));
        }
        DoubleBuffer b = block.rd;
        if (b == null || rank < 2 || i < 0 || i >= n0 || j < 0 || j >= n1) {
            throw unreadable(b == null, i, j);
        }
        return new DoubleStrided(block, rank - 2, offset + i * s0 + j * s1, n2, n3, 0, 0, s2, s3, 0, 0, null);
    }

    @Override
    public DoubleStrided slice(int i, int j, int k) {
        checkOpen();
        return of(block, layout().at(i, j, k));
    }

    @Override
    public DoubleStrided slice(int i, int j, int k, int l) {
        checkOpen();
        return of(block, layout().at(i, j, k, l));
    }

    @Override
    public DoubleStrided slice(int... indices) {
        switch (Objects.requireNonNull(indices, "indices").length) {
            case 0:
                return slice();
            case 1:
                return slice(indices[0]);
            case 2:
                return slice(indices[0], indices[1]);
            default:
                checkOpen();
                return of(block, layout().at(indices));
        }
    }

    @Override
    public DoubleTensorData slice(TensorIndex... indices) {
        DoubleStrided simple = simpleSlice(Objects.requireNonNull(indices, "indices"));
        if (simple != null) {
            return simple;
        }
        TensorIndex[] own = Slicer.checked(indices);
        checkOpen();
        return DoubleView.of(block, Slicer.slice(layout(), own));
    }

    /** A slice by positions and ranges alone, in half the time that the {@link Slicer} needs; null for any other, or if something is wrong. */
    private DoubleStrided simpleSlice(TensorIndex... indices) {
        if (layout != null || indices.length > rank || block.rd == null) {
            return null;
        }
        int at = offset;
        int axes = 0;
        int m0 = 0;
        int m1 = 0;
        int m2 = 0;
        int m3 = 0;
        int t0 = 0;
        int t1 = 0;
        int t2 = 0;
        int t3 = 0;
        for (int d = 0; d < rank; d++) {
            int n = size4(d);
            int s = stride(d);
            TensorIndex index = d < indices.length ? indices[d] : RangeIndex.ALL;
            if (index instanceof AtIndex) {
                int position = (int) ((AtIndex) index).position(n);
                if (position < 0) {
                    return null;
                }
                at += position * s;
                continue;
            }
            if (!(index instanceof RangeIndex)) {
                return null;
            }
            RangeIndex range = (RangeIndex) index;
            int count = (int) range.count(n);
            if (count < 0) {
                return null;
            }
            at += count == 0 ? 0 : (int) range.first(n) * s;
            s *= count > 1 ? (int) range.step() : 1;
            switch (axes++) {
                case 0:
                    m0 = count;
                    t0 = s;
                    break;
                case 1:
                    m1 = count;
                    t1 = s;
                    break;
                case 2:
                    m2 = count;
                    t2 = s;
                    break;
                default:
                    m3 = count;
                    t3 = s;
            }
        }
        return new DoubleStrided(block, axes, at, m0, m1, m2, m3, t0, t1, t2, t3, null);
    }

    /** Whether the elements follow each other in row-major order without gaps. */
    boolean isContiguous() {
        if (layout != null) {
            return layout.isContiguous();
        }
        if (unit && (rank == 2 ? s0 == n1 : rank == 1)) {
            return true;        // without the loop, which costs as much as a copy of 16 elements
        }
        int expected = 1;
        for (int d = rank - 1; d >= 0; d--) {
            int n = size4(d);
            if (n != 1 && stride(d) != expected) {
                return totalSize() == 0;
            }
            expected *= n;
        }
        return true;
    }

    /** The position of the first element. */
    int offset() {
        return offset;
    }

    @Override
    DoubleStrided part(long from, long n) {
        return of(block, layout().part(from, n));
    }

    // ---- In bulk ---------------------------------------------------------------------------------------------------

    @Override
    public void get(double[] array, int... indices) {
        Objects.requireNonNull(array, "array");
        Objects.requireNonNull(indices, "indices");

        DoubleBuffer b = block.rd;
        if (b != null && dense > 0 && indices.length == 0 && dense <= array.length) {
            DoubleBulk.get(b, plain ? 0 : offset, array, 0, dense);
            return;
        }

        super.get(array, indices);
    }

    @Override
    public void put(double[] array, int... indices) {
        Objects.requireNonNull(array, "array");
        Objects.requireNonNull(indices, "indices");

        DoubleBuffer b = block.wr;
        if (b != null && indices.length == 0 && array.length <= dense) {
            DoubleBulk.put(b, plain ? 0 : offset, array, 0, array.length);
            return;
        }

        super.put(array, indices);
    }

    @Override
    void readAll(double[] to, int at) {
        DoubleCopies.read(this, to, at);
    }

    @Override
    void writeFirst(int n, double[] from, int at) {
        DoubleCopies.write(this, n, from, at);
    }


    @Override
    void readAll(DoubleBuffer to) {
        DoubleCopies.read(this, to);
    }

    @Override
    void writeFirst(DoubleBuffer from) {
        DoubleCopies.write(this, from);
    }


    @Override
    DoubleSource source() {
        return block;
    }

    // ---- One after the other ---------------------------------------------------------------------------------------

    /**
     * The offset of the first element of a row, where the rows are the positions of the leading axes in row-major order.
     *
     * @param row which row
     * @param outer the number of leading axes
     */
    int rowStart(int row, int outer) {
        long at = offset;
        int rest = row;
        for (int d = outer - 1; d >= 0; d--) {
            int n = (int) size(d);
            at += (long) (rest % n) * stride(d);
            rest /= n;
        }
        return (int) at;
    }

    @Override
    public DoubleTensorIterator scalars() {
        checkOpen();
        int n = 0;
        int step = 1;
        int rows = 1;
        int outer = 0;
        long total = totalSize();
        if (rank == 0) {
            n = 1;
        } else if (total > 0) {
            // One row is the last axis and what lies before it without gaps.
            outer = rank - 1;
            while (outer > 0 && size(outer) == 1) {
                outer--;                // which would be a row of one element
            }
            n = (int) size(outer);
            step = stride(outer);
            while (outer > 0 && (size(outer - 1) == 1 || stride(outer - 1) == n * step)) {
                outer--;
                n *= (int) size(outer);
            }
            rows = (int) (total / n);
        }
        return new DoubleScalars(this, n, step, rows, outer);
    }
}
