package io.tensornio.support;

import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Nested arrays of {@code float} by reflection, one element after the other. */
public final class FloatNestedModel {
    private FloatNestedModel() {
    }

    /** A shape as reflection wants it. */
    public static int[] ints(long... shape) {
        return LongStream.of(shape).mapToInt(n -> (int) n).toArray();
    }

    /** How many elements there are. */
    public static int product(int... shape) {
        return IntStream.of(shape).reduce(1, (a, b) -> a * b);
    }

    /** The values of {@code from} and on in row-major order. */
    public static Object nested(int from, int... shape) {
        return nested(FloatValues.array(from, product(shape)), shape);
    }

    /** The values in row-major order. */
    public static Object nested(float[] values, int... shape) {
        if (shape.length == 0) {
            return values[0];
        }
        Object result = Array.newInstance(float.class, shape);
        for (int n = 0; n < values.length; n++) {
            Object row = result;
            int behind = values.length;
            for (int d = 0; d < shape.length; d++) {
                behind /= shape[d];
                int i = n / behind % shape[d];
                if (d == shape.length - 1) {
                    Array.set(row, i, values[n]);
                } else {
                    row = Array.get(row, i);
                }
            }
        }
        return result;
    }

    /** Checks that arrays of the same class have the same elements. */
    public static void assertNested(Object expected, Object actual) {
        assertSame(expected.getClass(), actual.getClass());
        Object[] e = {expected};
        Object[] a = {actual};
        assertTrue(Arrays.deepEquals(e, a), () -> Arrays.deepToString(a) + " should be " + Arrays.deepToString(e));
    }
}
