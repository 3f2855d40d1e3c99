package io.tensornio.op;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.BooleanTensorData;
import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Operations on types that are stored narrow: the result is of the type of the operands, rounded or wrapped once. */
@ExtendWith(MemoryBalance.class)
class NarrowOpsTest {
    private static FloatTensorData half(float... values) {
        short[] bits = new short[values.length];
        FloatTensorData data = FloatTensorData.ofFloat16(bits);
        data.put(values);
        return data;
    }

    private static void check(DataType type, Object expected, Operand<?> made) {
        assertEquals(type, made.dataType());
        Object nested = made.asTensor().toNested();
        if (expected instanceof float[]) {
            assertArrayEquals((float[]) expected, (float[]) nested);
        } else {
            assertArrayEquals((int[]) expected, (int[]) nested);
        }
    }

    @Test
    void operationsKeepTheType() {
        try (Ops tf = Ops.create()) {
            Operand<Float> x = tf.constant(half(1, 2, 60000));
            Operand<Float> y = tf.constant(half(.1f, 1, 60000));
            assertEquals(DataType.FLOAT16, x.dataType());
            check(DataType.FLOAT16, new float[] {1.0996094f, 3, Float.POSITIVE_INFINITY}, tf.math.add(x, y));
            check(DataType.FLOAT16, new float[] {2, 4, Float.POSITIVE_INFINITY}, x.times(2));
            check(DataType.FLOAT16, new float[] {1, 1.4140625f, 245}, tf.math.sqrt(x));
            check(DataType.FLOAT16, new float[] {1, 2, 60000}, tf.math.maximum(x, y));
            check(DataType.FLOAT16, new float[] {60000, 2}, tf.array.gather(x, tf.constant(IntTensorData.ofInt8(new byte[] {2, 1})), 0));
            check(DataType.FLOAT16, new float[] {1, 2, 60000, .099975586f, 1, 60000}, tf.array.concat(0, x, y));
            Operand<Integer> k = tf.constant(IntTensorData.ofInt8(new byte[] {100, -100, 3}));
            check(DataType.INT8, new int[] {-56, 56, 6}, tf.math.add(k, k));
            check(DataType.INT8, new int[] {-100, 100, -3}, tf.math.neg(k));
            check(DataType.INT8, new int[] {101, -99, 4}, k.plus(1));
            check(DataType.INT8, new int[] {3}, tf.reduce.sum(k, true));
            assertEquals(DataType.INT64, tf.reduce.argmax(tf.constant(LongTensorData.ofUInt32(new int[] {1, -1})), 0).dataType());
            assertEquals(DataType.BOOL, tf.math.less(k, k).dataType());
            check(DataType.BFLOAT16, new float[] {100, -100, 3}, tf.math.cast(k, DataType.BFLOAT16));
            Expect.exactly(IllegalArgumentException.class, () -> k.plus(128), "INT8", "128");
            Expect.exactly(IllegalArgumentException.class, () -> tf.math.add(x, tf.constant(FloatTensorData.of(new float[3]))), "FLOAT16", "FLOAT",
                "cast");
        }
    }

    @Test
    void unsignedNumbersOf64BitsAreMovedAndCastAlone() {
        try (Ops tf = Ops.create()) {
            Operand<Long> u = tf.constant(LongTensorData.ofUInt64(new long[] {-1, 5}));
            Operand<Boolean> condition = tf.constant(BooleanTensorData.of(new boolean[] {true, false}));
            assertEquals(DataType.UINT64, tf.math.select(condition, u, u).dataType());
            assertEquals(DataType.UINT64, tf.array.concat(0, u, u).dataType());
            assertArrayEquals(new double[] {0x1p64, 5}, (double[]) tf.math.cast(u, DataType.DOUBLE).asTensor().toNested());
            Expect.exactly(IllegalArgumentException.class, () -> tf.math.add(u, u), "UINT64", "cast");
            Expect.exactly(IllegalArgumentException.class, () -> u.plus(1), "UINT64");
            Expect.exactly(IllegalArgumentException.class, () -> tf.array.gather(u, u, 0), "UINT64");
        }
    }
}
