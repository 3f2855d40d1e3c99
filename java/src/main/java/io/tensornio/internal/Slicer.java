package io.tensornio.internal;

import io.tensornio.TensorIndex;
import java.util.Arrays;
import java.util.Objects;

/** A sliced layout in the making: indices take one axis of the source after another. */
final class Slicer {
    private final Layout source;
    private int axis;
    private long offset;
    private final long[] sizes;
    private final long[] strides;
    private int rank;

    private Slicer(Layout source) {
        this.source = source;
        offset = source.offset();
        sizes = new long[source.rank()];
        strides = new long[source.rank()];
    }

    /** A copy of a caller's indices, none of which is null. */
    static TensorIndex[] checked(TensorIndex... indices) {
        TensorIndex[] own = Objects.requireNonNull(indices, "indices").clone();
        for (TensorIndex index : own) {
            if (index == null) {
                throw new NullPointerException("null in the indices " + Arrays.toString(own));
            }
        }
        return own;
    }

    /**
     * Applies indices to the leading axes of a layout; the others are kept.
     *
     * @throws IndexOutOfBoundsException if an index does not fit its axis, or there are more indices than axes
     * @throws IllegalArgumentException if an index is of a class that this library did not make
     */
    static Layout slice(Layout source, TensorIndex... indices) {
        for (TensorIndex index : indices) {
            if (!(index instanceof AxisIndex)) {
                throw new IllegalArgumentException("not an index made by TensorIndex: " + index.getClass().getName());
            }
        }
        if (indices.length > source.rank()) {
            throw new BadIndexException(source.sizes(), indices.length);
        }
        Slicer slicer = new Slicer(source);
        for (TensorIndex index : indices) {
            ((AxisIndex) index).apply(slicer);
        }
        while (slicer.axis < source.rank()) {
            slicer.keep(0, slicer.size(), 1);
        }
        return new Layout(slicer.offset, Arrays.copyOf(slicer.sizes, slicer.rank), Arrays.copyOf(slicer.strides, slicer.rank));
    }

    /** The size of the axis whose turn it is. */
    long size() {
        return source.size(axis);
    }

    /** Leaves the axis out, at one valid position of it. */
    void drop(long at) {
        offset += at * source.stride(axis++);
    }

    /** Keeps {@code count} positions of the axis: {@code first}, {@code first + step}, ... All of them are valid. */
    void keep(long first, long count, long step) {
        offset += first * source.stride(axis);
        sizes[rank] = count;
        strides[rank++] = step * source.stride(axis++);
    }

    /** The exception for an index that does not fit the axis. */
    IndexOutOfBoundsException outside(TensorIndex index) {
        return new BadIndexException(source.sizes(), axis, index.toString());
    }
}
