package io.tensornio.internal.ragged;

import io.tensornio.TensorIndex;
import io.tensornio.internal.layout.ArrayLength;
import io.tensornio.internal.layout.AtIndex;
import io.tensornio.internal.layout.AxisIndex;
import io.tensornio.internal.layout.ExceptIndex;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.MaskIndex;
import io.tensornio.internal.layout.Positions;
import io.tensornio.internal.layout.PositionsIndex;
import io.tensornio.internal.layout.RangeIndex;
import io.tensornio.internal.layout.Slicer;
import io.tensornio.internal.layout.TensorIndexOutOfBoundsException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Builds the layout of a slice of ragged data: indices are applied to the axes in order, and the remaining nodes form a new tree. It costs time and
 * memory for each row, but not for elements, unless single positions are selected from each row.
 */
public final class RaggedSlicer {
    private final RaggedLayout source;
    /** The remaining nodes at the depth of the current axis; after the tree, the positions in memory. */
    private long[] nodes = {0};
    private final List<Long> sizes = new ArrayList<>();
    private final List<RowSplits> splits = new ArrayList<>();
    /** Whether an axis of the source was kept; until then there is one node. */
    private boolean hasStayed;
    /** The stride of ragged rows, once their axis was processed and kept; 0 if there are none. */
    private long rowStride;

    private RaggedSlicer(RaggedLayout source) {
        this.source = source;
    }

    /**
     * Applies indices to the leading axes; the others are kept.
     *
     * @throws IndexOutOfBoundsException if an index does not fit its axis, or there are more indices than axes
     * @throws IllegalArgumentException if an index is of a foreign class, or has a wrong rank; if there are two
     *     ellipses, or a mask is for a ragged axis
     */
    public static RaggedLayout slice(RaggedLayout source, TensorIndex... indices) {
        TensorIndex[] steps = Slicer.stepsForAll(source.shape(), indices);
        if (isWhole(steps, 0)) {
            return source;
        }
        if (steps[0] instanceof RangeIndex && isWhole(steps, 1)) {
            RangeIndex range = (RangeIndex) steps[0];
            long size = source.shape()[0];
            if (range.count(size) >= 0 && (range.step() == 1 || range.count(size) == 0)) {
                return source.part(range.count(size) == 0 ? 0 : range.first(size), range.count(size));
            }
        }
        return new RaggedSlicer(source).slice(steps);
    }

    private static boolean isWhole(TensorIndex[] steps, int from) {
        for (int n = from; n < steps.length; n++) {
            if (steps[n] != RangeIndex.ALL) {
                return false;
            }
        }
        return true;
    }

    private RaggedLayout slice(TensorIndex... steps) {
        int depth = source.depth();
        int axis = 0;
        int n = 0;
        for (; axis < depth; n++) {
            if (((AxisIndex) steps[n]).axes() == 0) {
                addNew();
            } else if (source.isRagged(axis)) {
                takeRagged(axis++, (AxisIndex) steps[n]);
            } else {
                takeUniform(axis++, (AxisIndex) steps[n]);
            }
        }
        Layout rest = source.inner();
        if (depth == source.rank() || !source.isRagged(depth)) {
            for (int i = 0; i < nodes.length; i++) {
                nodes[i] = source.start(nodes[i]);
            }
        } else {
            while (((AxisIndex) steps[n]).axes() == 0) {
                addNew();
                n++;
            }
            takeRows((AxisIndex) steps[n++]);
            rest = new Layout(0, after(rest.sizes()), after(rest.strides()), rest.lists() == null ? null
                : Arrays.copyOfRange(rest.lists(), 1, rest.lists().length));
        }
        return result(Slicer.apply(rest, source.shape(), source.rank() - rest.rank(), Arrays.copyOfRange(steps, n, steps.length)));
    }

    private static long[] after(long... array) {
        return Arrays.copyOfRange(array, 1, array.length);
    }

    private void addNew() {
        sizes.add(1L);
        splits.add(null);
    }

    /** Adds an axis of the source to the result: a ragged one if there are splits, unless it is the first axis kept, which then has one row. */
    private void keep(long size, long[] ends) {
        boolean isOneRow = !hasStayed;
        hasStayed = true;
        sizes.add(ends == null ? size : isOneRow ? ends[1] : -1);
        splits.add(ends == null || isOneRow ? null : new RowSplits(ends));
    }

    private static long[] nodeArray(long n) {
        if (n > ArrayLength.MOST || n < 0) {
            throw new OutOfMemoryError("a slice with " + n + " rows or positions; there can be at most " + ArrayLength.MOST);
        }
        return new long[(int) n];
    }

