package io.tensornio.internal.op;

import io.tensornio.DataType;
import io.tensornio.Tensor;
import io.tensornio.internal.compute.Cast;

/** Equidistant numbers. */
public final class Ranges {
    /** The maximum number of bytes of a tensor. */
    private static final int MOST_NUMBERS = Integer.MAX_VALUE;

    private Ranges() {
    }

    /** FLOAT; computed in DOUBLE. */
    public static Tensor<?> of(float start, float end, float step) {
        return run(DataType.FLOAT, (double) start, (double) step, length((double) start, end, step));
    }

    /** DOUBLE. */
    public static Tensor<?> of(double start, double end, double step) {
        return run(DataType.DOUBLE, start, step, length(start, end, step));
    }

    /** INT32. */
    public static Tensor<?> of(int start, int end, int step) {
        return run(DataType.INT32, (long) start, (long) step, length((long) start, end, step));
    }

    /** INT64. */
    public static Tensor<?> of(long start, long end, long step) {
        return run(DataType.INT64, start, step, length(start, end, step));
    }

    private static Tensor<?> run(DataType type, Number start, Number step, long length) {
        String exact = start instanceof Double ? "double" : "long";
        String text = "y[i] = " + Cast.word(type) + "(" + exact + "(i) * step + start) where i in 0:" + length;
        return Texts.run(text, step, start);
    }

    private static long length(double start, double end, double step) {
        double length = Math.max(0, Math.ceil((end - start) / step));
        if (step == 0 || !(length <= MOST_NUMBERS)) {
            throw refused(start, end, step);
        }
        return (long) length;
    }

    private static long length(long start, long end, long step) {
        if (step == 0) {
            throw refused(start, end, step);
        }
        if (step > 0 ? end <= start : end >= start) {
            return 0;
        }
        long distance = step > 0 ? end - start : start - end;
        long length = Long.divideUnsigned(distance - 1, Math.abs(step)) + 1;
        if (length < 0 || length > MOST_NUMBERS) {
            throw refused(start, end, step);
        }
        return length;
    }

    private static IllegalArgumentException refused(Number start, Number end, Number step) {
        return new IllegalArgumentException("no range goes from " + start + " to " + end + " by steps of " + step
            + ": it must have 0 to " + MOST_NUMBERS + " numbers");
    }
}
