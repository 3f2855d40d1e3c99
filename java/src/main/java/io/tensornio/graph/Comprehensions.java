package io.tensornio.graph;

import io.tensornio.Axis;
import io.tensornio.compute.F;
import io.tensornio.internal.graph.Layers;
import io.tensornio.internal.graph.MoreLayers;
import io.tensornio.internal.graph.OverBatch;
import io.tensornio.internal.graph.Variable;
import io.tensornio.op.Padding;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The layers and losses of the library, each of which is a comprehension. See {@link TensorContext#comprehensions}. A tensor of another context is an
 * {@code IllegalArgumentException}.
 */
public final class Comprehensions {
    private static final double BATCH_NORM_MOMENTUM = .9;
    private static final double BATCH_NORM_EPSILON = 1e-5;

    private final TensorContext context;

    Comprehensions(TensorContext context) {
        this.context = context;
    }

    /**
     * A dense layer on a whole tensor with ReLU as its activation.
     *
     * @param axis the axis of its output
     * @param x the input, of any rank
     * @param <D> the type of the axis
     * @return the layer: the tensors that it makes are the weights, the bias, the sum and the output, in this order
     * @throws IllegalArgumentException if it is of another context
     */
    public <D extends Axis> Dense<D> dense(D axis, Sym x) {
        return linear(axis, x).withRelu();
    }

    /**
     * A dense layer on a whole tensor without an activation.
     *
     * @param axis the axis of its output
     * @param x the input, of any rank
     * @param <D> the type of the axis
     * @return the layer: the tensors that it makes are the weights, the bias and the output, in this order
     * @throws IllegalArgumentException if it is of another context
     */
    public <D extends Axis> Dense<D> linear(D axis, Sym x) {
        context.check(x, "x");
        Objects.requireNonNull(axis, "axis");
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
     * Softmax over the last axis: the exponentials, divided by their sum.
     *
     * @param x a tensor of rank 1 or more
     * @param <S> its type
     * @return a new tensor
     */
    @SuppressWarnings("unchecked")          // of the same rank
    public <S extends Sym> S softmax(S x) {
        context.check(x, "x");
        return (S) context.made(x.rank(), made -> Layers.softmax(made, x.variable));
    }

    /**
     * The mean squared error of an estimate, over all elements.
     *
     * @param z the target
     * @param zHat the estimate, of the same shape
     * @return a new tensor of rank 0
     * @throws IllegalArgumentException if one is of another context
     */
    public Sym meanSquare(Sym z, Sym zHat) {
        context.check(z, "z");
        context.check(zHat, "zHat");
        return context.made(0, made -> Layers.meanSquare(made, z.variable, zHat.variable));
    }

    /**
     * The loss of a classification: the logarithm of the sum of exponentials over the last axis, minus the logit of the label.
     *
     * @param logits the logits, whose last axis are the classes
     * @param label INT32 or INT64, the class for each element of the other axes; if it is out of bounds, the step
     *     throws {@code IndexOutOfBoundsException}
     * @return a new tensor of the shape of the labels
     * @throws IllegalArgumentException if one is of another context
     */
    public Sym softmaxCrossEntropy(Sym logits, Sym label) {
        context.check(logits, "logits");
        context.check(label, "label");
        int rank = label.rank() >= 0 ? label.rank() : logits.rank() - 1;
        return context.made(Math.max(rank, -1), made -> Layers.softmaxCrossEntropy(made, logits.variable, label.variable));
    }

    /**
     * Rows of a table by index.
     *
     * @param table the table: its first axis is indexed, the others are kept
     * @param ids INT32 or INT64, the indices of rows
     * @return a new tensor with the axes of the indices, then those of a row
     * @throws IllegalArgumentException if one is of another context
     */
    public Sym embedding(Sym table, Sym ids) {
        context.check(table, "table");
        context.check(ids, "ids");
        int rank = table.rank() < 0 || ids.rank() < 0 ? -1 : table.rank() - 1 + ids.rank();
        return context.made(rank, made -> Layers.embedding(made, table.variable, ids.variable));
    }

    /**
     * Layer normalization: elements minus their mean over the last axis, divided by the square root of their variance plus epsilon, times a scale,
     * plus an offset. The tensors that it makes are the scale and the offset, both parameters, and the result, in this order.
     *
     * @param x a tensor of rank 1 or more
     * @param epsilon the constant added to the variance
     * @param <S> its type
     * @return a new tensor
     * @throws IllegalArgumentException if epsilon is not a number from 0 on
     */
    @SuppressWarnings("unchecked")          // of the same rank
    public <S extends Sym> S layerNorm(S x, double epsilon) {
        context.check(x, "x");
        checkEpsilon("layerNorm", epsilon);
        Sym scale = context.open(1);
        scale.variable.start = 1;
        Sym offset = context.open(1);
        return (S) context.made(x.rank(), made -> Layers.layerNorm(made, scale.variable, offset.variable, x.variable, epsilon));
    }

    /**
     * RMS normalization (Zhang, Sennrich: Root mean square layer normalization, 2019): elements divided by the square root of the mean of their
     * squares
     * over the last axis plus epsilon, times a scale. The tensors that it makes are the scale, a parameter that begins with 1, and the result.
     *
     * @param x a tensor of rank 1 or more
     * @param epsilon the constant added to the mean of the squares
     * @param <S> its type
     * @return a new tensor
     * @throws IllegalArgumentException if epsilon is not a number from 0 on, or x is of another context
     */
    @SuppressWarnings("unchecked")          // of the same rank
    public <S extends Sym> S rmsNorm(S x, double epsilon) {
        context.check(x, "x");
        checkEpsilon("rmsNorm", epsilon);
        Sym scale = context.open(1);
        scale.variable.start = 1;
        return (S) context.made(x.rank(), made -> MoreLayers.rmsNorm(made, scale.variable, x.variable, epsilon));
    }

    /**
     * A residual connection (He, Zhang, Ren, Sun: Deep residual learning, 2016): {@code x + f(x)}.
     *
     * @param x a tensor
     * @param f makes a tensor of the same shape of it
     * @param <S> its type
     * @return a new tensor
     * @throws IllegalArgumentException if one is of another context
     */
    @SuppressWarnings("unchecked")          // of the same rank
    public <S extends Sym> S residual(S x, UnaryOperator<S> f) {
        context.check(x, "x");
        return (S) x.plus(f.apply(x));
    }

    /**
     * The mean of each channel, the last axis, over all other axes.
     *
     * @param x a tensor of rank 1 or more
     * @return a new tensor of the channels
     * @throws IllegalArgumentException if it is of another context
     */
    public Sym1<?> globalAvgPool(Sym x) {
        context.check(x, "x");
        return (Sym1<?>) context.made(1, made -> MoreLayers.globalAvgPool(made, x.variable));
    }

    /**
     * The mean of each window; of a window that extends beyond the input, of the elements that are there.
     *
     * @param x a tensor of (height, width, channels)
     * @param size the height and width of a window
     * @param strides the strides in rows and columns
     * @param padding whether windows may extend beyond the input
     * @return a new tensor of (height, width, channels)
     * @throws IllegalArgumentException if a number is not positive, there are not two of each, x is of another rank or of another context
     */
    public Sym3<?, ?, ?> avgPool2d(Sym x, int[] size, int[] strides, Padding padding) {
        Objects.requireNonNull(padding, "padding");
        int[] window = checked("avgPool2d", "size", size);
        int[] steps = checked("avgPool2d", "strides", strides);
        image("avgPool2d", x);
        return (Sym3<?, ?, ?>) context.made(3, made -> MoreLayers.avgPool2d(made, x.variable, window, steps, padding == Padding.SAME));
    }

    /**
     * A convolution along one axis, without a flip, plus a bias for each filter. The tensors that it makes are the filters, of (size, channels,
     * filters), the bias and the result, in this order.
     *
     * @param x a tensor of (steps, channels)
     * @param filters the number of filters
     * @param size the number of steps that a filter has
     * @param stride the stride in steps
     * @param padding whether the input is padded with zeros
     * @return a new tensor of (steps, filters)
     * @throws IllegalArgumentException if a number is not positive, or x is of another rank or of another context
     */
    public Sym2<?, ?> conv1d(Sym x, long filters, int size, int stride, Padding padding) {
        Objects.requireNonNull(padding, "padding");
        context.check(x, "x");
        if (x.rank() >= 0 && x.rank() != 2) {
            throw new IllegalArgumentException("conv1d is of (steps, channels), not of " + x + " of rank " + x.rank());
        }
        if (filters <= 0 || size <= 0 || stride <= 0) {
            throw new IllegalArgumentException("conv1d: " + filters + " filters of size " + size + " with a stride of " + stride
                + "; all are to be positive");
        }
        Axis out = Axis.of("filters", filters);
        Sym kernel = context.open(3);
        kernel.variable.axes = new Axis[] {Axis.of("size", size), null, out};
        Sym1<Axis> bias = context.tensor(out);
        return (Sym2<?, ?>) context.made(2, made -> MoreLayers.conv1d(made, kernel.variable, bias.variable, x.variable, size, stride,
            padding == Padding.SAME));
    }

    /**
     * Sums of rows of a table by index, over the last axis of the indices.
     *
     * @param table the table: its first axis is indexed, the others are kept
     * @param ids INT32 or INT64, the indices of rows
     * @return a new tensor with all axes of the indices but the last, then those of a row
     * @throws IllegalArgumentException if one is of another context
     */
    public Sym embeddingBag(Sym table, Sym ids) {
        return bag(table, ids, null);
    }

    /**
     * Weighted sums of rows of a table by index, see {@link #embeddingBag(Sym, Sym)}.
     *
     * @param table the table
     * @param ids INT32 or INT64, the indices of rows
     * @param weights a weight for each index
     * @return a new tensor
     * @throws IllegalArgumentException if one is of another context
     */
    public Sym embeddingBag(Sym table, Sym ids, Sym weights) {
        context.check(weights, "weights");
        return bag(table, ids, weights);
    }

    private Sym bag(Sym table, Sym ids, @Nullable Sym weights) {
        context.check(table, "table");
        context.check(ids, "ids");
        int rank = table.rank() < 0 || ids.rank() < 0 ? -1 : Math.max(table.rank() + ids.rank() - 2, 0);
        return context.made(rank, made -> MoreLayers.embeddingBag(made, table.variable, ids.variable, weights == null ? null : weights.variable));
    }

    /**
     * Attention of several heads (Vaswani and others: Attention is all you need, 2017): of each head, the query, key and value are projected to as
     * many features as the query has, divided by the number of heads; each position of the query takes the mean of the values, weighted by the
     * softmax
     * of the products of query and key, divided by the square root of the number of features of a head; and what the heads give is projected to the
     * features of the query. The tensors that it makes are the projections of query, key and value, of (heads, features of a head, features), that of
     * the output, of (features, heads, features of a head), all without a bias, and the output, in this order.
     *
     * @param q the query, of (positions, features)
     * @param k the key, of (positions, features)
     * @param v the value, of as many positions as the key
     * @param heads the number of heads, which divides the number of features of the query
     * @return the layer; see {@link Attention#causal} and {@link Attention#mask}
     * @throws IllegalArgumentException if the number is not positive, or one is of another rank or of another context
     */
    public Attention attention(Sym q, Sym k, Sym v, int heads) {
        Sym[] operands = {q, k, v};
        String[] names = {"q", "k", "v"};
        for (int n = 0; n < operands.length; n++) {
            context.check(operands[n], names[n]);
            if (operands[n].rank() >= 0 && operands[n].rank() != 2) {
                throw new IllegalArgumentException("attention is of (positions, features), not of " + operands[n] + " of rank " + operands[n].rank());
            }
        }
        if (heads <= 0) {
            throw new IllegalArgumentException("attention: " + heads + " heads; there is to be at least one");
        }
        Axis head = Axis.of("heads", heads);
        Variable[] projections = new Variable[operands.length + 1];
        for (int n = 0; n < projections.length; n++) {
            projections[n] = context.open(3).variable;
            projections[n].axes = n < operands.length ? new Axis[] {head, null, null} : new Axis[] {null, head, null};
        }
        return new Attention(context, projections, operands, heads, false, null);
    }

    /**
     * A long short-term memory (Hochreiter, Schmidhuber: Long short-term memory, 1997) over the steps of a sequence. Of each step, with
     * {@code gate = W x + U h + b}, which are the gates i, f, g and o, one after the other, of as many units each:
     * {@code c = sigmoid(f) * c + sigmoid(i) * tanh(g)}, and {@code h = sigmoid(o) * tanh(c)}, the output. The order of the gates is PyTorch's, and
     * so are the weights: W is its {@code weight_ih_l0}, U its {@code weight_hh_l0}, and b the sum of {@code bias_ih_l0} and {@code bias_hh_l0}. The
     * tensors that it makes are W, of (4 units, features), U, of (4 units, units), b, of (4 units), and the output, in this order.
     *
     * @param units the number of units
     * @param x the sequence, of (steps, features)
     * @return the layer; see {@link Recurrent#from(Sym, Sym)} and {@link Recurrent#last}
     * @throws IllegalArgumentException if the number is not positive, or the sequence of another rank or of another context
     */
    public Recurrent lstm(long units, Sym x) {
        return recurrent("lstm", units, 4, x);
    }

    /**
     * Gated recurrent units (Cho and others: Learning phrase representations using RNN encoder-decoder, 2014) over the steps of a sequence. Of
     * each step, with the gates r, z and n of W x, U h and b, one after the other, of as many units each: {@code r = sigmoid(W x + U h + b)},
     * {@code z} in the same way, {@code n = tanh(W x + b + r * (U h + bHidden))}, and {@code h = (1 - z) * n + z * h}, the output. The order of
     * the gates is PyTorch's, and so are the weights: W is its {@code weight_ih_l0}, U its {@code weight_hh_l0}, b the sum of {@code bias_ih_l0}
     * and {@code bias_hh_l0} for r and z and {@code bias_ih_l0} for n, and bHidden {@code bias_hh_l0} for n. The tensors that it makes are W, of
     * (3 units, features), U, of (3 units, units), b, of (3 units), bHidden, of (units), and the output, in this order.
     *
     * @param units the number of units
     * @param x the sequence, of (steps, features)
     * @return the layer; see {@link Recurrent#from(Sym)} and {@link Recurrent#last}
     * @throws IllegalArgumentException if the number is not positive, or the sequence of another rank or of another context
     */
    public Recurrent gru(long units, Sym x) {
        return recurrent("gru", units, 3, x);
    }

    private Recurrent recurrent(String layer, long units, int gates, Sym x) {
        context.check(x, "x");
        if (x.rank() >= 0 && x.rank() != 2) {
            throw new IllegalArgumentException(layer + " is over (steps, features), not over " + x + " of rank " + x.rank());
        }
        if (units <= 0 || units > Long.MAX_VALUE / gates) {
            throw new IllegalArgumentException(layer + ": " + units + " units; there is to be at least one, and gates of all are to be countable");
        }
        Axis all = Axis.of("gates", gates * units);
        Axis own = Axis.of("units", units);
        Sym given = context.open(2);
        given.variable.axes = new Axis[] {all, null};
        Sym kept = context.tensor(all, own);
        Sym bias = context.tensor(all);
        boolean hasCell = gates == 4;
        Sym[] weights = hasCell ? new Sym[] {given, kept, bias} : new Sym[] {given, kept, bias, context.tensor(own)};
        return new Recurrent(context, units, weights, x, hasCell, null, null);
    }

    private static void checkEpsilon(String layer, double epsilon) {
        if (!(epsilon >= 0 && epsilon < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(layer + ": epsilon is a number from 0 on, not " + epsilon);
        }
    }

    /**
     * Batch normalization (Ioffe, Szegedy: Batch normalization, 2015) of the last axis, the channels, over all other axes and the examples:
     * {@code (x - mean) / sqrt(variance + 1e-5) * scale + offset}. In training, mean and variance are those of the batch, the variance divided by the
     * number of elements; and what evaluation uses instead, a running mean and a running variance, begins with 0 and 1 and becomes .9 of what it was
     * and .1 of that of the batch, whose variance is divided by the number less one there; where there is but one element of a channel, the running
     * variance stays. The tensors that it makes are the scale, which begins with 1, and the offset, both parameters, the running mean and variance,
     * both states, and the result, in this order.
     *
     * @param x a tensor of rank 1 or more
     * @param <S> its type
     * @return a new tensor
     * @throws IllegalArgumentException if it is of rank 0 or of another context
     */
    @SuppressWarnings("unchecked")          // of the same rank
    public <S extends Sym> S batchNorm(S x) {
        context.check(x, "x");
        Sym scale = context.open(1);
        scale.variable.start = 1;
        Sym offset = context.open(1);
        Sym mean = context.openState(1, 0);
        Sym variance = context.openState(1, 1);
        return (S) context.made(x.rank(), made -> OverBatch.batchNorm(made, x.variable, scale.variable, offset.variable, mean.variable,
            variance.variable, BATCH_NORM_MOMENTUM, BATCH_NORM_EPSILON));
    }

    /**
     * Dropout (Srivastava, Hinton, Krizhevsky, Sutskever, Salakhutdinov: Dropout, 2014): in training each element is 0 by a probability, and divided
     * by 1 less that probability else; in evaluation it stays as it is. Which elements are dropped depends on the {@linkplain SGD#seed seed} of the
     * descent, the number of the tensor that this makes, the step and the element.
     *
     * @param x a tensor
     * @param rate the probability of 0
     * @param <S> its type
     * @return a new tensor
     * @throws IllegalArgumentException if the rate is not from 0 on and less than 1, or x is of another context
     */
    @SuppressWarnings("unchecked")          // of the same rank
    public <S extends Sym> S dropout(S x, double rate) {
        context.check(x, "x");
        if (!(rate >= 0 && rate < 1)) {
            throw new IllegalArgumentException("dropout: the rate is a number from 0 on, less than 1, not " + rate);
        }
        return (S) context.made(x.rank(), made -> OverBatch.dropout(made, x.variable, rate));
    }

    /**
     * A convolution, without a flip, plus a bias for each filter. The tensors that it makes are the filters, of
     * (height, width, channels, filters), the bias and the result, in this order.
     *
     * @param x a tensor of (height, width, channels)
     * @param filters the number of filters
     * @param size the height and width of a filter
     * @param strides the strides in rows and columns
     * @param padding whether the input is padded with zeros
     * @return a new tensor of (height, width, filters)
     * @throws IllegalArgumentException if a number is not positive, there are not two of each, x is of another rank or of another context
     */
    public Sym3<?, ?, ?> conv2d(Sym x, long filters, int[] size, int[] strides, Padding padding) {
        Objects.requireNonNull(padding, "padding");
        int[] window = checked("conv2d", "size", size);
        int[] steps = checked("conv2d", "strides", strides);
        image("conv2d", x);
        if (filters <= 0) {
            throw new IllegalArgumentException("conv2d: " + filters + " filters; there is to be at least one");
        }
        Axis out = Axis.of("filters", filters);
        Sym kernel = context.open(4);
        kernel.variable.axes = new Axis[] {Axis.of("height", window[0]), Axis.of("width", window[1]), null, out};
        Sym1<Axis> bias = context.tensor(out);
        return (Sym3<?, ?, ?>) context.made(3, made -> Layers.conv2d(made, kernel.variable, bias.variable, x.variable, window, steps,
            padding == Padding.SAME));
    }

    /**
     * The maximum of each window.
     *
     * @param x a tensor of (height, width, channels)
     * @param size the height and width of a window
     * @param strides the strides in rows and columns
     * @param padding whether windows may extend beyond the input, where there are no elements
     * @return a new tensor of (height, width, channels)
     * @throws IllegalArgumentException if a number is not positive, there are not two of each, x is of another rank or of another context
     */
    public Sym3<?, ?, ?> maxPool2d(Sym x, int[] size, int[] strides, Padding padding) {
        Objects.requireNonNull(padding, "padding");
        int[] window = checked("maxPool2d", "size", size);
        int[] steps = checked("maxPool2d", "strides", strides);
        image("maxPool2d", x);
        return (Sym3<?, ?, ?>) context.made(3, made -> Layers.maxPool2d(made, x.variable, window, steps, padding == Padding.SAME));
    }

    private void image(String layer, Sym x) {
        context.check(x, "x");
        if (x.rank() >= 0 && x.rank() != 3) {
            throw new IllegalArgumentException(layer + " is of (height, width, channels), not of " + x + " of rank " + x.rank());
        }
    }

    private static int[] checked(String layer, String what, int... pair) {
        if (Objects.requireNonNull(pair, what).length != 2 || pair[0] <= 0 || pair[1] <= 0) {
            throw new IllegalArgumentException(layer + ": " + what + " is two positive numbers, not " + Arrays.toString(pair));
        }
        return pair.clone();
    }
}
