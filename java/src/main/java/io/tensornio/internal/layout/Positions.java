package io.tensornio.internal.layout;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.IntFunction;

/** Lists of positions: read from a caller's data, or formatted for messages. */
public final class Positions {
    /** The number of positions of a longer list that a message shows. */
    static final int SHOWN = 8;

    private Positions() {
    }

    /** The same positions, as longs, in an array of their own. */
    public static long[] longs(int... positions) {
        return Arrays.stream(Objects.requireNonNull(positions, "positions")).asLongStream().toArray();
    }

    /**
     * Reads positions from data.
     *
     * @throws IllegalArgumentException if its rank is neither 0 nor 1
     */
    public static long[] read(IndexData data, String use) {
        return data.positions(size(data, use));
    }

    /**
     * The number of positions in data.
     *
     * @throws IllegalArgumentException if its rank is neither 0 nor 1
     */
    static long size(IndexData data, String use) {
        data.checkOpen();               // before the shape is checked
        long[] shape = data.shape();
        if (shape.length > 1) {
            throw new IllegalArgumentException("data of shape " + Arrays.toString(shape) + " " + use + ": it must have rank 0 or 1");
        }
        return Shapes.product(shape);
    }

    /**
     * The length of a list.
     *
     * @throws OutOfMemoryError if it is longer than an array can be
     */
    public static int count(long n) {
        if (n > ArrayLength.MOST) {
            throw new OutOfMemoryError("a list of " + n + " positions; an index can have " + ArrayLength.MOST);
        }
        return (int) n;
    }

    /** Positions for a message; at most the first {@link #SHOWN}. */
    public static String text(long... positions) {
        return text(positions.length, SHOWN, n -> positions[n]);
    }

    /** Coordinates for a message; if there are more than the shape has axes, at most the first {@link #SHOWN}. */
    public static String coordinates(long[] shape, int... indices) {
        return "[" + text(indices.length, Math.max(SHOWN, shape.length), n -> indices[n]) + "]";
    }

    /** {@code n} items for a message; if there are more than {@code most}, the first of them. */
    static String text(int n, int most, IntFunction<Object> item) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < n && i < most; i++) {
            text.append(i == 0 ? "" : ", ").append(item.apply(i));
        }
        return n > most ? text + ", ... " + (n - most) + " more" : text.toString();
    }
}
