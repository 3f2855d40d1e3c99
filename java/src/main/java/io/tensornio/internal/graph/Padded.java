package io.tensornio.internal.graph;

/** One axis of windows that overlap the edges, so that there is one for each stride: {@code ceil(length / stride)}; the odd cell is at the end. */
final class Padded {
    /** How many windows. */
    final long out;
    /** How long a window is. */
    final long size;
    private final long length;
    private final long before;
    private final int stride;

    private Padded(long length, long size, int stride, long before) {
        this.length = length;
        this.size = size;
        this.stride = stride;
        this.before = before;
        out = windows(length, stride);
    }

    /** Windows that count what is around the axis as 0. */
    static Padded zeros(long length, int size, int stride) {
        return new Padded(length, size, stride, Math.max((windows(length, stride) - 1) * stride + size - length, 0) / 2);
    }

    /** Windows in which what is around the axis does not count: what no window has inside is left out, so {@link #padded} is bounded by the axis. */
    static Padded pool(long length, int size, int stride) {
        long before = zeros(length, size, stride).before;
        long skipped = Math.min(Math.max(before - Math.max(windows(length, stride) - 1, 0) * stride, 0), size - 1);
        return new Padded(length, Math.max(Math.min(size, before + length) - skipped, 1), stride, before - skipped);
    }

    private static long windows(long length, int stride) {
        return (length + stride - 1) / stride;
    }

    /** How long the axis is with what is around it. */
    long padded() {
        return Math.max(before + length, (out - 1) * stride + size);
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
