package io.tensornio.internal.data;

/** Positions in sequences; negative ones count from the end. */
public final class Positions {
    private Positions() {
    }

    /** The position of an item: 0 to {@code n - 1}, or -n to -1 for the same from the end. */
    public static int of(int at, int n) {
        return resolve(at, n, n - 1, n);
    }

    /** The position of an item inserted as by ONNX: 0 to {@code n}, or -n to -1, where -1 is before the last item. */
    public static int toInsert(int at, int n) {
        return resolve(at, n, n, n);
    }

    /** The position of an item inserted by {@code add}: 0 to {@code n}, or -(n + 1) to -1, where -1 is after the last item. */
    public static int toAdd(int at, int n) {
        return resolve(at, n, n, n + 1);
    }

    private static int resolve(int at, int n, int highest, int end) {
        int position = at < 0 ? at + end : at;
        if (position < 0 || position > highest) {
            throw new IndexOutOfBoundsException("position " + at + " in a sequence of " + (n == 1 ? "1 item" : n + " items")
                + (highest < 0 ? "" : ", where it can be " + -end + " to " + highest));
        }
        return position;
    }
}
