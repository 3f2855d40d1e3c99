package io.tensornio.internal.op;

import io.tensornio.Tensor;
import java.util.Arrays;

/**
 * Windows on the two middle axes of an input {@code x[n, y, x, c]}. At position {@code p, q} of the result and {@code r, s} of the window, {@code
 * {x}} is the element of the input, 0 in the padding; {@code {inside}} is 1 within the input, else 0; {@code {padded}} are the indices in a padded
 * input, {@code {into}} those of the element {@code n, v, w, c} there, and {@code {shape}} is its shape; {@code {where}} gives the ranges.
 */
public final class Window extends Form {
    /** For each axis: the size of the input, the result, and the window; the stride, the dilation, and the padding before the input. */
    private final long[] input;
    private final long[] output;
    private final long[] size;
    private final long[] stride;
    private final long[] dilation;
    private final long[] before;
    private final boolean isPadded;
    private final boolean isPool;

    private Window(long[] input, long[] output, long[] size, long[] stride, long[] dilation, long[] before, boolean isPool) {
        super(input[0], input[1], output[0], output[1], size[0], size[1], stride[0], stride[1], dilation[0], dilation[1], before[0], before[1],
            isPool ? 1 : 0);
        this.input = input;
        this.output = output;
        this.size = size;
        this.stride = stride;
        this.dilation = dilation;
        this.before = before;
        this.isPool = isPool;
        boolean outside = false;
        for (int d = 0; d < 2; d++) {
            outside |= before[d] > 0 || (output[d] - 1) * stride[d] + (size[d] - 1) * dilation[d] - before[d] >= input[d];
        }
        isPadded = outside;
    }

    /**
     * The form of a convolution with a filter of height, width, and channels in and out.
     *
     * @param same whether padding makes the size of the result that of the input divided by the strides
     * @throws IllegalArgumentException if ranks, channels, strides or dilations are invalid, or no window fits
     */
    public static Form convolution(Tensor<?> x, Tensor<?> filter, boolean same, int[] strides, int... dilation) {
        if (filter.rank() != 4) {
            throw new IllegalArgumentException("filter has rank " + filter.rank() + ": its axes are height, width, channels in and channels out");
        }
        // Guarded accesses determine no range, so the comprehension itself would take the filter's.
        if (x.rank() == 4 && x.size(3) != filter.size(2)) {
            throw new IllegalArgumentException("x has " + x.size(3) + " channels and filter reads " + filter.size(2));
        }
        long[] size = {filter.size(0), filter.size(1)};
        return of(x, size, pair(strides, "strides"), pair(dilation, "dilation"), same, false);
    }

    /**
     * The form of pooling.
     *
     * @param same whether padding makes the size of the result that of the input divided by the strides
     * @throws IllegalArgumentException if ranks, sizes or strides are invalid, or no window fits
     */
    public static Form pool(Tensor<?> x, boolean same, int[] size, int... strides) {
        return of(x, pair(size, "size"), pair(strides, "strides"), new long[] {1, 1}, same, true);
    }

    private static long[] pair(int[] values, String name) {
        if (values.length != 2 || values[0] < 1 || values[1] < 1) {
            throw new IllegalArgumentException(name + " is " + Arrays.toString(values)
                + ": it must be two numbers of 1 or more, of height and width");
        }
        return new long[] {values[0], values[1]};
    }

    private static Form of(Tensor<?> x, long[] size, long[] stride, long[] dilation, boolean same, boolean isPool) {
        if (x.rank() != 4) {
            throw new IllegalArgumentException("x has rank " + x.rank() + ": its axes are batch, height, width and channels");
        }
        long[] input = {x.size(1), x.size(2)};
        long[] output = new long[2];
        long[] before = new long[2];
        for (int d = 0; d < 2; d++) {
            long extent = (size[d] - 1) * dilation[d] + 1;
            if (same) {
                output[d] = (input[d] + stride[d] - 1) / stride[d];
                before[d] = Math.max(0, (output[d] - 1) * stride[d] + extent - input[d]) / 2;
            } else if (extent > input[d] || size[d] < 1) {
                throw new IllegalArgumentException("a window of " + extent + " does not fit axis " + (d + 1) + " of x, which is " + input[d]
                    + ": with Padding.SAME it would");
            } else {
                output[d] = (input[d] - extent) / stride[d] + 1;
            }
            if (isPool) {
                // Parts of the window that are always outside of the input are left out, so that the padded input is not much larger than the input.
                long skipped = Math.min(Math.max(before[d] - Math.max(output[d] - 1, 0) * stride[d], 0), size[d] - 1);
                size[d] = Math.max(Math.min(size[d], before[d] + input[d]) - skipped, 1);
                before[d] -= skipped;
            }
        }
        return new Window(input, output, size, stride, dilation, before, isPool);
    }

    /** An index of the input, or of the padded input. */
    private String index(int d, boolean padded) {
        String place = stride[d] + "*" + (d == 0 ? "p" : "q") + " + " + dilation[d] + "*" + (d == 0 ? "r" : "s");
        return padded || before[d] == 0 ? place : place + " - " + before[d];
    }

    /** An expression where the index is within the input, else 0. */
    private String guarded(String what) {
        return !isPadded ? what
            : "guard(0 <= " + index(0, false) + " < " + input[0] + ", 0 <= " + index(1, false) + " < " + input[1] + ", " + what + ")";
    }

    @Override
    String word(String word) {
        switch (word) {
            case "x":
                return guarded("x[n, " + index(0, false) + ", " + index(1, false) + ", c]");
            case "inside":
                return guarded("1");
            case "padded":
                return index(0, true) + ", " + index(1, true);
            case "into":
                return "v + " + before[0] + ", w + " + before[1];
            case "shape":
                return length(0) + ", " + length(1);
            default:
                return "where p in 0:" + output[0] + ", q in 0:" + output[1]
                    + (isPool ? ", r in 0:" + size[0] + ", s in 0:" + size[1] : "");
        }
    }

    /** Without padding nothing is copied before the largest elements are found. */
    @Override
    String template(String template) {
        int copied = template.indexOf("\n");
        return isPool && !isPadded && template.startsWith("t[n, {into}") ? template.substring(copied + 1).replace("t[", "x[") : template;
    }

    private long length(int d) {
        return Math.max(before[d] + input[d], (output[d] - 1) * stride[d] + (size[d] - 1) * dilation[d] + 1);
    }
}
