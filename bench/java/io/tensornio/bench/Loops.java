package io.tensornio.bench;

import java.util.Arrays;

/**
 * The same three loops over elements of one kind, always in the same order. The lengths are fields, so that they are not known
 * when a loop is compiled; each fork runs one of the loops, so that a call site sees what the benchmark means it to see.
 *
 * @param <T> what holds the elements
 */
abstract class Loops<T> {
    final int rows;
    final int columns;

    Loops(int rows, int columns) {
        this.rows = rows;
        this.columns = columns;
    }

    abstract void copy(T from, float[] to);

    abstract void put(T to);

    abstract float max(T from);

    /** What {@link #put} writes. */
    float written(int p) {
        return p / columns + p % columns;
    }

    final float run(Does does, T elements, float[] array) {
        switch (does) {
            case COPY:
                copy(elements, array);
                return array[0];
            case PUT:
                put(elements);
                return 0;
            default:
                return max(elements);
        }
    }

    /** Runs a loop once and fails if it does not do what it should. */
    final void check(Does does, T elements, float[] array, Contents contents) {
        int n = rows * columns;
        float[] before = new float[n];
        float largest = Float.NEGATIVE_INFINITY;
        for (int p = 0; p < n; p++) {
            before[p] = contents.at(p);
            largest = Math.max(largest, before[p]);
        }
        Arrays.fill(array, Float.NaN);
        float result = run(does, elements, array);
        for (int p = 0; p < n; p++) {
            expect(does == Does.PUT ? written(p) : before[p], contents.at(p), "the element", p);
            if (does == Does.COPY) {
                expect(before[p], array[p], "the copy", p);
            }
        }
        if (does == Does.MAX) {
            expect(largest, result, "the largest", 0);
        }
    }

    private void expect(float expected, float actual, String what, int p) {
        if (expected != actual) {
            throw new IllegalStateException(getClass().getSimpleName() + ": " + what + " at " + p + " is " + actual + ", not " + expected);
        }
    }

    /** The elements in the order of the loops, read in another way than the loops do. */
    interface Contents {
        float at(int p);
    }
}
