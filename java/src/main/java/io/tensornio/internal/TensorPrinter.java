package io.tensornio.internal;

import io.tensornio.TensorClosedException;
import io.tensornio.TensorData;
import java.util.Arrays;
import java.util.function.Function;

/**
 * Lays out data as NumPy does: nested brackets, columns aligned to the right, a blank line between matrices. Above
 * {@value #ABRIDGED_FROM} elements only the first and last {@value #EDGE} positions of each longer dimension are shown.
 */
final class TensorPrinter {
    private static final int ABRIDGED_FROM = 1000;
    private static final int EDGE = 3;

    private final long[] shape;
    private final boolean abridged;
    private final Function<int[], String> text;
    private final int[] index;
    private final StringBuilder out = new StringBuilder();
    private int width;

    private TensorPrinter(long[] shape, Function<int[], String> text) {
        this.shape = shape;
        this.text = text;
        long shown = 1;
        for (long size : shape) {
            shown *= Math.max(size, 1);         // a dimension beside an empty one still takes a bracket for each position
        }
        abridged = shown > ABRIDGED_FROM;
        index = new int[shape.length];
    }

    /**
     * The type, the shape and the elements of data; that it is closed, where it is.
     *
     * @param data the data
     * @param text the text of the element at an index
     */
    static String print(TensorData<?> data, Function<int[], String> text) {
        long[] shape = data.shape();
        String head = data.dataType() + Arrays.toString(shape);
        try {
            data.slice();               // data without elements would not notice that it is closed
            TensorPrinter printer = new TensorPrinter(shape, text);
            printer.measure(0);
            printer.append(0);
            return head + (shape.length > 1 ? "\n" : " ") + printer.out;
        } catch (TensorClosedException e) {
            return head + " (closed)";
        }
    }

    private boolean isAbridged(int d) {
        return abridged && shape[d] > 2 * EDGE;
    }

    /** The position to show after one; the gap of an abridged dimension is leapt over. */
    private long next(int d, long at) {
        return isAbridged(d) && at == EDGE - 1 ? shape[d] - EDGE : at + 1;
    }

    /** Finds the widest text that will be shown. */
    private void measure(int d) {
        if (d == shape.length) {
            width = Math.max(width, text.apply(index).length());
            return;
        }
        for (long i = 0; i < shape[d]; i = next(d, i)) {
            index[d] = (int) i;
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
                if (isAbridged(d) && !gap && i >= shape[d] - EDGE) {
                    gap = true;
                    out.append("...");
                    separate(d);
                }
            }
            index[d] = (int) i;
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
