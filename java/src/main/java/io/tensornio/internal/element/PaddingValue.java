package io.tensornio.internal.element;

import io.tensornio.DataType;

/** Conversions of a padding to the element type. */
public final class PaddingValue {
    private PaddingValue() {
    }

    /** The exception for a padding that a type cannot hold, which says what it can. */
    public static IllegalArgumentException refused(DataType type, String padding) {
        return new IllegalArgumentException(type + " cannot hold the padding " + padding + ": it must be " + possible(type));
    }

    private static String possible(DataType type) {
        switch (type) {
            case FLOAT:
                return "a number from " + -Float.MAX_VALUE + " to " + Float.MAX_VALUE + ", infinite or NaN";
            case DOUBLE:
                return "a number";
            case BOOL:
                return "false or true";
            case STRING:
                return "a string";
            case FLOAT16:
            case BFLOAT16:
                return "a number that it does not round to an infinite one, infinite or NaN";
            default:
                return "a whole number from " + least(type) + " to " + most(type);
        }
    }

    /** The smallest integer of a type; of UINT64 that of its bits. */
    private static long least(DataType type) {
        return type == DataType.UINT64 || type == DataType.INT64 ? Long.MIN_VALUE : type.isSigned() ? -1L << 8 * type.byteSize() - 1 : 0;
    }

    private static long most(DataType type) {
        return type == DataType.UINT64 ? Long.MAX_VALUE : (1L << 8 * type.byteSize() - (type.isSigned() ? 1 : 0)) - 1;
    }

    /** The nearest number of a type that {@code float} carries; throws if a finite number overflows. */
    public static float single(DataType type, double padding) {
        float nearest = Encodings.rounded(type, Encodings.single(type, padding));
        if (Float.isInfinite(nearest) && !Double.isInfinite(padding)) {
            throw refused(type, String.valueOf(padding));
        }
        return nearest;
    }

    /** A whole number that is given as a {@code double}. */
    public static long integral(DataType type, double padding) {
        if (type == DataType.BOOL || type == DataType.STRING || padding != Math.rint(padding) || padding < -0x1p63 || padding >= 0x1p63) {
            throw refused(type, String.valueOf(padding));
        }
        return (long) padding;
    }

    /** A number within the range of a smaller integral type. */
    public static long integer(DataType type, long padding) {
        if (padding < least(type) || padding > most(type)) {
            throw refused(type, String.valueOf(padding));
        }
        return padding;
    }
}
