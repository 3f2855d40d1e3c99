package io.tensornio;

/** Conversions of a padding to the element type. */
final class PaddingValue {
    private PaddingValue() {
    }

    static IllegalArgumentException refused(DataType type, String padding) {
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
            case UINT8:
                return "a whole number from 0 to 255";
            case INT32:
                return "a whole number from " + Integer.MIN_VALUE + " to " + Integer.MAX_VALUE;
            default:
                return "a whole number from " + Long.MIN_VALUE + " to " + Long.MAX_VALUE;
        }
    }

    /** The nearest {@code float}; throws if a finite number overflows. */
    static float single(double padding) {
        float nearest = (float) padding;
        if (Float.isInfinite(nearest) && !Double.isInfinite(padding)) {
            throw refused(DataType.FLOAT, String.valueOf(padding));
        }
        return nearest;
    }

    /** A whole number that is given as a {@code double}. */
    static long integral(DataType type, double padding) {
        if (type == DataType.BOOL || type == DataType.STRING || padding != Math.rint(padding) || padding < -0x1p63 || padding >= 0x1p63) {
            throw refused(type, String.valueOf(padding));
        }
        return (long) padding;
    }

    /** A number within the range of a smaller integral type. */
    static long integer(DataType type, long padding) {
        boolean fits = type == DataType.UINT8 ? padding >= 0 && padding <= 255 : padding == (int) padding;
        if (!fits) {
            throw refused(type, String.valueOf(padding));
        }
        return padding;
    }
}
