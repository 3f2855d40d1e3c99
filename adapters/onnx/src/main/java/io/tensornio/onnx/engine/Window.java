package io.tensornio.onnx.engine;

import java.util.Arrays;

/** Where the windows of a convolution or a pool are: of each spatial axis its size, steps, and the padding around the input. */
final class Window {
    final int rank;
    final long[] input;
    final long[] size;
    final long[] strides;
    final long[] dilations;
    final long[] before;
    final long[] after;
    final long[] output;

    /** The attributes of a node; the sizes of windows are given, or an attribute. */
    Window(Call call, long[] input, long[] size, boolean ceil) {
        rank = input.length;
        this.input = input;
        this.size = size;
        Attributes a = call.attributes;
        strides = a.integers("strides", filled(rank, 1));
        dilations = a.integers("dilations", filled(rank, 1));
        long[] pads = a.integers("pads", new long[2 * rank]);
        check(size, strides, dilations);
        if (pads.length != 2 * rank) {
            throw new IllegalArgumentException(pads.length + " widths of padding are for " + rank + " axes");
        }
        before = Arrays.copyOf(pads, rank);
        after = Arrays.copyOfRange(pads, rank, 2 * rank);
        output = new long[rank];
        String auto = a.string("auto_pad", "NOTSET");
        for (int d = 0; d < rank; d++) {
            long extent = Math.addExact(Math.multiplyExact(dilations[d], size[d] - 1), 1);
            if (auto.startsWith("SAME")) {
                output[d] = (input[d] + strides[d] - 1) / strides[d];
                long needed = Math.max(0, (output[d] - 1) * strides[d] + extent - input[d]);
                before[d] = auto.equals("SAME_LOWER") ? (needed + 1) / 2 : needed / 2;
                after[d] = needed - before[d];
                continue;
            }
            if (auto.equals("VALID")) {
                before[d] = 0;
                after[d] = 0;
            } else if (!auto.equals("NOTSET")) {
                throw new IllegalArgumentException("attribute `auto_pad` is `" + auto + "`");
            }
            if (before[d] < 0 || after[d] < 0) {
                throw new IllegalArgumentException("padding is negative: " + Arrays.toString(pads));
            }
            long room = Math.subtractExact(Math.addExact(Math.addExact(input[d], before[d]), after[d]), extent);
            if (room < 0) {
                throw new IllegalArgumentException("a window of " + extent + " is longer than the padded axis " + d + " of " + input[d]);
            }
            output[d] = (ceil ? (room + strides[d] - 1) / strides[d] : room / strides[d]) + 1;
            if (ceil && (output[d] - 1) * strides[d] >= input[d] + before[d]) {
                output[d]--;                // the last window would begin behind the input
            }
        }
    }

    /**
     * Whether some axis has one window, which reaches into padding: of an element there nothing is added, and the window is made one of those inside.
     * The result has of each axis the first that is left and the one behind the last; null if none is left out.
     */
    long[][] cut() {
        long[] from = new long[rank];
        long[] to = size.clone();
        boolean cuts = false;
        for (int d = 0; d < rank; d++) {
            long first = (before[d] + dilations[d] - 1) / dilations[d];
            long end = Math.min(size[d], (input[d] - 1 + before[d]) / dilations[d] + 1);
            if (output[d] == 1 && input[d] > 0 && first < end && end - first < size[d]) {
                from[d] = first;
                to[d] = end;
                size[d] = end - first;
                before[d] -= dilations[d] * first;
                after[d] = 0;
                cuts = true;
            }
        }
        return cuts ? new long[][] {from, to} : null;
    }

    private void check(long[]... all) {
        for (long[] one : all) {
            if (one.length != rank) {
                throw new IllegalArgumentException(Arrays.toString(one) + " is for " + one.length + " axes; the input has " + rank);
            }
            for (long value : one) {
                if (value < 1 || value > Integer.MAX_VALUE) {
                    throw new IllegalArgumentException("sizes, strides and dilations of windows are 1 or more, not " + Arrays.toString(one));
                }
            }
        }
    }

    static long[] filled(int length, long value) {
        long[] all = new long[length];
        Arrays.fill(all, value);
        return all;
    }

    boolean isPadded() {
        for (int d = 0; d < rank; d++) {
            if (before[d] > 0 || reach(d) > input[d]) {
                return true;
            }
        }
        return false;
    }

    /** Where the last window of an axis ends, in the input. */
    private long reach(int d) {
        return (output[d] - 1) * strides[d] + dilations[d] * (size[d] - 1) + 1 - before[d];
    }

    /** How much behind the input windows need. */
    long[] behind() {
        long[] behind = new long[rank];
        Arrays.setAll(behind, d -> Math.max(0, reach(d) - input[d]));
        return behind;
    }

    /** The position in the input of an element of a window, `2*p0+r0-1`. */
    String index(int d, boolean padded) {
        long shift = padded ? before[d] : 0;
        return times(strides[d], "p" + d) + "+" + times(dilations[d], "r" + d) + (shift == 0 ? "" : shift < 0 ? "+" + -shift : "-" + shift);
    }

    private static String times(long factor, String loop) {
        return (factor == 1 ? "" : factor + "*") + loop;
    }

    /** `prefix0,prefix1`. */
    String loops(String prefix) {
        StringBuilder all = new StringBuilder();
        for (int d = 0; d < rank; d++) {
            all.append(d == 0 ? "" : ",").append(prefix).append(d);
        }
        return all.toString();
    }

    /** A read of `x0[lead, window]`, guarded where there is padding; `first` is the number of axes before the spatial ones. */
    String read(String lead, int first) {
        StringBuilder read = new StringBuilder("x0[").append(lead);
        StringBuilder guard = new StringBuilder();
        for (int d = 0; d < rank; d++) {
            String index = index(d, true);
            read.append(',').append(index);
            if (before[d] > 0 || reach(d) > input[d]) {
                guard.append("0 <= ").append(index).append(" < size(x0,").append(first + d).append("), ");
            }
        }
        read.append(']');
        return guard.length() == 0 ? read.toString() : "guard(" + guard + read + ")";
    }

    /** A statement that makes an image with zeros around it of `x0[n,g,...]`. */
    String padding(String name, String ranges) {
        StringBuilder loops = new StringBuilder();
        StringBuilder read = new StringBuilder();
        StringBuilder guard = new StringBuilder();
        StringBuilder all = new StringBuilder(ranges);
        long[] behind = behind();
        for (int d = 0; d < rank; d++) {
            String at = "q" + d + (before[d] == 0 ? "" : "-" + before[d]);
            loops.append(",q").append(d);
            read.append(',').append(at);
            guard.append("0 <= ").append(at).append(" < size(x0,").append(d + 2).append("), ");
            all.append(d == 0 ? "" : ", ").append('q').append(d).append(" in 0:").append(before[d] + input[d] + behind[d]);
        }
        return name + "[n,g" + loops + "] = guard(" + guard + "x0[n,g" + read + "])" + all;
    }

    /** Ranges of the loops of windows, `p0 in 0:8, ...`. */
    String ranges() {
        StringBuilder ranges = new StringBuilder();
        for (int d = 0; d < rank; d++) {
            ranges.append(d == 0 ? "" : ", ").append('p').append(d).append(" in 0:").append(output[d]);
        }
        return ranges.toString();
    }

    /** Ranges of the loops in a window. */
    String inside() {
        StringBuilder ranges = new StringBuilder();
        for (int d = 0; d < rank; d++) {
            ranges.append(d == 0 ? "" : ", ").append('r').append(d).append(" in 0:").append(size[d]);
        }
        return ranges.toString();
    }
}
