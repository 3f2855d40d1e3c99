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
 * Lays out data of any implementation like NumPy: nested brackets, {@code []} if empty, elements of one width, long
 * rows wrapped, a blank line between matrices, and for large data only the first and last positions of each long axis.
 */
public final class TensorPrinter {
    /** The maximum number of elements that are shown in any case. */
    private static final int MOST_SHOWN = 1 << 24;
    /** The maximum number of elements of abridged data: if exceeded, fewer positions are shown, and with very many axes none. */
    private static final int MOST_ABRIDGED = 1 << 17;
    /** With more axes, data is shown only if whole, and if elements times axes are few, since there are brackets for each axis. */
    private static final int HIGHEST_RANK = 32;

    private final TensorFormat format;
    private final long[] shape;
    private final boolean abridged;
    private int edge;
    private ElementText texts;
    /** The number of elements read, or written. */
    private int done;
    private final StringBuilder out = new StringBuilder();

    private TensorPrinter(long[] shape, TensorFormat format) {
        this.shape = shape;
        this.format = format;
        edge = Math.min(format.edgeItems(), MOST_SHOWN);
        abridged = product(false, MOST_SHOWN) > Math.min(format.threshold(), MOST_SHOWN);
        // Always enough for the requested positions of a matrix; with more axes they multiply.
        long most = Math.min(MOST_SHOWN, Math.max(Math.max(MOST_ABRIDGED, format.threshold()), 4L * edge * edge));
        while (abridged && edge > 0 && product(true, most) > most) {
            edge -= Math.max(1, edge / 16);
        }
    }

    /** The number of elements, in total or shown; counting stops at {@code enough}. */
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
     * The type, the shape and the elements of data; or that it is closed, or a view of a row that was shortened.
     *
     * @param data the data
     * @param format how to lay it out
     * @return the text
     */
    public static String print(TensorData<?> data, TensorFormat format) {
        // User-defined data may keep and change the array that it returns.
        long[] shape = Objects.requireNonNull(data.shape(), "shape() gave null").clone();
        String head = format.hasHeader() ? data.dataType() + Arrays.toString(shape) : "";
        String text;
        try {
            data.slice();               // throws if it is closed, even if it is empty
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

    /** The next position to show; skips the gap of an abridged axis. */
    private long next(int d, long at) {
        return isAbridged(d) && at == edge - 1 ? shape[d] - edge : at + 1;
    }

    /** Reads the elements to show of a sub-tensor at depth {@code d}. */
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

    /** The same for data that is not abridged, row by row: nested slices would take time quadratic in the rank. */
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

    /** Appends all rows: a loop, since recursion over many axes could overflow the stack. */
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

    /** Continues with the next position of an axis, aligned with the opening bracket of this one. */
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

    /** Appends a word to a row and returns the column after it: on a new line if the word and all closing brackets do not fit. */
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
