package io.tensornio.op;

import io.tensornio.DataType;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.Seeds;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Elements that are put elsewhere, and new tensors, against loops and by examples. */
@ExtendWith(MemoryBalance.class)
class OpsPlacesTest {
    @Test
    void examples() {
        try (Ops tf = Ops.create()) {
            Shown shown = new Shown(tf);
            Constant<Float> a = tf.constant(new float[][] {{1, 2, 3}, {4, 5, 6}});
            shown.is("FLOAT[2,3] [[3.0, 1.0, 2.0], [6.0, 4.0, 5.0]]", tf.array.roll(a, 1, 1));
            shown.is("FLOAT[2,3] [[2.0, 3.0, 1.0], [5.0, 6.0, 4.0]]", tf.array.roll(a, -4, -1));
            shown.is("FLOAT[2,3] [[6.0, 5.0, 4.0], [3.0, 2.0, 1.0]]", tf.array.flip(a, 0, 1));
            shown.is("FLOAT[2] [1.0, 5.0]", tf.array.diagonal(a));
            shown.is("FLOAT[2,3] [[1.0, 0.0, 0.0], [4.0, 5.0, 0.0]]", tf.array.tril(a, 0));
            shown.is("FLOAT[2,3] [[0.0, 2.0, 3.0], [0.0, 0.0, 6.0]]", tf.array.triu(a, 1));
            shown.is("FLOAT[2,3] [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]", tf.array.triu(a, -1));
            shown.is("FLOAT[2,2] [[1.0, 0.0], [0.0, 1.0]]", tf.array.eye(2));
            shown.is("INT64[2,3] [[1, 0, 0], [0, 1, 0]]", tf.array.eye(Long.class, 2, 3));
            shown.is("FLOAT[5] [0.0, 0.25, 0.5, 0.75, 1.0]", tf.array.linspace(0f, 1f, 5));
            shown.is("DOUBLE[1] [3.0]", tf.array.linspace(3.0, 7.0, 1));
            shown.is("DOUBLE[0] []", tf.array.linspace(3.0, 7.0, 0));
            List<Operand<Integer>> grid = tf.array.meshgrid(Held.held(tf.constant(new int[] {1, 2})), Held.held(tf.constant(new int[] {3, 4, 5})));
            shown.is("INT32[2,3] [[1, 1, 1], [2, 2, 2]]", grid.get(0));
            shown.is("INT32[2,3] [[3, 4, 5], [3, 4, 5]]", grid.get(1));
            shown.is("FLOAT[2,6] [[1.0, 1.0, 2.0, 2.0, 3.0, 3.0], [4.0, 4.0, 5.0, 5.0, 6.0, 6.0]]", tf.array.repeat(a, 2, 1));
            shown.is("FLOAT[2] [6.0, 2.0]", tf.array.gatherNd(a, Held.held(tf.constant(new int[][] {{1, 2}, {0, 1}}))));
            shown.is("FLOAT[1,3] [[4.0, 5.0, 6.0]]", tf.array.gatherNd(a, Held.held(tf.constant(new int[][] {{1}}))));
            Constant<Integer> places = tf.constant(new int[][] {{1}, {1}});
            Constant<Float> rows = tf.constant(new float[][] {{10, 20, 30}, {7, 8, 9}});
            shown.is("FLOAT[2,3] [[1.0, 2.0, 3.0], [7.0, 8.0, 9.0]]", tf.array.scatter(a, places, rows));
            shown.is("FLOAT[2,3] [[1.0, 2.0, 3.0], [21.0, 33.0, 45.0]]", tf.array.scatterAdd(a, places, rows));
            shown.is("FLOAT[2,1] [[3.0], [4.0]]", tf.array.takeAlongAxis(a, Held.held(tf.constant(new long[][] {{2}, {0}})), 1));
            Constant<Float> v = tf.constant(new float[] {1, 2, 3});
            shown.is("FLOAT[6] [1.0, 1.0, 2.0, 3.0, 3.0, 3.0]", tf.array.pad(v, new long[] {1}, new long[] {2}, PadMode.EDGE));
            shown.is("FLOAT[6] [2.0, 1.0, 2.0, 3.0, 2.0, 1.0]", tf.array.pad(v, new long[] {1}, new long[] {2}, PadMode.REFLECT));
            shown.is("FLOAT[6] [0.0, 1.0, 2.0, 3.0, 0.0, 0.0]", tf.array.pad(v, new long[] {1}, new long[] {2}, PadMode.CONSTANT));
            Operand<Float> image = tf.array.reshape(Held.held(tf.constant(new float[] {0, 1, 2, 3})), 1, 1, 4, 1);
            shown.is("FLOAT[2] [1.0, 3.0]", tf.array.reshape(tf.array.resize(image, 1, 2, Interpolation.NEAREST), 2));
            shown.is("FLOAT[2] [0.5, 2.5]", tf.array.reshape(tf.array.resize(image, 1, 2, Interpolation.BILINEAR), 2));
            shown.is("FLOAT[4] [0.0, 1.0, 2.0, 3.0]", tf.array.reshape(tf.array.resize(image, 1, 4, Interpolation.BICUBIC), 4));
            shown.is("FLOAT[] 6.0", tf.linalg.trace(Held.held(tf.constant(new float[][] {{1, 2}, {3, 5}}))));
            shown.is("FLOAT[2,4] [[1.0, 2.0, 2.0, 4.0], [3.0, 4.0, 6.0, 8.0]]",
                tf.linalg.kron(Held.held(tf.constant(new float[][] {{1, 2}})), Held.held(tf.constant(new float[][] {{1, 2}, {3, 4}}))));
            shown.is("FLOAT[3] [-3.0, 6.0, -3.0]", tf.linalg.cross(v, Held.held(tf.constant(new float[] {4, 5, 6}))));
            shown.is("INT64[] 2", tf.reduce.countNonZero(Held.held(tf.constant(new float[] {0, Float.NaN, -1}))));
            shown.is("DOUBLE[] 1.0", tf.reduce.var(Held.held(tf.constant(new double[] {1, 2, 3})), 1.0));
            shown.is("DOUBLE[] 1.0", tf.reduce.std(Held.held(tf.constant(new double[] {1, 2, 3})), 1.0, 0));
            shown.is("DOUBLE[] NaN", tf.reduce.var(Held.held(tf.constant(new double[] {1})), 1.0));
        }
    }

