package io.tensornio.graph;

import io.tensornio.internal.graph.Chart;
import io.tensornio.internal.graph.Epoch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** What a {@link Training} notes of its epochs. Numbers that an epoch does not have, because nothing was validated after it, are NaN. Immutable. */
public final class History {
    private final List<Epoch> epochs;
    private final List<String> names;
    private final int best;
    private final boolean isStopped;

    History(List<Epoch> epochs, List<String> names, int best, boolean isStopped) {
        this.epochs = Collections.unmodifiableList(new ArrayList<>(epochs));
        this.names = names;
        this.best = best;
        this.isStopped = isStopped;
    }

    private double[] each(ToDoubleFunction<Epoch> what) {
        return epochs.stream().mapToDouble(what).toArray();
    }

    /**
     * The number of epochs.
     *
     * @return how many there were, of which a resumed training has made only the last ones
     */
    public int epochs() {
        return epochs.size();
    }

    /**
     * The mean loss of the examples of each epoch, each before the step on its batch.
     *
     * @return a new array
     */
    public double[] losses() {
        return each(epoch -> epoch.loss);
    }

    /**
     * The mean loss of all examples of the validation, after each epoch.
     *
     * @return a new array
     */
    public double[] validationLosses() {
        return each(epoch -> epoch.validation);
    }

    /**
     * A metric after each epoch.
     *
     * @param name its name
     * @return a new array
     * @throws IllegalArgumentException if there is no metric of that name
     */
    public double[] metric(String name) {
        int place = names.indexOf(name);
        if (place < 0) {
            throw new IllegalArgumentException("there is no metric `" + name + "`; there are " + names);
        }
        return each(epoch -> epoch.metrics[place]);
    }

    /**
     * All metrics after each epoch.
     *
     * @return new arrays by name, in the order in which the training has them
     */
    public Map<String, double[]> metrics() {
        Map<String, double[]> all = new LinkedHashMap<>();
        names.forEach(name -> all.put(name, metric(name)));
        return all;
    }

    /**
     * The learning rate of the first step of each epoch.
     *
     * @return a new array
     */
    public double[] rates() {
        return each(epoch -> epoch.rate);
    }

    /**
     * How long each epoch took, with its validation.
     *
     * @return a new array of seconds
     */
    public double[] seconds() {
        return each(epoch -> epoch.seconds);
    }

    /**
     * The epoch with the smallest loss of the validation; without a validation, of the training.
     *
     * @return the epoch, counted from 0; -1 if there is none
     */
    public int best() {
        return best;
    }

    /**
     * Whether the training ended before all its epochs, because its listener did not keep going, or by {@link Training#stopEarly}.
     *
     * @return whether it was stopped
     */
    public boolean stopped() {
        return isStopped;
    }

    private boolean isValidated() {
        return epochs.stream().anyMatch(epoch -> !Double.isNaN(epoch.validation));
    }

    /**
     * A table of comma-separated values: a line of names, {@code epoch,loss,validation,rate,seconds} and those of metrics, and a line for each epoch.
     * A number that is NaN is an empty cell.
     *
     * @return the text, whose lines end in a line feed
     */
    public String toCsv() {
        StringBuilder csv = new StringBuilder("epoch,loss,validation,rate,seconds");
        for (String name : names) {
            boolean isQuoted = name.matches("(?s).*[\",\r\n].*");
            csv.append(',').append(isQuoted ? '"' + name.replace("\"", "\"\"") + '"' : name);
        }
        csv.append('\n');
        for (int n = 0; n < epochs.size(); n++) {
            Epoch epoch = epochs.get(n);
            csv.append(n);
            for (double number : new double[] {epoch.loss, epoch.validation, epoch.rate, epoch.seconds}) {
                csv.append(',').append(cell(number));
            }
            for (double number : epoch.metrics) {
                csv.append(',').append(cell(number));
            }
            csv.append('\n');
        }
        return csv.toString();
    }

    private static String cell(double number) {
        return Double.isNaN(number) ? "" : String.valueOf(number);
    }

    /**
     * Curves by epoch as an image in SVG: losses, and below them each metric.
     *
     * @return a whole document
     */
    public String toSvg() {
        List<Chart> charts = new ArrayList<>();
        Chart losses = new Chart("loss").line("training", losses());
        charts.add(isValidated() ? losses.line("validation", validationLosses()) : losses);
        metrics().forEach((name, values) -> charts.add(new Chart(name).line(name, values)));
        return Chart.svg(charts);
    }
}
