package io.tensornio.graph;

import io.tensornio.Tensor;
import io.tensornio.internal.graph.Best;
import io.tensornio.internal.graph.Checkpoints;
import io.tensornio.internal.graph.Descent;
import io.tensornio.internal.graph.Elements;
import io.tensornio.internal.graph.Epoch;
import io.tensornio.internal.graph.Pass;
import io.tensornio.internal.graph.Variable;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A call of {@link Training#run}: the loop over epochs, and where it is. */
final class TrainingRun {
    private final Training training;
    private final SGD optimizer;
    private final Minibatch minibatch;
    private final List<String> names = new ArrayList<>();
    private final List<Epoch> epochs = new ArrayList<>();
    private long step;
    private double least = Double.POSITIVE_INFINITY;
    private int best = -1;
    private int waited;
    private boolean isStopped;
    private @Nullable Best kept;

    TrainingRun(Training training, SGD optimizer, Minibatch minibatch) {
        this.training = training;
        this.optimizer = optimizer;
        this.minibatch = minibatch;
        training.metrics.forEach(metric -> names.add(metric.name()));
    }

    History run() {
        kept = training.best == null ? null : new Best(training.cg.model);
        try {
            if (training.checkpoint != null && Files.exists(training.checkpoint)) {
                resume();
            }
            for (ProgressListener listener : training.listeners) {
                listener.begin(training.epochs, minibatch.batches.perEpoch());
            }
            isStopped = isOver();
            while (!isStopped && epochs.size() < training.epochs) {
                epoch(epochs.size());
            }
            if (kept != null && best >= 0) {
                kept.restore();
            }
            return history();
        } finally {
            if (kept != null) {
                kept.drop();
            }
        }
    }

    private History history() {
        return new History(epochs, names, best, isStopped);
    }

    private boolean isOver() {
        return training.patience > 0 && waited >= training.patience;
    }

    private void epoch(int epoch) {
        for (ProgressListener listener : training.listeners) {
            listener.beforeEpoch(epoch);
        }
        long start = System.nanoTime();
        double rate = optimizer.currentRate();
        double loss = steps(epoch);
        double[] metrics = new double[names.size()];
        Arrays.fill(metrics, Double.NaN);
        double validation = Double.NaN;
        boolean isJudged = training.validation == null;
        if (training.validation != null && (epoch + 1) % training.validateEvery == 0) {
            validation = judge(training.validation, true, metrics);
            isJudged = true;
        } else if (training.validation == null && metrics.length > 0) {
            judge(minibatch, false, metrics);
        }
        epochs.add(new Epoch(loss, validation, rate, (System.nanoTime() - start) / 1e9, metrics));
        if (isJudged) {
            compare(epoch, training.validation == null ? loss : validation);
        }
        isStopped = isOver();
        boolean isLast = epochs.size() >= training.epochs;
        History soFar = history();
        for (ProgressListener listener : training.listeners) {
            listener.afterEpoch(soFar);
        }
        for (ProgressListener listener : training.listeners) {
            isStopped |= !listener.keepGoing();
        }
        if (training.checkpoint != null && (isStopped || isLast || epochs.size() % training.checkpointEvery == 0)) {
            Map<String, String> notes = notes();
            Checkpoints.toFile(training.checkpoint, out -> Checkpoints.save(optimizer.descent, kept, notes, out));
        }
    }

    private double steps(int epoch) {
        Descent.Outcome outcome = new Descent.Outcome();
        double sum = 0;
        long examples = 0;
        do {
            optimizer.descent.step(minibatch.batches, outcome);
            sum += outcome.loss * outcome.examples;
            examples += outcome.examples;
            for (ProgressListener listener : training.listeners) {
                listener.progress(epoch, step, outcome.loss);
            }
            step++;
        } while (!outcome.isLast);
        return sum / examples;
    }

    /** Evaluates metrics and, if it is wanted, the loss, of all examples. */
    private double judge(Minibatch of, boolean withLoss, double... metrics) {
        List<Variable> wanted = new ArrayList<>();
        if (withLoss) {
            wanted.add(training.cg.model.graph.loss);
        }
        List<Metric.Tally> tallies = new ArrayList<>();
        for (Metric metric : training.metrics) {
            tallies.add(metric.begin());
            metric.syms.forEach(sym -> wanted.add(sym.variable));
        }
        double[] sums = new double[2];
        new Pass(training.cg.model, of.batches, wanted).run((made, isBatched, examples) -> {
            int at = 0;
            if (withLoss) {
                sums[0] += sum(made.get(at)) * (isBatched[at] ? 1 : examples);
                sums[1] += examples;
                at++;
            }
            for (int n = 0; n < tallies.size(); n++) {
                int count = training.metrics.get(n).syms.size();
                tallies.get(n).add(made.subList(at, at + count));
                at += count;
            }
        });
        for (int n = 0; n < metrics.length; n++) {
            metrics[n] = tallies.get(n).value();
        }
        return sums[0] / sums[1];
    }

    private static double sum(Tensor<?> of) {
        double sum = 0;
        for (double element : Elements.doubles(of)) {
            sum += element;
        }
        return sum;
    }

    private void compare(int epoch, double loss) {
        if (loss < least) {
            least = loss;
            best = epoch;
            waited = 0;
            if (kept != null) {
                kept.keep();
                training.cg.save(training.best);
            }
        } else {
            waited++;
        }
    }

    private String metricNames() {
        return names.toString();
    }

    private Map<String, String> notes() {
        Map<String, String> notes = new HashMap<>();
        note(notes, "batch", minibatch.batches.size());
        note(notes, "examples", minibatch.batches.count());
        note(notes, "position", minibatch.position());
        note(notes, "metrics", metricNames());
        note(notes, "validated", training.validation != null);
        note(notes, "kept", kept != null);
        note(notes, "step", step);
        note(notes, "least", least);
        note(notes, "best", best);
        note(notes, "waited", waited);
        note(notes, "epochs", Epoch.text(epochs));
        return notes;
    }

    private static void note(Map<String, String> notes, String key, Object value) {
        notes.put(Checkpoints.NOTE + key, String.valueOf(value));
    }

    private static String noted(Map<String, String> notes, String key) {
        String text = notes.get(Checkpoints.NOTE + key);
        if (text == null) {
            throw new IllegalArgumentException("the checkpoint is not of a whole training: " + (notes.isEmpty() ? "it is of a descent"
                : "it has no `" + key + "`"));
        }
        return text;
    }

    private static long number(Map<String, String> notes, String key) {
        String text = noted(notes, key);
        if (!text.matches("-?[0-9]{1,18}")) {
            throw new IllegalArgumentException("the checkpoint has `" + text + "` as `" + key + "`, which is no number");
        }
        return Long.parseLong(text);
    }

    private void refuse(Map<String, String> notes, String key, Object own, String what) {
        String other = noted(notes, key);
        if (!other.equals(String.valueOf(own))) {
            throw new IllegalArgumentException("the checkpoint " + training.checkpoint + " is of a training with " + what + " " + other
                + "; this one's is " + own);
        }
    }

    private void resume() {
        long[] position = new long[1];
        Checkpoints.fromFile(training.checkpoint, in -> Checkpoints.load(optimizer.descent, kept, notes -> {
            refuse(notes, "batch", minibatch.batches.size(), "batch size");
            refuse(notes, "examples", minibatch.batches.count(), "number of examples");
            refuse(notes, "metrics", metricNames(), "metrics");
            refuse(notes, "validated", training.validation != null, "validation");
            refuse(notes, "kept", kept != null, "keepBest");
            List<Epoch> before = Epoch.of(noted(notes, "epochs"), names.size());
            int bestBefore = (int) number(notes, "best");
            double leastBefore = Epoch.number(noted(notes, "least"));
            int waitedBefore = (int) number(notes, "waited");
            long stepBefore = number(notes, "step");
            position[0] = number(notes, "position");
            if (position[0] < 0) {
                throw new IllegalArgumentException("the checkpoint has `" + position[0] + "` as its position");
            }
            epochs.addAll(before);
            best = bestBefore;
            least = leastBefore;
            waited = waitedBefore;
            step = stepBefore;
        }, in));
        minibatch.seek(position[0]);
        if (kept != null && best >= 0) {
            Checkpoints.toFile(training.best, out -> Checkpoints.save(kept, out));
        }
    }
}
