package io.tensornio;

import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Shapes;
import java.util.Arrays;
import java.util.Objects;

/**
 * The layout of a tensor's elements in linear memory: element (i, j, ...) is at position {@code offset + i * strides[0]
 * + j * strides[1] + ...}, counted in elements. Immutable.
 *
 * <pre>{@code
 * TensorLayout.rowMajor(5, 3, 2).strides();        // (6, 2, 1)
 * TensorLayout.columnMajor(5, 3, 2).strides();     // (1, 5, 15)
 * }</pre>
 *
 * <p>The sizes of the axes in memory can be larger than those of the shape: that is padding, for instance to have each row aligned.
 */
public final class TensorLayout {
    private final long[] sizes;
    /** The shape, the strides and the offset. */
    private final Layout layout;

    private TensorLayout(long[] sizes, Layout layout) {
        this.sizes = sizes;
        this.layout = layout;
    }

    /** The layout of a view that has neither lists nor runs. */
    static TensorLayout of(Layout layout) {
        return new TensorLayout(layout.sizes(), layout);
    }

    /** The internal layout, from which views are made. */
    Layout steps() {
        return layout;
    }

    /**
     * Row-major order: the last axis has the stride 1.
     *
     * @param shape the size of each axis; none for a scalar
     * @return the contiguous layout, from offset 0
     * @throws IllegalArgumentException if a size is negative, or there are more elements than a {@code long} can count
     */
    public static TensorLayout rowMajor(long... shape) {
        return rowMajor(shape, shape);
    }

    /**
     * Row-major order with padding.
     *
     * @param shape the size of each axis; none for a scalar
     * @param sizes the allocated size of each axis, at least that in the shape
     * @return the layout, from offset 0
     * @throws IllegalArgumentException if a size is negative or smaller than the shape's, their numbers differ, or the memory has more elements than
     *     a {@code long} can count
     */
    public static TensorLayout rowMajor(long[] shape, long[] sizes) {
        long[] allocated = allocated(shape, sizes);
        return new TensorLayout(allocated, new Layout(0, Arrays.copyOf(shape, allocated.length), Layout.rowMajorStrides(allocated)));
    }

    /**
     * Column-major order: the first axis has the stride 1.
     *
     * @param shape the size of each axis; none for a scalar
     * @return the contiguous layout, from offset 0
     * @throws IllegalArgumentException if a size is negative, or there are more elements than a {@code long} can count
     */
    public static TensorLayout columnMajor(long... shape) {
        return columnMajor(shape, shape);
    }

    /**
     * Column-major order with padding.
     *
     * @param shape the size of each axis; none for a scalar
     * @param sizes the allocated size of each axis, at least that in the shape
     * @return the layout, from offset 0
     * @throws IllegalArgumentException if a size is negative or smaller than the shape's, their numbers differ, or the memory has more elements than
     *     a {@code long} can count
     */
    public static TensorLayout columnMajor(long[] shape, long[] sizes) {
        long[] allocated = allocated(shape, sizes);
        return new TensorLayout(allocated, new Layout(0, Arrays.copyOf(shape, allocated.length), columnMajorStrides(allocated)));
    }

    /**
     * Checks that a tensor can be allocated with this layout.
     *
     * @throws IllegalArgumentException if it does not begin at 0, or two elements could share a position
     */
    void checkAllocatable() {
        if (offset() != 0) {
            throw new IllegalArgumentException(this + " cannot be allocated: its offset is not 0");
        }
        boolean[] done = new boolean[rank()];
        long highest = 0;
        for (int n = 0; n < rank() && numElements() > 0; n++) {
            int next = -1;
            for (int d = 0; d < rank(); d++) {
                next = !done[d] && (next < 0 || layout.stride(d) < layout.stride(next)) ? d : next;
            }
            done[next] = true;
            if (layout.size(next) > 1 && layout.stride(next) <= highest) {
                throw new IllegalArgumentException(this + " cannot be allocated: the stride " + layout.stride(next) + " of axis " + next
                    + " is not above the highest position " + highest + " of the axes with smaller strides, so that elements could share one");
            }
            highest += (layout.size(next) - 1) * layout.stride(next);
        }
    }

