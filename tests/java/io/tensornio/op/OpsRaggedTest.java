package io.tensornio.op;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.DataType;
import io.tensornio.DoubleTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.support.Expect;
import io.tensornio.support.Seeds;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

/** Arithmetic and reductions of ragged operands, and products of sparse matrices, against loops and by hand. */
class OpsRaggedTest {
    private static final Class<IllegalArgumentException> BAD = IllegalArgumentException.class;

    private interface Reduce {
        Operand<?> apply(Ops tf, Operand<Float> x, boolean keepDims, int... axes);
    }

    private static final Map<Reduce, ToDoubleFunction<double[]>> OF_NUMBERS = new LinkedHashMap<>();
    private static final Map<Reduce, ToDoubleFunction<double[]>> OF_FRACTIONS = new LinkedHashMap<>();

    static {
        OF_NUMBERS.put((tf, x, keep, axes) -> tf.reduce.sum(x, keep, axes), some -> DoubleStream.of(some).sum());
        OF_NUMBERS.put((tf, x, keep, axes) -> tf.reduce.prod(x, keep, axes), some -> DoubleStream.of(some).reduce(1, (a, b) -> a * b));
        OF_FRACTIONS.put((tf, x, keep, axes) -> tf.reduce.max(x, keep, axes),
            some -> DoubleStream.of(some).max().orElse(Double.NEGATIVE_INFINITY));
        OF_FRACTIONS.put((tf, x, keep, axes) -> tf.reduce.min(x, keep, axes),
            some -> DoubleStream.of(some).min().orElse(Double.POSITIVE_INFINITY));
        OF_FRACTIONS.put((tf, x, keep, axes) -> tf.reduce.mean(x, keep, axes), OpsRaggedTest::mean);
        OF_FRACTIONS.put((tf, x, keep, axes) -> tf.reduce.var(x, keep, axes), some -> variance(0, some));
        OF_FRACTIONS.put((tf, x, keep, axes) -> tf.reduce.std(x, keep, axes), some -> Math.sqrt(variance(0, some)));
        OF_FRACTIONS.put((tf, x, keep, axes) -> tf.reduce.logSumExp(x, keep, axes), some -> Math.log(DoubleStream.of(some).map(Math::exp).sum()));
    }

    private static double mean(double... some) {
        return DoubleStream.of(some).sum() / some.length;
    }

    private static double variance(double correction, double... some) {
        double mean = mean(some);
        return DoubleStream.of(some).map(x -> (x - mean) * (x - mean)).sum() / Math.max(0, some.length - correction);
    }

    @SuppressWarnings("unchecked")
    private static Operand<Float> operand(Ops tf, RaggedTensor<Double> tensor, DataType type) {
        return (Operand<Float>) Held.held(tf.math.cast(Held.held(tf.constant(tensor)), type));
    }

    private static void reduce(Random random, StringBuilder done, DataType type, Reduce operation, ToDoubleFunction<double[]> naive) {
        int least = type == DataType.UINT8 ? 0 : -1;        // products of these are exact as doubles
        RaggedNaive x = RaggedNaive.random(random,
            () -> NumberTypes.FLOATING.contains(type) ? (random.nextInt(17) - 8) / 4.0 : least + random.nextInt(3));
        int[] axes = Naive.axes(random, x.shape.length);
        boolean keepDims = random.nextBoolean();
        done.append("; ").append(type).append(' ').append(x).append(" by ").append(Arrays.toString(axes)).append(keepDims);
        try (RaggedTensor<Double> tensor = x.tensor(); Ops tf = Ops.create()) {
            Operand<Float> operand = operand(tf, tensor, type);
            boolean[] reduced = Naive.reduced(x.shape.length, axes);
            x.reduce(reduced, keepDims, some -> NumberTypes.narrow(type, naive.applyAsDouble(some)))
                .check(tf, operation.apply(tf, operand, keepDims, axes), type);
        }
    }

    @Test
    void reductionsAreThoseOfLoops() {
        Seeds.each(1, 16, (random, done) -> {
            OF_NUMBERS.forEach((operation, naive) -> reduce(random, done, NumberTypes.pick(random, NumberTypes.NUMBERS), operation, naive));
            OF_FRACTIONS.forEach((operation, naive) -> reduce(random, done, NumberTypes.pick(random, NumberTypes.FLOATING), operation, naive));
        });
    }

