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

    /**
     * Called before the first step of each epoch, and before the binders that write its first batch, unless that was written ahead after a step of
     * {@link SGD#step}.
     *
     * @param epoch the epoch, counted from 0
     */
    default void beforeEpoch(int epoch) {
    }

    /**
     * Asked after each epoch.
     *
     * @return whether training goes on; if not, no further epoch is begun
     */
    default boolean keepGoing() {
        return true;
    }
}
