package io.tensornio.op;

import io.tensornio.DataType;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What neural networks are made of, against loops and by examples. */
@ExtendWith(MemoryBalance.class)
class OpsNetworksTest {
    @Test
    void examples() {
        try (Ops tf = Ops.create()) {
            Shown shown = new Shown(tf);
            Constant<Double> x = tf.constant(new double[] {-1, 0, 2});
            Naive.of(new long[] {3}, at -> new double[] {Math.expm1(-1), 0, 2}[(int) at[0]]).check(tf, tf.nn.elu(x), DataType.DOUBLE);
            shown.is("DOUBLE[3] [-0.01, 0.0, 2.0]", tf.nn.leakyRelu(x));
            Naive.of(new long[] {3}, at -> new double[] {1.0507009873554805 * 1.6732632423543772 * Math.expm1(-1), 0, 2.101401974710961}[(int) at[0]])
                .check(tf, tf.nn.selu(x), DataType.DOUBLE);
            Naive.of(new long[] {3}, at -> new double[] {-1 / (1 + Math.E), 0, 2 / (1 + Math.exp(-2))}[(int) at[0]])
                .check(tf, tf.nn.silu(x), DataType.DOUBLE);
            Naive.of(new long[] {3}, at -> Math.log1p(Math.exp(new double[] {-1, 0, 2}[(int) at[0]]))).check(tf, tf.nn.softplus(x), DataType.DOUBLE);
            Naive.of(new long[] {3}, at -> new double[] {-1 / 3.0, 0, 2 * 5 / 6.0}[(int) at[0]]).check(tf, tf.nn.hardSwish(x), DataType.DOUBLE);
            shown.is("FLOAT[] 2.5", tf.nn.huber(Held.held(tf.constant(3f)), Held.held(tf.constant(0f)), 1));
            shown.is("FLOAT[] 0.125", tf.nn.huber(Held.held(tf.constant(0.5f)), Held.held(tf.constant(0f)), 1));
            shown.is("DOUBLE[] 3.0", tf.nn.meanSquare(Held.held(tf.constant(new double[] {1, 2, 3})),
                Held.held(tf.constant(new double[] {2, 4, 1}))));
            Naive.of(new long[0], at -> Math.log1p(Math.exp(-2))).check(tf, tf.nn.binaryCrossEntropy(Held.held(tf.constant(2.0)),
                Held.held(tf.constant(1.0))),
                DataType.DOUBLE);
            Constant<Double> one = tf.constant(new double[] {1, 1});
            Constant<Double> zero = tf.constant(new double[2]);
            Constant<Double> rows = tf.constant(new double[][] {{3, 4}});
            Naive.of(new long[] {1, 2}, at -> (3 + at[1]) / Math.sqrt(12.5)).check(tf, tf.nn.rmsNorm(rows, one, 0), DataType.DOUBLE);
            shown.is("DOUBLE[1,2] [[1.0, 1.0]]", tf.nn.batchNorm(rows, Held.held(tf.constant(new double[] {1, 2})),
                Held.held(tf.constant(new double[] {4, 4})),
                one, zero, 0));
            Naive.of(new long[] {1, 2}, at -> at[1] == 0 ? -1 : 1).check(tf, tf.nn.groupNorm(rows, one, zero, 1, 0), DataType.DOUBLE);
            shown.is("DOUBLE[1,2] [[0.0, 0.0]]", tf.nn.groupNorm(rows, one, zero, 2, 1));
        }
    }