    @Test
    void correctionsCountsAndTruthValues() {
        Seeds.each(2, 16, (random, done) -> {
            RaggedNaive x = RaggedNaive.random(random, () -> random.nextInt(3));
            int[] axes = Naive.axes(random, x.shape.length);
            boolean[] reduced = Naive.reduced(x.shape.length, axes);
            done.append("; ").append(x).append(" by ").append(Arrays.toString(axes));
            try (RaggedTensor<Double> tensor = x.tensor(); Ops tf = Ops.create()) {
                Operand<Double> operand = tf.constant(tensor);
                x.reduce(reduced, false, some -> variance(1.5, some)).check(tf, tf.reduce.var(operand, 1.5, axes), DataType.DOUBLE);
                x.reduce(reduced, false, some -> Math.sqrt(variance(1, some))).check(tf, tf.reduce.std(operand, 1.0, axes), DataType.DOUBLE);
                x.reduce(reduced, true, some -> DoubleStream.of(some).filter(v -> v != 0).count()).check(tf,
                    tf.reduce.countNonZero(operand, true, axes), DataType.INT64);
                Operand<Boolean> truth = tf.math.cast(operand, Boolean.class);
                x.reduce(reduced, false, some -> DoubleStream.of(some).allMatch(v -> v != 0) ? 1 : 0).check(tf, tf.reduce.all(truth, axes),
                    DataType.BOOL);
                x.reduce(reduced, false, some -> DoubleStream.of(some).anyMatch(v -> v != 0) ? 1 : 0).check(tf, tf.reduce.any(truth, axes),
                    DataType.BOOL);
            }
        });
    }

    @Test
    void reductionsByHand() {
        try (RaggedTensor<Integer> rows = Tensors.raggedOfNested(new int[][][] {{{1, 2}, {3}}, {{4}}, {}});
                RaggedTensor<Float> full = Tensors.raggedOfNested(new float[][] {{3, 1, 2}, {5}}); Ops tf = Ops.create()) {
            Operand<Integer> x = tf.constant(rows);
            assertEquals("INT32[3, -1]\n[[4, 2], [4], []]", tf.reduce.sum(x, 1).toString());
            assertEquals("INT32[3, -1]\n[[3, 3], [4], []]", tf.reduce.sum(x, 2).toString());
            assertEquals("INT32[3] [6, 4, 0]", tf.reduce.sum(x, 1, 2).toString());
            assertEquals("INT32[] 10", tf.reduce.sum(x).toString());
            Operand<Float> f = tf.constant(full);
            assertEquals("INT64[2] [0, 0]", tf.reduce.argmax(f, 1).toString());
            assertEquals("INT64[2] [1, 0]", tf.reduce.argmin(f, -1).toString());
            assertEquals("INT64[3] [1, 0, 0]", tf.reduce.argmax(f, 0).toString());
            assertEquals("FLOAT[3] [4., 1., 2.]", tf.reduce.mean(f, 0).toString());
            Operand<Float> centred = tf.math.sub(f, tf.reduce.mean(f, true, 1));
            assertEquals("FLOAT[2] [0., 0.]", tf.reduce.sum(centred, 1).toString());
            assertEquals("FLOAT[2, -1]\n[[1., -1., 0.], [0.]]", centred.toString());
        }
    }

    @Test
    void reductionsThatAreNone() {
        try (RaggedTensor<Integer> rows = Tensors.raggedOfNested(new int[][] {{1, 2}, {}}); Ops tf = Ops.create()) {
            Operand<Integer> x = tf.constant(rows);
            Expect.exactly(BAD, () -> tf.reduce.argmax(x), "argmax(INT32 [2, -1]): x is ragged", "name an axis");
            Expect.exactly(BAD, () -> tf.reduce.argmax(x, 1), "argmax(INT32 [2, -1]): ");
            Expect.exactly(BAD, () -> tf.reduce.max(x, 1), "max(INT32 [2, -1]): ");
            Expect.exactly(BAD, () -> tf.reduce.mean(x, 1), "FLOAT, DOUBLE", "cast");
            Expect.exactly(BAD, () -> tf.reduce.sum(x, 2), "there is no axis 2 at rank 2");
        }
    }

