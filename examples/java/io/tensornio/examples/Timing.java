package io.tensornio.examples;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * How long steps take with tensors and with nested arrays. Both are warmed up first and then measured in turn; what counts is the
 * median of the rounds.
 */
final class Timing {
    private static final long WARM_UP_NANOS = 400_000_000L;
    private static final int WARM_UP_ROUNDS = 10;
    private static final int ROUNDS = 21;
    /** A round repeats a step until the clock can tell. */
    private static final long ROUND_NANOS = 2_000_000L;
    /** Differences below this are noise. */
    private static final double NOISE = 1.1;

    private final List<String> rows = new ArrayList<>();
    /** Takes the results, so that the compiler cannot leave the work out. */
    private volatile Object sink;

    /** Times two ways to do a step, each giving its result. */
    void compare(String step, Supplier<?> tensors, Supplier<?> arrays) {
        int tensorRepeats = warmUp(tensors);
        int arrayRepeats = warmUp(arrays);
        double[] t = new double[ROUNDS];
        double[] a = new double[ROUNDS];
        for (int r = 0; r < ROUNDS; r++) {
            t[r] = nanos(tensors, tensorRepeats);
            a[r] = nanos(arrays, arrayRepeats);
        }
        Arrays.sort(t);
        Arrays.sort(a);
        double tensorNanos = t[ROUNDS / 2];
        double arrayNanos = a[ROUNDS / 2];
        rows.add(String.format(Locale.ROOT, "  %-48s%11s%11s   %s", step, time(tensorNanos), time(arrayNanos),
            verdict(arrayNanos / tensorNanos)));
    }

    /** Runs a step until it is compiled; the number of times that make a round. */
    private int warmUp(Supplier<?> step) {
        long start = System.nanoTime();
        for (int n = 0; n < WARM_UP_ROUNDS || System.nanoTime() - start < WARM_UP_NANOS; n++) {
            sink = step.get();
        }
        return (int) Math.max(1, ROUND_NANOS / Math.max(1, nanos(step, 10)));
    }

    private double nanos(Supplier<?> step, int repeats) {
        long start = System.nanoTime();
        for (int n = 0; n < repeats; n++) {
            sink = step.get();
        }
        return (System.nanoTime() - start) / (double) repeats;
    }

    private static String time(double nanos) {
        return nanos < 1e3 ? String.format(Locale.ROOT, "%.0f ns", nanos)
            : nanos < 1e6 ? String.format(Locale.ROOT, "%.1f us", nanos / 1e3)
            : String.format(Locale.ROOT, "%.2f ms", nanos / 1e6);
    }

    private static String verdict(double ratio) {
        return ratio >= NOISE ? String.format(Locale.ROOT, "%,.1f times as fast", ratio)
            : ratio > 1 / NOISE ? "the same"
            : String.format(Locale.ROOT, "%.1f times as slow", 1 / ratio);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "  %-48s%11s%11s   %s%n", "median time of a step", "tensors", "arrays", "tensors are")
            + String.join(System.lineSeparator(), rows);
    }
}
