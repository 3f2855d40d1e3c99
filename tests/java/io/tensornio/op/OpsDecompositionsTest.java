package io.tensornio.op;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorLayout;
import io.tensornio.Tensors;
import io.tensornio.op.linalg.Eigh;
import io.tensornio.op.linalg.LogDet;
import io.tensornio.op.linalg.Qr;
import io.tensornio.op.linalg.Svd;
import io.tensornio.support.Expect;
import io.tensornio.support.Seeds;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Decompositions and solutions: worked by hand, multiplied together again on random batches, of views, and what is refused. */
class OpsDecompositionsTest {
    private static final DataType[] TYPES = {DataType.FLOAT, DataType.DOUBLE};

    private static long[] shape(long[] batch, long... own) {
        long[] shape = Arrays.copyOf(batch, batch.length + own.length);
        System.arraycopy(own, 0, shape, batch.length, own.length);
        return shape;
    }

    private static Operand<Float> random(Ops tf, Random random, DataType type, long... shape) {
        return Naive.random(() -> random.nextDouble() * 2 - 1, shape).operand(tf, type);
    }

    private static Operand<Float> product(Ops tf, Operand<Float> a, Operand<Float> b) {
        return tf.linalg.matmul(a, b);
    }

    private static void same(Ops tf, Operand<Float> found, Operand<Float> wanted) {
        Naive.of(tf, wanted).check(tf, found, wanted.dataType());
    }

    @Test
    void factorsMultipliedAreTheMatrix() {
        Seeds.each(31, 40, (random, done) -> {
            for (DataType type : TYPES) {
                long[] batch = Naive.shape(random, random.nextInt(3));
                long m = 1 + random.nextInt(7);
                long n = 1 + random.nextInt(7);
                done.append(' ').append(type).append(Arrays.toString(batch)).append(m).append('x').append(n);
                try (Ops tf = Ops.create()) {
                    Operand<Float> x = random(tf, random, type, shape(batch, m, n));
                    Qr<Float> qr = tf.linalg.qr(x);
                    same(tf, product(tf, qr.q(), qr.r()), x);
                    Svd<Float> svd = tf.linalg.svd(x);
                    long k = Math.min(m, n);
                    assertArrayEquals(shape(batch, k), svd.s().shape());
                    Operand<Float> scaled = tf.math.mul(svd.u(), tf.array.expandDims(svd.s(), batch.length));
                    same(tf, product(tf, scaled, svd.vT()), x);
                    Operand<Float> pinv = tf.linalg.pinv(x);
                    assertArrayEquals(shape(batch, n, m), pinv.shape());

                    Operand<Float> square = tf.math.add(product(tf, x, tf.linalg.transpose(x)),
                        Naive.of(new long[] {m, m}, at -> at[0] == at[1] ? 1 : 0).operand(tf, type));
                    Operand<Float> l = tf.linalg.cholesky(square);
                    same(tf, product(tf, l, tf.linalg.transpose(l)), square);
                    Eigh<Float> eigh = tf.linalg.eigh(square);
                    scaled = tf.math.mul(eigh.vectors(), tf.array.expandDims(eigh.values(), batch.length));
                    same(tf, product(tf, scaled, tf.linalg.transpose(eigh.vectors())), square);
                    Naive b = Naive.random(random::nextDouble, shape(Naive.narrower(random, batch), m, 2));
                    Operand<Float> stretched = Naive.of(shape(batch, m, 2), b::at).operand(tf, type);
                    same(tf, product(tf, square, tf.linalg.solve(square, b.operand(tf, type))), stretched);
                    same(tf, tf.linalg.triangularSolve(l, product(tf, l, stretched), true), stretched);
                    LogDet<Float> logDet = tf.linalg.logDet(square);
                    same(tf, tf.math.mul(tf.math.exp(logDet.logDet()), logDet.sign()), tf.linalg.det(square));
                }
            }
        });
    }

    @Test
    void workedByHand() {
        try (Ops tf = Ops.create()) {
            Operand<Double> a = tf.constant(new double[][] {{4, 2}, {2, 5}});
            assertEquals("DOUBLE[2, 2]\n[[2., 0.],\n [1., 2.]]", tf.linalg.cholesky(a).toString());
            assertEquals(16, tf.linalg.det(a).asTensor().doubleData().get(), 1e-14);
            assertEquals(Math.log(16), tf.linalg.logDet(a).logDet().asTensor().doubleData().get(), 1e-14);
            double[] x = tf.linalg.solve(a, tf.constant(new double[] {8, 12})).asTensor().doubleData().stream().toArray();
            assertArrayEquals(new double[] {1, 2}, x, 1e-14);
            double[] values = tf.linalg.eigh(tf.constant(new double[][] {{2, 9}, {1, 2}})).values().asTensor().doubleData().stream().toArray();
            assertArrayEquals(new double[] {1, 3}, values, 1e-14);
            Operand<Double> ones = tf.constant(new double[][] {{1, 1}, {1, 1}, {1, 1}});
            assertEquals(1, tf.linalg.matrixRank(ones).asTensor().longData().get());
            assertEquals(Math.sqrt(6), tf.linalg.svd(ones).s().asTensor().doubleData().get(0), 1e-14);
            assertEquals(1 / 6.0, tf.linalg.pinv(ones).asTensor().doubleData().get(1, 2), 1e-14);
            double[] line = tf.linalg.lstsq(tf.constant(new double[][] {{0, 1}, {1, 1}, {2, 1}, {3, 1}}), tf.constant(new double[] {1, 2, 2, 4}))
                .asTensor().doubleData().stream().toArray();
            assertArrayEquals(new double[] {.9, .9}, line, 1e-14);
        }
    }