    @Test
    void randomRollsAndRepeats() {
        Seeds.each(21, 40, (random, done) -> {
            long[] shape = Naive.shape(random, 1 + random.nextInt(3));
            int axis = random.nextInt(shape.length);
            Naive x = Naive.random(NumberTypes.elements(random, DataType.DOUBLE), shape);
            long shift = random.nextInt(15) - 7;
            long times = random.nextInt(3);
            done.append(Arrays.toString(shape)).append(" axis ").append(axis).append(" by ").append(shift);
            try (Ops tf = Ops.create()) {
                Operand<Double> operand = x.operand(tf, DataType.DOUBLE);
                Naive.of(shape, at -> {
                    long[] from = at.clone();
                    from[axis] = Math.floorMod(at[axis] - shift, shape[axis]);
                    return x.at(from);
                }).check(tf, tf.array.roll(operand, shift, axis), DataType.DOUBLE);
                long[] longer = shape.clone();
                longer[axis] *= times;
                Naive.of(longer, at -> {
                    long[] from = at.clone();
                    from[axis] = at[axis] / times;
                    return x.at(from);
                }).check(tf, tf.array.repeat(operand, times, axis), DataType.DOUBLE);
            }
        });
    }

    private static void refused(org.junit.jupiter.api.function.Executable call, String... parts) {
        Expect.exactly(IllegalArgumentException.class, call, parts);
    }

    @Test
    void errors() {
        try (Ops tf = Ops.create()) {
            Constant<Float> a = tf.constant(new float[][] {{1, 2, 3}, {4, 5, 6}});
            long[] none = {0, 0};
            refused(() -> tf.array.pad(a, new long[] {2, 0}, none, PadMode.REFLECT), "pad(FLOAT [2, 3])", "axis 0 of 2", "one less");
            refused(() -> tf.array.pad(a, new long[] {-1, 0}, none, PadMode.EDGE), "must not be negative");
            refused(() -> tf.array.pad(a, new long[1], none, PadMode.EDGE), "1 numbers", "2 axes");
            refused(() -> tf.array.roll(a, 1, 2), "no axis 2");
            refused(() -> tf.array.repeat(a, -1, 0), "n is -1");
            refused(() -> tf.array.diagonal(tf.constant(new float[2])), "rank 1");
            refused(() -> tf.array.eye(-1), "-1 rows");
            refused(() -> tf.array.linspace(0f, 1f, -1), "count is -1");
            refused(() -> tf.array.meshgrid(a), "rank 2");
            refused(() -> tf.array.gatherNd(a, tf.constant(new int[] {0, 0, 0})), "at most 2 indices");
            refused(() -> tf.array.scatter(a, tf.constant(new int[] {0}), a), "updates has shape [2, 3] and must have [3]");
            refused(() -> tf.array.takeAlongAxis(a, tf.constant(new int[] {0}), 0), "indices has shape [1]");
            refused(() -> tf.array.resize(a, 1, 1, Interpolation.NEAREST), "rank 2", "channels");
            refused(() -> tf.linalg.cross(a, tf.constant(new float[2])), "3 elements");
            Expect.thrown(IndexOutOfBoundsException.class, () -> tf.array.gatherNd(a, tf.constant(new int[] {0, 3})), "3");
            Expect.thrown(IndexOutOfBoundsException.class, () -> tf.array.scatterAdd(a, tf.constant(new long[] {0, -1}), tf.constant(1f)),
                "-1 for axis 1", "length 3");
            Expect.thrown(IndexOutOfBoundsException.class, () -> tf.array.takeAlongAxis(a, tf.constant(new int[][] {{2, 0, 0}}), 0), "2");
        }
    }
}
