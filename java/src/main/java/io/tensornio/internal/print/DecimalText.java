package io.tensornio.internal.print;

import io.tensornio.TensorFormat;

/**
 * Floating-point elements: aligned at their decimal points, and either all or none of them with an exponent. The rules are those of
 * {@code FloatingFormat} in NumPy's {@code arrayprint.py}.
 */
abstract class DecimalText extends ElementText {
    private static final int WIDTH_OF_NAN = 3;

    private boolean fixed;
    private boolean exponents;
    /** The number of fractional digits: the maximum without exponents, exact with them. */
    private int precision;
    private int exponentDigits;
    /** The number of characters before the point, and after it. */
    private int left;
    private int right;

    DecimalText(int count) {
        super(count);
    }

    abstract double value(int n);

    /** The distance to the next larger magnitude of the element's type. */
    abstract double ulp(int n);

    /** The distance to the next smaller magnitude; arbitrary for 0. */
    abstract double below(int n);

    /** Whether exponents are needed: elements are too large, too small, or differ by too many orders of magnitude. */
    abstract boolean needsExponents(boolean suppressSmall);

    private static boolean isFinite(double value) {
        return Math.abs(value) <= Double.MAX_VALUE;
    }

    private static boolean isNegative(double value) {
        return Double.doubleToRawLongBits(value) < 0;       // true for -0.0
    }

    private Decimal decimal(int n, int least) {
        int ahead = exponents ? 1 : 0;
        return Decimal.of(Math.abs(value(n)), ulp(n), below(n), fixed, !exponents, precision + ahead, least + ahead);
    }

    /** The number of digits before the point. */
    private int whole(Decimal decimal) {
        return exponents ? 1 : decimal.exponent() + 1;
    }

    @Override
    final void measure(TensorFormat format) {
        fixed = format.isFixedPrecision();
        precision = format.precision();
        exponents = needsExponents(format.isSuppressSmall());
        int fraction = 0;
        int special = 0;
        for (int n = 0; n < count; n++) {
            double value = value(n);
            int sign = isNegative(value) ? 1 : 0;
            if (isFinite(value)) {
                Decimal decimal = decimal(n, 0);
                int whole = whole(decimal);
                left = Math.max(left, decimal.whole(whole).length() + sign);
                fraction = Math.max(fraction, decimal.fraction(whole, fixed ? precision : 0).length());
                exponentDigits = Math.max(exponentDigits, Math.abs(decimal.exponent()) < 100 ? 2 : 3);
            } else {
                special = Math.max(special, WIDTH_OF_NAN + (Double.isNaN(value) ? 0 : sign));
            }
        }
        right = fraction;
        if (exponents) {
            precision = fraction;
            right += 2 + exponentDigits;
        }
        left = Math.max(left, special - right - 1);
    }

    @Override
    final String text(int n) {
        double value = value(n);
        StringBuilder text = new StringBuilder(left + 1 + right);
        if (!isFinite(value)) {
            String name = Double.isNaN(value) ? "nan" : value < 0 ? "-inf" : "inf";
            pad(text, left + 1 + right - name.length());
            return text.append(name).toString();
        }
        Decimal decimal = decimal(n, exponents ? precision : 0);
        int whole = whole(decimal);
        String digits = (isNegative(value) ? "-" : "") + decimal.whole(whole);
        pad(text, left - digits.length());
        text.append(digits).append('.').append(decimal.fraction(whole, exponents || fixed ? precision : 0));
        if (exponents) {
            String exponent = Integer.toString(Math.abs(decimal.exponent()));
            text.append('e').append(decimal.exponent() < 0 ? '-' : '+');
            for (int i = exponent.length(); i < exponentDigits; i++) {
                text.append('0');
            }
            text.append(exponent);
        }
        pad(text, left + 1 + right - text.length());
        return text.toString();
    }
}
