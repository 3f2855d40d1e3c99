package io.tensornio.op;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.DataType;
import io.tensornio.support.Seeds;
import java.util.Arrays;
import java.util.Random;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;

/** Products, windows and what networks are made of, against loops. */
class OpsProductsTest {
    private static DoubleSupplier small(Random random) {
        return () -> random.nextInt(9) - 4;
    }

    private static DataType type(Random random) {
        return Arrays.asList(DataType.FLOAT, DataType.DOUBLE, DataType.INT32, DataType.INT64).get(random.nextInt(4));
    }

    private static long[] with(long[] batch, long... last) {
        long[] shape = Arrays.copyOf(batch, batch.length + last.length);
        System.arraycopy(last, 0, shape, batch.length, last.length);
        return shape;
    }

    private static long[] before(int count, long... at) {
        return Arrays.copyOf(at, at.length - count);
    }

    @Test
    void matricesAreMultipliedInBatches() {
        Seeds.each(1, 25, (random, done) -> {
            long[] batch = Naive.shape(random, random.nextInt(3));
            long m = random.nextInt(5);
            long k = random.nextInt(5);
            long n = random.nextInt(5);
            Naive a = Naive.random(small(random), with(Naive.narrower(random, batch), m, k));
            Naive b = Naive.random(small(random), with(batch, k, n));
            DataType type = type(random);
            done.append(Arrays.toString(a.shape)).append(Arrays.toString(b.shape));
            try (Ops tf = Ops.create()) {
                Naive.of(with(batch, m, n), at -> {
                    double sum = 0;
                    for (long l = 0; l < k; l++) {
                        sum += a.at(with(before(1, at), l)) * b.at(with(with(before(2, at), l), at[at.length - 1]));
                    }
                    return sum;
                }).check(tf, tf.linalg.matmul(a.<Float>operand(tf, type), b.operand(tf, type)), type);
                Naive.of(with(batch, n, k), at -> b.at(with(before(2, at), at[at.length - 1], at[at.length - 2])))
                    .check(tf, tf.linalg.transpose(b.operand(tf, type)), type);
            }
        });
    }

    @Test
    void vectorsAreMultiplied() {
        Seeds.each(2, 8, (random, done) -> {
            Naive a = Naive.random(small(random), random.nextInt(6));
            Naive b = Naive.random(small(random), a.shape);
            Naive c = Naive.random(small(random), random.nextInt(6));
            DataType type = type(random);
            try (Ops tf = Ops.create()) {
                Operand<Float> left = a.operand(tf, type);
                double dot = 0;
                for (int n = 0; n < a.values.length; n++) {
                    dot += a.values[n] * b.values[n];
                }
                double sum = dot;
                Naive.of(new long[0], at -> sum).check(tf, tf.linalg.dot(left, b.operand(tf, type)), type);
                Naive.of(new long[] {a.shape[0], c.shape[0]}, at -> a.at(at[0]) * c.at(at[1]))
                    .check(tf, tf.linalg.outer(left, c.operand(tf, type)), type);
            }
        });
    }

    @Test
    void einsumIsWhatItsLettersSay() {
        try (Ops tf = Ops.create()) {
            Constant<Float> a = tf.constant(new float[][] {{1, 2}, {3, 4}});
            Constant<Float> v = tf.constant(new float[] {10, 100});
            Shown shown = new Shown(tf);
            shown.is("FLOAT[2,2] [[7.0, 10.0], [15.0, 22.0]]", tf.linalg.einsum("ij,jk->ik", a, a));
            shown.is("FLOAT[2,2] [[1.0, 3.0], [2.0, 4.0]]", tf.linalg.einsum("ij -> ji", a));
            shown.is("FLOAT[2] [1.0, 4.0]", tf.linalg.einsum("ii->i", a));
            shown.is("FLOAT[] 5.0", tf.linalg.einsum("ii->", a));
            shown.is("FLOAT[] 45100.0", tf.linalg.einsum("i,ij,j->", v, a, v));
            shown.is("FLOAT[2] [210.0, 430.0]", tf.linalg.einsum("Ij,j->I", a, v));
        }
    }

