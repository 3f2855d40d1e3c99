package io.tensornio.internal.print;

import io.tensornio.TensorData;
import io.tensornio.TensorFormat;

/** The elements that are shown, and their texts. Each is read once, so that concurrent writes do not break the alignment of columns. */
abstract class ElementText {
    final int count;

    ElementText(int count) {
        this.count = count;
    }

    /** Reads data of rank 0 as element {@code n} of those to show. */
    abstract void read(int n, TensorData<?> data);

    /** Reads position {@code i} of data of rank 1 as element {@code n} of those to show. */
    abstract void read(int n, TensorData<?> row, int i);

    /** Determines the common width of the texts, once all elements were read. */
    abstract void measure(TensorFormat format);

    /** The text of an element, padded to the common width. */
    abstract String text(int n);

    static void pad(StringBuilder text, int spaces) {
        for (int i = 0; i < spaces; i++) {
            text.append(' ');
        }
    }
}
