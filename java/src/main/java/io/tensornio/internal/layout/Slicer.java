package io.tensornio.internal.layout;

import io.tensornio.TensorIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Builds the layout of a slice by applying indices to the axes of the source in order. */
public final class Slicer {
    /** Up to this length (128 MiB) positions are kept as a list, since indexing is faster than searching for a run. */
    public static final int LONGEST_LIST = 1 << 24;

    private final Layout source;
    /** Longer lists become runs, if possible. */
    private final long longestList;
    /** The shape for messages; axis 0 of the source is its axis {@code from}. */
    private final long[] named;
    private final int from;
    private int axis;
    private long offset;
    private final long[] sizes;
    private final long[] strides;
    /** Null if no axis has one. */
    private long[][] lists;
    /** Null if no axis has any. */
    private Runs[] runs;
    private int rank;

    private Slicer(Layout source, long longestList, int mostAxes, long[] named, int from) {
        this.source = source;
        this.longestList = longestList;
        this.named = named;
        this.from = from;
        offset = source.offset();
        sizes = new long[mostAxes];
        strides = new long[mostAxes];
    }

    /**
     * Applies indices to the leading axes of a layout; the others are kept.
     *
     * @throws IndexOutOfBoundsException if an index does not fit its axis, or there are more indices than axes
     * @throws IllegalArgumentException if an index is of a foreign class, or has a wrong rank; or there are two ellipses
     */
    public static Layout slice(Layout source, TensorIndex... indices) {
        return slice(source, LONGEST_LIST, indices);
    }

    /** The same, where positions that could be runs are kept as a list only up to {@code longestList}. */
    public static Layout slice(Layout source, long longestList, TensorIndex... indices) {
        return apply(source, longestList, source.sizes(), 0, stepsForAll(source.sizes(), indices));
    }

    /** The indices as {@link #steps}, completed by whole axes, at the ellipsis or at the end, so that they consume all axes. */
    public static TensorIndex[] stepsForAll(long[] shape, TensorIndex... indices) {
        TensorIndex[] steps = steps(shape, indices);
        int taken = 0;
        int ellipsis = -1;
        for (int n = 0; n < steps.length; n++) {
            taken += ((AxisIndex) steps[n]).axes();
            if (steps[n] == EllipsisIndex.ELLIPSIS) {
                if (ellipsis >= 0) {
                    throw new IllegalArgumentException("at most one ellipsis() is allowed; the indices are " + text(shape, steps));
                }
                ellipsis = n;
            }
        }
        int rest = shape.length - taken;
        if (rest < 0) {
            throw new TensorIndexOutOfBoundsException(shape, text(shape, steps), taken);
        }
        if (rest == 0 && ellipsis < 0) {
            return steps;
        }
        int before = ellipsis < 0 ? steps.length : ellipsis;
        int after = ellipsis < 0 ? 0 : steps.length - ellipsis - 1;
        TensorIndex[] all = new TensorIndex[before + rest + after];
        System.arraycopy(steps, 0, all, 0, before);
        Arrays.fill(all, before, before + rest, RangeIndex.ALL);
        System.arraycopy(steps, steps.length - after, all, before + rest, after);
        return all;
    }

    /** The same steps with the current positions of data, so that they can be applied repeatedly. */
    public static TensorIndex[] settled(long[] shape, TensorIndex... indices) {
        TensorIndex[] steps = stepsForAll(shape, indices);
        TensorIndex[] settled = new TensorIndex[steps.length];
        int axis = 0;
        for (int n = 0; n < steps.length; n++) {
            AxisIndex step = (AxisIndex) steps[n];
            settled[n] = step.axes() == 0 ? step : step.settled(shape[axis]);
            axis += step.axes();
        }
        return settled;
    }

    private static String text(long[] shape, TensorIndex... steps) {
        return "[" + Positions.text(steps.length, Math.max(Positions.SHOWN, shape.length), n -> steps[n]) + "]";
    }

    /**
     * Applies as many steps as the source has axes, none of which is an ellipsis. In messages, the source's axes are
     * those of {@code named} from axis {@code from} on. The result has no runs.
     */
    public static Layout apply(Layout source, long[] named, int from, TensorIndex... steps) {
        return apply(source, Long.MAX_VALUE, named, from, steps);
    }

    private static Layout apply(Layout source, long longestList, long[] named, int from, TensorIndex... steps) {
        int added = 0;
        for (TensorIndex step : steps) {
            added += 1 - ((AxisIndex) step).axes();
        }
        Slicer slicer = new Slicer(source, longestList, source.rank() + added, named, from);
        for (TensorIndex step : steps) {
            ((AxisIndex) step).apply(slicer);
        }
        return slicer.result();
    }

    private Layout result() {
        // A view with repeated positions can be larger than its memory, so invariant 2 of the layout has to be checked.
        Shapes.checkSparse(rank == sizes.length ? sizes : Arrays.copyOf(sizes, rank));
        boolean full = rank == sizes.length;
        return new Layout(offset, full ? sizes : Arrays.copyOf(sizes, rank), full ? strides : Arrays.copyOf(strides, rank),
            lists == null || full ? lists : Arrays.copyOf(lists, rank), runs == null || full ? runs : Arrays.copyOf(runs, rank),
            source.isReadOnly());
    }