    /** The ragged shape with some axes of size 1, without some in front: what broadcasts over its rows. */
    private static long[] narrower(Random random, long... shape) {
        long[] narrower = Arrays.copyOfRange(shape, random.nextInt(shape.length + 1), shape.length);
        for (int d = 0; d < narrower.length; d++) {
            narrower[d] = narrower[d] < 0 || random.nextInt(3) == 0 ? 1 : narrower[d];
        }
        return narrower;
    }

    @Test
    void elementsAreThoseOfLoops() {
        Seeds.each(3, 40, (random, done) -> {
            DataType type = NumberTypes.pick(random, NumberTypes.NUMBERS);
            RaggedNaive x = RaggedNaive.random(random, NumberTypes.elements(random, type));
            RaggedNaive same = x.map((value, at) -> NumberTypes.elements(random, type).getAsDouble());
            Naive dense = Naive.random(NumberTypes.elements(random, type), narrower(random, x.shape));
            done.append(type).append(' ').append(x).append(" and ").append(Arrays.toString(dense.shape));
            try (RaggedTensor<Double> tensor = x.tensor(); RaggedTensor<Double> other = same.tensor(); Ops tf = Ops.create()) {
                Operand<Float> a = operand(tf, tensor, type);
                Operand<Float> b = operand(tf, other, type);
                Operand<Float> c = dense.operand(tf, type);
                x.map((value, at) -> NumberTypes.narrow(type, value + same.at(at))).check(tf, tf.math.add(a, b), type);
                x.map((value, at) -> NumberTypes.narrow(type, value * same.at(at))).check(tf, a.times(b), type);
                x.map((value, at) -> Math.max(value, same.at(at))).check(tf, tf.math.maximum(a, b), type);
                x.map((value, at) -> value < same.at(at) ? 1 : 0).check(tf, tf.math.less(a, b), DataType.BOOL);
                x.map((value, at) -> Math.min(value, same.at(at))).check(tf, tf.math.select(tf.math.less(a, b), a, b), type);
                x.map((value, at) -> Math.abs(value)).check(tf, tf.math.abs(a), type);
                x.map((value, at) -> NumberTypes.narrow(type, value * 2)).check(tf, a.times(2), type);
                if (x.shape[0] != 1 || dense.shape.length < x.shape.length) {
                    x.map((value, at) -> NumberTypes.narrow(type, value - dense.at(at))).check(tf, tf.math.sub(a, c), type);
                    x.map((value, at) -> NumberTypes.narrow(type, dense.at(at) - value)).check(tf, tf.math.sub(c, a), type);
                }
            }
        });
    }

    @Test
    void elementsByHand() {
        try (RaggedTensor<Float> x = Tensors.raggedOfNested(new float[][] {{1, 2}, {}, {3}});
                RaggedTensor<Float> other = Tensors.raggedOfNested(new float[][] {{1, 2}, {3}, {}});
                RaggedTensor<Float> even = RaggedTensor.fromRowLengths(FloatTensorData.of(new float[] {1, 2, 3, 4}), 2, 2);
                RaggedTensor<Float> row = RaggedTensor.fromRowLengths(FloatTensorData.of(new float[] {10, 20}), 2); Ops tf = Ops.create()) {
            Operand<Float> a = tf.constant(x);
            assertEquals("FLOAT[3, -1]\n[[11., 12.], [], [33.]]", a.plus(tf.constant(new float[][] {{10}, {20}, {30}})).toString());
            assertEquals("FLOAT[3, -1]\n[[0.5, 1.], [], [1.5]]", a.div(2).toString());
            assertEquals("INT32[3, -1]\n[[1, 2], [], [3]]", tf.math.cast(a, DataType.INT32).toString());
            Expect.exactly(BAD, () -> a.plus(tf.constant(other)), "add(FLOAT [3, -1], FLOAT [3, -1]): ", "row 1");
            Expect.exactly(BAD, () -> a.plus(tf.constant(new float[2])), "add(FLOAT [3, -1], FLOAT [2]): ");
            Expect.exactly(BAD, () -> a.plus(tf.constant(new float[4][1])), "add(FLOAT [3, -1], FLOAT [4, 1]): the shapes do not broadcast",
                "axis 0 of b is 4, and must be 3 or 1");
            assertEquals("FLOAT[2, -1]\n[[11., 22.], [13., 24.]]", tf.constant(even).plus(tf.constant(row)).toString());
            assertEquals("[[11., 22.], [13., 24.]]", tf.constant(even).plus(tf.constant(new float[] {10, 20})).toString().split("\n")[1]);
        }
    }

