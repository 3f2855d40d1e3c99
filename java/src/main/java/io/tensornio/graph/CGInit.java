package io.tensornio.graph;

import io.tensornio.internal.graph.Initial;
import io.tensornio.internal.graph.Variable;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Initial values of parameters. They depend only on the seed, the number of the parameter and the position of the
 * element. Parameters of ranks 0 and 1 are zero, except for the scale of {@link Comprehensions#layerNorm}, which is 1.
 */
public final class CGInit {
    private CGInit() {
    }

    /**
     * Uniform numbers whose limit is {@code sqrt(6 / (fanIn + fanOut))} (Glorot, Bengio: Understanding the difficulty of training deep feedforward
     * neural networks, 2010): the products of the axes that the first comprehension with the parameter reduces, and keeps.
     *
     * @param cg the compute graph to initialise
     * @param seed the seed
     */
    public static void glorot(ComputeGraph cg, long seed) {
        fill(cg, (variable, fans) -> uniform(seed, variable, Math.sqrt(6. / (fans[0] + fans[1]))));
    }

    /**
     * Uniform numbers whose limit is {@code sqrt(6 / fanIn)} (He, Zhang, Ren, Sun: Delving deep into rectifiers, 2015).
     *
     * @param cg the compute graph to initialise
     * @param seed the seed
     */
    public static void he(ComputeGraph cg, long seed) {
        fill(cg, (variable, fans) -> uniform(seed, variable, Math.sqrt(6. / fans[0])));
    }

    /**
     * Normal numbers.
     *
     * @param cg the compute graph to initialise
     * @param deviation their standard deviation
     * @param seed the seed
     * @throws IllegalArgumentException if the deviation is negative or not finite
     */
    public static void normal(ComputeGraph cg, double deviation, long seed) {
        Objects.requireNonNull(cg, "cg").model.check();
        if (!(deviation >= 0 && deviation < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("a standard deviation is a number from 0 on, not " + deviation);
        }
        fill(cg, (variable, fans) -> Initial.normal(seed, variable, deviation));
    }

    /**
     * Zeros for all parameters, of all ranks.
     *
     * @param cg the compute graph to initialise
     */
    public static void zeros(ComputeGraph cg) {
        Map<Variable, Variable.Fill> fills = new HashMap<>();
        Objects.requireNonNull(cg, "cg").model.parameters().forEach(parameter -> fills.put(parameter, (at, dims) -> 0));
        cg.model.fill(fills);
    }

    private static Variable.Fill uniform(long seed, Variable variable, double limit) {
        return Initial.uniform(seed, variable, limit);
    }

    /** Makes the elements of a parameter of rank 2 or more. */
    private interface Maker {
        Variable.Fill of(Variable variable, double[] fans);
    }

    private static void fill(ComputeGraph cg, Maker maker) {
        Map<Variable, Variable.Fill> fills = new HashMap<>();
        for (Variable parameter : Objects.requireNonNull(cg, "cg").model.parameters()) {
            double start = parameter.start;
            fills.put(parameter, parameter.rank() < 2 ? (at, dims) -> start : maker.of(parameter, cg.model.graph.fans(parameter)));
        }
        cg.model.fill(fills);
    }
}