    /** Applies a step to a uniform axis of the tree. */
    private void takeUniform(int axis, AxisIndex step) {
        long size = source.shape()[axis];
        Layout axes = new Layout(0, new long[] {size}, new long[] {1});
        // The slicer of plain layouts determines the positions.
        Layout kept = Slicer.apply(axes, source.shape(), axis, step);
        boolean drops = kept.rank() == 0;
        long count = drops ? 1 : kept.size(0);
        long[] next = nodeArray(count > 0 && nodes.length > Integer.MAX_VALUE / count ? Long.MAX_VALUE : count * nodes.length);
        int n = 0;
        for (long node : nodes) {
            long first = (axis == 0 ? source.firstNode() : source.below(axis, node)) + kept.offset();
            for (long i = 0; i < count; i++) {
                next[n++] = first + (drops ? 0 : kept.distance(0, i));
            }
        }
        nodes = next;
        if (!drops) {
            keep(count, null);
        }
    }

    /** Applies a step to a ragged axis of the tree, before that of the rows. */
    private void takeRagged(int axis, AxisIndex step) {
        Chosen chosen = choose(axis, step);
        long[] next = nodeArray(chosen.total);
        int n = 0;
        for (int r = 0; r < nodes.length; r++) {
            long first = source.below(axis, nodes[r]);
            n = chosen.each(r, source.size(axis, nodes[r]), first, 1, next, n);
        }
        nodes = next;
        if (!chosen.drops) {
            keep(chosen.same, chosen.ends);
        }
    }

    /** Applies a step to the ragged axis of the rows: a range keeps rows strided, any other index makes each position a node. */
    private void takeRows(AxisIndex step) {
        int axis = source.depth();
        Chosen chosen = choose(axis, step);
        long stride = source.inner().stride(0);
        if (chosen.range != null) {
            for (int r = 0; r < nodes.length; r++) {
                long size = source.size(axis, nodes[r]);
                long first = chosen.ends[r + 1] == chosen.ends[r] ? 0 : chosen.range.cutFirst(size);
                nodes[r] = source.start(nodes[r]) + first * stride;
            }
            // If no row has two positions, the step is not needed, and could overflow.
            rowStride = chosen.longest > 1 ? stride * chosen.range.step() : stride;
            keep(-1, chosen.ends);
            return;
        }
        long[] next = nodeArray(chosen.total);
        int n = 0;
        for (int r = 0; r < nodes.length; r++) {
            n = chosen.each(r, source.size(axis, nodes[r]), source.start(nodes[r]), stride, next, n);
        }
        nodes = next;
        if (!chosen.drops) {
            keep(chosen.same, chosen.ends);
        }
    }

    /** The positions that a step selects from each row of an axis. */
    private static final class Chosen {
        RangeIndex range;
        ExceptIndex except;
        /** Positions selected in each row. */
        long[] asked;
        boolean drops;
        /** The ends of the positions of each row; null if all rows have the same number, {@link #count}. */
        long[] ends;
        long same;
        long total;
        long longest;

        /** Appends {@code first} plus the stride times each position selected in row {@code r}. */
        int each(int r, long size, long first, long stride, long[] to, int from) {
            int n = from;
            if (asked != null) {
                for (long i : asked) {
                    to[n++] = first + AxisIndex.fromEnd(i, size) * stride;
                }
            } else if (range != null) {
                long at = range.cutFirst(size);
                for (long count = ends[r + 1] - ends[r]; count > 0; count--) {
                    to[n++] = first + at * stride;
                    at += range.step();
                }
            } else {
                BitSet out = out(size, except.positions());
                int end = n + (int) (ends[r + 1] - ends[r]);
                for (int at = out.nextClearBit(0); n < end; at = out.nextClearBit(at + 1)) {
                    to[n++] = first + at * stride;
                }
            }
            return n;
        }
    }

    /** The excluded positions that lie within a row. */
    private static BitSet out(long size, long... positions) {
        BitSet out = new BitSet();
        for (long position : positions) {
            long at = AxisIndex.fromEnd(position, size);
            if (at >= 0 && at < size) {
                out.set(Positions.count(at));
            }
        }
        return out;
    }

