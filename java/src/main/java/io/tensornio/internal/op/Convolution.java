package io.tensornio.internal.op;

import io.tensornio.Tensor;
import java.util.Arrays;

/** Convolutions of any number of spatial axes, in groups of channels, dilated or transposed. */
public final class Convolution {
    private final Tensor<?> x;
    private final Tensor<?> filter;
    private final int axes;
    private final int[] strides;
    private final int[] dilation;
    private final long groups;
    private final long channels;
    private final StringBuilder from = new StringBuilder("n");
    private final StringBuilder where;

    private Convolution(Tensor<?> x, Tensor<?> filter, int[] strides, int[] dilation, long groups, boolean transposed) {
        axes = strides.length;
        this.x = x;
        this.filter = filter;
        this.strides = strides;
        this.dilation = dilation;
        this.groups = groups;
        String spatial = axes == 1 ? "width" : "height, width";
        if (x.rank() != axes + 2) {
            throw new IllegalArgumentException("x has rank " + x.rank() + ": its axes are batch, " + spatial + " and channels");
        }
        if (filter.rank() != axes + 2) {
            throw new IllegalArgumentException("filter has rank " + filter.rank() + ": its axes are " + spatial + ", channels "
                + (transposed ? "out and channels in" : "in and channels out"));
        }
        // The filter has the channels that a convolution gives whole, and those that it reads of one group.
        long whole = filter.size(axes + 1);
        boolean divides = groups > 0 && whole % groups == 0;
        channels = transposed ? divides ? whole / groups : whole : filter.size(axes);
        if (transposed && (!divides || whole != x.size(axes + 1))) {
            throw new IllegalArgumentException("x has " + x.size(axes + 1) + " channels and filter reads " + whole + (groups == 1 ? ""
                : ", which " + groups + " groups must divide"));
        }
        if (!transposed && (!divides || channels * groups != x.size(axes + 1))) {
            throw new IllegalArgumentException("x has " + x.size(axes + 1) + " channels and filter reads " + channels + (groups == 1 ? ""
                : " of each of " + groups + " groups, which must divide its " + whole + " channels out"));
        }
        check("strides", strides);
        check("dilation", dilation);
        where = new StringBuilder(" where n in 0:" + x.size(0));
    }

    private static void check(String name, int... numbers) {
        for (int number : numbers) {
            if (number < 1) {
                throw new IllegalArgumentException(name + " is " + Arrays.toString(numbers) + ": numbers must be 1 or more");
            }
        }
    }

    /** One for each of so many axes. */
    static int[] each(int axes, int number) {
        int[] all = new int[axes];
        Arrays.fill(all, number);
        return all;
    }

    /** The index of a channel in its group, as one of all. */
    private String inGroup(long size, String channel) {
        return groups == 1 ? channel : size + "*g + " + channel;
    }

    /**
     * Convolves.
     *
     * @param same whether there is padding, so that the size is that of the input divided by the stride
     * @throws IllegalArgumentException if something does not fit
     */
    public static Tensor<?> of(Tensor<?> x, Tensor<?> filter, int[] strides, boolean same, int[] dilation, long groups) {
        if (strides.length != dilation.length || strides.length != 1 && strides.length != 2) {
            throw new IllegalArgumentException("strides is " + Arrays.toString(strides) + " and dilation " + Arrays.toString(dilation)
                + ": they must be two numbers of 1 or more, of height and width");
        }
        return new Convolution(x, filter, strides, dilation, groups, false).run(same);
    }

