package io.tensornio.internal.axes;

import io.tensornio.Axis;
import io.tensornio.DataType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Sums of products: {@code dot} and convolution. */
public final class Products {
    private Products() {
    }

    private static void check(String name, Node left, Node right) {
        Elementwise.checkSame(name, left, right);
        if (left.type() == DataType.BOOL) {
            throw new IllegalArgumentException(name + ": both sides are BOOL: they are computed with after cast(DataType.FLOAT)");
        }
    }

    private static String both(Node left, Node right) {
        return AxisLists.text(left.axes()) + " and " + AxisLists.text(right.axes());
    }

    /** Contracts each axis on the left with the one on the right with the next offset. */
    public static Node dot(Node left, Node right) {
        check("dot", left, right);
        int[] partner = partners(left, right);          // for each axis on the right its partner on the left, or -1
        boolean[] contracted = new boolean[left.axes().length];
        List<Long> reduced = new ArrayList<>();
        for (int l : partner) {
            if (l >= 0) {
                contracted[l] = true;
                reduced.add(left.axes()[l].length());
            }
        }
        List<Axis> rest = new ArrayList<>();
        for (int l = 0; l < contracted.length; l++) {
            if (!contracted[l]) {
                rest.add(left.axes()[l]);
            }
        }
        int kept = rest.size();
        for (int r = 0; r < partner.length; r++) {
            if (partner[r] < 0) {
                Axis axis = right.axes()[r];
                if (rest.subList(0, kept).contains(axis)) {
                    throw survives(left, right, axis);
                }
                rest.add(axis);
            }
        }
        int[] ofLeft = new int[contracted.length];
        int[] ofRight = new int[partner.length];
        int loop = 0;
        for (int l = 0; l < contracted.length; l++) {
            ofLeft[l] = contracted[l] ? -1 : loop++;
        }
        int inner = rest.size();
        for (int r = 0; r < partner.length; r++) {
            ofRight[r] = partner[r] < 0 ? loop++ : inner;
            if (partner[r] >= 0) {
                ofLeft[partner[r]] = inner++;
            }
        }
        return new Node(left.type(), rest.toArray(new Axis[0]), Step.contract("dot", "", Read.of(left, ofLeft), Read.of(right, ofRight),
            longs(reduced)));
    }

    private static int[] partners(Node left, Node right) {
        Axis[] wanted = new Axis[left.axes().length];
        for (int l = 0; l < wanted.length; l++) {
            Axis axis = left.axes()[l];
            wanted[l] = axis.withOffset(axis.offset() + 1);
        }
        try {
            return Matching.match("dot", wanted, right.axes());
        } catch (IllegalArgumentException ambiguous) {
            throw new IllegalArgumentException("dot: " + both(left, right)
                + ": more than one axis on the left at an offset, and of a class and length,"
                + " could contract the same on the right at the offset one higher", ambiguous);
        }
    }

    private static IllegalArgumentException survives(Node left, Node right, Axis axis) {
        return new IllegalArgumentException("dot: " + both(left, right) + ": " + axis + " at offset " + axis.offset()
            + " is left over on both sides. An axis at offset n on the left contracts the one at offset n + 1 on the right: the left has "
            + axis.name() + " at offset " + axis.offset() + ", which contracts " + (axis.offset() + 1) + ", and the right has it at offset "
            + axis.offset() + ". Use withOffset(" + (axis.offset() - 1) + ") on the left, or t()");
    }

    private static long[] longs(List<Long> list) {
        long[] longs = new long[list.size()];
        for (int n = 0; n < longs.length; n++) {
            longs[n] = list.get(n);
        }
        return longs;
    }

