package io.tensornio.internal.graph;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongToDoubleFunction;

/** The numbers of a {@link Rule} and of what is done with gradients before it. Numbers may change between steps, all else makes another program. */
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
    /** The rate of each step by how many there were before it; null if it is that number. */
    public volatile LongToDoubleFunction schedule;
    /** The limit of each element of a gradient; infinite if there is none. */
    public double clipValue = Double.POSITIVE_INFINITY;
    /** The limit of the norm of all gradients; infinite if there is none. */
    public double clipNorm = Double.POSITIVE_INFINITY;
    /** The decay of weights; 0 if there is none. */
    public double decay;
    /** Whether parameters of rank 0 and 1 decay, too. */
    public boolean decaysAll;
    /** The seed of what is random in a step. */
    public volatile long seed;
    /** The factors of the rates of parameters; 1 where there is none. */
    public final Map<Variable, Double> factors = new HashMap<>();
    /** The parameters that stay as they are. */
    public final Set<Variable> frozen = new HashSet<>();

    /** Default settings with a learning rate. */
    public Settings(double rate) {
        this.rate = rate;
    }
}
