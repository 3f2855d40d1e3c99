package io.tensornio;

/**
 * How {@link TensorData#toString(TensorFormat)} lays data out: the options that NumPy's {@code set_printoptions} has, with its defaults
 * and its rules. Formats are immutable: each method makes a new one that differs in one option.
 *
 * <pre>{@code
 * data.toString(TensorFormat.DEFAULT.withPrecision(3).withoutHead());
 * }</pre>
 *
 * <p>Elements with a fraction are written with as many digits as tell them from all others of their type, and at most
 * {@link #precision()} of them behind the point; the points stand below each other. Where the largest magnitude is 10<sup>8</sup> or more
 * (of FLOAT, 10<sup>6</sup>), the smallest other than 0 is below 0.0001, or the one is more than 1000 times the other, all of them have
 * exponents. Only elements that are shown count.
 */
public final class TensorFormat {
    /**
     * What {@code toString()} takes: up to 8 fraction digits, at most 1000 elements, of more the first and last 3 of each axis, lines of up
     * to 75 characters, the type and shape ahead.
     */
    public static final TensorFormat DEFAULT = new TensorFormat(8, false, 1000, 3, 75, false, true);

    private static final int MOST_DIGITS = 1100;

    private final int precision;
    private final boolean fixed;
    private final int threshold;
    private final int edgeItems;
    private final int lineWidth;
    private final boolean suppressSmall;
    private final boolean head;

    private TensorFormat(int precision, boolean fixed, int threshold, int edgeItems, int lineWidth, boolean suppressSmall, boolean head) {
        this.precision = precision;
        this.fixed = fixed;
        this.threshold = threshold;
        this.edgeItems = edgeItems;
        this.lineWidth = lineWidth;
        this.suppressSmall = suppressSmall;
        this.head = head;
    }
}