    @Test
    void aVectorIsSolvedForEachMatrix() {
        try (Ops tf = Ops.create()) {
            Operand<Float> a = tf.constant(new float[][][] {{{2, 0}, {0, 2}}, {{0, 1}, {1, 0}}});
            assertEquals("FLOAT[2, 2]\n[[2., 3.],\n [6., 4.]]", tf.linalg.solve(a, tf.constant(new float[] {4, 6})).toString());
        }
    }

    @Test
    void viewsAreRead() {
        Random random = new Random(5);
        try (Ops tf = Ops.create()) {
            Operand<Float> x = random(tf, random, DataType.FLOAT, 3, 4, 4);
            Operand<Float> turned = tf.linalg.transpose(x);
            FloatTensorData second = turned.asTensor().floatData().slice(1);
            try (Tensor<Float> columns = Tensors.denseFloat(TensorLayout.columnMajor(4, 4), data -> data.put(second))) {
                same(tf, tf.linalg.inverse(tf.constant(columns)), tf.linalg.inverse(tf.constant(second)));
            }
        }
    }

    @Test
    void whatHasNoMatricesIsEmpty() {
        try (Ops tf = Ops.create()) {
            Operand<Float> none = tf.array.fill(0f, 2, 0, 0);
            assertEquals("FLOAT[2] [1., 1.]", tf.linalg.det(none).toString());
            assertArrayEquals(new long[] {2, 0, 0}, tf.linalg.inverse(none).shape());
            assertArrayEquals(new long[] {0, 3, 2}, tf.linalg.qr(tf.array.fill(0f, 0, 3, 2)).q().shape());
        }
    }

    @Test
    void refusedByName() {
        try (Ops tf = Ops.create()) {
            Operand<Float> wide = tf.constant(new float[2][3]);
            Operand<Float> vector = tf.constant(new float[3]);
            Expect.exactly(IllegalArgumentException.class, () -> tf.linalg.det(wide),
                "det(FLOAT [2, 3]): x has matrices of 2 x 3: they must be square");
            Expect.exactly(IllegalArgumentException.class, () -> tf.linalg.qr(vector), "x has rank 1: it must be a matrix, or a batch of matrices");
            Expect.exactly(IllegalArgumentException.class, () -> tf.linalg.solve(tf.constant(new float[2][2]), vector), "b has 3 rows, and a has 2");
            Expect.exactly(IllegalArgumentException.class, () -> tf.linalg.lstsq(wide, vector), "b has 3 rows, and a has 2");
            Expect.exactly(IllegalArgumentException.class,
                () -> tf.linalg.solve(tf.constant(new float[2][2][2]), tf.constant(new float[3][2][2])), "the batches [2] and [3] do not broadcast");
            Expect.exactly(IllegalArgumentException.class, () -> tf.linalg.det(tf.constant(new int[2][2])), "x is INT32, and must be FLOAT");
            Expect.exactly(IllegalArgumentException.class, () -> tf.linalg.det(tf.math.cast(tf.constant(new float[2][2]), DataType.FLOAT16)),
                "FLOAT16", "cast");
        }
    }

    @Test
    void whatHasNoValueIsNamedByItsPlace() {
        try (Ops tf = Ops.create()) {
            Operand<Float> ones = tf.array.fill(1f, 2, 3, 2, 2);
            Expect.exactly(ArithmeticException.class, () -> tf.linalg.inverse(ones),
                "inverse(FLOAT [2, 3, 2, 2]): the matrix [0, 0] of the batch is singular: a pivot is exactly 0");
            Operand<Float> one = tf.constant(new float[][] {{1, 2}, {2, 1}});
            Expect.exactly(ArithmeticException.class, () -> tf.linalg.cholesky(one), "the matrix is not positive definite");
            Operand<Float> nan = tf.constant(new float[][] {{Float.NaN, 2}, {2, 1}});
            Expect.exactly(ArithmeticException.class, () -> tf.linalg.svd(nan), "the matrix has an element that is not finite");
            Expect.exactly(ArithmeticException.class, () -> tf.linalg.matrixRank(nan), "not finite");
            Expect.exactly(ArithmeticException.class, () -> tf.linalg.triangularSolve(tf.constant(new float[2][2]), one, true), "singular");
        }
    }
}
