package io.tensornio.graph;

import io.tensornio.Axis;
import io.tensornio.internal.graph.Layers;

/** The layers and losses of the library, each of which is a comprehension. See {@link TensorContext#comprehensions}. */
public final class Comprehensions {
    private final TensorContext context;

    Comprehensions(TensorContext context) {
        this.context = context;
    }

    /**
     * A layer on a whole tensor with the positive part as its function.
     *
     * @param axis the axis of its output
     * @param x what it is of, of any rank
     * @param <D> the type of the axis
     * @return the layer: of the tensors it makes, the weights come first, then the bias, the sum and the output
     * @throws IllegalArgumentException if it is of another context
     */
    public <D extends Axis> Dense<D> dense(D axis, Sym x) {
        return linear(axis, x).withRelu();
    }

    /**
     * A layer on a whole tensor without a function.
     *
     * @param axis the axis of its output
     * @param x what it is of, of any rank
     * @param <D> the type of the axis
     * @return the layer: of the tensors it makes, the weights come first, then the bias and the output
     * @throws IllegalArgumentException if it is of another context
     */
    public <D extends Axis> Dense<D> linear(D axis, Sym x) {
        context.check(x);
        Sym weights = x.rank() < 0 ? context.tensor() : context.open(x.rank() + 1);
        Sym1<D> bias = context.tensor(axis);
        @SuppressWarnings("unchecked")      // of rank 1
        Sym1<D> affine = (Sym1<D>) context.made(1, made -> Layers.affine(made, weights.variable, bias.variable, x.variable));
        return new Dense<>(weights, bias, affine, affine);
    }

    /**
     * The positive part of each element.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public <S extends Sym> S relu(S x) {
        return F.relu(x);
    }

    /**
     * The sigmoid of each element.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public <S extends Sym> S sigmoid(S x) {
        return F.sigmoid(x);
    }

    /**
     * The hyperbolic tangent of each element.
     *
     * @param x a tensor
     * @param <S> its type
     * @return a new tensor
     */
    public <S extends Sym> S tanh(S x) {
        return F.tanh(x);
    }

    /**
     * The exponentials over the last axis, divided by their sum.
     *
     * @param x a tensor of rank 1 or more
     * @param <S> its type
     * @return a new tensor
     */
    @SuppressWarnings("unchecked")          // of the same rank
    public <S extends Sym> S softmax(S x) {
        context.check(x);
        return (S) context.made(x.rank(), made -> Layers.softmax(made, x.variable));
    }

    /**
     * The loss of an estimate: the mean, over all elements, of the square of the difference.
     *
     * @param z what is right
     * @param zHat the estimate, of the same shape
     * @return a new tensor of rank 0
     * @throws IllegalArgumentException if one is of another context
     */
    public Sym meanSquare(Sym z, Sym zHat) {
        context.check(z);
        context.check(zHat);
        return context.made(0, made -> Layers.meanSquare(made, z.variable, zHat.variable));
    }

    /**
     * The loss of a classification: the logarithm of the sum of exponentials over the last axis, less the logit of the right class.
     *
     * @param logits the logits, whose last axis are the classes
     * @param label INT32 or INT64, the right class for all other axes; one that there is not is an {@code IndexOutOfBoundsException} of the step
     * @return a new tensor of the shape of the labels
     * @throws IllegalArgumentException if one is of another context
     */
    public Sym softmaxCrossEntropy(Sym logits, Sym label) {
        context.check(logits);
        context.check(label);
        int rank = label.rank() >= 0 ? label.rank() : logits.rank() - 1;
        return context.made(Math.max(rank, -1), made -> Layers.softmaxCrossEntropy(made, logits.variable, label.variable));
    }

    /**
     * Rows of a table by number.
     *
     * @param table the table: its first axis is looked up, the others are kept
     * @param ids INT32 or INT64, which rows
     * @return a new tensor: the axes of the numbers, then those of a row
     * @throws IllegalArgumentException if one is of another context
     */
    public Sym embedding(Sym table, Sym ids) {
        context.check(table);
        context.check(ids);
        int rank = table.rank() < 0 || ids.rank() < 0 ? -1 : table.rank() - 1 + ids.rank();
        return context.made(rank, made -> Layers.embedding(made, table.variable, ids.variable));
    }

    /**
     * Elements, less their mean over the last axis and divided by the root of their variance plus epsilon, times a scale, plus an offset. Both of
     * these are new parameters: of the tensors it makes, the scale comes first, then the offset and the result.
     *
     * @param x a tensor of rank 1 or more
     * @param epsilon what is added to the variance
     * @param <S> its type
     * @return a new tensor
     */
    @SuppressWarnings("unchecked")          // of the same rank
    public <S extends Sym> S layerNorm(S x, double epsilon) {
        context.check(x);
        Sym scale = context.open(1);
        scale.variable.start = 1;
        Sym offset = context.open(1);
        return (S) context.made(x.rank(), made -> Layers.layerNorm(made, scale.variable, offset.variable, x.variable, epsilon));
    }
}
