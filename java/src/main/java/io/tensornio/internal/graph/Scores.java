package io.tensornio.internal.graph;

import io.tensornio.Tensor;
import java.util.Arrays;
import java.util.List;

/** Metrics over batches, see {@link io.tensornio.graph.Metric}. */
public abstract class Scores {
    private Scores() {
    }

    /** Adds the tensors of a batch. */
    public abstract void add(List<Tensor<?>> batch);

    /** The metric of all batches. */
    public abstract double value();

    /** A sum over elements, divided by their number. */
    private abstract static class Mean extends Scores {
        double sum;
        long count;

        @Override
        public double value() {
            return sum / count;
        }
    }

    private static void checkAlike(String name, Tensor<?> first, Tensor<?> second) {
        if (!Arrays.equals(first.shape(), second.shape())) {
            throw new IllegalArgumentException(name + " is of two tensors of the same shape, not of " + Arrays.toString(first.shape()) + " and "
                + Arrays.toString(second.shape()));
        }
    }

    /** The mean of all elements. */
    public static Scores mean() {
        return new Mean() {
            @Override
            public void add(List<Tensor<?>> batch) {
                for (double element : Elements.doubles(batch.get(0))) {
                    sum += element;
                    count++;
                }
            }
        };
    }

    /** The mean of absolute differences. */
    public static Scores meanAbsoluteError() {
        return new Mean() {
            @Override
            public void add(List<Tensor<?>> batch) {
                checkAlike("mean absolute error", batch.get(0), batch.get(1));
                double[] estimates = Elements.doubles(batch.get(0));
                double[] targets = Elements.doubles(batch.get(1));
                for (int n = 0; n < estimates.length; n++) {
                    sum += Math.abs(estimates[n] - targets[n]);
                    count++;
                }
            }
        };
    }

    /** The part of labels whose logit is the largest. */
    public static Scores accuracy() {
        return new Mean() {
            @Override
            public void add(List<Tensor<?>> batch) {
                long[] shape = batch.get(0).shape();
                long[] labelled = batch.get(1).shape();
                if (shape.length == 0 || !Arrays.equals(Arrays.copyOf(shape, shape.length - 1), labelled)) {
                    throw new IllegalArgumentException("accuracy is of logits and, for each element of all axes but the last, a label, not of "
                        + Arrays.toString(shape) + " and " + Arrays.toString(labelled));
                }
                double[] logits = Elements.doubles(batch.get(0));
                double[] labels = Elements.doubles(batch.get(1));
                int classes = (int) shape[shape.length - 1];
                for (int n = 0; n < labels.length; n++) {
                    sum += largest(logits, n * classes, classes) == labels[n] ? 1 : 0;
                    count++;
                }
            }
        };
    }

    /** The position of the first largest element; -1 if there is none, or one is NaN. */
    private static int largest(double[] of, int from, int count) {
        int largest = count == 0 ? -1 : 0;
        for (int n = 0; n < count; n++) {
            if (Double.isNaN(of[from + n])) {
                return -1;
            }
            largest = of[from + n] > of[from + largest] ? n : largest;
        }
        return largest;
    }

    /** The area under the receiver operating characteristic, by the sum of the ranks of the positives. */
    public static Scores auc() {
        return new Scores() {
            private double[] scores = {};
            private double[] labels = {};

            @Override
            public void add(List<Tensor<?>> batch) {
                checkAlike("auc", batch.get(0), batch.get(1));
                scores = appended(scores, Elements.doubles(batch.get(0)));
                labels = appended(labels, Elements.doubles(batch.get(1)));
            }

            @Override
            public double value() {
                return area(scores, labels);
            }
        };
    }

    private static double[] appended(double[] to, double... more) {
        double[] all = Arrays.copyOf(to, to.length + more.length);
        System.arraycopy(more, 0, all, to.length, more.length);
        return all;
    }

    private static double area(double[] scores, double... labels) {
        Integer[] order = new Integer[scores.length];
        Arrays.setAll(order, n -> n);
        // Doubles of their own kind of order: -0 is less than 0 there, and + 0.0 makes both 0.
        Arrays.sort(order, (a, b) -> Double.compare(scores[a] + 0.0, scores[b] + 0.0));
        double ranks = 0;
        long positives = 0;
        for (int from = 0; from < order.length;) {
            if (Double.isNaN(scores[order[from]])) {
                return Double.NaN;
            }
            int to = from;
            while (to < order.length && scores[order[to]] == scores[order[from]]) {
                to++;
            }
            for (int n = from; n < to; n++) {
                if (labels[order[n]] != 0) {
                    positives++;
                    ranks += (from + 1 + to) / 2.;
                }
            }
            from = to;
        }
        long negatives = order.length - positives;
        return (ranks - positives * (positives + 1.) / 2) / ((double) positives * negatives);
    }
}
