package io.tensornio.internal.data;

import io.tensornio.FloatTensorData;
import io.tensornio.TensorIndex;
import io.tensornio.internal.element.FloatBlock;
import io.tensornio.internal.element.FloatElement;
import io.tensornio.internal.layout.AtIndex;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.RangeIndex;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.layout.Slicer;
import java.nio.FloatBuffer;
import java.util.Objects;

/**
 * All {@code float} data in native memory with a stride for each axis: whole tensors, slices, single elements; of any rank, contiguous or
 * not. Its twin for arrays, FloatArrayStrided, is generated from this source.
 *
 * <p>It is a single final class on purpose: access through a bimorphic call site costs several times as much. For the same reason sizes and strides
 * up to rank 4 are separate fields, the last stride has a branch for 1, and exceptions are made out of line. Both branches repeat the bounds check of
 * the last index: otherwise the compiler merges them into a conditional move, and no longer unswitches the loop for stride 1.
 */
public final class FloatStrided extends AbstractFloatStrided {
    private static final int FIELDS = 4;

    private FloatStrided(FloatBlock block, int rank, int offset, int n0, int n1, int n2, int n3, int s0, int s1, int s2, int s3, Layout layout,
            boolean readOnly) {
        super(block, rank, offset, n0, n1, n2, n3, s0, s1, s2, s3, layout, true, readOnly);
    }

    /** A sub-tensor of rank 3 at most. */
    private FloatStrided(FloatBlock block, int rank, int offset, int n0, int n1, int n2, int s0, int s1, int s2, boolean readOnly) {
        super(block, rank, offset, n0, n1, n2, 0, s0, s1, s2, 0, null, false, readOnly);
    }

    //#if !array
    /**
     * Data over all elements of a block.
     *
     * @param block the elements
     * @return the data; it can be written until the block is published
     */
    public static FloatStrided of(FloatBlock block) {
        long[] shape = block.shape();
        int rank = shape.length;
        long n0 = rank > 0 ? shape[0] : 0;
        long n1 = rank > 1 ? shape[1] : 0;
        long n2 = rank > 2 ? shape[2] : 0;
        long n3 = rank > 3 ? shape[3] : 0;
        if (rank > FIELDS || (n0 | n1 | n2 | n3) > Integer.MAX_VALUE || n0 == 0 || rank > 1 && Shapes.product(shape) == 0) {
            return of(block, Layout.rowMajor(shape));
        }
        // Without arrays of strides, which halves the cost of a small tensor.
        int s3 = rank > 3 ? 1 : 0;
        int s2 = rank > 3 ? (int) n3 : rank > 2 ? 1 : 0;
        int s1 = rank > 2 ? s2 * (int) n2 : rank > 1 ? 1 : 0;
        int s0 = rank > 1 ? s1 * (int) n1 : rank > 0 ? 1 : 0;
        return new FloatStrided(block, rank, 0, (int) n0, (int) n1, (int) n2, (int) n3, s0, s1, s2, s3, null, false);
    }

    /** Contiguous elements as a vector. */
    static FloatStrided row(FloatBlock block, int offset, int n) {
        return new FloatStrided(block, 1, offset, n, 0, 0, 0, 1, 0, 0, 0, null, false);
    }
    //#end

    /**
     * Data over some elements of a block.
     *
     * @param block the elements
     * @param l their layout, without lists or runs
     * @return the data
     */
    public static FloatStrided of(FloatBlock block, Layout l) {
        int rank = l.rank();
        boolean fits = rank <= FIELDS;
        for (int d = 0; d < rank && fits; d++) {
            fits = l.size(d) <= Integer.MAX_VALUE && l.stride(d) == (int) l.stride(d);
        }
        return new FloatStrided(block, rank, (int) l.offset(), size(l, 0), size(l, 1), size(l, 2), size(l, 3),
            stride(l, 0), stride(l, 1), stride(l, 2), stride(l, 3), fits ? null : l, l.isReadOnly());
    }

