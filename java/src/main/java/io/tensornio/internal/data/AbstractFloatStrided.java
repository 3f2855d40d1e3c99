package io.tensornio.internal.data;

import io.tensornio.FloatTensorIterator;
import io.tensornio.internal.element.FloatBlock;
//#if buffer
import io.tensornio.internal.element.FloatBulk;
//#end
//~array import io.tensornio.internal.element.FloatElement;
import io.tensornio.internal.element.FloatSource;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Shapes;
//#if !array
import java.nio.FloatBuffer;
//#end
import java.util.Objects;

/**
 * The shape and strides of {@link FloatStrided} data, and its bulk operations. It is the only subclass, and overrides
 * nothing, so that accesses to these fields are as fast as to its own.
 *
 * <p>Invariants, in addition to those of {@link Layout}:
 * <ol>
 * <li>positions of elements fit an {@code int}, since they lie in one buffer or array; so does every partial sum of the
 * offset and leading indices times strides, which is itself the position of an element;
 * <li>{@code n0} to {@code n3} are the sizes, truncated to an {@code int} if the data is empty and a size is larger, and
 * {@code s0} to {@code s3} the strides; both are 0 from {@code rank} on; <li>{@code nLast} and {@code sLast} are the size and stride of the last axis
 * up to rank 4, 0 at rank 0, and meaningless if there is a {@code layout};
 * <li>{@code layout} is not null where the fields do not suffice: above rank 4, or if a size was truncated.
 * </ol>
 */
public abstract class AbstractFloatStrided extends FloatData {
    final FloatBlock block;
    final int rank;
    final int offset;
    final int n0;
    final int n1;
    final int n2;
    final int n3;
    final int s0;
    final int s1;
    final int s2;
    final int s3;
    final int nLast;
    final int sLast;
    /** The last stride is 1. */
    final boolean unit;
    /**
     * The last stride is 1, the offset is 0, and this is not a row of other data, of which only the first would have
     * offset 0: C2 17 vectorises a loop with one invariant besides the index, the buffer's address, but not with two;
     * and C2 25 copies 64 elements half a nanosecond faster from a constant offset of 0.
     */
    final boolean plain;
    /** The number of elements, if it is not 0, the rank is 1 or 2, and they are contiguous; else -1, which is less than the length of any array. */
    final int dense;
    final Layout layout;
    /** Whether the elements cannot be written through this, even if the block is writable: see {@link Layout#isReadOnly()}. */
    final boolean readOnly;

    AbstractFloatStrided(FloatBlock block, int rank, int offset, int n0, int n1, int n2, int n3, int s0, int s1, int s2, int s3, Layout layout,
            boolean whole, boolean readOnly) {
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
        this.readOnly = readOnly;
        nLast = rank == 1 ? n0 : rank == 2 ? n1 : rank == 3 ? n2 : n3;
        sLast = rank == 1 ? s0 : rank == 2 ? s1 : rank == 3 ? s2 : s3;
        unit = sLast == 1;
        plain = whole && unit && offset == 0;
        int count = !unit || layout != null ? 0 : rank == 1 ? n0 : rank == 2 && s0 == n1 ? n0 * n1 : 0;
        dense = count == 0 ? -1 : count;
    }

    static int size(Layout l, int d) {
        return d < l.rank() ? (int) Math.min(l.size(d), Integer.MAX_VALUE) : 0;
    }

    static int stride(Layout l, int d) {
        return d < l.rank() ? (int) l.stride(d) : 0;
    }

    final int size4(int d) {
        return d == 0 ? n0 : d == 1 ? n1 : d == 2 ? n2 : n3;
    }

    final int stride(int d) {
        return layout != null ? (int) layout.stride(d) : d == 0 ? s0 : d == 1 ? s1 : d == 2 ? s2 : s3;
    }

    @Override
    public final Layout layout() {
        if (layout != null) {
            return layout;
        }
        long[] sizes = new long[rank];
        long[] strides = new long[rank];
        for (int d = 0; d < rank; d++) {
            sizes[d] = size4(d);
            strides[d] = stride(d);
        }
        Layout made = new Layout(offset, sizes, strides);
        return readOnly ? made.asReadOnly() : made;
    }

    // ---- Properties ------------------------------------------------------------------------------------------------

    @Override
    public final int rank() {
        return rank;
    }

    @Override
    public final long size(int axis) {
        return layout == null && axis >= 0 && axis < rank ? size4(axis) : Shapes.size(layout().sizes(), axis);
    }

