package io.tensornio.graph;

/** Notified of each step of a {@link Training}, or of {@link SGD#train}. */
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
     * Called as training begins.
     *
     * @param epochs how many epochs there will be, at most, with those before a checkpoint that is resumed
     * @param stepsPerEpoch how many steps each has; -1 if that is not known
     */
    default void begin(int epochs, long stepsPerEpoch) {
    }

    /**
     * Called before the first step of each epoch, and before the binders that write its first batch, unless that was written ahead after a step of
     * {@link SGD#step}.
     *
     * @param epoch the epoch, counted from 0
     */
    default void beforeEpoch(int epoch) {
    }

    /**
     * Called after each epoch of a {@link Training}, once all is validated.
     *
     * @param history all epochs so far
     */
    default void afterEpoch(History history) {
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
