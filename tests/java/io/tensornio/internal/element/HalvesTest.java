package io.tensornio.internal.element;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Conversions of floating-point numbers of 16 bits, against their definition, and those of JDK 20 and later. */
class HalvesTest {
    /** By the definition of the formats, with so many bits of the fraction. */
    private static float value(int fractions, int bits) {
        int exponents = 15 - fractions;
        int bias = (1 << exponents - 1) - 1;
        int exponent = bits >> fractions & (1 << exponents) - 1;
        int fraction = bits & (1 << fractions) - 1;
        double magnitude = exponent == 0 ? Math.scalb((double) fraction, 1 - bias - fractions)
            : exponent < (1 << exponents) - 1 ? Math.scalb((double) fraction + (1 << fractions), exponent - bias - fractions)
            : fraction == 0 ? Double.POSITIVE_INFINITY : Double.NaN;
        return (float) ((bits & 0x8000) != 0 ? -magnitude : magnitude);
    }

    @Test
    void everyPatternIsTheNumberThatTheFormatDefinesAndComesBackAsItWas() {
        for (int bits = 0; bits < 1 << 16; bits++) {
            float half = Halves.toFloat((short) bits);
            float brain = Halves.ofBrain((short) bits);
            assertEquals(value(10, bits), half);
            assertEquals(value(7, bits), brain);
            assertEquals((short) bits, Halves.toHalf(half));
            assertEquals((short) bits, Halves.toBrain(brain));
        }
    }

    /** What is around the middle of two neighbours goes to the nearer one, and the middle to the even one, from FLOAT and from DOUBLE. */
    @Test
    void everyMiddleOfNeighboursIsRoundedToTheEvenOne() {
        for (int below = 0; below < 0x7f7f; below++) {
            if (below < 0x7bff) {
                middle(below, Halves.toFloat((short) below), Halves.toFloat((short) (below + 1)), true);
            }
            middle(below, Halves.ofBrain((short) below), Halves.ofBrain((short) (below + 1)), false);
        }
    }

    private static void middle(int below, float low, float high, boolean isHalf) {
        double middle = ((double) low + high) / 2;
        int even = below + (below & 1);
        for (int sign = -1; sign <= 1; sign += 2) {
            short bits = (short) (sign < 0 ? 0x8000 : 0);
            float single = (float) middle;
            assertEquals((short) (bits | even), narrow(sign * single, isHalf));
            assertEquals((short) (bits | below), narrow(sign * Math.nextDown(single), isHalf));
            assertEquals((short) (bits | below + 1), narrow(sign * Math.nextUp(single), isHalf));
            assertEquals((short) (bits | even), narrow(Halves.odd(sign * middle), isHalf));
            assertEquals((short) (bits | below), narrow(Halves.odd(sign * Math.nextDown(middle)), isHalf));
            assertEquals((short) (bits | below + 1), narrow(Halves.odd(sign * Math.nextUp(middle)), isHalf));
        }
    }

    private static short narrow(float value, boolean isHalf) {
        return isHalf ? Halves.toHalf(value) : Halves.toBrain(value);
    }

    @Test
    void whatIsTooLargeIsInfiniteAndWhatIsTooSmallIsZero() {
        assertEquals(0x7bff, Halves.toHalf(65519.996f));
        assertEquals(0x7c00, Halves.toHalf(65520));
        assertEquals((short) 0xfc00, Halves.toHalf(Float.NEGATIVE_INFINITY));
        assertEquals((short) 0x8000, Halves.toHalf(-0x1p-25f));
        assertEquals(1, Halves.toHalf(Math.nextUp(0x1p-25f)));
        assertEquals(0x7f80, Halves.toBrain(Float.MAX_VALUE));
        assertEquals(0x7c00, Halves.toHalf(Halves.odd(1e300)));
        assertEquals((short) 0xff80, Halves.toBrain(Halves.odd(-1e300)));
        assertEquals((short) 0x8000, Halves.toHalf(Halves.odd(-Double.MIN_VALUE)));
        assertTrue(Float.isNaN(Halves.odd(Double.NaN)));
        assertTrue(Float.isNaN(Halves.toFloat(Halves.toHalf(Float.intBitsToFloat(0x7f800001)))));
        assertTrue(Float.isNaN(Halves.ofBrain(Halves.toBrain(Float.intBitsToFloat(0xff800001)))));
    }

    @Test
    void theyAreThoseOfTheJdkWhereItHasThem() throws Throwable {
        MethodHandle toFloat = jdk("float16ToFloat", float.class, short.class);
        MethodHandle toHalf = jdk("floatToFloat16", short.class, float.class);
        Assumptions.assumeTrue(toFloat != null && toHalf != null);
        for (int bits = 0; bits < 1 << 16; bits++) {
            assertEquals((float) toFloat.invokeExact((short) bits), Halves.toFloat((short) bits));
        }
        Random random = new Random(3);
        for (int n = 0; n < 2_000_000; n++) {
            float x = Float.intBitsToFloat(n < 1_000_000 ? random.nextInt() : Float.floatToRawIntBits(65536 * (random.nextFloat() - .5f)));
            if (!Float.isNaN(x)) {
                assertEquals((short) toHalf.invokeExact(x), Halves.toHalf(x), "" + x);
            }
        }
    }

    private static MethodHandle jdk(String name, Class<?> result, Class<?> argument) throws IllegalAccessException {
        try {
            return MethodHandles.lookup().findStatic(Float.class, name, MethodType.methodType(result, argument));
        } catch (NoSuchMethodException e) {
            return null;
        }
    }
}
