package io.tensornio.graph;

/** Notified of each step of {@link SGD#train}. */
@FunctionalInterface
public interface ProgressListener {
    /**
     * Called after each step.
     *
     * @param epoch the epoch, counted from 0
     * @param step the step, counted from 0 over all epochs
     * @param loss the mean loss of the step's batch, before the update
     */
    void progress(int epoch, long step, double loss);
}
