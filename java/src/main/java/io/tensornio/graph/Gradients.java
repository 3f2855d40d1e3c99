package io.tensornio.graph;

import io.tensornio.Tensor;
import java.util.Map;
import java.util.Set;

/** The loss of an example and its gradients, see {@link ComputeGraph#gradients}. */
public final class Gradients implements AutoCloseable {
    private final double loss;
    private final Map<Integer, Tensor<?>> gradients;

    Gradients(double loss, Map<Integer, Tensor<?>> gradients) {
        this.loss = loss;
        this.gradients = gradients;
    }

    /**
     * The loss.
     *
     * @return its only element
     */
    public double loss() {
        return loss;
    }

    /**
     * The parameters on which the loss depends.
     *
     * @return their numbers
     */
    public Set<Integer> ids() {
        return gradients.keySet();
    }

    /**
     * The gradient of the loss with respect to a parameter.
     *
     * @param id its number
     * @return a tensor of its shape, which is closed with this
     * @throws IllegalArgumentException if the loss does not depend on it
     */
    public Tensor<?> get(int id) {
        Tensor<?> gradient = gradients.get(id);
        if (gradient == null) {
            throw new IllegalArgumentException("the loss depends on no parameter " + id + ": there are " + gradients.keySet());
        }
        return gradient;
    }

    /** Closes all gradients. Closing again does nothing. */
    @Override
    public void close() {
        gradients.values().forEach(Tensor::close);
    }
}