    // ---- One element -----------------------------------------------------------------------------------------------

    @Override
    public float get() {
        return FloatElement.read(block.readable(), at());
    }

    @Override
    public float get(int i) {
        return FloatElement.read(block.readable(), at(i));
    }

    @Override
    public float get(int i, int j) {
        return FloatElement.read(block.readable(), at(i, j));
    }

    @Override
    public float get(int i, int j, int k) {
        return FloatElement.read(block.readable(), at(i, j, k));
    }

    @Override
    public float get(int i, int j, int k, int l) {
        return FloatElement.read(block.readable(), at(i, j, k, l));
    }

    @Override
    public float get(int... indices) {
        Objects.requireNonNull(indices, "indices");
        return FloatElement.read(block.readable(), at(indices));
    }

    @Override
    public void put(float value) {
        FloatElement.write(writable(), at(), value);
    }

    @Override
    public void put(float value, int i) {
        FloatElement.write(writable(), at(i), value);
    }

    @Override
    public void put(float value, int i, int j) {
        FloatElement.write(writable(), at(i, j), value);
    }

    @Override
    public void put(float value, int i, int j, int k) {
        FloatElement.write(writable(), at(i, j, k), value);
    }

    @Override
    public void put(float value, int i, int j, int k, int l) {
        FloatElement.write(writable(), at(i, j, k, l), value);
    }

    @Override
    public void put(float value, int... indices) {
        Objects.requireNonNull(indices, "indices");
        FloatElement.write(writable(), at(indices), value);
    }

    private int at() {
        if (rank != 0) {
            throw outside();
        }
        return offset;
    }

    private int at(int i) {
        if (rank != 1) {
            throw outside(i);
        }
        if (plain && i >= 0 && i < n0) {
            return i;
        }
        if (unit && i >= 0 && i < n0) {
            return offset + i;
        }
        if (i >= 0 && i < n0) {
            return offset + i * s0;
        }
        throw outside(i);
    }

    private int at(int i, int j) {
        if (rank != 2 || i < 0 || i >= n0) {
            throw outside(i, j);
        }
        int at = offset + i * s0;
        if (unit && j >= 0 && j < n1) {
            return at + j;
        }
        if (j >= 0 && j < n1) {
            return at + j * s1;
        }
        throw outside(i, j);
    }

    private int at(int i, int j, int k) {
        if (rank != 3 || isOutside(i, n0) || isOutside(j, n1)) {
            throw outside(i, j, k);
        }
        int at = offset + i * s0 + j * s1;
        if (unit && k >= 0 && k < n2) {
            return at + k;
        }
        if (k >= 0 && k < n2) {
            return at + k * s2;
        }
        throw outside(i, j, k);
    }

    private int at(int i, int j, int k, int l) {
        if (rank != 4 || i < 0 || i >= n0 || j < 0 || j >= n1 || k < 0 || k >= n2) {
            throw outside(i, j, k, l);
        }
        int at = offset + i * s0 + j * s1 + k * s2;
        if (unit && l >= 0 && l < n3) {
            return at + l;
        }
        if (l >= 0 && l < n3) {
            return at + l * s3;
        }
        throw outside(i, j, k, l);
    }

    /**
     * The position of an element. There is one code path for all ranks: a method per rank exceeds the compiler's inlining limits. The last index is
     * checked first, and compared with 0 separately: it usually is a loop counter, whose check the compiler then hoists.
     */
    private int at(int... indices) {
        if (indices.length != rank) {
            throw outside(indices);
        }
        if (layout != null) {
            return (int) layout.offsetOf(indices);
        }
        int axes = indices.length;
        if (axes == 0) {
            return offset;
        }
        int last = indices[axes - 1];       // each read once: the caller may change the array concurrently
        if (last < 0 || last >= nLast) {
            throw outside(indices);
        }
        int at = offset + (unit ? last : last * sLast);
        if (axes > 1) {
            int i = indices[0];
            if (isOutside(i, n0)) {
                throw outside(indices);
            }
            at += i * s0;
        }
        if (axes > 2) {
            int j = indices[1];
            if (isOutside(j, n1)) {
                throw outside(indices);
            }
            at += j * s1;
        }
        if (axes > 3) {
            int k = indices[2];
            if (isOutside(k, n2)) {
                throw outside(indices);
            }
            at += k * s2;
        }
        return at;
    }