    @Test
    void convolutions() {
        Seeds.each(31, 40, (random, done) -> {
            int groups = 1 + random.nextInt(2);
            int in = 1 + random.nextInt(2);
            int out = 1 + random.nextInt(2);
            int size = 5 + random.nextInt(3);
            int k = 1 + random.nextInt(3);
            int stride = 1 + random.nextInt(2);
            int dilation = 1 + random.nextInt(2);
            boolean same = random.nextBoolean();
            Naive x = Naive.random(NumberTypes.elements(random, DataType.DOUBLE), 2, size, groups * in);
            Naive f = Naive.random(NumberTypes.elements(random, DataType.DOUBLE), k, in, groups * out);
            int extent = (k - 1) * dilation + 1;
            int length = same ? (size + stride - 1) / stride : (size - extent) / stride + 1;
            int before = same ? Math.max(0, (length - 1) * stride + extent - size) / 2 : 0;
            done.append(" size ").append(size).append(" window ").append(k).append(" stride ").append(stride).append(" groups ").append(groups);
            Naive expected = Naive.of(new long[] {2, length, groups * out}, at -> {
                double sum = 0;
                for (int r = 0; r < k; r++) {
                    long p = at[1] * stride + r * dilation - before;
                    for (int c = 0; c < in && p >= 0 && p < size; c++) {
                        sum += x.at(at[0], p, at[2] / out * in + c) * f.at(r, c, at[2]);
                    }
                }
                return sum;
            });
            Padding padding = same ? Padding.SAME : Padding.VALID;
            try (Ops tf = Ops.create()) {
                Operand<Double> xs = x.operand(tf, DataType.DOUBLE);
                Operand<Double> fs = f.operand(tf, DataType.DOUBLE);
                expected.check(tf, tf.nn.conv1d(xs, fs, stride, padding, dilation, groups), DataType.DOUBLE);
                Operand<Double> two = Held.held(tf.nn.conv2d(Held.held(tf.array.expandDims(xs, 1)), Held.held(tf.array.expandDims(fs, 0)),
                    new int[] {1, stride}, padding, new int[] {1, dilation}, groups));
                expected.check(tf, tf.array.squeeze(two, 1), DataType.DOUBLE);
            }
            int whole = same ? size * stride : (size - 1) * stride + k;
            int cut = same ? Math.max(0, k - stride) / 2 : 0;
            Naive g = Naive.random(NumberTypes.elements(random, DataType.DOUBLE), 1, k, out, groups * in);
            Naive back = new Naive(2, 1, whole, out);
            for (int n = 0; n < 2; n++) {
                for (int i = 0; i < size; i++) {
                    for (int r = 0; r < k; r++) {
                        int p = i * stride + r - cut;
                        for (int o = 0; o < out && p >= 0 && p < whole; o++) {
                            for (int c = 0; c < groups * in; c++) {
                                back.values[(n * whole + p) * out + o] += x.at(n, i, c) * g.at(0, r, o, c);
                            }
                        }
                    }
                }
            }
            try (Ops tf = Ops.create()) {
                back.check(tf, tf.nn.conv2dTranspose(Held.held(tf.array.expandDims(x.<Double>operand(tf, DataType.DOUBLE), 1)),
                    g.operand(tf, DataType.DOUBLE), new int[] {1, stride}, padding), DataType.DOUBLE);
            }
        });
    }

    /** The transpose is what makes {@code sum(conv(u) * x)} equal {@code sum(u * transpose(x))} for every u. */
    @Test
    void transposedInGroupsAndDilated() {
        Seeds.each(33, 30, (random, done) -> {
            int groups = 1 + random.nextInt(3);
            int dilation = 1 + random.nextInt(2);
            int stride = 1 + random.nextInt(2);
            int k = 1 + random.nextInt(3);
            boolean same = random.nextBoolean();
            int extent = (k - 1) * dilation + 1;
            int size = 1 + random.nextInt(4);
            int whole = same ? size * stride : (size - 1) * stride + extent;
            done.append(" groups ").append(groups).append(" dilation ").append(dilation).append(" stride ").append(stride).append(same);
            Naive x = Naive.random(NumberTypes.elements(random, DataType.DOUBLE), 2, size, 1, groups * 2);
            Naive u = Naive.random(NumberTypes.elements(random, DataType.DOUBLE), 2, whole, 1, groups * 3);
            Naive f = Naive.random(NumberTypes.elements(random, DataType.DOUBLE), k, 1, 3, groups * 2);
            try (Ops tf = Ops.create()) {
                Operand<Double> filter = f.operand(tf, DataType.DOUBLE);
                Padding padding = same ? Padding.SAME : Padding.VALID;
                int[] strides = {stride, 1};
                int[] dilations = {dilation, 1};
                Operand<Double> y = Held.held(tf.nn.conv2dTranspose(x.operand(tf, DataType.DOUBLE), filter, strides, padding, dilations, groups));
                Operand<Double> down = Held.held(tf.nn.conv2d(u.operand(tf, DataType.DOUBLE), filter, strides, padding, dilations, groups));
                Operand<Double> left = tf.reduce.sum(Held.held(tf.math.mul(down, x.operand(tf, DataType.DOUBLE))));
                Operand<Double> right = tf.reduce.sum(Held.held(tf.math.mul(u.operand(tf, DataType.DOUBLE), y)));
                Naive.of(tf, left).check(tf, right, DataType.DOUBLE);
            }
        });
    }

