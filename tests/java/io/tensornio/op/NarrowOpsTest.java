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
        assertEquals(type, Held.held(made).dataType());
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

    /** Those without a class of their result, too. */
    @Test
    void allOperationsKeepTheType() {
        try (Ops tf = Ops.create()) {
            Operand<Float> x = tf.constant(half(1, 2, 60000));
            check(DataType.FLOAT16, new float[] {1, 4, Float.POSITIVE_INFINITY}, tf.math.square(x));
            check(DataType.FLOAT16, new float[] {1, .5f, 1.6689301e-5f}, tf.math.reciprocal(x));
            check(DataType.FLOAT16, new float[] {60000, 2, 1}, tf.array.flip(x));
            assertEquals(DataType.BOOL, Held.held(tf.math.isnan(x)).dataType());
            Expect.exactly(IllegalArgumentException.class, () -> tf.array.cumsum(x, 0), "FLOAT16", "cast");
            check(DataType.UINT16, new int[] {65535, 0, 32767}, tf.math.bitnot(tf.constant(IntTensorData.ofUInt16(new short[] {0, -1, -32768}))));
        }
    }

    /** Counts are modulo the width of the type, and bits that are shifted out of it are gone. */
    @Test
    void shiftsAreThoseOfTheType() {
        for (DataType type : new DataType[] {DataType.INT8, DataType.UINT8, DataType.INT16, DataType.UINT16, DataType.INT32, DataType.UINT32,
            DataType.INT64}) {
            int width = 8 * type.byteSize();
            try (Ops tf = Ops.create()) {
                for (long value : new long[] {5, -5, 100, Long.MIN_VALUE, 0xdeadbeefcafebabeL}) {
                    for (long count : new long[] {0, 1, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, -1, -9, -33}) {
                        long x = kept(value, type);
                        int by = (int) Math.floorMod(count, (long) width);
                        Operand<?> all = wrapped(tf, value, type);
                        Operand<?> n = wrapped(tf, count, type);
                        String what = type + " " + x + " by " + count;
                        long bits = width == 64 ? x : x & (1L << width) - 1;
                        checkShift(kept(x << by, type), tf.math.shl(cast(all), cast(n)), type, what);
                        checkShift(x >> by, tf.math.shr(cast(all), cast(n)), type, what);
                        checkShift(kept(bits >>> by, type), tf.math.ushr(cast(all), cast(n)), type, what);
                        checkShift(kept(~x, type), tf.math.bitnot(cast(all)), type, what);
                    }
                }
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static Operand<Long> cast(Operand<?> operand) {
        return (Operand<Long>) operand;
    }

    /** A number as a type has its bits. */
    private static long kept(long value, DataType type) {
        int above = 64 - 8 * type.byteSize();
        return type.isSigned() ? value << above >> above : value << above >>> above;
    }

    private static Operand<?> wrapped(Ops tf, long value, DataType type) {
        return Held.held(tf.math.cast(Held.held(tf.constant(new long[] {value})), type));
    }

    private static void checkShift(long expected, Operand<?> made, DataType type, String what) {
        assertEquals(type, Held.held(made).dataType());
        assertEquals(expected, ((long[]) Held.held(made.ops().math.cast(made, DataType.INT64)).asTensor().toNested())[0], what);
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