    private Tensor<?> run(boolean same) {
        StringBuilder to = new StringBuilder("n");
        StringBuilder shape = new StringBuilder().append(x.size(0));
        StringBuilder guards = new StringBuilder();
        StringBuilder of = new StringBuilder();
        for (int d = 0; d < axes; d++) {
            long in = x.size(d + 1);
            long extent = (filter.size(d) - 1) * dilation[d] + 1;
            if (filter.size(d) < 1 || !same && extent > in) {
                throw new IllegalArgumentException("a window of " + extent + " does not fit axis " + (d + 1) + " of x, which is " + in
                    + ": with Padding.SAME it would");
            }
            long out = same ? (in + strides[d] - 1) / strides[d] : (in - extent) / strides[d] + 1;
            long before = same ? Math.max(0, (out - 1) * strides[d] + extent - in) / 2 : 0;
            String at = strides[d] + "*p" + d + " + " + dilation[d] + "*r" + d + (before == 0 ? "" : " - " + before);
            to.append(", p").append(d);
            from.append(", ").append(at);
            of.append("r").append(d).append(", ");
            shape.append(", ").append(out);
            where.append(", p").append(d).append(" in 0:").append(out);
            if (before > 0 || (out - 1) * strides[d] + extent - before > in) {
                guards.append("0 <= ").append(at).append(" < ").append(in).append(", ");
            }
        }
        long outs = filter.size(axes + 1) / groups;
        String read = "x[" + from + ", " + inGroup(channels, "c") + "]";
        where.append(", c in 0:").append(channels).append(", k in 0:").append(outs);
        if (groups > 1) {
            where.append(", g in 0:").append(groups).append(", y[").append(shape).append(", ").append(outs * groups).append("]");
        }
        return Texts.run("y[" + to + ", " + inGroup(outs, "k") + "] += " + (guards.length() == 0 ? read : "guard(" + guards + read + ")")
            + " * filter[" + of + "c, " + inGroup(outs, "k") + "]" + where, x, filter);
    }

    /**
     * The transpose of a convolution: what its gradient by the input is.
     *
     * @param filter its channels out are before those in
     * @param same whether the size is that of the input times the stride; else all that the windows reach
     * @throws IllegalArgumentException if something does not fit
     */
    public static Tensor<?> transposed(Tensor<?> x, Tensor<?> filter, int[] strides, boolean same, int[] dilation, long groups) {
        if (strides.length != 2 || dilation.length != 2) {
            throw new IllegalArgumentException("strides is " + Arrays.toString(strides) + " and dilation " + Arrays.toString(dilation)
                + ": they must be two numbers of 1 or more, of height and width");
        }
        return new Convolution(x, filter, strides, dilation, groups, true).runTransposed(same);
    }

    private Tensor<?> runTransposed(boolean same) {
        StringBuilder full = new StringBuilder().append(x.size(0));
        StringBuilder cut = new StringBuilder("n");
        StringBuilder ranges = new StringBuilder();
        StringBuilder guards = new StringBuilder();
        StringBuilder into = new StringBuilder("n");
        StringBuilder to = new StringBuilder("n");
        StringBuilder of = new StringBuilder();
        for (int d = 0; d < axes; d++) {
            long in = x.size(d + 1);
            long window = filter.size(d);
            if (window < 1) {
                throw new IllegalArgumentException("filter has no elements on axis " + d);
            }
            long extent = (window - 1) * dilation[d] + 1;
            long whole = in == 0 ? 0 : (in - 1) * strides[d] + extent;
            long out = same ? in * strides[d] : whole;
            long before = same ? Math.max(0, extent - strides[d]) / 2 : 0;
            from.append(", i").append(d);
            into.append(", ").append(strides[d]).append("*i").append(d).append(" + ").append(dilation[d]).append("*r").append(d);
            of.append("r").append(d).append(", ");
            full.append(", ").append(whole);
            to.append(", p").append(d);
            cut.append(", p").append(d).append(" + ").append(before);
            ranges.append(", p").append(d).append(" in 0:").append(out);
            guards.append("0 <= p").append(d).append(" + ").append(before).append(" < ").append(whole).append(", ");
        }
        long outs = filter.size(axes);
        String loops = groups == 1 ? "" : ", g in 0:" + groups + ", c in 0:" + channels + ", k in 0:" + outs;
        return Texts.run("t[" + into + ", " + inGroup(outs, "k") + "] += x[" + from + ", " + inGroup(channels, "c") + "] * filter[" + of + "k, "
            + inGroup(channels, "c") + "] where t[" + full + ", " + outs * groups + "]" + loops + "\n"
            + "y[" + to + ", k] = guard(" + guards + "t[" + cut + ", k])" + where + ranges + ", k in 0:" + outs * groups + "\nreturn y", x, filter);
    }
}