    @Test
    void transposedIsRefusedByName() {
        try (Ops tf = Ops.create()) {
            Operand<Float> x = tf.array.fill(1f, 1, 2, 2, 3);
            Expect.exactly(IllegalArgumentException.class,
                () -> tf.nn.conv2dTranspose(x, tf.array.fill(1f, 1, 1, 2, 4), new int[] {1, 1}, Padding.SAME), "x has 3 channels and filter reads 4");
            Expect.exactly(IllegalArgumentException.class,
                () -> tf.nn.conv2dTranspose(x, tf.array.fill(1f, 1, 1, 2, 3), new int[] {1, 1}, Padding.SAME, new int[] {1, 1}, 2), "2 groups");
        }
    }

    @Test
    void attention() {
        Seeds.each(32, 20, (random, done) -> {
            int keys = 1 + random.nextInt(4);
            Naive q = Naive.random(NumberTypes.elements(random, DataType.DOUBLE), 2, 3, 2);
            Naive k = Naive.random(NumberTypes.elements(random, DataType.DOUBLE), 2, keys, 2);
            Naive v = Naive.random(NumberTypes.elements(random, DataType.DOUBLE), 2, keys, 3);
            for (boolean masked : new boolean[] {false, true}) {
                Naive mask = Naive.random(() -> masked ? random.nextInt(2) : 1, 2, 3, keys);
                Naive expected = Naive.of(new long[] {2, 3, 3}, at -> {
                    double sum = 0;
                    double all = 0;
                    for (int j = 0; j < keys; j++) {
                        double score = 0;
                        for (int d = 0; d < 2; d++) {
                            score += q.at(at[0], at[1], d) * k.at(at[0], j, d);
                        }
                        double weight = mask.at(at[0], at[1], j) * Math.exp(score / Math.sqrt(2));
                        sum += weight * v.at(at[0], j, at[2]);
                        all += weight;
                    }
                    return all == 0 ? 0 : sum / all;
                });
                try (Ops tf = Ops.create()) {
                    Operand<Double> qs = q.operand(tf, DataType.DOUBLE);
                    Operand<Double> ks = k.operand(tf, DataType.DOUBLE);
                    Operand<Double> vs = v.operand(tf, DataType.DOUBLE);
                    expected.check(tf, masked ? tf.nn.attention(qs, ks, vs, mask.operand(tf, DataType.BOOL)) : tf.nn.attention(qs, ks, vs),
                        DataType.DOUBLE);
                }
            }
        });
    }

    @Test
    void dropoutIsOfTheUniformNumbers() {
        try (Ops tf = Ops.create()) {
            Operand<Double> x = tf.array.linspace(1.0, 2.0, 1000);
            Naive u = Naive.of(tf, tf.random.uniform(Double.class, 8, 1000));
            Naive all = Naive.of(tf, x);
            Naive.of(new long[] {1000}, at -> u.at(at) < 0.75 ? all.at(at) / 0.75 : 0).check(tf, tf.nn.dropout(x, 0.25, 8), DataType.DOUBLE);
            Expect.exactly(IllegalArgumentException.class, () -> tf.nn.dropout(x, 1, 8), "rate is 1.0");
            Expect.exactly(IllegalArgumentException.class, () -> tf.nn.conv1d(x, x, 1, Padding.SAME), "conv1d", "rank 1");
            Expect.exactly(IllegalArgumentException.class, () -> tf.nn.groupNorm(tf.constant(new double[2][3]), x, x, 2, 0), "must divide the 3");
        }
    }
}