    /**
     * Whether an index is out of bounds. Masking the sign bit changes no size, but tells the compiler that it is not negative, so that one unsigned
     * comparison suffices. With two or four separate indices it does not pay (bench/experiments.md).
     */
    private static boolean isOutside(int i, int n) {
        return i < 0 || i >= (n & Integer.MAX_VALUE);
    }

    // ---- Slices ----------------------------------------------------------------------------------------------------

    @Override
    public FloatStrided slice(int i) {
        if (layout != null) {           // n0 may be truncated
            checkOpen();
            return of(block, layout.at(i));
        }
        checkOpen();
        if (rank == 0 || i < 0 || i >= n0) {
            throw outside(i);
        }
        return new FloatStrided(block, rank - 1, offset + i * s0, n1, n2, n3, s1, s2, s3, readOnly);
    }

    @Override
    public FloatStrided slice(int i, int j) {
        if (layout != null) {
            checkOpen();
            return of(block, layout.at(i, j));
        }
        checkOpen();
        if (rank < 2 || i < 0 || i >= n0 || j < 0 || j >= n1) {
            throw outside(i, j);
        }
        return new FloatStrided(block, rank - 2, offset + i * s0 + j * s1, n2, n3, 0, s2, s3, 0, readOnly);
    }

    @Override
    public FloatStrided slice(int... indices) {
        switch (Objects.requireNonNull(indices, "indices").length) {
            case 0:
                checkOpen();
                return this;
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
    public FloatTensorData slice(TensorIndex... indices) {
        FloatStrided simple = simpleSlice(Objects.requireNonNull(indices, "indices"));
        if (simple != null) {
            return simple;
        }
        TensorIndex[] own = DataIndices.checked(indices);
        checkOpen();
        return FloatView.of(block, Slicer.slice(layout(), own));
    }

    /** A fast path, in half the time of the {@link Slicer}, for positions and ranges; null for any other index, or an error. */
    private FloatStrided simpleSlice(TensorIndex... indices) {
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
        return new FloatStrided(block, axes, at, m0, m1, m2, m3, t0, t1, t2, t3, null, readOnly);
    }

    @Override
    public FloatTensorData transpose() {
        if (rank != 2 || layout != null) {
            return super.transpose();
        }
        checkOpen();
        return new FloatStrided(block, 2, offset, n1, n0, 0, 0, s1, s0, 0, 0, null, readOnly);
    }

    @Override
    public FloatTensorData permute(int... axes) {
        FloatStrided simple = simplePermute(Objects.requireNonNull(axes, "axes"));
        return simple != null ? simple : super.permute(axes);
    }

    /** A fast path of permute, in half the time of a {@link Layout}'s; null if a layout is needed, or on an error. */
    private FloatStrided simplePermute(int... axes) {
        if (layout != null || axes.length != rank || block.rd == null) {
            return null;
        }
        int taken = 0;
        int d0 = 0;
        int d1 = 0;
        int d2 = 0;
        int d3 = 0;
        for (int k = 0; k < rank; k++) {
            int axis = axes[k];
            int d = axis < 0 ? axis + rank : axis;
            if (d < 0 || d >= rank || (taken >> d & 1) != 0) {
                return null;
            }
            taken |= 1 << d;
            switch (k) {
                case 0:
                    d0 = d;
                    break;
                case 1:
                    d1 = d;
                    break;
                case 2:
                    d2 = d;
                    break;
                default:
                    d3 = d;
            }
        }
        // From the rank on, sizes and strides are 0.
        return new FloatStrided(block, rank, offset, rank > 0 ? size4(d0) : 0, rank > 1 ? size4(d1) : 0, rank > 2 ? size4(d2) : 0,
            rank > 3 ? size4(d3) : 0, rank > 0 ? stride(d0) : 0, rank > 1 ? stride(d1) : 0, rank > 2 ? stride(d2) : 0, rank > 3 ? stride(d3) : 0,
            null, readOnly);
    }

    @Override
    public FloatTensorData reshape(long... shape) {
        FloatStrided simple = simpleReshape(Objects.requireNonNull(shape, "shape"));
        return simple != null ? simple : super.reshape(shape);
    }

    /** A fast path of reshape for contiguous elements, in half the time of a {@link Layout}'s; null if a layout is needed, or on an error. */
    private FloatStrided simpleReshape(long... shape) {
        int n = shape.length;
        if (layout != null || n > FIELDS || block.rd == null || !isContiguous()) {
            return null;
        }
        long total = totalSize();
        long m0 = n > 0 ? shape[0] : 1;         // each read once: the caller may change the array concurrently
        long m1 = n > 1 ? shape[1] : 1;
        long m2 = n > 2 ? shape[2] : 1;
        long m3 = n > 3 ? shape[3] : 1;
        int open = m0 == -1 ? 0 : m1 == -1 ? 1 : m2 == -1 ? 2 : m3 == -1 ? 3 : -1;
        long known = open == 0 ? 1 : upTo(total, m0);
        known = open == 1 ? known : upTo(total, known * upTo(total, m1));
        known = open == 2 ? known : upTo(total, known * upTo(total, m2));
        known = open == 3 ? known : upTo(total, known * upTo(total, m3));
        if (known == 0 || (open < 0 ? known != total : total % known != 0)) {
            return null;
        }
        int rest = (int) (total / known);
        int n0 = open == 0 ? rest : n > 0 ? (int) m0 : 0;
        int n1 = open == 1 ? rest : n > 1 ? (int) m1 : 0;
        int n2 = open == 2 ? rest : n > 2 ? (int) m2 : 0;
        int n3 = open == 3 ? rest : n > 3 ? (int) m3 : 0;
        // As in Reshape, the stride of an axis of size 1 is 1.
        int s2 = n > 3 && n2 != 1 ? n3 : n > 2 ? 1 : 0;
        int s1 = n < 3 || n1 == 1 ? n > 1 ? 1 : 0 : n2 * (n > 3 ? n3 : 1);
        int s0 = n < 2 || n0 == 1 ? n > 0 ? 1 : 0 : n1 * (n > 2 ? n2 : 1) * (n > 3 ? n3 : 1);
        return new FloatStrided(block, n, offset, n0, n1, n2, n3, s0, s1, s2, n > 3 ? 1 : 0, null, readOnly);
    }

    /** The number of elements if it is 1 to {@code most}, else 0. */
    private static long upTo(long most, long count) {
        return count < 1 || count > most ? 0 : count;
    }

    @Override
    FloatStrided part(long from, long n) {
        return of(block, layout().part(from, n));
    }

    // ---- In bulk ---------------------------------------------------------------------------------------------------

    @Override
    void readAll(float[] to, int at) {
        FloatArrayCopies.read(this, to, at);
    }

    @Override
    void writeFirst(int n, float[] from, int at) {
        FloatArrayCopies.write(this, n, from, at);
    }

    //#if buffer
    @Override
    void readAll(FloatBuffer to) {
        FloatBufferCopies.read(this, to);
    }

    @Override
    void writeFirst(FloatBuffer from) {
        FloatBufferCopies.write(this, from);
    }
    //#end
}
