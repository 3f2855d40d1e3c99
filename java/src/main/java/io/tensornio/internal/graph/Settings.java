package io.tensornio.internal.graph;

/** The numbers of a {@link Rule}, which may change between steps. */
public final class Settings {
    /** The learning rate. */
    public double rate;
    /** The momentum. */
    public double momentum;
    /** The decay of the mean square of gradients. */
    public double rho = .9;
    /** The constant that keeps a divisor from being 0. */
    public double epsilon = 1e-8;
    /** The decay of the mean of gradients, for Adam. */
    public double beta1 = .9;
    /** The decay of the mean square of gradients, for Adam. */
    public double beta2 = .999;

    /** Default settings with a learning rate. */
    public Settings(double rate) {
        this.rate = rate;
    }
}
