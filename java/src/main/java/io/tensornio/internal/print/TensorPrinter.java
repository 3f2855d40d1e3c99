package io.tensornio.internal.print;

import io.tensornio.BooleanTensorData;
import io.tensornio.ByteTensorData;
import io.tensornio.DoubleTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.StringTensorData;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorData;
import io.tensornio.TensorFormat;
import io.tensornio.TensorIndex;
import io.tensornio.internal.ragged.LostElementException;
import io.tensornio.internal.ragged.RaggedShapes;
import java.util.Arrays;
import java.util.Objects;

/**
 * Lays out data of any implementation as NumPy does: nested brackets, {@code []} for none, elements of one width, rows that go on below
 * where they are too long, a blank line between matrices, and of much data only the first and last positions of each longer axis.
 */
public final class TensorPrinter {
    /** The most elements that are ever shown: neither a string nor its reader could take more. */
    private static final int MOST_SHOWN = 1 << 24;
    /** Where abridged data would still be more elements than this, fewer positions are shown, and of very many axes none. */
    private static final int MOST_ABRIDGED = 1 << 17;
    /** With more axes, data is shown only if it is whole, and its elements times its axes are not very many: there are brackets for each axis. */
    private static final int HIGHEST_RANK = 32;

    private final TensorFormat format;
    private final long[] shape;
    private final boolean abridged;
    private int edge;
    private ElementText texts;
    /** How many elements were read, or written. */
    private int done;
    private final StringBuilder out = new StringBuilder();

    private TensorPrinter(long[] shape, TensorFormat format) {
        this.shape = shape;
        this.format = format;
        edge = Math.min(format.edgeItems(), MOST_SHOWN);
        abridged = product(false, MOST_SHOWN) > Math.min(format.threshold(), MOST_SHOWN);
        // What was asked for is shown of matrices; of more axes it multiplies.
        long most = Math.min(MOST_SHOWN, Math.max(Math.max(MOST_ABRIDGED, format.threshold()), 4L * edge * edge));
        while (abridged && edge > 0 && product(true, most) > most) {
            edge -= Math.max(1, edge / 16);
        }
    }

    /** How many elements there are, or are shown; at {@code enough} the rest is not counted. */
    private long product(boolean shown, long enough) {
        long product = 1;
        for (int d = 0; d < shape.length; d++) {
            if (shape[d] == 0) {
                return 0;
            }
            long size = shown && isAbridged(d) ? 2L * edge : shape[d];
            product = product > enough || size > enough ? enough + 1 : product * size;
        }
        return product;
    }

    /**
     * The type, the shape and the elements of data; that it is closed, where it is, or a view of elements that a row which grows has lost.
     *
     * @param data the data
     * @param format how to lay it out
     * @return the text
     */
    public static String print(TensorData<?> data, TensorFormat format) {
        // The user's own data may keep the array that it gives, and change it.
        long[] shape = Objects.requireNonNull(data.shape(), "shape() gave null").clone();
        String head = format.hasHeader() ? data.dataType() + Arrays.toString(shape) : "";
        String text;
        try {
            data.slice();               // data without elements would not notice that it is closed
            text = RaggedShapes.isRagged(shape) ? RaggedPrinter.print(data, shape.length, format) : new TensorPrinter(shape, format).elements(data);
        } catch (TensorClosedException e) {
            text = "(closed)";
        } catch (LostElementException e) {
            text = "(a row has become shorter)";
        }
        if (head.isEmpty()) {
            return text;
        }
        boolean isShort = text.length() <= "[...]".length() || text.charAt(0) != '[' || head.length() + 1 + text.length() <= format.lineWidth();
        return head + (text.startsWith("[[") || text.indexOf('\n') >= 0 || !isShort ? '\n' : ' ') + text;
    }

    private String elements(TensorData<?> data) {
        long count = product(true, MOST_SHOWN);
        if (count == 0 && edge > 0) {
            return "[]";
        }
        if (edge == 0 || shape.length > HIGHEST_RANK && (abridged || count * shape.length > Math.max(MOST_ABRIDGED, format.threshold()))) {
            return "[...]";
        }
        texts = textsOf(data, (int) count);
        if (texts == null) {
            return "[...]";
        }
        if (shape.length > HIGHEST_RANK) {
            readWhole(data);
        } else {
            read(0, data);
        }
        texts.measure(format);
        if (shape.length == 0) {
            return texts.text(0).trim();
        }
        done = 0;
        append();
        return out.toString();
    }