    /** How many windows there are along an axis, and what is in front of the input. */
    private static long[] places(Padding padding, long n, long extent, int stride) {
        long count = padding == Padding.SAME ? (n + stride - 1) / stride : (n - extent) / stride + 1;
        return new long[] {count, padding == Padding.SAME ? Math.max(0, (count - 1) * stride + extent - n) / 2 : 0};
    }

    @Test
    void convolutionsAreThoseOfLoops() {
        Seeds.each(3, 25, (random, done) -> {
            Padding padding = Padding.values()[random.nextInt(2)];
            int[] strides = {1 + random.nextInt(3), 1 + random.nextInt(3)};
            int[] dilation = {1 + random.nextInt(2), 1 + random.nextInt(2)};
            Naive f = Naive.random(small(random), 1 + random.nextInt(3), 1 + random.nextInt(3), 1 + random.nextInt(3), 1 + random.nextInt(3));
            Naive x = Naive.random(small(random), 1 + random.nextInt(2), 5 + random.nextInt(3), 5 + random.nextInt(3), f.shape[2]);
            long[] rows = places(padding, x.shape[1], (f.shape[0] - 1) * dilation[0] + 1, strides[0]);
            long[] columns = places(padding, x.shape[2], (f.shape[1] - 1) * dilation[1] + 1, strides[1]);
            DataType type = type(random);
            done.append(padding).append(Arrays.toString(x.shape)).append(Arrays.toString(f.shape)).append(Arrays.toString(strides));
            try (Ops tf = Ops.create()) {
                Naive.of(new long[] {x.shape[0], rows[0], columns[0], f.shape[3]}, at -> {
                    double sum = 0;
                    for (int n = 0; n < f.values.length; n++) {
                        long[] g = f.coordinates(n);
                        long row = at[1] * strides[0] + g[0] * dilation[0] - rows[1];
                        long column = at[2] * strides[1] + g[1] * dilation[1] - columns[1];
                        boolean inside = row >= 0 && row < x.shape[1] && column >= 0 && column < x.shape[2];
                        sum += inside && g[3] == at[3] ? f.values[n] * x.at(at[0], row, column, g[2]) : 0;
                    }
                    return sum;
                }).check(tf, tf.nn.conv2d(x.<Float>operand(tf, type), f.operand(tf, type), strides, padding, dilation), type);
            }
        });
    }

    @Test
    void poolsIgnoreWhatIsOutside() {
        Seeds.each(4, 20, (random, done) -> {
            Padding padding = Padding.values()[random.nextInt(2)];
            int[] strides = {1 + random.nextInt(3), 1 + random.nextInt(3)};
            int largest = padding == Padding.SAME && random.nextBoolean() ? 15 : 3;
            int[] size = {1 + random.nextInt(largest), 1 + random.nextInt(largest)};
            Naive x = Naive.random(() -> -1 - random.nextInt(9), 1 + random.nextInt(2), 3 + random.nextInt(4), 3 + random.nextInt(4), 2);
            long[] rows = places(padding, x.shape[1], size[0], strides[0]);
            long[] columns = places(padding, x.shape[2], size[1], strides[1]);
            DataType type = random.nextBoolean() ? DataType.FLOAT : DataType.DOUBLE;
            long[] shape = {x.shape[0], rows[0], columns[0], 2};
            done.append(padding).append(Arrays.toString(x.shape)).append(Arrays.toString(size)).append(Arrays.toString(strides));
            Naive count = new Naive(shape);
            Naive sum = new Naive(shape);
            Naive most = Naive.of(shape, at -> Double.NEGATIVE_INFINITY);
            for (int n = 0; n < count.values.length; n++) {
                long[] at = count.coordinates(n);
                for (int w = 0; w < size[0] * size[1]; w++) {
                    long row = at[1] * strides[0] + w / size[1] - rows[1];
                    long column = at[2] * strides[1] + w % size[1] - columns[1];
                    if (row >= 0 && row < x.shape[1] && column >= 0 && column < x.shape[2]) {
                        double value = x.at(at[0], row, column, at[3]);
                        count.values[n]++;
                        sum.values[n] += value;
                        most.values[n] = Math.max(most.values[n], value);
                    }
                }
            }
            try (Ops tf = Ops.create()) {
                Operand<Float> operand = x.operand(tf, type);
                most.check(tf, tf.nn.maxPool2d(operand, size, strides, padding), type);
                Naive.of(shape, at -> sum.at(at) / count.at(at)).check(tf, tf.nn.avgPool2d(operand, size, strides, padding), type);
            }
        });
    }

