package io.tensornio.graph;

import io.tensornio.Axis;

/**
 * A layer that multiplies a whole tensor by weights, adds a bias, and applies a function to each element. See {@link Comprehensions#dense}.
 *
 * @param <D> the type of its axis
 */
public final class Dense<D extends Axis> {
    private final Sym weights;
    private final Sym1<D> bias;
    private final Sym1<D> affine;
    private final Sym1<D> output;

    Dense(Sym weights, Sym1<D> bias, Sym1<D> affine, Sym1<D> output) {
        this.weights = weights;
        this.bias = bias;
        this.affine = affine;
        this.output = output;
    }

    private Dense<D> with(Sym1<D> other) {
        return new Dense<>(weights, bias, affine, other);
    }

    /**
     * What it makes.
     *
     * @return the output
     */
    public Sym1<D> output() {
        return output;
    }

    /**
     * What it multiplies by: an axis for its output, then those of its input.
     *
     * @return the weights
     */
    public Sym weights() {
        return weights;
    }

    /**
     * What it adds.
     *
     * @return the bias
     */
    public Sym1<D> bias() {
        return bias;
    }

    /**
     * A layer of the same weights, with the positive part as its function.
     *
     * @return a layer with a new output
     */
    public Dense<D> withRelu() {
        return with(F.relu(affine));
    }

    /**
     * A layer of the same weights, with the sigmoid as its function.
     *
     * @return a layer with a new output
     */
    public Dense<D> withSigmoid() {
        return with(F.sigmoid(affine));
    }

    /**
     * A layer of the same weights, with the hyperbolic tangent as its function.
     *
     * @return a layer with a new output
     */
    public Dense<D> withTanh() {
        return with(F.tanh(affine));
    }

    /**
     * A layer of the same weights without a function.
     *
     * @return a layer whose output is the sum
     */
    public Dense<D> withoutActivation() {
        return with(affine);
    }
}
