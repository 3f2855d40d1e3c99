package io.tensornio.internal.graph;

/** One axis of windows that overlap the edges, so that there is one for each stride: {@code ceil(length / stride)}; the odd cell is at the end. */
final class Padded {
    /** How many windows. */
    final long out;
    private final long length;
    private final long before;
    private final long total;
    private final int stride;

    Padded(long length, int size, int stride) {
        this.length = length;
        this.stride = stride;
        out = (length + stride - 1) / stride;
        total = Math.max((out - 1) * stride + size - length, 0);
        before = total / 2;
    }

    /** How long the axis is with what is around it. */
    long padded() {
        return length + total;
    }

    private String moved(String index) {
        return before == 0 ? index : index + " - " + before;
    }

    /** Where the element of a window lies. */
    String index(String window, String element) {
        return moved((stride == 1 ? "" : stride + "*") + window + " + " + element);
    }

    /** Where an element of the padded axis lies. */
    String shifted(String padded) {
        return moved(padded);
    }

    /** Whether an element of the padded axis is one of the axis. */
    String isInside(String padded) {
        return padded + " >= " + before + " and " + padded + " < " + (before + length);
    }
}