    @Test
    void memoryOfPoolsIsAsTheirInput() {
        int[] huge = {Integer.MAX_VALUE, Integer.MAX_VALUE - 1};
        int[][] steps = {{1, 1}, {2, 1}, {Integer.MAX_VALUE, 5}};
        for (int[] strides : steps) {
            try (Ops tf = Ops.create()) {
                Operand<Float> x = tf.constant(new float[][][][] {{{{1}, {5}}, {{2}, {4}}, {{-3}, {3}}}});
                assertTrue(tf.nn.maxPool2d(x, huge, strides, Padding.SAME).asTensor().floatData().flatten().stream().allMatch(y -> y == 5));
                assertTrue(tf.nn.avgPool2d(x, huge, strides, Padding.SAME).asTensor().floatData().flatten().stream().allMatch(y -> y == 2));
            }
        }
    }

    @Test
    void lossesAndNormsAreThoseOfLoops() {
        Seeds.each(5, 12, (random, done) -> {
            long[] batch = Naive.shape(random, random.nextInt(3));
            int classes = 2 + random.nextInt(4);
            Naive x = Naive.random(() -> (random.nextInt(17) - 8) / 4.0, with(batch, classes));
            Naive labels = Naive.random(() -> random.nextInt(classes), batch);
            Naive scale = Naive.random(small(random), classes);
            Naive offset = Naive.random(small(random), classes);
            DataType labelType = Arrays.asList(DataType.INT32, DataType.INT64, DataType.UINT8).get(random.nextInt(3));
            DataType type = NumberTypes.pick(random, NumberTypes.FLOATING);
            done.append(type).append(Arrays.toString(x.shape));
            try (Ops tf = Ops.create()) {
                Operand<Float> operand = x.operand(tf, type);
                Naive.of(batch, at -> {
                    double sum = 0;
                    for (int k = 0; k < classes; k++) {
                        sum += Math.exp(x.at(with(at, k)));
                    }
                    return Math.log(sum) - x.at(with(at, (long) labels.at(at)));
                }).check(tf, tf.nn.softmaxCrossEntropy(operand, labels.operand(tf, labelType)), type);
                Naive.of(x.shape, at -> x.at(at) + offset.at(at)).check(tf, tf.nn.biasAdd(operand, offset.operand(tf, type)),
                    type);
                Naive.of(x.shape, at -> {
                    double mean = 0;
                    double variance = 0;
                    for (int k = 0; k < classes; k++) {
                        mean += x.at(with(before(1, at), k)) / classes;
                    }
                    for (int k = 0; k < classes; k++) {
                        variance += Math.pow(x.at(with(before(1, at), k)) - mean, 2) / classes;
                    }
                    return (x.at(at) - mean) / Math.sqrt(variance + 1e-5) * scale.at(at) + offset.at(at);
                }).check(tf, tf.nn.layerNorm(operand, scale.operand(tf, type), offset.operand(tf, type), 1e-5),
                    type);
            }
        });
    }
}