    /** Convolves over pairs of axes; other common axes are reduced. */
    public static Node conv(Node input, Node filter, List<ConvPair> pairs, String over) {
        check("conv", input, filter);
        Axis[] in = input.axes();
        Axis[] of = filter.axes();
        int[] pairOfInput = new int[in.length];
        int[] pairOfFilter = new int[of.length];
        Arrays.fill(pairOfInput, -1);
        Arrays.fill(pairOfFilter, -1);
        Axis[] out = new Axis[pairs.size()];
        for (int p = 0; p < out.length; p++) {
            ConvPair pair = pairs.get(p);
            int at = taken("input", in, pair.input, pairOfInput, p);
            int k = taken("filter", of, pair.filter, pairOfFilter, p);
            out[p] = pair.output(in[at], of[k]);
        }
        int[] shared = matchRest(in, pairOfInput, of, pairOfFilter);        // for each axis of the filter that of the input, or -1
        List<Axis> axes = new ArrayList<>();
        List<Long> reduced = new ArrayList<>();
        boolean[] dropped = new boolean[in.length];
        for (int s : shared) {
            if (s >= 0) {
                dropped[s] = true;
            }
        }
        int[] outLoop = new int[out.length];
        int[] inLoop = new int[in.length];
        for (int n = 0; n < in.length; n++) {
            if (pairOfInput[n] >= 0) {
                outLoop[pairOfInput[n]] = axes.size();
                axes.add(out[pairOfInput[n]]);
            } else if (!dropped[n]) {
                inLoop[n] = axes.size();
                axes.add(in[n]);
            }
        }
        int[] filterLoop = new int[of.length];
        for (int n = 0; n < of.length; n++) {
            if (pairOfFilter[n] < 0 && shared[n] < 0) {
                filterLoop[n] = axes.size();
                axes.add(of[n]);
            }
        }
        int loop = axes.size();
        for (int n = 0; n < of.length; n++) {
            if (pairOfFilter[n] >= 0 || shared[n] >= 0) {
                filterLoop[n] = loop++;
                reduced.add(of[n].length());
                if (shared[n] >= 0) {
                    inLoop[shared[n]] = filterLoop[n];
                }
            }
        }
        Place[] places = Place.loops(inLoop);
        for (int n = 0; n < of.length; n++) {
            if (pairOfFilter[n] >= 0) {
                ConvPair pair = pairs.get(pairOfFilter[n]);
                int at = indexOf(pairOfInput, pairOfFilter[n]);
                places[at] = Place.sum(new int[] {outLoop[pairOfFilter[n]], filterLoop[n]}, new long[] {pair.stride, 1}, -pair.padding,
                    pair.padding > 0);
            }
        }
        return new Node(input.type(), AxisLists.distinct(axes.toArray(new Axis[0])), Step.contract("conv", ", " + over, Read.of(input, places),
            Read.of(filter, filterLoop), longs(reduced)));
    }

    private static int taken(String side, Axis[] axes, Axis wanted, int[] pairs, int pair) {
        int at = AxisLists.find("conv: the " + side, axes, wanted);
        if (pairs[at] >= 0) {
            throw new IllegalArgumentException("conv: axis " + axes[at] + " of the " + side + " is named twice");
        }
        pairs[at] = pair;
        return at;
    }

    private static int indexOf(int[] list, int wanted) {
        int n = 0;
        while (list[n] != wanted) {
            n++;
        }
        return n;
    }

    /** Matches the axes other than those of the convolution. */
    private static int[] matchRest(Axis[] in, int[] pairOfInput, Axis[] of, int... pairOfFilter) {
        List<Axis> left = new ArrayList<>();
        List<Integer> which = new ArrayList<>();
        for (int n = 0; n < in.length; n++) {
            if (pairOfInput[n] < 0) {
                left.add(in[n]);
                which.add(n);
            }
        }
        List<Axis> right = new ArrayList<>();
        for (int n = 0; n < of.length; n++) {
            if (pairOfFilter[n] < 0) {
                right.add(of[n]);
            }
        }
        int[] matched = Matching.match("conv", left.toArray(new Axis[0]), right.toArray(new Axis[0]));
        int[] shared = new int[of.length];
        int next = 0;
        for (int n = 0; n < of.length; n++) {
            int l = pairOfFilter[n] < 0 ? matched[next++] : -1;
            shared[n] = l < 0 ? -1 : which.get(l);
        }
        return shared;
    }
}
