package io.tensornio.op;

import io.tensornio.DataType;
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
import io.tensornio.compute.Comprehension;
import io.tensornio.op.array.ArrayOps;
import io.tensornio.op.linalg.LinalgOps;
import io.tensornio.op.math.MathOps;
import io.tensornio.op.nn.NnOps;
import io.tensornio.op.reduce.ReduceOps;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;

/** What is refused, and by what words. */
@ExtendWith(MemoryBalance.class)
class OpsErrorsTest {
    private interface Uses {
        void run(Ops tf, Constant<Float> a, Constant<Float> v) throws Throwable;
    }

    /** With {@code a} of shape (2, 3) and {@code v} of (3). */
    private static void with(Uses uses) throws Throwable {
        try (Ops tf = Ops.create()) {
            uses.run(tf, tf.constant(new float[][] {{1, 2, 3}, {4, 5, 6}}), tf.constant(new float[] {1, 2, 3}));
        }
    }

    private static void refused(Executable call, String... parts) {
        Expect.exactly(IllegalArgumentException.class, call, parts);
    }

    @SuppressWarnings("unchecked")              // so that it is found out when it runs
    private static <T> Operand<T> any(Operand<?> operand) {
        return (Operand<T>) operand;
    }

    @Test
    void types() throws Throwable {
        with((tf, a, v) -> {
            Operand<Float> n = any(tf.constant(new int[] {1, 2, 3}));
            refused(() -> tf.math.add(a, n), "add(FLOAT [2, 3], INT32 [3])", "a is FLOAT and b is INT32", "cast(x, DataType.FLOAT)");
            refused(() -> tf.math.exp(n), "exp(INT32 [3])", "FLOAT, DOUBLE", "cast");
            refused(() -> tf.reduce.mean(n), "mean(INT32 [3])", "FLOAT, DOUBLE", "cast");
            refused(() -> tf.reduce.logSumExp(n), "logSumExp", "cast");
            refused(() -> tf.linalg.norm(n), "norm", "cast");
            refused(() -> tf.reduce.sum(tf.constant(new boolean[] {true})), "sum(BOOL [1])", "cast(x, DataType.INT64)");
            refused(() -> tf.math.logicalNot(any(n)), "logicalNot(INT32 [3])", "BOOL");
            refused(() -> tf.math.select(any(n), a, a), "select(INT32 [3], FLOAT [2, 3], FLOAT [2, 3])", "bool");
            refused(() -> tf.array.concat(0, v, n), "concat(FLOAT [3], INT32 [3])", "parts 0 is FLOAT and parts 1 is INT32", "cast");
            refused(() -> tf.nn.softmaxCrossEntropy(a, tf.constant(new float[2])), "softmaxCrossEntropy(FLOAT [2, 3], FLOAT [2])",
                "labels is FLOAT, and must be of integers, and not UINT64", "cast(x, DataType.INT64)");
            refused(() -> tf.array.oneHot(v, 3), "oneHot(FLOAT [3])", "indices is FLOAT, and must be of integers, and not UINT64");
            refused(() -> tf.array.oneHot(tf.constant(true), 3), "oneHot(BOOL [])", "indices is BOOL");
            refused(() -> tf.array.gather(a, v, 0), "gather(FLOAT [2, 3], FLOAT [3])", "indices is FLOAT, and must be of integers, and not UINT64");
            refused(() -> tf.math.cast(a, DataType.STRING), "cast(FLOAT [2, 3])", "STRING", "FLOAT");
            refused(() -> tf.math.cast(a, String.class), "java.lang.String", "Float, Double, Integer, Long, Boolean and UInt8");
        });
    }

    @Test
    void shapes() throws Throwable {
        with((tf, a, v) -> {
            refused(() -> tf.math.add(a, tf.constant(new float[4])), "add(FLOAT [2, 3], FLOAT [4])", "axis 0 of b is 4, and must be 3 or 1");
            refused(() -> tf.linalg.matmul(a, a), "matmul(FLOAT [2, 3], FLOAT [2, 3])", "k is 3 by a axis 1 and 2 by b axis 0");
            refused(() -> tf.linalg.matmul(a, v), "b has rank 1: it must be 2 or more");
            refused(() -> tf.linalg.dot(v, a), "dot(FLOAT [3], FLOAT [2, 3])", "b has rank 2");
            refused(() -> tf.nn.biasAdd(a, tf.constant(new float[2])), "biasAdd(FLOAT [2, 3], FLOAT [2])", "3", "2");
            refused(() -> tf.nn.layerNorm(a, v, v, -1), "epsilon is -1.0");
            for (long[] shape : new long[][] {{}, {1}, {3}, {1, 2}, {2, 1}, {2, 3}}) {
                refused(() -> tf.nn.softmaxCrossEntropy(a, tf.array.fill(0, shape)), "labels has shape " + Arrays.toString(shape)
                    + " and must have [2], that of logits without its last axis");
            }
            refused(() -> tf.nn.softmaxCrossEntropy(tf.constant(1f), tf.constant(0)), "softmaxCrossEntropy(FLOAT [], INT32 [])", "logits has rank 0");
            refused(() -> tf.array.reshape(a, 4), "reshape(FLOAT [2, 3])", "[4]", "6 elements");
            refused(() -> tf.array.concat(0, a, v), "concat(FLOAT [2, 3], FLOAT [3])");
            refused(() -> tf.array.concat(0), "no parts");
            refused(() -> tf.array.squeeze(a, 0), "squeeze(FLOAT [2, 3])");
        });
    }