    private Chosen choose(int axis, AxisIndex step) {
        Chosen chosen = new Chosen();
        if (step instanceof MaskIndex) {
            throw new IllegalArgumentException("a mask for axis " + axis + " of the shape " + Arrays.toString(source.shape())
                + ": a ragged axis takes none; slice a row first, and mask that");
        }
        if (step instanceof RangeIndex) {
            chosen.range = (RangeIndex) step;
        } else if (step instanceof ExceptIndex) {
            chosen.except = (ExceptIndex) step;
        } else if (step instanceof AtIndex) {
            chosen.asked = new long[] {((AtIndex) step).asked()};
            chosen.drops = true;
        } else {
            chosen.asked = ((PositionsIndex) step).asked();
            chosen.drops = ((PositionsIndex) step).drops(chosen.asked);
        }
        if (chosen.asked != null) {
            checkEach(axis, step, chosen.asked);
            chosen.same = chosen.asked.length;
            chosen.total = Math.multiplyExact(chosen.same, (long) nodes.length);
            return chosen;
        }
        long[] ends = new long[nodes.length + 1];
        for (int r = 0; r < nodes.length; r++) {
            long size = source.size(axis, nodes[r]);
            long count = chosen.range != null ? chosen.range.cutCount(size) : size - out(size, chosen.except.positions()).cardinality();
            ends[r + 1] = Math.addExact(ends[r], count);
            chosen.longest = Math.max(chosen.longest, count);
        }
        chosen.ends = ends;
        chosen.total = ends[nodes.length];
        return chosen;
    }

    /** Checks that all positions are within every row. */
    private void checkEach(int axis, AxisIndex step, long... asked) {
        for (long node : nodes) {
            long size = source.size(axis, node);
            for (int n = 0; n < asked.length; n++) {
                long at = AxisIndex.fromEnd(asked[n], size);
                if (at < 0 || at >= size) {
                    String text = step instanceof PositionsIndex ? ((PositionsIndex) step).text(n, asked) : step.toString();
                    throw new TensorIndexOutOfBoundsException(source.shape(), axis, text + " for row " + source.name(axis, node), size);
                }
            }
        }
    }

    // ---- The result ------------------------------------------------------------------------------------------------

    private RaggedLayout result(Layout rest) {
        int depth = sizes.size() - (rowStride != 0 ? 1 : 0);
        for (int n = 0; n < nodes.length; n++) {
            nodes[n] += rest.offset();
        }
        long[] shape = new long[sizes.size() + rest.rank()];
        RowSplits[] all = new RowSplits[shape.length];
        for (int d = 0; d < sizes.size(); d++) {
            shape[d] = sizes.get(d);
            all[d] = splits.get(d);
        }
        System.arraycopy(rest.sizes(), 0, shape, sizes.size(), rest.rank());
        Layout inner = rowStride == 0 ? new Layout(0, rest.sizes(), rest.strides(), rest.lists())
            : new Layout(0, prepend(Math.max(shape[depth], 0), rest.sizes()), prepend(rowStride, rest.strides()), prepend(rest.lists()));
        if (depth == 0) {
            return RaggedLayout.plain(source.access(new Layout(nodes[0], inner.sizes(), inner.strides(), inner.lists())));
        }
        RaggedLayout tree = new RaggedLayout(shape, all, depth, 0, nodes, source.access(inner));
        if (tree.isRagged()) {
            return tree;
        }
        Layout plain = plain(depth, shape, inner);
        return plain == null ? tree : RaggedLayout.plain(source.access(plain));
    }

    private static long[] prepend(long first, long... rest) {
        long[] all = new long[rest.length + 1];
        all[0] = first;
        System.arraycopy(rest, 0, all, 1, rest.length);
        return all;
    }

    private static long[][] prepend(long[][] lists) {
        if (lists == null) {
            return null;
        }
        long[][] all = new long[lists.length + 1][];
        System.arraycopy(lists, 0, all, 1, lists.length);
        return all;
    }

    /** The result as a plain layout, if the distances along each axis are independent of the other indices; else null. */
    private Layout plain(int depth, long[] shape, Layout inner) {
        int rank = shape.length;
        long[] strides = new long[rank];
        long[][] lists = new long[rank][];
        System.arraycopy(inner.strides(), 0, strides, depth, inner.rank());
        for (int d = depth; d < rank; d++) {
            lists[d] = inner.list(d - depth);
        }
        if (nodes.length == 0) {
            return new Layout(0, shape, Layout.rowMajorStrides(shape));
        }
        long[] weights = Layout.rowMajorStrides(Arrays.copyOf(shape, depth));
        for (int d = 0; d < depth; d++) {
            long[] list = new long[(int) shape[d]];
            for (int i = 0; i < list.length; i++) {
                list[i] = nodes[(int) (i * weights[d])] - nodes[0];
            }
            lists[d] = list;
        }
        for (int n = 0; n < nodes.length; n++) {
            long at = nodes[0];
            for (int d = 0; d < depth; d++) {
                at += lists[d][(int) (n / weights[d] % shape[d])];
            }
            if (at != nodes[n]) {
                return null;
            }
        }
        for (int d = 0; d < depth; d++) {
            if (Slicer.isArithmetic(lists[d])) {
                strides[d] = Slicer.step(lists[d]);
                lists[d] = null;
            }
        }
        return new Layout(nodes[0], shape, strides, lists);
    }
}
