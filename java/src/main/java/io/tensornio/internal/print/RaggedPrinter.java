package io.tensornio.internal.print;

import io.tensornio.TensorData;
import io.tensornio.TensorFormat;
import io.tensornio.TensorIndex;
import io.tensornio.internal.layout.RangeIndex;
import java.util.Arrays;

/**
 * Lays out ragged data: nested brackets, {@code []} for an empty row, elements and rows wrapped into lines of limited
 * width, and for large data only the first and last positions of each long row.
 */
final class RaggedPrinter {
    /** The maximum number of elements and rows that are shown. */
    private static final int MOST_SHOWN = 1 << 20;
    private static final int MOST_ABRIDGED = 1 << 17;
    /** The maximum rank of data that is shown. */
    private static final int HIGHEST_RANK = 1 << 8;

    private final TensorFormat format;
    private final int edge;
    private final boolean abridged;
    private final ElementText texts;
    private int done;
    private final StringBuilder out = new StringBuilder();
    /** The next word, up to a comma, and the number of open brackets at its start. */
    private final StringBuilder word = new StringBuilder();
    private int indent;
    private int open;
    private int column;

    private RaggedPrinter(TensorData<?> data, int rank, TensorFormat format) {
        this.format = format;
        int most = Math.min(format.threshold(), MOST_SHOWN);
        abridged = positions(data, rank, Integer.MAX_VALUE, most) > most;
        int shown = Math.min(format.edgeItems(), MOST_SHOWN);
        while (abridged && shown > 0 && positions(data, rank, shown, Math.max(MOST_ABRIDGED, most)) > Math.max(MOST_ABRIDGED, most)) {
            shown -= Math.max(1, shown / 16);
        }
        edge = shown;
        texts = edge == 0 && abridged ? null : TensorPrinter.textsOf(data, elements(data, rank));
    }

    /**
     * The elements of data.
     *
     * @param rank the rank of the data: that of slices of user-defined data is not used, so that this terminates
     */
    static String print(TensorData<?> data, int rank, TensorFormat format) {
        TensorData<?> now = data.slice(RangeIndex.ALL);         // a snapshot, since rows may grow meanwhile
        RaggedPrinter printer = rank > HIGHEST_RANK ? null : new RaggedPrinter(now, rank, format);
        if (printer == null || printer.texts == null) {
            return "[...]";
        }
        printer.read(now, rank);
        printer.texts.measure(format);
        printer.done = 0;
        printer.append(now, rank);
        printer.flush();
        return printer.out.toString();
    }

    /** The size of the first axis; checks that user-defined data does not return -1 for it. */
    private static long size(TensorData<?> data) {
        long n = data.size(0);
        if (n < 0) {
            throw new IllegalStateException("data of the shape " + Arrays.toString(data.shape()) + " answers that it has " + n
                + " positions on axis 0");
        }
        return n;
    }

    /** The number of positions that are shown on all axes, counted up to {@code enough} plus 1. */
    private static long positions(TensorData<?> data, int rank, int edge, long enough) {
        long n = size(data);
        boolean cut = edge < Integer.MAX_VALUE && n > 2L * edge;
        long count = cut ? 2L * edge : n;
        for (long i = 0; i < n && count <= enough && rank > 1; i = cut && i == edge - 1 ? n - edge : i + 1) {
            count += positions(slice(data, i), rank - 1, edge, enough - count);
        }
        return Math.min(count, enough + 1);
    }

    private static TensorData<?> slice(TensorData<?> data, long i) {
        return i <= Integer.MAX_VALUE ? data.slice((int) i) : data.slice(TensorIndex.at(i));
    }

    /** Reads an element of data of rank 1. */
    private void readElement(TensorData<?> row, long i) {
        if (i <= Integer.MAX_VALUE) {
            texts.read(done++, row, (int) i);
        } else {
            texts.read(done++, slice(row, i));
        }
    }

    private long next(long i, long n) {
        return isCut(n) && i == edge - 1 ? n - edge : i + 1;
    }

    private boolean isCut(long n) {
        return abridged && n > 2L * edge;
    }

    private int elements(TensorData<?> data, int rank) {
        long n = size(data);
        if (rank == 1) {
            return (int) (isCut(n) ? 2L * edge : n);
        }
        int count = 0;
        for (long i = 0; i < n; i = next(i, n)) {
            count += elements(slice(data, i), rank - 1);
        }
        return count;
    }

    private void read(TensorData<?> data, int rank) {
        long n = size(data);
        for (long i = 0; i < n; i = next(i, n)) {
            if (rank == 1) {
                readElement(data, i);
            } else {
                read(slice(data, i), rank - 1);
            }
        }
    }

    private void append(TensorData<?> data, int rank) {
        long n = size(data);
        word.append('[');
        open++;
        for (long i = 0; i < n; i = next(i, n)) {
            if (i > 0) {
                comma();
            }
            if (isCut(n) && i == n - edge) {
                word.append("...");
                comma();
            }
            if (rank == 1) {
                word.append(texts.text(done++).trim());
            } else {
                append(slice(data, i), rank - 1);
            }
        }
        word.append(']');
        open--;
    }

    private void comma() {
        word.append(',');
        flush();
        indent = open;
    }

    /** Appends the word to the line, or to a new one if it does not fit. */
    private void flush() {
        if (column > 0 && column + 1 + word.length() > format.lineWidth()) {
            out.append('\n');
            ElementText.pad(out, indent);
            column = indent;
        } else if (column > 0) {
            out.append(' ');
            column++;
        }
        out.append(word);
        column += word.length();
        word.setLength(0);
    }
}
