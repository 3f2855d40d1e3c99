package io.tensornio.axes;

import io.tensornio.Axis;
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
    /** Two axes, and the axis of the result; a new one is made if it is null. */
    static final class Pair {
        final Axis input;
        final Axis filter;
        private final Axis output;
        final long stride;
        final long padding;

        Pair(Axis input, Axis filter, Axis output, long stride, long padding) {
            this.input = Objects.requireNonNull(input, "input");
            this.filter = Objects.requireNonNull(filter, "filter");
            this.output = output;
            this.stride = stride;
            this.padding = padding;
        }

        /** The axis of the result, given the matched axes of the input and the filter. */
        Axis output(Axis in, Axis of) {
            long span = in.length() + 2 * padding;
            if (of.length() > span) {
                throw new IllegalArgumentException("conv: the filter's " + of + " is longer than the input's " + in
                    + (padding == 0 ? "" : " with a padding of " + padding + " on both sides"));
            }
            long length = (span - of.length()) / stride + 1;
            if (output == null) {
                return AxisLists.resized(in, length);
            }
            if (output.length() != length) {
                throw new IllegalArgumentException("conv: the output's axis " + output + " has to be of length " + length + " for " + in + " and "
                    + of
                    + " with a stride of " + stride + " and a padding of " + padding);
            }
            return output;
        }

        @Override
        public String toString() {
            return "(" + input + ", " + filter + (output == null ? "" : ", " + output) + ")" + (stride == 1 ? "" : ".stride(" + stride + ")")
                + (padding == 0 ? "" : ".padding(" + padding + ")");
        }
    }

    private final List<Pair> pairs;

    private ConvAxes(List<Pair> pairs) {
        this.pairs = pairs;
    }

    List<Pair> pairs() {
        return pairs;
    }

    /**
     * One pair, with stride 1 and without padding. The result has a new axis, of the input's name and class.
     *
     * @param input an axis of the input
     * @param filter the axis of the filter that moves along it
     * @return the pair
     */
    public static ConvAxes of(Axis input, Axis filter) {
        return new ConvAxes(Collections.emptyList()).with(new Pair(input, filter, null, 1, 0));
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
        return new ConvAxes(Collections.emptyList()).with(new Pair(input, filter, Objects.requireNonNull(output, "output"), 1, 0));
    }

    /**
     * Adds a pair. The result has a new axis, of the input's name and class.
     *
     * @param input an axis of the input
     * @param filter the axis of the filter that moves along it
     * @return these pairs and the new one
     */
    public ConvAxes and(Axis input, Axis filter) {
        return with(new Pair(input, filter, null, 1, 0));
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
        return with(new Pair(input, filter, Objects.requireNonNull(output, "output"), 1, 0));
    }

    private ConvAxes with(Pair pair) {
        List<Pair> more = new ArrayList<>(pairs);
        more.add(pair);
        return new ConvAxes(more);
    }

    private ConvAxes withLast(long stride, long padding) {
        List<Pair> other = new ArrayList<>(pairs);
        Pair last = other.remove(other.size() - 1);
        other.add(new Pair(last.input, last.filter, last.output, stride, padding));
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
        return pairs.stream().map(Pair::toString).collect(Collectors.joining(".and", "of", ""));
    }
}
