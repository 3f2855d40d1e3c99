package io.tensornio.op;

import io.tensornio.DataType;
import io.tensornio.support.Seeds;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

/** Reductions against loops, on random axes of random shapes, and along an axis. */
class OpsReduceTest {
    private interface Reduce {
        Operand<?> apply(Ops tf, Operand<Float> x, boolean keepDims, int... axes);
    }

    private static final Map<Reduce, ToDoubleFunction<double[]>> OF_NUMBERS = new LinkedHashMap<>();
    private static final Map<Reduce, ToDoubleFunction<double[]>> EXTREMES = new LinkedHashMap<>();
    private static final Map<Reduce, ToDoubleFunction<double[]>> OF_FRACTIONS = new LinkedHashMap<>();

    static {
        OF_NUMBERS.put((tf, x, keep, axes) -> tf.reduce.sum(x, keep, axes), some -> DoubleStream.of(some).sum());
        OF_NUMBERS.put((tf, x, keep, axes) -> tf.reduce.prod(x, keep, axes), some -> DoubleStream.of(some).reduce(1, (a, b) -> a * b));
        EXTREMES.put((tf, x, keep, axes) -> tf.reduce.max(x, keep, axes), some -> DoubleStream.of(some).max().orElse(Double.NEGATIVE_INFINITY));
        EXTREMES.put((tf, x, keep, axes) -> tf.reduce.min(x, keep, axes), some -> DoubleStream.of(some).min().orElse(Double.POSITIVE_INFINITY));
        OF_FRACTIONS.put((tf, x, keep, axes) -> tf.reduce.mean(x, keep, axes), OpsReduceTest::mean);
        OF_FRACTIONS.put((tf, x, keep, axes) -> tf.reduce.var(x, keep, axes), OpsReduceTest::variance);
        OF_FRACTIONS.put((tf, x, keep, axes) -> tf.reduce.std(x, keep, axes), some -> Math.sqrt(variance(some)));
        OF_FRACTIONS.put((tf, x, keep, axes) -> tf.reduce.logSumExp(x, keep, axes), some -> Math.log(DoubleStream.of(some).map(Math::exp).sum()));
    }

    private static double mean(double... some) {
        return DoubleStream.of(some).sum() / some.length;
    }

    private static double variance(double... some) {
        double mean = mean(some);
        return mean(DoubleStream.of(some).map(x -> (x - mean) * (x - mean)).toArray());
    }

    private static void one(Random random, StringBuilder done, DataType type, Reduce operation, ToDoubleFunction<double[]> naive) {
        one(random, done, type, operation, naive, Naive.shape(random, random.nextInt(4)));
    }

    private static void one(Random random, StringBuilder done, DataType type, Reduce operation, ToDoubleFunction<double[]> naive, long... shape) {
        int rank = shape.length;
        int least = type == DataType.UINT8 ? 0 : -1;        // products of these are exact as doubles
        Naive x = Naive.random(() -> NumberTypes.FLOATING.contains(type) ? (random.nextInt(17) - 8) / 4.0 : least + random.nextInt(3), shape);
        int[] axes = Naive.axes(random, rank);
        boolean keepDims = random.nextBoolean();
        done.append(' ').append(type).append(Arrays.toString(x.shape)).append(" by ").append(Arrays.toString(axes));
        try (Ops tf = Ops.create()) {
            x.reduce(Naive.reduced(rank, axes), keepDims, some -> NumberTypes.narrow(type, naive.applyAsDouble(some)))
                .check(tf, operation.apply(tf, x.operand(tf, type), keepDims, axes), type);
        }
    }

    @Test
    void reductionsAreThoseOfLoops() {
        Seeds.each(1, 8, (random, done) -> {
            OF_NUMBERS.forEach((operation, naive) -> one(random, done, NumberTypes.pick(random, NumberTypes.NUMBERS), operation, naive));
            OF_FRACTIONS.forEach((operation, naive) -> one(random, done, NumberTypes.pick(random, NumberTypes.FLOATING), operation, naive));
            EXTREMES.forEach((operation, naive) -> one(random, done, NumberTypes.pick(random, NumberTypes.FLOATING), operation, naive));
            EXTREMES.forEach((operation, naive) -> one(random, done, NumberTypes.pick(random, NumberTypes.NUMBERS), operation, naive,
                random.longs(random.nextInt(4), 1, 5).toArray()));         // integers have no largest of none
        });
    }

    @Test
    void truthValuesAreReduced() {
        Seeds.each(2, 10, (random, done) -> {
            int rank = random.nextInt(4);
            Naive x = Naive.random(() -> random.nextInt(4) == 0 ? 0 : 1, Naive.shape(random, rank));
            int[] axes = Naive.axes(random, rank);
            boolean[] reduced = Naive.reduced(rank, axes);
            try (Ops tf = Ops.create()) {
                Operand<Boolean> operand = x.operand(tf, DataType.BOOL);
                x.reduce(reduced, false, some -> DoubleStream.of(some).min().orElse(1)).check(tf, tf.reduce.all(operand, axes), DataType.BOOL);
                x.reduce(reduced, true, some -> DoubleStream.of(some).max().orElse(0)).check(tf, tf.reduce.any(operand, true, axes), DataType.BOOL);
            }
        });
    }