    @Override
    public final long totalSize() {
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
    public final long[] shape() {
        return layout().sizes().clone();
    }

    @Override
    public final boolean isReadOnly() {
        return readOnly || block.wr == null;
    }

    @Override
    public final void checkOpen() {
        block.readable();
    }

    @Override
    final void checkWritable() {
        writable();
    }

    /** The writable buffer. */
    //#if !array
    final FloatBuffer writable() {
    //#end
    //~array final float[] writable() {
        if (readOnly) {
            throw notWritable();
        }
        return block.writable();
    }

    private RuntimeException notWritable() {
        return notWritable(dataType(), block, layout().sizes());
    }

    @Override
    final FloatSource source() {
        return block;
    }

    @Override
    public final StridedOperand operand(boolean write) {
        //#if !array
        return block.isNative() ? StridedOperand.of(write ? block.writable() : block.readable(), block, 0, layout()) : null;
        //#end
        //~array return StridedOperand.ofArray(FloatElement.TYPE, block.rd, layout());
    }

    @Override
    final boolean isCopiedAtOnce() {
        return true;
    }

    /** Always has capacity; avoids making a {@link Layout}, which takes as long as copying a short row. */
    @Override
    final void checkCapacity(long count) {
    }

    @Override
    final void checkReadable() {
    }

    /** The exception for a wrong number of indices, or indices out of bounds. */
    final IndexOutOfBoundsException outside(int... indices) {
        return carrier().outside(layout().sizes(), indices);
    }

    @Override
    public final boolean isContiguous() {
        block.readable();
        if (layout != null) {
            return layout.isContiguous();
        }
        if (unit && (rank == 2 ? s0 == n1 : rank == 1)) {
            return true;        // avoids the loop, which costs as much as a copy of 16 elements
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

    /** Whether both are not empty, contiguous and of the same shape; conservative, to be cheap. */
    final boolean isDenseLike(AbstractFloatStrided other) {
        return dense > 0 && dense == other.dense && rank == other.rank && n0 == other.n0;
    }

    @Override
    final boolean isStrided() {
        return true;
    }

    @Override
    final int offset() {
        return offset;
    }

    // ---- In bulk ---------------------------------------------------------------------------------------------------

    @Override
    public final void get(float[] array, int... indices) {
        Objects.requireNonNull(array, "array");
        Objects.requireNonNull(indices, "indices");
        //#if buffer !array
        FloatBuffer b = block.rd;
        if (b != null && dense > 0 && indices.length == 0 && dense <= array.length) {
            FloatBulk.get(b, plain ? 0 : offset, array, 0, dense);
            return;
        }
        //#end
        super.get(array, indices);
    }

    @Override
    public final void put(float[] array, int... indices) {
        Objects.requireNonNull(array, "array");
        Objects.requireNonNull(indices, "indices");
        //#if buffer !array
        FloatBuffer b = readOnly ? null : block.wr;
        if (b != null && indices.length == 0 && array.length <= dense) {
            FloatBulk.put(b, plain ? 0 : offset, array, 0, array.length);
            return;
        }
        //#end
        super.put(array, indices);
    }

    // ---- Iteration -------------------------------------------------------------------------------------------------

    /**
     * The offset of the first element of a row, where rows are numbered by the leading axes in row-major order.
     *
     * @param row which row
     * @param outer the number of leading axes
     */
    final int rowStart(int row, int outer) {
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
    public final FloatTensorIterator scalars() {
        checkOpen();
        return new FloatScalars(this);
    }

    /**
     * The number of leading axes outside of rows, where a row is the last axis merged with the axes before it that are contiguous with it; 0 if there
     * are no elements. {@link FloatScalars} calls this and the following methods separately: {@link #scalars} must be short enough to be inlined, so
     * that the state of the iterator is kept in registers.
     */
    final int outerAxes() {
        if (rank <= 1 || dense > 0 || totalSize() == 0) {
            return 0;
        }
        int outer = lastAxis();
        long end = size(outer) * stride(outer);
        while (outer > 0 && (size(outer - 1) == 1 || stride(outer - 1) == end)) {
            outer--;
            end *= size(outer);
        }
        return outer;
    }

    /** The last axis with more than one index, if there is any. */
    private int lastAxis() {
        int last = Math.max(rank - 1, 0);
        while (last > 0 && size(last) == 1) {
            last--;
        }
        return last;
    }

    /** The stride within a row. */
    final int rowStep() {
        return dense > 0 ? 1 : stride(lastAxis());
    }

    /** The product of the sizes of some axes: 1 if there are none. */
    final int positions(int from, int end) {
        int count = 1;
        for (int d = from; d < end; d++) {
            count *= (int) size(d);
        }
        return count;
    }
}
