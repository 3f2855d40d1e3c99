package io.tensornio.internal.element;

/**
 * Conversions between {@code float} and floating-point numbers of 16 bits. They give the bits of {@code Float.float16ToFloat} and
 * {@code floatToFloat16} of later versions of Java, and of native code, but for NaN: each pattern comes back as it was, so that copies by value
 * change none.
 */
public final class Halves {
    private static final int MAGNITUDE = 0x7fffffff;
    private static final int INFINITY = 0x7f800000;
    /** 2^-14, the smallest FLOAT16 that is not subnormal. */
    private static final int NORMAL = 0x38800000;
    /** 65520, from which on a FLOAT16 is infinite. */
    private static final int LARGE = 0x477ff000;

    private Halves() {
    }

    /**
     * A number rounded to odd: toward zero, with the lowest bit set if that was not exact. To round this to 16 bits gives what one rounding of the
     * number would (Boldo and Melquiond, "When double rounding is odd").
     */
    public static float odd(double value) {
        float nearest = (float) value;
        if (nearest == value || Double.isNaN(value)) {
            return nearest;
        }
        int bits = Float.floatToRawIntBits(nearest);
        return Float.intBitsToFloat((Math.abs((double) nearest) > Math.abs(value) ? bits - 1 : bits) | 1);
    }

    /** The value of a FLOAT16, exactly. */
    public static float toFloat(short half) {
        int magnitude = half & 0x7fff;
        int sign = (half & 0x8000) << 16;
        if (magnitude >= 0x7c00) {
            return Float.intBitsToFloat(sign | INFINITY | (magnitude & 0x3ff) << 13);
        }
        // The exponent is corrected by 2^112, which is right for subnormals, too, and exact.
        float scaled = Float.intBitsToFloat(magnitude << 13) * 0x1p112f;
        return Float.intBitsToFloat(sign | Float.floatToRawIntBits(scaled));
    }

    /** The nearest FLOAT16, of two the even one. */
    public static short toHalf(float value) {
        int bits = Float.floatToRawIntBits(value);
        int magnitude = bits & MAGNITUDE;
        int sign = bits >>> 16 & 0x8000;
        if (magnitude >= LARGE) {
            int payload = magnitude > INFINITY ? magnitude >> 13 & 0x3ff : 0;
            return (short) (sign | 0x7c00 | (magnitude > INFINITY && payload == 0 ? 0x200 : payload));
        }
        if (magnitude < NORMAL) {
            // The addition rounds to multiples of 2^-24, the smallest subnormal; they are the sum's lowest bits.
            return (short) (sign | Float.floatToRawIntBits(Float.intBitsToFloat(magnitude) + 0.5f) - 0x3f000000);
        }
        return (short) (sign | magnitude + 0xfff + (magnitude >> 13 & 1) - (112 << 23) >> 13);
    }

    /** The value of a BFLOAT16, exactly. */
    public static float ofBrain(short brain) {
        return Float.intBitsToFloat(brain << 16);
    }

    /** The nearest BFLOAT16, of two the even one. */
    public static short toBrain(float value) {
        int bits = Float.floatToRawIntBits(value);
        if ((bits & MAGNITUDE) > INFINITY) {
            return (short) (bits >>> 16 | ((bits & 0x7f0000) == 0 ? 0x40 : 0));
        }
        return (short) (bits + 0x7fff + (bits >>> 16 & 1) >>> 16);
    }
}
