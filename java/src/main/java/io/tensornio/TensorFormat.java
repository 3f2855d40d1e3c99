package io.tensornio;

/**
 * How {@link TensorData#toString(TensorFormat)} lays data out: the options of NumPy's {@code set_printoptions}, with its defaults and its
 * rules. A format is immutable; each method makes one that differs in one option.
 *
 * <pre>{@code
 * data.toString(TensorFormat.DEFAULT.withPrecision(3).withoutHeader());
 * }</pre>
 *
 * <p>Floating-point numbers have as many digits as tell them from all others of their type, but at most {@link #precision()} after the
 * decimal point, and are aligned at their points. All of them have exponents if the largest magnitude is at least 10<sup>8</sup>
 * (of FLOAT, at least 10<sup>6</sup>), if the smallest one that is not 0 is below 0.0001, or if the largest is more than 1000 times the
 * smallest. Only the elements that are shown count.
 */
public final class TensorFormat {
    /**
     * The format of {@code toString()}: the type and the shape ahead, up to 8 digits after the decimal point, up to 1000 elements, of more
     * the first and the last 3 positions of each longer axis, and up to 75 characters in a line.
     */
    public static final TensorFormat DEFAULT = new TensorFormat(8, false, 1000, 3, 75, false, true);

    /** The finest {@code double}, 2 to the power of -1074, has as many digits after the decimal point. */
    private static final int MOST_DIGITS = 1074;

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

    private static IllegalArgumentException refused(String what, int asked, String possible) {
        return new IllegalArgumentException(what + " " + asked + ": it must be " + possible);
    }

    private static int checkDigits(int digits) {
        if (digits < 0 || digits > MOST_DIGITS) {
            throw refused("the precision", digits, "0 to " + MOST_DIGITS);
        }
        return digits;
    }

    /**
     * Numbers with at most this many digits after the decimal point, and no more than each of them needs.
     *
     * @param digits how many, 0 to 1074
     * @return such a format
     * @throws IllegalArgumentException if there cannot be that many digits
     */
    public TensorFormat withPrecision(int digits) {
        return new TensorFormat(checkDigits(digits), false, threshold, edgeItems, lineWidth, suppressSmall, head);
    }

    /**
     * Numbers with exactly this many digits after the decimal point, those of the exact value, whether or not they tell anything.
     *
     * @param digits how many, 0 to 1074
     * @return such a format
     * @throws IllegalArgumentException if there cannot be that many digits
     */
    public TensorFormat withFixedPrecision(int digits) {
        return new TensorFormat(checkDigits(digits), true, threshold, edgeItems, lineWidth, suppressSmall, head);
    }

    /**
     * At most this many elements are shown whole, of ragged data elements and rows; more are abridged. More than 16,777,216 elements, or of ragged
     * data 1,048,576 elements and rows, are always abridged.
     *
     * @param elements how many, 0 or more
     * @return such a format
     * @throws IllegalArgumentException if the number is negative
     */
    public TensorFormat withThreshold(int elements) {
        if (elements < 0) {
            throw refused("the threshold", elements, "at least 0");
        }
        return new TensorFormat(precision, fixed, elements, edgeItems, lineWidth, suppressSmall, head);
    }

    /**
     * This many positions at each end of an axis are shown of what is abridged; an axis of no more than twice as many is shown whole. They
     * become fewer where more than 131,072 elements, and more than the threshold, would be shown of data that is ragged, or is neither a matrix nor a
     * vector.
     *
     * @param positions how many, at least 1
     * @return such a format
     * @throws IllegalArgumentException if the number is less than 1
     */
    public TensorFormat withEdgeItems(int positions) {
        if (positions < 1) {
            throw refused("the number of edge items", positions, "at least 1");
        }
        return new TensorFormat(precision, fixed, threshold, positions, lineWidth, suppressSmall, head);
    }

    /**
     * Rows continue on the next line where a line would have more characters. Only a single element that is longer, with its brackets, makes a line
     * longer; and the type and the shape ahead are one line, however long.
     *
     * @param characters how many, at least 1
     * @return such a format
     * @throws IllegalArgumentException if the number is less than 1
     */
    public TensorFormat withLineWidth(int characters) {
        if (characters < 1) {
            throw refused("the line width", characters, "at least 1");
        }
        return new TensorFormat(precision, fixed, threshold, edgeItems, characters, suppressSmall, head);
    }

    /**
     * Small numbers do not cause exponents; those that have no digit within the precision are written as zeros. Large ones still cause them.
     *
     * @return such a format
     */
    public TensorFormat withSuppressSmall() {
        return new TensorFormat(precision, fixed, threshold, edgeItems, lineWidth, true, head);
    }

    /**
     * The elements alone, without the type and the shape ahead.
     *
     * @return such a format
     */
    public TensorFormat withoutHeader() {
        return new TensorFormat(precision, fixed, threshold, edgeItems, lineWidth, suppressSmall, false);
    }

    /**
     * The largest number of digits after the decimal point.
     *
     * @return how many
     */
    public int precision() {
        return precision;
    }

    /**
     * Whether there are always {@link #precision()} digits after the decimal point.
     *
     * @return true for {@link #withFixedPrecision(int)}
     */
    public boolean isFixedPrecision() {
        return fixed;
    }

    /**
     * The largest number of elements that are shown whole.
     *
     * @return how many
     */
    public int threshold() {
        return threshold;
    }

    /**
     * The number of positions that are shown at each end of an abridged axis.
     *
     * @return how many
     */
    public int edgeItems() {
        return edgeItems;
    }

    /**
     * The largest number of characters in a line.
     *
     * @return how many
     */
    public int lineWidth() {
        return lineWidth;
    }

    /**
     * Whether small numbers are written without exponents.
     *
     * @return true for {@link #withSuppressSmall()}
     */
    public boolean isSuppressSmall() {
        return suppressSmall;
    }

    /**
     * Whether the type and the shape stand ahead of the elements.
     *
     * @return false for {@link #withoutHeader()}
     */
    public boolean hasHeader() {
        return head;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TensorFormat && toString().equals(other.toString());
    }

    @Override
    public int hashCode() {
        return toString().hashCode();
    }

    /** The options by their names. */
    @Override
    public String toString() {
        return "precision=" + precision + (fixed ? " fixed" : "") + ", threshold=" + threshold + ", edgeItems=" + edgeItems
            + ", lineWidth=" + lineWidth + (suppressSmall ? ", suppressSmall" : "") + (head ? "" : ", no head");
    }
}
