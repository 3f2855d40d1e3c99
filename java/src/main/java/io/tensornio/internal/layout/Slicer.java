package io.tensornio.internal.layout;

import io.tensornio.IntTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.TensorIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** A sliced layout in the making: indices take one axis of the source after another. */
public final class Slicer {
    private final Layout source;
    /** What messages tell of: a shape that has the axes of the source from one on. */
    private final long[] named;
    private final int from;
    private int axis;
    private long offset;
    private final long[] sizes;
    private final long[] strides;
    /** Null until an axis has one. */
    private long[][] lists;
    private int rank;

    private Slicer(Layout source, int mostAxes, long[] named, int from) {
        this.source = source;
        this.named = named;
        this.from = from;
        offset = source.offset();
        sizes = new long[mostAxes];
        strides = new long[mostAxes];
    }

    /** A copy of a caller's indices, none of which is null. */
    public static TensorIndex[] checked(TensorIndex... indices) {
        TensorIndex[] own = Objects.requireNonNull(indices, "indices").clone();
        for (TensorIndex index : own) {
            if (index == null) {
                throw new NullPointerException("null among the " + own.length + " indices");
            }
        }
        return own;
    }

    /**
     * Applies indices to the leading axes of a layout; the others are kept.
     *
     * @throws IndexOutOfBoundsException if an index does not fit its axis, or there are more indices than axes
     * @throws IllegalArgumentException if an index is of a class that this library did not make, or of a wrong rank; or there are two ellipses
     */
    public static Layout slice(Layout source, TensorIndex... indices) {
        TensorIndex[] steps = steps(indices);
        int taken = 0;
        int added = 0;
        boolean ellipsis = false;
        for (TensorIndex step : steps) {
            taken += ((AxisIndex) step).axes();
            if (step == EllipsisIndex.ELLIPSIS) {
                if (ellipsis) {
                    throw new IllegalArgumentException("two ellipses in " + Arrays.toString(steps)
                        + ": one of them must say how many axes it stands for");
                }
                ellipsis = true;
            } else {
                added += 1 - ((AxisIndex) step).axes();
            }
        }
        if (taken > source.rank()) {
            throw new BadIndexException(source.sizes(), taken);
        }
        Slicer slicer = new Slicer(source, source.rank() + added, source.sizes(), 0);
        for (TensorIndex step : steps) {
            if (step == EllipsisIndex.ELLIPSIS) {
                slicer.keepAll(source.rank() - taken);
            } else {
                ((AxisIndex) step).apply(slicer);
            }
        }
        slicer.keepAll(source.rank() - slicer.axis);
        return slicer.result();
    }

    /** Applies steps, none of which is an ellipsis, to axes of which there are as many: those from one on of a shape, which messages tell of. */
    public static Layout apply(Layout source, long[] named, int from, TensorIndex... steps) {
        int added = 0;
        for (TensorIndex step : steps) {
            added += 1 - ((AxisIndex) step).axes();
        }
        Slicer slicer = new Slicer(source, source.rank() + added, named, from);
        for (TensorIndex step : steps) {
            ((AxisIndex) step).apply(slicer);
        }
        return slicer.result();
    }

    private Layout result() {
        // Repeated positions make a view larger than its memory: invariant 2 of the layout holds no more by itself.
        Shapes.checkSparse(rank == sizes.length ? sizes : Arrays.copyOf(sizes, rank));
        boolean full = rank == sizes.length;
        return new Layout(offset, full ? sizes : Arrays.copyOf(sizes, rank), full ? strides : Arrays.copyOf(strides, rank),
            lists == null || full ? lists : Arrays.copyOf(lists, rank));
    }

    /** The indices as steps, {@link AxisIndex} all of them; data among them is read here. */
    public static TensorIndex[] steps(TensorIndex... indices) {
        boolean plain = true;
        for (TensorIndex index : indices) {
            plain &= index instanceof AxisIndex;
        }
        if (plain) {
            return indices;
        }
        List<TensorIndex> steps = new ArrayList<>();
        for (TensorIndex index : indices) {
            if (index instanceof AxisIndex) {
                steps.add(index);
            } else if (index instanceof IntTensorData) {
                coordinates(Positions.read((IntTensorData) index, "as an index"), steps);
            } else if (index instanceof LongTensorData) {
                coordinates(Positions.read((LongTensorData) index, "as an index"), steps);
            } else {
                throw new IllegalArgumentException("not an index made by TensorIndex: " + index.getClass().getName());
            }
        }
        return steps.toArray(new TensorIndex[0]);
    }

    private static void coordinates(long[] positions, List<TensorIndex> steps) {
        for (long position : positions) {
            steps.add(new AtIndex(position));
        }
    }

    /** The size of the axis whose turn it is. */
    long size() {
        return source.size(axis);
    }

    /** Leaves the axis out, at one valid position of it. */
    void drop(long at) {
        offset += source.distance(axis++, at);
    }

    /** Keeps {@code count} positions of the axis: {@code first}, {@code first + step}, ... All of them are valid. */
    void keep(long first, long count, long step) {
        long[] list = source.list(axis);
        if (list == null) {
            offset += first * source.stride(axis);
            add(count, step * source.stride(axis), null);
        } else if (count == list.length && step == 1) {
            add(count, 0, list);        // the same one: a copy for each slice of a slice would cost more than the slices
        } else {
            long[] some = new long[(int) count];
            for (int n = 0; n < some.length; n++) {
                some[n] = list[(int) (first + n * step)];
            }
            addList(some);
        }
        axis++;
    }

    private void keepAll(int axes) {
        for (int n = 0; n < axes; n++) {
            keep(0, size(), 1);
        }
    }

    /**
     * Keeps some positions of the axis, all of them valid, in this order. The array is the slicer's from then on: it may be a large part of the heap.
     */
    void pick(long... positions) {
        for (int n = 0; n < positions.length; n++) {
            positions[n] = source.distance(axis, positions[n]);
        }
        addList(positions);
        axis++;
    }

    /** Puts in an axis of size 1 that the source does not have. */
    void insert() {
        add(1, 1, null);        // any stride will do; 1 suits those who look at the last
    }

    /**
     * What lies between each distance and the next, 0 if that differs; of repeated positions, too: they stay a list, as writes through them need an
     * order.
     */
    public static long step(long... distances) {
        int n = distances.length;
        long step = n > 1 ? distances[1] - distances[0] : 1;
        for (int i = 2; i < n; i++) {
            if (distances[i] - distances[i - 1] != step) {
                return 0;
            }
        }
        return step;
    }

    private void addList(long... distances) {
        int n = distances.length;
        long step = step(distances);
        if (step != 0) {
            offset += n > 0 ? distances[0] : 0;
            add(n, step, null);
        } else {
            add(n, 0, distances);
        }
    }

    private void add(long size, long stride, long[] list) {
        sizes[rank] = size;
        strides[rank] = stride;
        if (list != null) {
            lists = lists == null ? new long[sizes.length][] : lists;
            lists[rank] = list;
        }
        rank++;
    }

    /** The exception for an index that does not fit the axis. */
    IndexOutOfBoundsException outside(TensorIndex index) {
        return outside(index.toString());
    }

    /** The exception for what does not fit the axis. */
    IndexOutOfBoundsException outside(String asked) {
        return new BadIndexException(named, from + axis, asked, source.size(axis));
    }
}
