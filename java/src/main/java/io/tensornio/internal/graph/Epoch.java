package io.tensornio.internal.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The numbers of an epoch of a training; NaN for those that it does not have. */
public final class Epoch {
    private static final int NUMBERS = 4;

    /** The mean loss of its examples. */
    public final double loss;
    /** The mean loss of the validation after it. */
    public final double validation;
    /** The rate of its first step. */
    public final double rate;
    /** How long it took. */
    public final double seconds;
    /** The metrics after it; not to be written. */
    public final double[] metrics;

    /** A new one. */
    public Epoch(double loss, double validation, double rate, double seconds, double... metrics) {
        this.loss = loss;
        this.validation = validation;
        this.rate = rate;
        this.seconds = seconds;
        this.metrics = metrics;
    }

    /**
     * A number of a text that {@code String.valueOf} made.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static double number(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("the checkpoint has `" + text + "` where a number is to be", e);
        }
    }

    /** Epochs as a text, exactly. */
    public static String text(List<Epoch> epochs) {
        List<String> lines = new ArrayList<>();
        for (Epoch epoch : epochs) {
            StringBuilder line = new StringBuilder(epoch.loss + " " + epoch.validation + " " + epoch.rate + " " + epoch.seconds);
            for (double metric : epoch.metrics) {
                line.append(' ').append(metric);
            }
            lines.add(line.toString());
        }
        return String.join(";", lines);
    }

    /**
     * Epochs of a text.
     *
     * @param metrics how many metrics each has
     * @throws IllegalArgumentException if it is none of epochs
     */
    public static List<Epoch> of(String text, int metrics) {
        List<Epoch> epochs = new ArrayList<>();
        for (String line : text.isEmpty() ? new String[0] : text.split(";", -1)) {
            double[] numbers = Arrays.stream(line.split(" ", -1)).mapToDouble(Epoch::number).toArray();
            if (numbers.length != NUMBERS + metrics) {
                throw new IllegalArgumentException("`" + line + "` are no numbers of an epoch with " + metrics + " metrics");
            }
            epochs.add(new Epoch(numbers[0], numbers[1], numbers[2], numbers[3], Arrays.copyOfRange(numbers, NUMBERS, numbers.length)));
        }
        return epochs;
    }
}
