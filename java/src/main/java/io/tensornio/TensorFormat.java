package io.tensornio;

/**
 * The layout of {@link TensorData#toString(TensorFormat)}: the options of NumPy's {@code set_printoptions}, with its defaults and its
 * rules. A format is immutable; each {@code with} method returns a copy that differs in one option.
 *
 * <pre>{@code
 * data.toString(TensorFormat.DEFAULT.withPrecision(3).withoutHeader());
 * }</pre>
 *
 * <p>Floating-point numbers have the digits needed to distinguish them from all others of their type, but at most {@link #precision()} after the
 * decimal point, and are aligned at their points. All of them have exponents if the largest magnitude is at least 10<sup>8</sup>
 * (for FLOAT, at least 10<sup>6</sup>), if the smallest non-zero magnitude is below 0.0001, or if the largest is more than 1000 times the
 * smallest. Only the elements that are shown count.
 */
public final class TensorFormat {
    /**
     * The format of {@code toString()}: the type and the shape first, up to 8 digits after the decimal point, up to 75 characters in a line, and up
     * to 1000 elements; longer data is abridged to the first and the last 3 items of each longer axis.
     */
    public static final TensorFormat DEFAULT = new TensorFormat(8, false, 1000, 3, 75, false, true);

    /** The number of digits after the decimal point of the smallest positive {@code double}, 2 to the power of -1074. */
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
     * Numbers have at most this many digits after the decimal point, and no more than each of them needs.
     *
     * @param digits the number of digits, 0 to 1074
     * @return a copy of this format with that option
     * @throws IllegalArgumentException if the number is not in 0 to 1074
     */
    public TensorFormat withPrecision(int digits) {
        return new TensorFormat(checkDigits(digits), false, threshold, edgeItems, lineWidth, suppressSmall, head);
    }

    /**
     * Numbers have exactly this many digits after the decimal point, those of the exact value, whether or not they are significant.
     *
     * @param digits the number of digits, 0 to 1074
     * @return a copy of this format with that option
     * @throws IllegalArgumentException if the number is not in 0 to 1074
     */
    public TensorFormat withFixedPrecision(int digits) {
        return new TensorFormat(checkDigits(digits), true, threshold, edgeItems, lineWidth, suppressSmall, head);
    }

    /**
     * Data of at most this many elements (for ragged data, elements and rows together) is shown whole; larger data is abridged. Data of more than
     * 16,777,216 elements, or ragged data of more than 1,048,576 elements and rows, is always abridged.
     *
     * <p>Data of more than 32 axes is shown only if it is shown whole, and the number of elements times that of axes is at most 131,072 or the
     * threshold, whichever is larger; else {@code [...]} stands for it, as for ragged data of more than 256 axes.
     *
     * @param elements the number of elements, 0 or more
     * @return a copy of this format with that option
     * @throws IllegalArgumentException if the number is negative
     */
    public TensorFormat withThreshold(int elements) {
        if (elements < 0) {
            throw refused("the threshold", elements, "at least 0");
        }
        return new TensorFormat(precision, fixed, elements, edgeItems, lineWidth, suppressSmall, head);
    }

    /**
     * Abridged data shows this many items at each end of an axis; an axis of at most twice that length is shown whole. Fewer items are shown of data
     * that is ragged, or is neither a matrix nor a vector, where otherwise more than 131,072 elements, and more than the threshold, would be shown;
     * where even one at each end would be too many, {@code [...]} stands for all.
     *
     * @param positions the number of items, at least 1
     * @return a copy of this format with that option
     * @throws IllegalArgumentException if the number is less than 1
     */
    public TensorFormat withEdgeItems(int positions) {
        if (positions < 1) {
            throw refused("the number of edge items", positions, "at least 1");
        }
        return new TensorFormat(precision, fixed, threshold, positions, lineWidth, suppressSmall, head);
    }

    /**
     * Rows continue on the next line where a line would have more characters, with as many closing brackets as there are axes: each line has space
     * for those, as NumPy's have. A line is longer only where a single element, with its brackets, is; the type and the shape are always one line.
     *
     * @param characters the number of characters, at least 1
     * @return a copy of this format with that option
     * @throws IllegalArgumentException if the number is less than 1
     */
    public TensorFormat withLineWidth(int characters) {
        if (characters < 1) {
            throw refused("the line width", characters, "at least 1");
        }
        return new TensorFormat(precision, fixed, threshold, edgeItems, characters, suppressSmall, head);
    }

    /**
     * Small numbers do not cause exponents; those without a non-zero digit within the precision are written as zeros. Large numbers still cause
     * exponents.
     *
     * @return a copy of this format with that option
     */
    public TensorFormat withSuppressSmall() {
        return new TensorFormat(precision, fixed, threshold, edgeItems, lineWidth, true, head);
    }

    /**
     * Only the elements are shown, without the type and the shape.
     *
     * @return a copy of this format with that option
     */
    public TensorFormat withoutHeader() {
        return new TensorFormat(precision, fixed, threshold, edgeItems, lineWidth, suppressSmall, false);
    }

    /**
     * The largest number of digits after the decimal point.
     *
     * @return the number
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
     * The largest number of elements of data that is shown whole.
     *
     * @return the number
     */
    public int threshold() {
        return threshold;
    }

    /**
     * The number of items that are shown at each end of an abridged axis.
     *
     * @return the number
     */
    public int edgeItems() {
        return edgeItems;
    }

    /**
     * The largest number of characters in a line.
     *
     * @return the number
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
     * Whether the type and the shape are shown before the elements.
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

    /** Lists the options by their names. */
    @Override
    public String toString() {
        return "precision=" + precision + (fixed ? " fixed" : "") + ", threshold=" + threshold + ", edgeItems=" + edgeItems
            + ", lineWidth=" + lineWidth + (suppressSmall ? ", suppressSmall" : "") + (head ? "" : ", no header");
    }
}
