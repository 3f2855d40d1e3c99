package io.tensornio.support;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * What the slices of a tensor are held against: a selection of the elements of a row-major array that writes down the
 * position of every single one.
 */
public final class NaiveView {
    public final int[] shape;
    /** Where in the array the elements lie, in row-major order of this view. */
    public final int[] positions;

    private NaiveView(int[] shape, int[] positions) {
        this.shape = shape;
        this.positions = positions;
    }

    public static NaiveView of(int... shape) {
        int[] positions = new int[product(shape)];
        Arrays.setAll(positions, i -> i);
        return new NaiveView(shape, positions);
    }

    private static int product(int... shape) {
        return Arrays.stream(shape).reduce(1, (a, b) -> a * b);
    }

    public int rank() {
        return shape.length;
    }

    public int size() {
        return positions.length;
    }

    public long[] longShape() {
        return Arrays.stream(shape).asLongStream().toArray();
    }

    /** All indices inside of the shape, in row-major order. */
    public List<int[]> indices() {
        List<int[]> all = new ArrayList<>();
        for (int i = 0; i < positions.length; i++) {
            int[] index = new int[shape.length];
            int rest = i;
            for (int d = shape.length - 1; d >= 0; d--) {
                index[d] = rest % shape[d];
                rest /= shape[d];
            }
            all.add(index);
        }
        return all;
    }

    public int at(int... index) {
        int at = 0;
        for (int d = 0; d < shape.length; d++) {
            at = at * shape[d] + index[d];
        }
        return positions[at];
    }

    /** The sub-tensor at some leading indices. */
    public NaiveView sub(int... leading) {
        Pick[] picks = new Pick[leading.length];
        Arrays.setAll(picks, d -> Pick.at(leading[d]));
        return slice(picks);
    }

    /** What a bulk call's indices select: a sub-tensor, or with all of them the rest of the last axis. */
    public NaiveView selection(int... indices) {
        int rank = shape.length;
        if (indices.length < rank || rank == 0) {
            return sub(indices);
        }
        int start = indices[rank - 1];
        int[] rest = new int[shape[rank - 1] - start];
        Arrays.setAll(rest, i -> start + i);
        return sub(Arrays.copyOf(indices, rank - 1)).slice(new Pick(null, false, rest));
    }

    /** What has, at each index, the element that this has at another one. */
    public NaiveView view(int[] newShape, UnaryOperator<int[]> toSource) {
        NaiveView every = of(newShape);
        int[] result = new int[every.size()];
        int n = 0;
        for (int[] index : every.indices()) {
            result[n++] = at(toSource.apply(index));
        }
        return new NaiveView(newShape, result);
    }

    /** The same elements in another shape. */
    public NaiveView reshaped(int... newShape) {
        return new NaiveView(newShape, positions);
    }

    public NaiveView slice(Pick... picks) {
        int named = 0;
        for (Pick pick : picks) {
            named += Math.max(0, pick.takes);
        }
        int[][] chosen = new int[shape.length][];           // of each axis of this view
        List<Integer> kept = new ArrayList<>();
        int axis = 0;
        for (Pick pick : picks) {
            if (pick.takes == Pick.REST) {
                for (int end = axis + shape.length - named; axis < end; axis++) {
                    chosen[axis] = Pick.all(shape[axis]).chosen;
                    kept.add(shape[axis]);
                }
            } else if (pick.takes == 0 && !pick.drops) {
                kept.add(1);
            } else if (pick.drops) {
                for (int i : pick.chosen) {
                    chosen[axis++] = new int[] {i};
                }
            } else {
                kept.add(pick.chosen.length);
                chosen[axis++] = pick.chosen;
            }
        }
        for (; axis < shape.length; axis++) {
            chosen[axis] = Pick.all(shape[axis]).chosen;
            kept.add(shape[axis]);
        }
        NaiveView every = of(Arrays.stream(chosen).mapToInt(c -> c.length).toArray());
        int[] result = new int[every.size()];
        int n = 0;
        for (int[] index : every.indices()) {
            int[] source = new int[index.length];
            Arrays.setAll(source, d -> chosen[d][index[d]]);
            result[n++] = at(source);
        }
        return new NaiveView(kept.stream().mapToInt(i -> i).toArray(), result);
    }
}
