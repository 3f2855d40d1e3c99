package io.tensornio.internal;

import io.tensornio.TensorClosedException;
import io.tensornio.TensorData;
import java.util.Arrays;
import java.util.function.Function;

/**
 * Lays out data as NumPy does: nested brackets, {@code []} for none, columns aligned to the right, a blank line between matrices. Above
 * {@value #ABRIDGED_FROM} elements only the first and last {@value #EDGE} positions of each longer dimension are shown.
 */
final class TensorPrinter {
    private static final int ABRIDGED_FROM = 1000;
    private static final int EDGE = 3;
    /** Where that would still be more elements than this, fewer positions are shown, and of very many dimensions none. */
    private static final int MOST_SHOWN = 4096;
    private static final int HIGHEST_RANK = 32;

    private final long[] shape;
    private final boolean abridged;
    private final Function<long[], String> text;
    private final long[] index;
    private final StringBuilder out = new StringBuilder();
    private int width;
    private int edge = EDGE;

    private TensorPrinter(long[] shape, Function<long[], String> text) {
        this.shape = shape;
        this.text = text;
        abridged = Shapes.product(shape) > ABRIDGED_FROM;
        index = new long[shape.length];
        while (shown() > MOST_SHOWN && edge > 0) {
            edge--;
        }
    }

    /** How many elements are shown, of which there are some. */
    private long shown() {
        long shown = 1;
        for (int d = 0; d < shape.length && shown <= MOST_SHOWN; d++) {
            shown *= isAbridged(d) ? 2 * edge : shape[d];
        }
        return shown;
    }

    private String elements() {
        if (Shapes.product(shape) == 0) {
            return "[]";
        }
        if (edge == 0 || shape.length > HIGHEST_RANK) {
            return "[...]";
        }
        measure(0);
        append(0);
        return out.toString();
    }

    /**
     * The type, the shape and the elements of data; that it is closed, where it is.
     *
     * @param data the data
     * @param text the text of the element at an index
     */
    static String print(TensorData<?> data, Function<long[], String> text) {
        long[] shape = data.shape();
        String head = data.dataType() + Arrays.toString(shape);
        try {
            data.slice();               // data without elements would not notice that it is closed
            String elements = new TensorPrinter(shape, text).elements();
            return head + (elements.startsWith("[[") ? "\n" : " ") + elements;
        } catch (TensorClosedException e) {
            return head + " (closed)";
        }
    }

    private boolean isAbridged(int d) {
        return abridged && shape[d] > 2 * edge;
    }

    /** The position to show after one; the gap of an abridged dimension is leapt over. */
    private long next(int d, long at) {
        return isAbridged(d) && at == edge - 1 ? shape[d] - edge : at + 1;
    }

    /** Finds the widest text that will be shown. */
    private void measure(int d) {
        if (d == shape.length) {
            width = Math.max(width, text.apply(index).length());
            return;
        }
        for (long i = 0; i < shape[d]; i = next(d, i)) {
            index[d] = i;
            measure(d + 1);
        }
    }

    private void append(int d) {
        if (d == shape.length) {
            String element = text.apply(index);
            for (int n = element.length(); n < width; n++) {
                out.append(' ');
            }
            out.append(element);
            return;
        }
        out.append('[');
        boolean gap = false;
        for (long i = 0; i < shape[d]; i = next(d, i)) {
            if (i > 0) {
                separate(d);
                if (isAbridged(d) && !gap && i >= shape[d] - edge) {
                    gap = true;
                    out.append("...");
                    separate(d);
                }
            }
            index[d] = i;
            append(d + 1);
        }
        out.append(']');
    }

    /** Goes on to the next position of a dimension: on the same line for the last one, else below the opening bracket. */
    private void separate(int d) {
        int inner = shape.length - 1 - d;
        out.append(inner == 0 ? ", " : ",");
        for (int n = 0; n < inner; n++) {
            out.append('\n');
        }
        for (int n = 0; inner > 0 && n <= d; n++) {
            out.append(' ');
        }
    }
}
