package io.tensornio.internal.graph;

/** The numbers of a {@link Rule}, which may change between steps. */
public final class Settings {
    /** How far a step goes. */
    public double rate;
    /** How much of its last way it goes on. */
    public double momentum;
    /** How much of the mean square of gradients is kept. */
    public double rho = .9;
    /** What keeps a divisor from being 0. */
    public double epsilon = 1e-8;
    /** How much of the mean of gradients is kept. */
    public double beta1 = .9;
    /** How much of the mean square of gradients is kept, by Adam. */
    public double beta2 = .999;

    /** Those of a rate. */
    public Settings(double rate) {
        this.rate = rate;
    }
}