    private static long[] allocated(long[] shape, long[] sizes) {
        Objects.requireNonNull(shape, "shape");
        Objects.requireNonNull(sizes, "sizes");
        if (shape.length != sizes.length) {
            throw new IllegalArgumentException(sizes.length + " sizes " + Arrays.toString(sizes) + " for the shape " + Arrays.toString(shape)
                + " of rank " + shape.length);
        }
        Shapes.checkSparse(shape);
        for (int d = 0; d < shape.length; d++) {
            if (sizes[d] < shape[d]) {
                throw new IllegalArgumentException("the size " + sizes[d] + " in memory of axis " + d + " is smaller than that in the shape "
                    + Arrays.toString(shape));
            }
        }
        return Shapes.checkSparse(sizes);
    }

    private static long[] columnMajorStrides(long[] sizes) {
        long[] strides = new long[sizes.length];
        long stride = 1;
        for (int d = 0; d < sizes.length; d++) {
            strides[d] = stride;
            stride *= Math.max(sizes[d], 1);
        }
        return strides;
    }

    /**
     * Any strides, also negative ones and 0, as long as no position is negative.
     *
     * @param shape the size of each axis; none for a scalar
     * @param strides the stride of each axis, in elements
     * @param offset the position of the first element
     * @return the layout; its {@link #sizes()} are the shape
     * @throws IllegalArgumentException if a size, the offset or a position is negative, the numbers differ, or there are more elements, or a higher
     *     position, than a {@code long} can count
     */
    public static TensorLayout strided(long[] shape, long[] strides, long offset) {
        long[] sizes = Shapes.checkSparse(Objects.requireNonNull(shape, "shape"));
        long[] steps = Objects.requireNonNull(strides, "strides").clone();
        if (steps.length != sizes.length) {
            throw new IllegalArgumentException(steps.length + " strides " + Arrays.toString(steps) + " for the shape " + Arrays.toString(sizes)
                + " of rank " + sizes.length);
        }
        Layout layout = new Layout(offset, sizes, steps);
        try {
            if (offset < 0 || layout.totalSize() > 0 && checked(layout, false) < 0) {
                throw new IllegalArgumentException("the lowest position of the shape " + Arrays.toString(sizes) + " with the strides "
                    + Arrays.toString(steps) + " from the offset " + offset + " on is negative");
            }
            if (layout.totalSize() > 0) {
                Math.incrementExact(checked(layout, true));
            }
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("a position of the shape " + Arrays.toString(sizes) + " with the strides " + Arrays.toString(steps)
                + " from the offset " + offset + " on is more than a long can hold", e);
        }
        return new TensorLayout(sizes, layout);
    }

    private static long checked(Layout layout, boolean highest) {
        long at = layout.offset();
        for (int d = 0; d < layout.rank(); d++) {
            long length = Math.multiplyExact(layout.size(d) - 1, layout.stride(d));
            at = Math.addExact(at, highest ? Math.max(length, 0) : Math.min(length, 0));
        }
        return at;
    }

    /**
     * The same order with every row, or every column, aligned: the allocated size of the axis of stride 1 is rounded up. Positions are relative to
     * the start of the memory, which is aligned to 64 bytes.
     *
     * @param bytes a power of two
     * @param type the type of the elements
     * @return the layout, in which each row begins at a multiple of the bytes
     * @throws IllegalArgumentException if the bytes are not a power of two, the type is STRING, this is neither row-major nor column-major, or there
     *     would be more elements than a {@code long} can count
     */
    public TensorLayout alignedTo(int bytes, DataType type) {
        Objects.requireNonNull(type, "type");
        if (bytes < 1 || Integer.bitCount(bytes) != 1) {
            throw new IllegalArgumentException("aligned to " + bytes + " bytes: it must be a power of two");
        }
        if (type == DataType.STRING) {
            throw new IllegalArgumentException("strings have no size of their own to be aligned: " + type);
        }
        boolean isRowMajor = hasStrides(Layout.rowMajorStrides(sizes), true) || !hasStrides(columnMajorStrides(sizes), true)
            && hasStrides(Layout.rowMajorStrides(sizes), false);
        if (offset() != 0 || !isRowMajor && !hasStrides(columnMajorStrides(sizes), false)) {
            throw new IllegalArgumentException(this + " is neither row-major nor column-major from offset 0 on, so that it cannot be aligned");
        }
        if (rank() == 0) {
            return this;
        }
        long unit = Math.max(1, bytes / type.byteSize());
        int d = isRowMajor ? rank() - 1 : 0;
        long[] allocated = sizes.clone();
        if (allocated[d] > Long.MAX_VALUE - unit) {
            throw new IllegalArgumentException(this + " aligned to " + bytes + " bytes has more elements than a long can count");
        }
        allocated[d] = (allocated[d] + unit - 1) / unit * unit;
        return isRowMajor ? rowMajor(layout.sizes(), allocated) : columnMajor(layout.sizes(), allocated);
    }

