package io.tensornio.graph;

import io.tensornio.internal.graph.Bar;
import java.util.Map;

/** Listeners that show how far a training is. */
public final class Progress {
    private Progress() {
    }

    /**
     * Writes to {@code System.out}: on a terminal a bar with the steps of the epoch, the loss, the rate of steps and the time left, and a line for
     * each epoch; elsewhere, as in a log, a line now and then.
     *
     * @return a listener, for one training at a time
     */
    public static ProgressListener console() {
        return on(new Bar(System.out, Bar.isTerminal(), System::nanoTime));
    }

    /** A listener that tells a bar. */
    static ProgressListener on(Bar bar) {
        return new ProgressListener() {
            @Override
            public void begin(int epochs, long stepsPerEpoch) {
                bar.begin(epochs, stepsPerEpoch);
            }

            @Override
            public void beforeEpoch(int epoch) {
                bar.beforeEpoch(epoch);
            }

            @Override
            public void progress(int epoch, long step, double loss) {
                bar.step(loss);
            }

            @Override
            public void afterEpoch(History history) {
                int last = history.epochs() - 1;
                double[] validation = history.validationLosses();
                StringBuilder text = new StringBuilder("loss " + Bar.number(history.losses()[last]));
                append(text, "validation", validation[last]);
                for (Map.Entry<String, double[]> metric : history.metrics().entrySet()) {
                    append(text, metric.getKey(), metric.getValue()[last]);
                }
                bar.afterEpoch(last, text + ", " + Bar.time(history.seconds()[last]));
            }
        };
    }

    private static void append(StringBuilder text, String name, double value) {
        if (!Double.isNaN(value)) {
            text.append(", ").append(name).append(' ').append(Bar.number(value));
        }
    }
}
