package io.tensornio.graph;

import java.util.Objects;
import java.util.function.LongToDoubleFunction;

/** Schedules of learning rates: functions from the number of steps so far to the rate of the next one. See {@link SGD#rate(LongToDoubleFunction)}. */
public final class Schedule {
    private Schedule() {
    }

    private static double checked(String name, double value) {
        if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(name + " is to be a number from 0 on, not " + value);
        }
        return value;
    }

    /**
     * The same rate for all steps.
     *
     * @param rate the rate
     * @return a schedule
     * @throws IllegalArgumentException if it is negative or not finite
     */
    public static LongToDoubleFunction constant(double rate) {
        double value = checked("rate", rate);
        return step -> value;
    }

    /**
     * A rate that is multiplied by a factor after each step: {@code rate * factor^step}.
     *
     * @param rate the rate of the first step
     * @param factor the factor
     * @return a schedule
     * @throws IllegalArgumentException if a number is negative or not finite
     */
    public static LongToDoubleFunction exponential(double rate, double factor) {
        return step(rate, factor, 1);
    }

    /**
     * A rate that is multiplied by a factor after every so many steps: {@code rate * factor^floor(step / every)}.
     *
     * @param rate the rate of the first steps
     * @param factor the factor
     * @param every after how many steps
     * @return a schedule
     * @throws IllegalArgumentException if a number is negative or not finite, or {@code every} is not positive
     */
    public static LongToDoubleFunction step(double rate, double factor, long every) {
        double first = checked("rate", rate);
        double each = checked("factor", factor);
        if (every <= 0) {
            throw new IllegalArgumentException("every is to be a positive number of steps, not " + every);
        }
        return step -> first * Math.pow(each, step / every);
    }

    /**
     * Rates that hold up to given steps.
     *
     * @param ends the step at which each rate but the last ends, increasing
     * @param rates the rates, one more
     * @return a schedule
     * @throws IllegalArgumentException if there is not one rate more than there are ends, ends do not increase, or a rate is negative or not finite
     */
    public static LongToDoubleFunction piecewise(long[] ends, double... rates) {
        long[] until = Objects.requireNonNull(ends, "ends").clone();
        double[] each = Objects.requireNonNull(rates, "rates").clone();
        if (each.length != until.length + 1) {
            throw new IllegalArgumentException(until.length + " ends and " + each.length + " rates: there is one rate more");
        }
        for (int n = 0; n < each.length; n++) {
            checked("rate " + n, each[n]);
            if (n > 0 && n < until.length && until[n] <= until[n - 1]) {
                throw new IllegalArgumentException("the ends do not increase: " + until[n - 1] + ", " + until[n]);
            }
        }
        return step -> {
            int n = 0;
            while (n < until.length && step >= until[n]) {
                n++;
            }
            return each[n];
        };
    }

    /**
     * A rate that rises in equal steps, {@code rate * (step + 1) / warmUp}, and then falls as half a cosine to 0, where it stays (Loshchilov, Hutter:
     * SGDR, 2017): {@code rate * (1 + cos(pi * (step - warmUp) / (steps - warmUp))) / 2}.
     *
     * @param rate the highest rate
     * @param steps after how many steps it is 0
     * @param warmUp during how many of these it rises
     * @return a schedule
     * @throws IllegalArgumentException if the rate is negative or not finite, or {@code 0 <= warmUp < steps} does not hold
     */
    public static LongToDoubleFunction cosine(double rate, long steps, long warmUp) {
        double highest = checked("rate", rate);
        if (warmUp < 0 || warmUp >= steps) {
            throw new IllegalArgumentException("a warm-up of " + warmUp + " of " + steps + " steps: it is from 0 on, and shorter than all");
        }
        return step -> step < warmUp ? highest * (step + 1) / warmUp
            : step >= steps ? 0 : highest * (1 + Math.cos(Math.PI * (step - warmUp) / (steps - warmUp))) / 2;
    }
}