    @Test
    void axes() throws Throwable {
        with((tf, a, v) -> {
            refused(() -> tf.reduce.sum(a, 2), "sum(FLOAT [2, 3])", "no axis 2 at rank 2", "-2 to 1");
            refused(() -> tf.reduce.sum(a, 1, -1), "axis 1 is there twice", "[1, -1]");
            refused(() -> tf.nn.softmax(a, -3), "no axis -3");
            refused(() -> tf.reduce.argmax(a, 0, 1), "2 axes", "[0, 1]");
            refused(() -> tf.reduce.argmin(tf.constant(new float[0])), "argmin(FLOAT [0])", "no element");
            refused(() -> tf.reduce.max(tf.constant(new int[0])), "max(INT32 [0])", "the maximum of no elements has no value in INT32");
            refused(() -> tf.array.gather(a, tf.constant(0), 2), "no axis 2 at rank 2");
        });
    }

    @Test
    void windows() throws Throwable {
        with((tf, a, v) -> {
            Constant<Float> x = tf.constant(new float[1][3][3][1]);
            Constant<Float> f = tf.constant(new float[2][2][1][1]);
            int[] one = {1, 1};
            refused(() -> tf.nn.conv2d(a, f, one, Padding.SAME, one), "conv2d(FLOAT [2, 3], FLOAT [2, 2, 1, 1])", "x has rank 2", "channels");
            refused(() -> tf.nn.conv2d(x, a, one, Padding.SAME, one), "filter has rank 2");
            refused(() -> tf.nn.conv2d(x, f, new int[] {1}, Padding.SAME, one), "strides is [1]", "two numbers of 1 or more");
            refused(() -> tf.nn.conv2d(x, f, one, Padding.SAME, new int[] {0, 1}), "dilation is [0, 1]");
            refused(() -> tf.nn.conv2d(x, f, one, Padding.VALID, new int[] {3, 1}), "window of 4", "axis 1 of x, which is 3", "Padding.SAME");
            for (Padding padding : Padding.values()) {
                refused(() -> tf.nn.conv2d(x, tf.constant(new float[2][2][2][1]), one, padding, one), "x has 1 channels and filter reads 2");
                refused(() -> tf.nn.conv2d(tf.constant(new float[1][3][3][3]), f, one, padding, one), "x has 3 channels and filter reads 1");
            }
            refused(() -> tf.nn.maxPool2d(x, new int[] {4, 1}, one, Padding.VALID), "window of 4");
        });
    }

    @Test
    void equations() throws Throwable {
        with((tf, a, v) -> {
            refused(() -> tf.linalg.einsum("ij,jk", a, a), "ij,jk has no `->`");
            refused(() -> tf.linalg.einsum("ij->iz", a), "`z`");
            refused(() -> tf.linalg.einsum("ij->ii", a), "`i`");
            refused(() -> tf.linalg.einsum("i1->i", a), "`1`", "letter");
            refused(() -> tf.linalg.einsum("ij,j->i", a), "2 operands, and 1 are given");
            refused(() -> tf.linalg.einsum("ij,j->i", a, tf.constant(new float[2])), "einsum(FLOAT [2, 3], FLOAT [2])", "i_j is 3");
            refused(() -> tf.linalg.einsum("i->i", a), "a0 has rank 2, 1 index given");
        });
    }

