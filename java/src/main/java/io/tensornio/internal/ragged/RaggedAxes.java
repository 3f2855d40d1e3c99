package io.tensornio.internal.ragged;

import io.tensornio.internal.layout.ArrayLength;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Shapes;
import java.util.Arrays;

/**
 * Builds a new tree whose uniform axes are permuted, broadcast, or added. The ragged axes keep their order; the uniform axes between two of them
 * change independently. It costs time and memory for each row; for each element, if axes after the tree are involved.
 */
final class RaggedAxes {
    private final RaggedLayout source;
    private final long[] shape;
    private final int[] to;
    /** The axes of the source before this one are involved. */
    private final int end;

    private RaggedAxes(RaggedLayout source, long[] shape, int... to) {
        this.source = source;
        this.shape = shape;
        this.to = to;
        end = source.hasRaggedRows() ? source.depth() : source.rank();
    }

    /**
     * The layout with the axes before the ragged rows rearranged; without ragged rows, all axes.
     *
     * @param shape the new sizes; after the ragged rows those of the source
     * @param to for each axis of the source the axis of the result that has its index, or -1 if that is always 0;
     *     ragged axes are in order, none is -1, and no other axis crosses them
     */
    static RaggedLayout moved(RaggedLayout source, long[] shape, int... to) {
        return new RaggedAxes(source, shape, to).result();
    }

    private RaggedLayout result() {
        RowSplits[] splits = new RowSplits[shape.length];
        long[] nodes = {0};
        int from = 0;
        int newFrom = 0;
        while (true) {
            int until = from;
            while (until < end && !source.isRagged(until)) {
                until++;
            }
            int newUntil = until < to.length ? to[until] : shape.length;
            nodes = uniform(nodes, from, until, newFrom, newUntil);
            if (until == end) {
                return source.hasRaggedRows() ? rows(splits, newUntil, nodes) : elements(splits, nodes);
            }
            long[] ends = ends(until, nodes);
            splits[newUntil] = new RowSplits(ends);
            nodes = ragged(until, nodes, ends);
            from = until + 1;
            newFrom = newUntil + 1;
        }
    }

    private static long[] array(long n) {
        if (n > ArrayLength.MOST) {
            throw new OutOfMemoryError("a view with " + n + " rows or positions; there can be at most " + ArrayLength.MOST);
        }
        return new long[(int) n];
    }

    /** The nodes below nodes, at all indices of the axes of the result between two ragged ones. */
    private long[] uniform(long[] nodes, int from, int until, int newFrom, int newUntil) {
        long[] sizes = Arrays.copyOfRange(shape, newFrom, newUntil);
        long count = Shapes.product(sizes);
        long[] below = array(count == 0 || nodes.length <= Integer.MAX_VALUE / count ? count * nodes.length : Long.MAX_VALUE);
        int n = 0;
        for (long node : nodes) {
            for (long linear = 0; linear < count; linear++) {
                long[] index = Shapes.coordinates(sizes, linear);
                long at = node;
                for (int d = from; d < until; d++) {
                    at = next(d, at, to[d] < 0 ? 0 : index[to[d] - newFrom]);
                }
                below[n++] = at;
            }
        }
        return below;
    }

    /** The child at an index: a node of the tree, or, after its depth, if its rows are not ragged, a position. */
    private long next(int d, long at, long i) {
        int depth = source.depth();
        if (d >= depth) {
            return at + source.inner().distance(d - depth, i);
        }
        long node = (d == 0 ? source.firstNode() : source.below(d, at)) + i;
        return d + 1 == depth && !source.hasRaggedRows() ? source.start(node) : node;
    }

    private long[] ends(int d, long... nodes) {
        long[] ends = new long[nodes.length + 1];
        for (int n = 0; n < nodes.length; n++) {
            ends[n + 1] = Math.addExact(ends[n], source.size(d, nodes[n]));
        }
        return ends;
    }

    private long[] ragged(int d, long[] nodes, long... ends) {
        long[] below = array(ends[nodes.length]);
        int n = 0;
        for (int k = 0; k < nodes.length; k++) {
            for (long i = 0; i < ends[k + 1] - ends[k]; i++) {
                below[n++] = next(d, nodes[k], i);
            }
        }
        return below;
    }

    private RaggedLayout rows(RowSplits[] splits, int depth, long... nodes) {
        splits[depth] = new RowSplits(ends(source.depth(), nodes));
        long[] starts = new long[nodes.length];
        for (int n = 0; n < starts.length; n++) {
            starts[n] = source.start(nodes[n]);
        }
        return new RaggedLayout(shape, splits, depth, 0, starts, source.inner());
    }

    private RaggedLayout elements(RowSplits[] splits, long... positions) {
        if (shape.length == 0) {
            return RaggedLayout.plain(source.access(new Layout(positions[0], new long[0], new long[0])));
        }
        return new RaggedLayout(shape, splits, shape.length, 0, positions, source.access(new Layout(0, new long[0], new long[0])));
    }
}
