package io.tensornio.internal.graph;

/** One axis of windows with same padding, so that there are {@code ceil(length / stride)}; an odd cell of padding is at the end. */
final class Padded {
    /** The number of windows. */
    final long out;
    /** The length of a window. */
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

    /** Windows with zero padding. */
    static Padded zeros(long length, int size, int stride) {
        return new Padded(length, size, stride, Math.max((windows(length, stride) - 1) * stride + size - length, 0) / 2);
    }

    /** Windows that ignore padding: the part of a window that is always padding is cut off, so that the axis bounds {@link #padded}. */
    static Padded pool(long length, int size, int stride) {
        long before = zeros(length, size, stride).before;
        long skipped = Math.min(Math.max(before - Math.max(windows(length, stride) - 1, 0) * stride, 0), size - 1);
        return new Padded(length, Math.max(Math.min(size, before + length) - skipped, 1), stride, before - skipped);
    }

    private static long windows(long length, int stride) {
        return (length + stride - 1) / stride;
    }

    /** The length of the axis with padding. */
    long padded() {
        return Math.max(before + length, (out - 1) * stride + size);
    }

    private String moved(String index) {
        return before == 0 ? index : index + " - " + before;
    }

    /** The index of an element of a window. */
    String index(String window, String element) {
        return moved((stride == 1 ? "" : stride + "*") + window + " + " + element);
    }

    /** The index of an element of the padded axis. */
    String shifted(String padded) {
        return moved(padded);
    }

    /** Whether an element of the padded axis is one of the axis. */
    String isInside(String padded) {
        return padded + " >= " + before + " and " + padded + " < " + (before + length);
    }
}