    private static double position(boolean largest, double... some) {
        int best = 0;
        for (int n = 1; n < some.length; n++) {
            boolean isBetter = largest ? some[n] > some[best] : some[n] < some[best];
            best = !Double.isNaN(some[best]) && (isBetter || Double.isNaN(some[n])) ? n : best;
        }
        return best;
    }

    @Test
    void positionsAreTheFirstOfWinnersAndOfNaNs() {
        Seeds.each(3, 20, (random, done) -> {
            int rank = 1 + random.nextInt(3);
            long[] shape = new long[rank];
            Arrays.setAll(shape, d -> 1 + random.nextInt(4));
            DataType type = NumberTypes.pick(random, NumberTypes.NUMBERS);
            boolean hasNaN = NumberTypes.FLOATING.contains(type);
            Naive x = Naive.random(() -> hasNaN && random.nextInt(12) == 0 ? Double.NaN : random.nextInt(4), shape);
            int[] axes = random.nextInt(3) == 0 ? new int[0] : new int[] {random.nextInt(2 * rank) - rank};
            boolean keepDims = random.nextBoolean();
            done.append(Arrays.toString(x.shape)).append(Arrays.toString(x.values)).append(" by ").append(Arrays.toString(axes));
            try (Ops tf = Ops.create()) {
                Operand<Float> operand = x.operand(tf, type);
                boolean[] reduced = Naive.reduced(rank, axes);
                x.reduce(reduced, keepDims, some -> position(true, some)).check(tf, tf.reduce.argmax(operand, keepDims, axes),
                    DataType.INT64);
                x.reduce(reduced, keepDims, some -> position(false, some)).check(tf, tf.reduce.argmin(operand, keepDims, axes),
                    DataType.INT64);
            }
        });
    }

    @Test
    void normAndSoftmaxAreThoseOfLoops() {
        Seeds.each(4, 12, (random, done) -> {
            int rank = 1 + random.nextInt(3);
            Naive x = Naive.random(() -> (random.nextInt(17) - 8) / 4.0, Naive.shape(random, rank));
            int axis = random.nextInt(2 * rank) - rank;
            boolean[] reduced = Naive.reduced(rank, axis);
            Naive sum = x.reduce(reduced, true, some -> DoubleStream.of(some).map(Math::exp).sum());
            DataType type = NumberTypes.pick(random, NumberTypes.FLOATING);
            done.append(type).append(Arrays.toString(x.shape)).append(" along ").append(axis);
            try (Ops tf = Ops.create()) {
                Operand<Float> operand = x.operand(tf, type);
                Naive.of(x.shape, at -> Math.exp(x.at(at)) / sum.at(at)).check(tf, tf.nn.softmax(operand, axis), type);
                Naive.of(x.shape, at -> x.at(at) - Math.log(sum.at(at))).check(tf, tf.nn.logSoftmax(operand, axis), type);
                x.reduce(Naive.reduced(rank), false, some -> Math.sqrt(DoubleStream.of(some).map(v -> v * v).sum()))
                    .check(tf, tf.linalg.norm(operand), type);
            }
        });
    }

    /** What is large, infinite, or nothing. */
    @Test
    void limits() {
        double infinity = Double.POSITIVE_INFINITY;
        try (Ops tf = Ops.create()) {
            Shown shown = new Shown(tf);
            shown.is("DOUBLE[] 1000.6931471805599", tf.reduce.logSumExp(tf.constant(new double[] {1000, 1000})));
            shown.is("DOUBLE[] -Infinity", tf.reduce.logSumExp(tf.constant(new double[] {-infinity, -infinity})));
            shown.is("DOUBLE[] Infinity", tf.reduce.logSumExp(tf.constant(new double[] {infinity, 1})));
            shown.is("DOUBLE[] -Infinity", tf.reduce.logSumExp(tf.constant(new double[0])));
            shown.is("DOUBLE[2] [0.5, 0.5]", tf.nn.softmax(tf.constant(new double[] {1e300, 1e300})));
            shown.is("FLOAT[] NaN", tf.reduce.mean(tf.constant(new float[0])));
            shown.is("FLOAT[] -Infinity", tf.reduce.max(tf.constant(new float[0])));
            shown.is("FLOAT[] NaN", tf.reduce.max(tf.constant(new float[] {1, Float.NaN})));
            shown.is("BOOL[] true", tf.reduce.all(tf.constant(new boolean[0])));
            shown.is("INT32[] " + Integer.MIN_VALUE, tf.reduce.sum(tf.constant(new int[] {Integer.MAX_VALUE, 1})));
            shown.is("UINT8[] 4", tf.reduce.sum(tf.constant(new byte[] {(byte) 200, 60})));
            shown.is("INT64[0] []", tf.reduce.argmax(tf.array.fill(1f, 0, 3), 1));
        }
    }
}