    /** An array for elements of the data's type; null if the type is unknown here. */
    static ElementText textsOf(TensorData<?> data, int count) {
        return data instanceof FloatTensorData ? new FloatText(count)
            : data instanceof DoubleTensorData ? new DoubleText(count)
            : data instanceof IntTensorData ? new IntText(count)
            : data instanceof LongTensorData ? new LongText(count)
            : data instanceof BooleanTensorData ? new BooleanText(count)
            : data instanceof ByteTensorData ? new ByteText(count)
            : data instanceof StringTensorData ? new StringText(count)
            : null;
    }

    private boolean isAbridged(int d) {
        return abridged && shape[d] > 2L * edge;
    }

    /** The position to show after one; the gap of an abridged axis is leapt over. */
    private long next(int d, long at) {
        return isAbridged(d) && at == edge - 1 ? shape[d] - edge : at + 1;
    }

    /** Reads what will be shown of data without its first {@code d} axes. */
    private void read(int d, TensorData<?> data) {
        if (d == shape.length) {
            texts.read(done++, data);
            return;
        }
        for (long i = 0; i < shape[d]; i = next(d, i)) {
            boolean isInt = i < Integer.MAX_VALUE;
            if (isInt && d == shape.length - 1) {
                texts.read(done++, data, (int) i);
            } else {
                read(d + 1, isInt ? data.slice((int) i) : data.slice(TensorIndex.at(i)));
            }
        }
    }

    /** The same for data of which all is shown, row by row: slices of slices would take a time that grows with the square of a high rank. */
    private void readWhole(TensorData<?> data) {
        int last = shape.length - 1;
        int[] at = new int[last];
        int d;
        do {
            TensorData<?> row = data.slice(at.clone());
            for (int i = 0; i < shape[last]; i++) {
                texts.read(done++, row, i);
            }
            for (d = last - 1; d >= 0 && ++at[d] == shape[d]; d--) {
                at[d] = 0;
            }
        } while (d >= 0);
    }

    /** Appends row after row: a loop, since one call for each axis could be too many. */
    private void append() {
        int last = shape.length - 1;
        long[] at = new long[last];
        bracket('[', last);
        int d;
        do {
            appendRow();
            for (d = last - 1; d >= 0 && (at[d] = next(d, at[d])) >= shape[d]; d--) {
                at[d] = 0;
            }
            bracket(']', last - 1 - d);
            if (d >= 0) {
                goOn(d);
                if (isAfterGap(d, at[d])) {
                    out.append("...");
                    goOn(d);
                }
                bracket('[', last - 1 - d);
            }
        } while (d >= 0);
    }

    private void bracket(char bracket, int n) {
        for (int i = 0; i < n; i++) {
            out.append(bracket);
        }
    }

    private boolean isAfterGap(int d, long i) {
        return isAbridged(d) && i == shape[d] - edge;
    }

    /** Goes on to the next position of an axis, below the opening bracket of this one. */
    private void goOn(int d) {
        out.append(',');
        for (int n = d; n < shape.length - 1; n++) {
            out.append('\n');
        }
        ElementText.pad(out, d + 1);
    }

    private void appendRow() {
        int d = shape.length - 1;
        int column = shape.length;
        out.append('[');
        for (long i = 0; i < shape[d]; i = next(d, i)) {
            if (isAfterGap(d, i)) {
                column = appendWord("...", column);
                out.append(", ");
                column += 2;
            }
            column = appendWord(texts.text(done++), column);
            if (i < shape[d] - 1) {
                out.append(", ");
                column += 2;
            }
        }
        out.append(']');
    }

    /** Appends to a row and gives the column after it: on a new line if it and all closing brackets do not fit this one. */
    private int appendWord(String word, int column) {
        int indent = shape.length;
        int width = word.codePointCount(0, word.length());
        if (column > indent && column + width > format.lineWidth() - indent) {
            out.setLength(out.length() - 1);        // the space after the comma
            out.append('\n');
            ElementText.pad(out, indent);
            column = indent;
        }
        out.append(word);
        return column + width;
    }
}