    @Test
    void productsOfSparseMatrices() {
        Seeds.each(4, 30, (random, done) -> {
            int m = 1 + random.nextInt(4);
            int k = 1 + random.nextInt(4);
            int n = random.nextInt(4);
            DataType type = NumberTypes.pick(random, NumberTypes.NUMBERS);
            Naive a = Naive.random(() -> random.nextInt(2) * NumberTypes.elements(random, type).getAsDouble(), m, k);
            Naive b = Naive.random(NumberTypes.elements(random, type), k, n);
            done.append(type).append(Arrays.toString(a.values)).append(Arrays.toString(b.values));
            try (Ops tf = Ops.create(); SparseTensor<?> sparse = sparse(a.operand(tf, type)); Tensor<?> same = sparse.toDense()) {
                Operand<Float> first = constant(tf, sparse);
                Operand<Float> second = b.operand(tf, type);
                Naive.of(new long[] {m, n}, at -> {
                    double sum = 0;
                    for (int i = 0; i < k; i++) {
                        sum += a.at(at[0], i) * b.at(i, at[1]);
                    }
                    return NumberTypes.narrow(type, sum);
                }).check(tf, tf.linalg.matmul(first, second), type);
                assertEquals(tf.linalg.matmul(cast(tf.constant(same)), second).toString(), tf.linalg.matmul(first, second).toString());
            }
        });
    }

    @SuppressWarnings("unchecked")
    private static <T> Operand<T> constant(Ops tf, SparseTensor<?> sparse) {
        return (Operand<T>) tf.constant(sparse);
    }

    @SuppressWarnings("unchecked")
    private static <T> Operand<T> cast(Operand<?> operand) {
        return (Operand<T>) operand;
    }

    private static SparseTensor<?> sparse(Operand<?> dense) {
        switch (dense.dataType()) {
            case FLOAT:
                return SparseTensor.fromDense(dense.asTensor().floatData());
            case DOUBLE:
                return SparseTensor.fromDense(dense.asTensor().doubleData());
            case INT32:
                return SparseTensor.fromDense(dense.asTensor().intData());
            case INT64:
                return SparseTensor.fromDense(dense.asTensor().longData());
            default:
                return SparseTensor.fromDense(dense.asTensor().uInt8Data());
        }
    }

    /** The cost is that of what is stored: a dense matrix of this shape has 10^12 elements. Where nothing is stored, nothing is computed. */
    @Test
    void aLargeSparseMatrix() {
        LongTensorData cells = LongTensorData.of(new long[] {1, 0, 1, 2}, 2, 2);
        try (SparseTensor<Double> small = Tensors.sparseDouble(cells, DoubleTensorData.of(new double[] {2, 3}), 2, 3);
                SparseTensor<Double> large = Tensors.sparseDouble(LongTensorData.of(new long[] {2, 999_999}, 1, 2),
                    DoubleTensorData.of(new double[] {4}), 1_000_000, 1_000_000);
                Tensor<Double> x = Tensors.denseDouble(new long[] {1_000_000, 1}, data -> data.put(2.5, 999_999, 0)); Ops tf = Ops.create()) {
            double inf = Double.POSITIVE_INFINITY;
            assertEquals("DOUBLE[2, 1]\n[[ 0.],\n [32.]]", tf.linalg.matmul(tf.constant(small), tf.constant(new double[][] {{1}, {inf}, {10}}))
                .toString());
            assertEquals(10, tf.linalg.matmul(tf.constant(large), tf.constant(x)).asTensor().doubleData().get(2, 0));
            Expect.exactly(BAD, () -> tf.linalg.matmul(tf.constant(small), tf.constant(new double[2][2])),
                "matmul(DOUBLE [2, 3], DOUBLE [2, 2]): ", "3", "2");
        }
    }
}