    private boolean hasStrides(long[] strides, boolean ofOnes) {
        for (int d = 0; d < strides.length; d++) {
            if (strides[d] != layout.stride(d) && (ofOnes || sizes[d] > 1)) {
                return false;
            }
        }
        return true;
    }

    /**
     * The number of axes.
     *
     * @return the rank; 0 for a scalar
     */
    public int rank() {
        return layout.rank();
    }

    /**
     * The sizes of all axes.
     *
     * @return a new array
     */
    public long[] shape() {
        return layout.sizes().clone();
    }

    /**
     * The allocated size of each axis: the shape, unless there is padding.
     *
     * @return a new array
     */
    public long[] sizes() {
        return sizes.clone();
    }

    /**
     * The stride of each axis, in elements.
     *
     * @return a new array
     */
    public long[] strides() {
        return layout.strides().clone();
    }

    /**
     * The position of element (0, 0, ...).
     *
     * @return the offset, in elements
     */
    public long offset() {
        return layout.offset();
    }

    /**
     * The number of elements, without padding.
     *
     * @return the product of the shape
     */
    public long numElements() {
        return layout.totalSize();
    }

    /**
     * The position of an element.
     *
     * @param indices one for each axis
     * @return offset + the sum of index * stride
     * @throws IndexOutOfBoundsException if an index is outside of the shape, or their number is not the rank
     */
    public long position(long... indices) {
        Objects.requireNonNull(indices, "indices");
        if (indices.length != rank()) {
            throw new IndexOutOfBoundsException(indices.length + " indices " + Arrays.toString(indices) + " for the shape "
                + Arrays.toString(layout.sizes()) + " of rank " + rank());
        }
        long at = offset();
        for (int d = 0; d < indices.length; d++) {
            long i = indices[d];
            if (i < 0 || i >= layout.size(d)) {
                throw new IndexOutOfBoundsException("index " + i + " of " + Arrays.toString(indices) + " is outside of axis " + d + " of size "
                    + layout.size(d) + " in the shape " + Arrays.toString(layout.sizes()));
            }
            at += i * layout.stride(d);
        }
        return at;
    }

    /**
     * The number of elements of linear memory that this requires, from position 0.
     *
     * @return the product of the sizes if there is padding; else the highest position + 1, or 0 without elements
     */
    public long extent() {
        if (!Arrays.equals(sizes, layout.sizes())) {
            return Shapes.product(sizes);
        }
        return numElements() == 0 ? 0 : layout.highest() + 1;
    }

    /**
     * Whether the elements are contiguous in row-major order, at any offset.
     *
     * @return true if they are
     */
    public boolean isContiguous() {
        return layout.isContiguous();
    }

    /**
     * Whether another layout has the same shape and sizes and, if there are elements, the same offset and the same strides of all axes longer than 1.
     *
     * @param other any object, or null
     * @return true if it is equal
     */
    @Override
    public boolean equals(Object other) {
        if (!(other instanceof TensorLayout)) {
            return false;
        }
        TensorLayout that = (TensorLayout) other;
        if (!Arrays.equals(layout.sizes(), that.layout.sizes()) || !Arrays.equals(sizes, that.sizes)) {
            return false;
        }
        return numElements() == 0 || offset() == that.offset() && Arrays.equals(meaningful(), that.meaningful());
    }

    /** The strides, normalised to 0 for axes of size 1. */
    private long[] meaningful() {
        long[] strides = strides();
        for (int d = 0; d < strides.length; d++) {
            strides[d] = layout.size(d) == 1 ? 0 : strides[d];
        }
        return strides;
    }

    @Override
    public int hashCode() {
        int hash = 31 * Arrays.hashCode(layout.sizes()) + Arrays.hashCode(sizes);
        return numElements() == 0 ? hash : 31 * (31 * hash + Long.hashCode(offset())) + Arrays.hashCode(meaningful());
    }

    /**
     * Shape, strides and offset, and the sizes if there is padding.
     *
     * @return the string
     */
    @Override
    public String toString() {
        String padding = Arrays.equals(sizes, layout.sizes()) ? "" : " in " + Arrays.toString(sizes);
        return "layout of the shape " + Arrays.toString(layout.sizes()) + padding + " with the strides " + Arrays.toString(layout.strides())
            + " from the offset " + offset() + " on";
    }
}
