package io.tensornio.internal.axes;

import io.tensornio.Axis;
import java.util.Objects;

/** Two axes, and the axis of the result; a new one is made if it is null. */
public final class ConvPair {
    public final Axis input;
    public final Axis filter;
    public final Axis output;
    public final long stride;
    public final long padding;

    public ConvPair(Axis input, Axis filter, Axis output, long stride, long padding) {
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
