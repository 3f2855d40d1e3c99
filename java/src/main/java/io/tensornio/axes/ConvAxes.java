package io.tensornio.axes;

import io.tensornio.Axis;
import io.tensornio.internal.axes.ConvPair;
import io.tensornio.internal.axes.Node;
import io.tensornio.internal.axes.Products;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The axes of a convolution: pairs of an axis of the input and one of the filter, each with a stride and a padding. Immutable.
 *
 * <pre>{@code
 * image.conv(filter, ConvAxes.of(h, r).stride(2).padding(1).and(w, s))
 * }</pre>
 */
public final class ConvAxes {
    private final List<ConvPair> pairs;

    private ConvAxes(List<ConvPair> pairs) {
        this.pairs = pairs;
    }

    Node convolved(Node input, Node filter) {
        return Products.conv(input, filter, pairs, toString());
    }

    /**
     * One pair, with stride 1 and without padding. The result has a new axis, of the input's name and class.
     *
     * @param input an axis of the input
     * @param filter the axis of the filter that moves along it
     * @return the pair
     */
    public static ConvAxes of(Axis input, Axis filter) {
        return new ConvAxes(Collections.emptyList()).with(new ConvPair(input, filter, null, 1, 0));
    }

    /**
     * One pair, with stride 1 and without padding.
     *
     * @param input an axis of the input
     * @param filter the axis of the filter that moves along it
     * @param output the axis of the result
     * @return the pair
     */
    public static ConvAxes of(Axis input, Axis filter, Axis output) {
        return new ConvAxes(Collections.emptyList()).with(new ConvPair(input, filter, Objects.requireNonNull(output, "output"), 1, 0));
    }

    /**
     * Adds a pair. The result has a new axis, of the input's name and class.
     *
     * @param input an axis of the input
     * @param filter the axis of the filter that moves along it
     * @return these pairs and the new one
     */
    public ConvAxes and(Axis input, Axis filter) {
        return with(new ConvPair(input, filter, null, 1, 0));
    }

    /**
     * Adds a pair.
     *
     * @param input an axis of the input
     * @param filter the axis of the filter that moves along it
     * @param output the axis of the result
     * @return these pairs and the new one
     */
    public ConvAxes and(Axis input, Axis filter, Axis output) {
        return with(new ConvPair(input, filter, Objects.requireNonNull(output, "output"), 1, 0));
    }

    private ConvAxes with(ConvPair pair) {
        List<ConvPair> more = new ArrayList<>(pairs);
        more.add(pair);
        return new ConvAxes(more);
    }

    private ConvAxes withLast(long stride, long padding) {
        List<ConvPair> other = new ArrayList<>(pairs);
        ConvPair last = other.remove(other.size() - 1);
        other.add(new ConvPair(last.input, last.filter, last.output, stride, padding));
        return new ConvAxes(other);
    }

    /**
     * Sets the stride of the last pair.
     *
     * @param stride the stride of the filter
     * @return these pairs with the change
     * @throws IllegalArgumentException if the stride is less than 1
     */
    public ConvAxes stride(long stride) {
        if (stride < 1) {
            throw new IllegalArgumentException("a stride of " + stride + ": it is at least 1");
        }
        return withLast(stride, pairs.get(pairs.size() - 1).padding);
    }

    /**
     * Sets the padding of the last pair.
     *
     * @param padding the number of zeros before the first and after the last position of the input
     * @return these pairs with the change
     * @throws IllegalArgumentException if the padding is negative, or more than 2^31
     */
    public ConvAxes padding(long padding) {
        if (padding < 0 || padding > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("a padding of " + padding + ": it is at least 0, and fits an int");
        }
        return withLast(pairs.get(pairs.size() - 1).stride, padding);
    }

    /** The calls that made these pairs: {@code of(H=8, R=3).stride(2).and(W=6, S=3)}. */
    @Override
    public String toString() {
        return pairs.stream().map(ConvPair::toString).collect(Collectors.joining(".and", "of", ""));
    }
}
