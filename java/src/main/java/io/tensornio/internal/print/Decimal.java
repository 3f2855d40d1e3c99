package io.tensornio.internal.print;

import java.math.BigInteger;

/**
 * The decimal digits of a floating-point number: the shortest that distinguish it from its neighbours, of those the closest to it, and the even one
 * of a tie. This is the free-format algorithm of Burger and Dybvig in exact integers, stopped earlier or later if a number of digits is requested, as
 * in NumPy. {@code Float.toString} is not used, since before Java 19 it may have a redundant digit.
 */
final class Decimal {
    /** The digits, the first of which is 0 only if it is the only one. */
    private final StringBuilder digits = new StringBuilder();
    /** The power of ten of the first digit. */
    private int exponent;

    private Decimal() {
    }

    /**
     * The digits of {@code value}, finite and not negative, whose neighbours are {@code ulp} above and {@code below} below.
     *
     * @param exact whether to produce all digits of the value up to {@code most}, not only those that distinguish it from its neighbours
     * @param fromPoint whether digits are counted from the decimal point, not from the first one
     * @param most the maximum number of digits
     * @param least the minimum number of digits; additional ones are those of the exact value
     */
    static Decimal of(double value, double ulp, double below, boolean exact, boolean fromPoint, int most, int least) {
        Decimal decimal = new Decimal();
        if (value == 0) {
            decimal.digits.append('0');
        } else {
            decimal.find(value, ulp, below, exact, fromPoint, most, least);
        }
        return decimal;
    }

    private void find(double value, double ulp, double below, boolean exact, boolean fromPoint, int most, int least) {
        // The value is rest / scale, and the points halfway to its neighbours are up / scale above it and down / scale below.
        int two = exponentOf(ulp);
        BigInteger mantissa = BigInteger.valueOf((long) (value / ulp));
        BigInteger rest = mantissa.shiftLeft(2 + Math.max(two, 0));
        BigInteger scale = BigInteger.ONE.shiftLeft(2 - Math.min(two, 0));
        BigInteger up = BigInteger.ONE.shiftLeft(1 + Math.max(two, 0));
        BigInteger down = below < ulp ? up.shiftRight(1) : up;
        // A halfway point is parsed as the neighbour whose mantissa is even.
        int tie = mantissa.testBit(0) ? 0 : 1;

        int at = (int) Math.floor(Math.log10(value));       // the power of ten of the next digit, possibly off by one yet
        while (rest.multiply(power(-at)).compareTo(scale.multiply(power(at))) < 0) {
            at--;
        }
        while (rest.multiply(power(-at - 1)).compareTo(scale.multiply(power(at + 1))) >= 0) {
            at++;
        }
        if (fromPoint) {
            at = Math.max(at, -most);
        }
        exponent = at;
        int last = fromPoint ? -most : at + 1 - most;
        int first = Math.min(at + 1, fromPoint ? -least : at + 1 - least);
        scale = scale.multiply(power(at));
        rest = rest.multiply(power(-at));
        up = up.multiply(power(-at));
        down = down.multiply(power(-at));
        while (true) {
            BigInteger[] divided = rest.divideAndRemainder(scale);
            int digit = divided[0].intValue();
            rest = divided[1];
            boolean low = !exact && rest.compareTo(down) < tie;
            boolean high = !exact && scale.compareTo(rest.add(up)) < tie;
            boolean enough = exact ? rest.signum() == 0 : (low || high) && at <= first;
            if (enough || at == last) {
                int half = rest.shiftLeft(1).compareTo(scale);
                boolean roundUp = low != high ? high : half > 0 || half == 0 && digit % 2 == 1;
                append(digit, roundUp);
                return;
            }
            digits.append((char) ('0' + digit));
            rest = rest.multiply(BigInteger.TEN);
            up = up.multiply(BigInteger.TEN);
            down = down.multiply(BigInteger.TEN);
            at--;
        }
    }

    /** Ten to a power; 1 if that is negative. */
    private static BigInteger power(int n) {
        return n <= 0 ? BigInteger.ONE : BigInteger.TEN.pow(n);
    }

    private static int exponentOf(double powerOfTwo) {
        int exponent = Math.getExponent(powerOfTwo);
        return exponent >= Double.MIN_EXPONENT ? exponent : Long.numberOfTrailingZeros(Double.doubleToRawLongBits(powerOfTwo)) - 1074;
    }

    /** Appends the last digit. A carry removes preceding nines, which become zeros. */
    private void append(int digit, boolean roundUp) {
        if (roundUp && digit == 9) {
            int n = digits.length();
            while (n > 0 && digits.charAt(n - 1) == '9') {
                n--;
            }
            digits.setLength(n);
            if (n == 0) {
                digits.append('1');
                exponent++;
            } else {
                digits.setCharAt(n - 1, (char) (digits.charAt(n - 1) + 1));
            }
        } else {
            digits.append((char) ('0' + digit + (roundUp ? 1 : 0)));
        }
    }

    /** The power of ten of the first digit. */
    int exponent() {
        return exponent;
    }

    /** The integer part, if it has the first {@code whole} digits; a zero if {@code whole} is below 1. */
    String whole(int whole) {
        return whole <= 0 ? "0" : zeros(new StringBuilder(digits.substring(0, Math.min(whole, digits.length()))), whole).toString();
    }

    /** The fractional part, if the first {@code whole} digits are the integer part: without trailing zeros, but at least {@code least} digits. */
    String fraction(int whole, int least) {
        StringBuilder fraction = zeros(new StringBuilder(), -whole).append(digits, Math.min(Math.max(whole, 0), digits.length()), digits.length());
        int n = fraction.length();
        while (n > 0 && fraction.charAt(n - 1) == '0') {
            n--;
        }
        fraction.setLength(n);
        return zeros(fraction, least).toString();
    }

    private static StringBuilder zeros(StringBuilder text, int length) {
        while (text.length() < length) {
            text.append('0');
        }
        return text;
    }
}