    @Test
    void values() throws Throwable {
        with((tf, a, v) -> {
            Constant<Integer> zero = tf.constant(0);
            Expect.thrown(ArithmeticException.class, () -> tf.math.div(zero, zero), "zero");
            Expect.thrown(ArithmeticException.class, () -> tf.math.mod(zero, zero), "zero");
            Expect.thrown(ArithmeticException.class, () -> tf.math.pow(tf.constant(2), tf.constant(-1)), "negative power");
            Expect.thrown(IndexOutOfBoundsException.class, () -> tf.nn.softmaxCrossEntropy(a, tf.constant(new int[] {0, 3})), "labels[1] = 3");
            Expect.thrown(IndexOutOfBoundsException.class, () -> tf.array.gather(a, tf.constant(-1), 0), "-1", "length 2");
            Expect.thrown(IndexOutOfBoundsException.class, () -> tf.array.slice(a, tf.constant(2)), "2");
            refused(() -> tf.array.range(0, 1, 0), "from 0 to 1 by steps of 0");
            refused(() -> tf.array.range(0f, Float.NaN, 1f), "NaN");
            refused(() -> tf.array.range(0L, Long.MAX_VALUE, 1L), "range()",
                "from 0 to 9223372036854775807 by steps of 1", "0 to 2147483647 numbers");
            refused(() -> tf.array.range(0.0, 1e300, 1.0), "from 0.0 to 1.0E300 by steps of 1.0", "0 to 2147483647 numbers");
            refused(() -> tf.array.oneHot(zero, -1), "depth is -1");
            refused(() -> tf.array.oneHot(zero, 1L << 31), "oneHot(INT32 [])", "depth is 2147483648: it must be 0 to 2147483647");
            refused(() -> tf.array.slice(a, v), "FLOAT as an index", "INT32 or INT64");
            refused(() -> tf.array.slice(a, tf.constant(new int[][] {{1}})), "[1, 1]", "rank 0 or 1");
        });
    }

    @Test
    void whatHasNoDenseElements() throws Throwable {
        with((tf, a, v) -> {
            try (Tensor<String> words = Tensors.ofNested(new String[] {"a"});
                RaggedTensor<Float> ragged = Tensors.raggedOfNested(new float[][] {{1}, {2, 3}});
                SparseTensor<Float> sparse = Tensors.sparseFloat(new long[] {4}, 1, data -> data.put(1, 2))) {
                refused(() -> tf.constant(words), "STRING", "FLOAT");
                refused(() -> tf.constant(ragged.floatData()), "ragged", "toDense");
                refused(() -> tf.constant(sparse.floatData()), "sparse", "toDense");
            }
        });
    }

    private static void names(String name, Executable call) {
        Expect.exactly(NullPointerException.class, call, name);
    }

    @Test
    void nothing() throws Throwable {
        with((tf, a, v) -> {
            Operand<Float> none = any(null);
            names("b", () -> tf.math.add(a, none));
            names("type", () -> tf.math.cast(a, (DataType) null));
            names("type", () -> tf.math.cast(a, (Class<Float>) null));
            names("parts 1", () -> tf.array.concat(0, a, none));
            names("axes", () -> tf.reduce.sum(a, (int[]) null));
            names("equation", () -> tf.linalg.einsum(null, a));
            names("shape", () -> tf.array.reshape(a, (long[]) null));
            names("axes", () -> tf.array.permute(a, (int[]) null));
            names("indices", () -> tf.array.slice(a, (TensorIndex[]) null));
            names("null among the 2 indices", () -> tf.array.slice(a, TensorIndex.all(), null));
            names("before", () -> tf.array.pad(a, null, new long[2]));
            names("after", () -> tf.array.pad(a, new long[2], null));
            names("repeats", () -> tf.array.tile(a, (long[]) null));
            names("axes", () -> tf.array.squeeze(a, (int[]) null));
            names("shape", () -> tf.array.fill(1f, (long[]) null));
            Constant<Float> x = tf.constant(new float[1][3][3][1]);
            int[] one = {1, 1};
            names("padding", () -> tf.nn.conv2d(x, x, one, null, one));
            names("strides", () -> tf.nn.conv2d(x, x, null, Padding.SAME, one));
            names("dilation", () -> tf.nn.conv2d(x, x, one, Padding.SAME, null));
            names("padding", () -> tf.nn.maxPool2d(x, one, one, null));
            names("size", () -> tf.nn.maxPool2d(x, null, one, Padding.SAME));
            names("padding", () -> tf.nn.avgPool2d(x, one, one, null));
        });
    }

    @Test
    void nothingForAScope() throws Throwable {
        with((tf, a, v) -> {
            names("tensor", () -> tf.constant((Tensor<Float>) null));
            names("values", () -> tf.constant((io.tensornio.FloatTensorData) null));
            names("values", () -> tf.constant((float[]) null));
            names("values", () -> tf.constant((int[][]) null));
            names("x", () -> tf.keep(null));
            Comprehension negative = Comprehension.of("y[i] = -x[i]");
            names("comprehension", () -> tf.apply(null, v));
            names("comprehension", () -> tf.apply(Float.class, null, v));
            names("comprehension", () -> tf.applyAll(null, v));
            names("inputs", () -> tf.apply(negative, (Operand<?>[]) null));
            names("input 0", () -> tf.apply(negative, (Operand<?>) null));
            names("type", () -> tf.apply((Class<Float>) null, negative, v));
        });
    }

    @Test
    void operationsWithoutAScope() throws Throwable {
        names("scope", () -> new MathOps(null));
        names("scope", () -> new LinalgOps(null));
        names("scope", () -> new NnOps(null));
        names("scope", () -> new ReduceOps(null));
        names("scope", () -> new ArrayOps(null));
    }
}
