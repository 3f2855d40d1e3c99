package io.tensornio.graph;

import io.tensornio.Axis;
import io.tensornio.compute.F;

/**
 * A dense layer: multiplies a whole tensor by weights, adds a bias, and applies an activation. See {@link Comprehensions#dense}.
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
     * The output.
     *
     * @return the output
     */
    public Sym1<D> output() {
        return output;
    }

    /**
     * The weights: the axis of the output, then those of the input.
     *
     * @param <S> their type: {@link Sym2} if the input is a vector, {@link Sym3} if it is a matrix
     * @return the weights
     */
    @SuppressWarnings("unchecked")          // whoever names the type knows the rank of the input
    public <S extends Sym> S weights() {
        return (S) weights;
    }

    /**
     * The bias.
     *
     * @return the bias
     */
    public Sym1<D> bias() {
        return bias;
    }

    /**
     * A layer with the same weights, and ReLU as its activation.
     *
     * @return a layer with a new output
     */
    public Dense<D> withRelu() {
        return with(F.relu(affine));
    }

    /**
     * A layer with the same weights, and the sigmoid as its activation.
     *
     * @return a layer with a new output
     */
    public Dense<D> withSigmoid() {
        return with(F.sigmoid(affine));
    }

    /**
     * A layer with the same weights, and the hyperbolic tangent as its activation.
     *
     * @return a layer with a new output
     */
    public Dense<D> withTanh() {
        return with(F.tanh(affine));
    }

    /**
     * A layer with the same weights, and no activation.
     *
     * @return a layer whose output is the sum
     */
    public Dense<D> withoutActivation() {
        return with(affine);
    }
}