    /**
     * Converts the indices of a shape to steps, all of them {@link AxisIndex}; coordinates are read here.
     *
     * @throws IndexOutOfBoundsException if data has more coordinates than the shape has axes; it is not read then
     * @throws io.tensornio.TensorClosedException if the tensor of any index data is closed; checked before anything else
     */
    public static TensorIndex[] steps(long[] shape, TensorIndex... indices) {
        boolean plain = true;
        for (TensorIndex index : indices) {
            if (index instanceof AxisIndex) {
                ((AxisIndex) index).checkOpen();
            } else {
                plain = false;
                if (index instanceof CoordinatesIndex) {
                    ((CoordinatesIndex) index).checkOpen();
                }
            }
        }
        if (plain) {
            return indices;
        }
        List<TensorIndex> steps = new ArrayList<>();
        for (TensorIndex index : indices) {
            if (index instanceof AxisIndex) {
                steps.add(index);
            } else if (index instanceof CoordinatesIndex) {
                for (long position : ((CoordinatesIndex) index).read(shape)) {
                    steps.add(new AtIndex(position));
                }
            } else {
                throw new IllegalArgumentException("not an index made by TensorIndex: " + index.getClass().getName());
            }
        }
        return steps.toArray(new TensorIndex[0]);
    }

    /** The size of the current axis. */
    long size() {
        return source.size(axis);
    }

    /** The current axis, for messages. */
    String axisName() {
        return "axis " + (from + axis) + " of size " + source.size(axis) + " in the shape " + Arrays.toString(named);
    }

    /** Drops the axis at a valid position. */
    void drop(long at) {
        offset += source.distance(axis++, at);
    }

    /** Keeps {@code count} positions of the axis: {@code first}, {@code first + step}, ... All of them are valid. */
    void keep(long first, long count, long step) {
        long[] list = source.list(axis);
        Runs some = source.runs(axis);
        if (some != null) {
            addRuns(some.pick(step, new long[] {first}, count));
        } else if (list == null) {
            offset += first * source.stride(axis);
            add(count, step * source.stride(axis), null, null);
        } else if (count == list.length && step == 1) {
            add(count, 0, list, null);  // shared, to avoid a copy
        } else {
            long[] kept = new long[(int) count];
            for (int n = 0; n < kept.length; n++) {
                kept[n] = list[(int) (first + n * step)];
            }
            addList(kept);
        }
        axis++;
    }

    /** Whether {@code count} positions of the axis are better kept as {@code pieces} runs than as a list. */
    boolean prefersPieces(long count, long pieces) {
        return source.list(axis) == null && count > longestList && count / 2 >= pieces;
    }

    /** Keeps runs of valid positions: for each {@code n}, {@code counts[n]} positions from {@code firsts[n]} on. */
    void keepPieces(long[] firsts, long... counts) {
        Runs all = source.runs(axis);
        addRuns((all == null ? Runs.of(size(), source.stride(axis)) : all).pick(1, firsts, counts));
        axis++;
    }

    /**
     * Keeps a list of valid positions of the axis, in this order. The slicer takes ownership of the array, since a copy could exhaust the heap.
     */
    void pick(long... positions) {
        for (int n = 0; n < positions.length; n++) {
            positions[n] = source.distance(axis, positions[n]);
        }
        addList(positions);
        axis++;
    }

    /** Inserts a new axis of size 1. */
    void insert() {
        add(1, 1, null, null);  // any stride is valid; 1 makes a last axis contiguous
    }

    /** Whether consecutive distances have the same difference, which may be 0. */
    public static boolean isArithmetic(long... distances) {
        long step = step(distances);
        for (int i = 2; i < distances.length; i++) {
            if (distances[i] - distances[i - 1] != step) {
                return false;
            }
        }
        return true;
    }

    /** The difference of the first two distances; 1 if there are fewer. */
    public static long step(long... distances) {
        return distances.length > 1 ? distances[1] - distances[0] : 1;
    }

    private void addList(long... distances) {
        int n = distances.length;
        if (isArithmetic(distances)) {
            offset += n > 0 ? distances[0] : 0;
            add(n, step(distances), null, null);
        } else {
            add(n, 0, distances, null);
        }
    }

    private void addRuns(Runs kept) {
        long size = kept.size();
        int count = kept.count();
        if (count < 2) {
            offset += count > 0 ? kept.base(0) : 0;
            add(size, kept.stride(), null, null);
        } else if (size > longestList && size / 2 >= count) {
            add(size, 0, null, kept);
        } else {
            addList(kept.list());
        }
    }

    private void add(long size, long stride, long[] list, Runs some) {
        sizes[rank] = size;
        strides[rank] = stride;
        if (list != null) {
            lists = lists == null ? new long[sizes.length][] : lists;
            lists[rank] = list;
        }
        if (some != null) {
            runs = runs == null ? new Runs[sizes.length] : runs;
            runs[rank] = some;
        }
        rank++;
    }

    /** The exception for an index that does not fit the axis. */
    IndexOutOfBoundsException outside(TensorIndex index) {
        return outside(index.toString());
    }

    /** The exception for an index, given as text, that does not fit the axis. */
    IndexOutOfBoundsException outside(String asked) {
        return new TensorIndexOutOfBoundsException(named, from + axis, asked, source.size(axis));
    }
}
