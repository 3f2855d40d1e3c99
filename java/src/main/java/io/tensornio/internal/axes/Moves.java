package io.tensornio.internal.axes;

import io.tensornio.Axis;
import io.tensornio.TensorData;
import io.tensornio.TensorIndex;
import io.tensornio.internal.data.DataIndices;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Slicer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** Steps that only move elements: to other indices, or other axes. */
public final class Moves {
    private Moves() {
    }

    private static Node view(String name, String with, Node x, Axis[] axes, Place... places) {
        return new Node(x.type(), axes, Step.view(name, formula(name, with), null, Read.of(x, places)));
    }

    private static String[] formula(String name, String with) {
        return new String[] {name + "(", with + ")"};
    }

    /** Replaces the axes. */
    public static Node withAxes(Node x, Axis... axes) {
        Axis[] own = AxisLists.distinct(axes);
        if (!Arrays.equals(AxisLists.shape(own), x.shape())) {
            throw new IllegalArgumentException("withAxes: " + AxisLists.text(own) + " for " + AxisLists.text(x.axes())
                + ": there is one for each axis, of its length");
        }
        return view("withAxes", ", " + AxisLists.text(own), x, own, Place.loops(Matching.identity(own.length)));
    }

    /** Reverses the axes, and subtracts each offset from -1. */
    public static Node transposed(Node x) {
        int rank = x.axes().length;
        Axis[] axes = new Axis[rank];
        int[] loops = new int[rank];
        for (int n = 0; n < rank; n++) {
            Axis axis = x.axes()[n];
            loops[n] = rank - 1 - n;
            axes[loops[n]] = axis.withOffset(-1 - axis.offset());
        }
        return view("t", "", x, axes, Place.loops(loops));
    }

    public static Node order(Node x, Axis... axes) {
        Axis[] own = x.axes();
        int[] loops = new int[own.length];
        Axis[] ordered = new Axis[own.length];
        Arrays.fill(loops, -1);
        if (Objects.requireNonNull(axes, "axes").length != own.length) {
            throw new IllegalArgumentException("order: " + AxisLists.text(axes) + " is no order of " + AxisLists.text(own)
                + ": it names each axis once");
        }
        for (int n = 0; n < axes.length; n++) {
            int at = AxisLists.find("order", own, axes[n]);
            if (loops[at] >= 0) {
                throw new IllegalArgumentException("order: " + AxisLists.text(axes) + " names axis " + own[at] + " of " + AxisLists.text(own)
                    + " twice");
            }
            loops[at] = n;
            ordered[n] = own[at];
        }
        return view("order", ", " + AxisLists.text(ordered), x, ordered, Place.loops(loops));
    }

    public static Node broadcast(Node x, Axis... axes) {
        Axis[] all = AxisLists.distinct(axes);
        int[] matched = Matching.match("broadcast", all, x.axes());
        for (int n = 0; n < matched.length; n++) {
            if (matched[n] < 0) {
                throw new IllegalArgumentException("broadcast: " + AxisLists.text(all) + " lacks " + x.axes()[n] + " of " + AxisLists.text(x.axes())
                    + ": these are all axes of the result");
            }
        }
        return view("broadcast", ", " + AxisLists.text(all), x, all, Place.loops(matched));
    }

    public static Node slice(Node x, Axis axis, TensorIndex index) {
        Objects.requireNonNull(index, "index");
        int at = AxisLists.find("slice", x.axes(), axis);
        Axis sliced = x.axes()[at];
        if (index.equals(TensorIndex.newAxis()) || index.equals(TensorIndex.ellipsis())) {
            throw new IllegalArgumentException("slice: " + index + " selects nothing of one axis, " + sliced);
        }
        Layout selected = Slicer.slice(Layout.rowMajor(new long[] {sliced.length()}), DataIndices.checked(index));
        if (selected.rank() > 1) {
            throw new IllegalArgumentException("slice: " + index + " selects nothing of one axis, " + sliced);
        }
        String with = ", " + sliced.name() + ", " + index;
        if (selected.rank() == 0) {
            Place[] places = shifted(x.axes().length, at, true);
            places[at] = Place.at(selected.offset());
            return view("slice", with, x, AxisLists.with(x.axes(), at, null), places);
        }
        boolean all = index.equals(TensorIndex.all());
        Axis result = all ? sliced : AxisLists.resized(sliced, selected.size(0));
        Place[] places = shifted(x.axes().length, at, false);
        if (selected.isStrided(0)) {
            places[at] = Place.affine(at, selected.stride(0), selected.size(0) == 0 ? 0 : selected.offset(), false);
        } else {
            long[] list = new long[Math.toIntExact(selected.size(0))];
            for (int n = 0; n < list.length; n++) {
                list[n] = selected.offset() + selected.distance(0, n);
            }
            places[at] = Place.list(at, 1);
            return new Node(x.type(), AxisLists.with(x.axes(), at, result), Step.view("slice", formula("slice", with), null, Read.of(x, places),
                Read.of(Node.of(list), 0)));
        }
        return view("slice", with, x, AxisLists.with(x.axes(), at, result), places);
    }

    /** A loop for each axis, except a dropped one. */
    private static Place[] shifted(int rank, int at, boolean dropped) {
        Place[] places = new Place[rank];
        for (int n = 0; n < rank; n++) {
            places[n] = Place.loop(dropped && n > at ? n - 1 : n);
        }
        return places;
    }

    public static Node pad(Node x, Axis axis, long before, long after) {
        int at = AxisLists.find("pad", x.axes(), axis);
        Axis padded = x.axes()[at];
        if (before < 0 || after < 0) {
            throw new IllegalArgumentException("pad: " + before + " before and " + after + " after " + padded + ": neither is negative");
        }
        long length;
        try {
            length = Math.addExact(Math.addExact(padded.length(), before), after);
        } catch (ArithmeticException overflow) {
            throw new IllegalArgumentException("pad: " + before + " before and " + after + " after " + padded
                + " are more than a long counts", overflow);
        }
        Place[] places = shifted(x.axes().length, at, false);
        places[at] = Place.affine(at, 1, -before, true);
        return view("pad", ", " + padded.name() + ", " + before + ", " + after, x,
            AxisLists.with(x.axes(), at, AxisLists.resized(padded, length)), places);
    }

    /** Merges axes into one, at the position of the first. */
    public static Node flatten(Node x, Axis flat, Axis... parts) {
        Axis[] own = x.axes();
        int[] at = new int[Objects.requireNonNull(parts, "parts").length];
        boolean[] merged = new boolean[own.length];
        long length = 1;
        for (int n = 0; n < parts.length; n++) {
            at[n] = AxisLists.find("flatten", own, parts[n]);
            if (merged[at[n]]) {
                throw new IllegalArgumentException("flatten: axis " + own[at[n]] + " is there twice: " + AxisLists.text(parts));
            }
            merged[at[n]] = true;
            length *= own[at[n]].length();
        }
        if (parts.length == 0 || Objects.requireNonNull(flat, "flat").length() != length) {
            throw new IllegalArgumentException("flatten: " + flat + " for " + AxisLists.text(parts)
                + ": there is at least one, and its length is their product");
        }
        Place[] places = new Place[own.length];
        List<Axis> axes = new ArrayList<>();
        int loop = 0;
        int flatLoop = 0;
        for (int n = 0; n < own.length; n++) {
            if (n == at[0]) {
                axes.add(flat);
                flatLoop = loop++;
            } else if (!merged[n]) {
                axes.add(own[n]);
                places[n] = Place.loop(loop++);
            }
        }
        long divisor = 1;
        for (int n = parts.length - 1; n >= 0; n--) {
            places[at[n]] = parts.length == 1 ? Place.loop(flatLoop) : Place.quotient(flatLoop, Math.max(1, divisor), own[at[n]].length());
            divisor *= own[at[n]].length();
        }
        Axis[] result = AxisLists.distinct(axes.toArray(new Axis[0]));
        String[] formula = formula("flatten", ", " + flat.name() + ", " + AxisLists.text(parts));
        return new Node(x.type(), result, Step.view("flatten", formula, merges(at) ? merged(AxisLists.shape(result)) : null, Read.of(x, places)));
    }

    /** Whether axes are adjacent and in order. */
    private static boolean merges(int... at) {
        for (int n = 1; n < at.length; n++) {
            if (at[n] != at[n - 1] + 1) {
                return false;
            }
        }
        return true;
    }

    /** A reshape, if it is a view. */
    private static Placement merged(long... shape) {
        return operands -> {
            try {
                return operands[0].reshape(shape);
            } catch (IllegalArgumentException strides) {
                return null;
            }
        };
    }

    /** Splits an axis; the parts replace it. */
    public static Node unflatten(Node x, Axis flat, Axis... parts) {
        Axis[] own = x.axes();
        int at = AxisLists.find("unflatten", own, flat);
        long length = 1;
        for (Axis part : Objects.requireNonNull(parts, "parts")) {
            length *= Objects.requireNonNull(part, "part").length();
        }
        if (parts.length == 0 || length != own[at].length()) {
            throw new IllegalArgumentException("unflatten: " + AxisLists.text(parts) + " for " + own[at]
                + ": there is at least one, and the product of their lengths is its");
        }
        Axis[] axes = new Axis[own.length - 1 + parts.length];
        System.arraycopy(own, 0, axes, 0, at);
        System.arraycopy(parts, 0, axes, at, parts.length);
        System.arraycopy(own, at + 1, axes, at + parts.length, own.length - at - 1);
        Place[] places = new Place[own.length];
        for (int n = 0; n < own.length; n++) {
            places[n] = Place.loop(n < at ? n : n - 1 + parts.length);
        }
        int[] loops = new int[parts.length];
        long[] factors = new long[parts.length];
        long factor = 1;
        for (int n = parts.length - 1; n >= 0; n--) {
            loops[n] = at + n;
            factors[n] = factor;
            factor *= parts[n].length();
        }
        places[at] = Place.sum(loops, factors, 0, false);
        StringBuilder with = new StringBuilder(", ").append(own[at].name());
        for (Axis part : parts) {
            with.append(", ").append(part.name());
        }
        return view("unflatten", with.toString(), x, AxisLists.distinct(axes), places);
    }

    public static Node concat(Axis axis, Node... parts) {
        Objects.requireNonNull(axis, "axis");
        if (parts.length == 0) {
            throw new IllegalArgumentException("concat: along " + axis + " of no parts");
        }
        int[] at = new int[parts.length];
        long length = 0;
        for (int n = 0; n < parts.length; n++) {
            Elementwise.checkSame("concat", parts[0], parts[n]);
            at[n] = ofClass(axis, n, parts[n].axes());
            length += parts[n].axes()[at[n]].length();
        }
        if (length != axis.length()) {
            throw new IllegalArgumentException("concat: the parts' lengths of class " + axis.axisClass() + " add up to " + length + ", not to "
                + axis);
        }
        Axis[] axes = AxisLists.with(parts[0].axes(), at[0], axis);
        Axis[] rest = AxisLists.with(axes, at[0], null);
        String[] pieces = new String[parts.length + 1];
        Arrays.fill(pieces, ", ");
        StringBuilder end = new StringBuilder();
        List<Read> operands = new ArrayList<>();
        int[][] orders = new int[parts.length][];
        long from = 0;
        for (int n = 0; n < parts.length; n++) {
            Axis[] own = parts[n].axes();
            Axis[] others = AxisLists.with(own, at[n], null);
            int[] matched = Matching.match("concat", rest, others);
            if (others.length != rest.length || Arrays.stream(matched).anyMatch(m -> m < 0)) {
                throw new IllegalArgumentException("concat: " + AxisLists.text(parts[0].axes()) + " and " + AxisLists.text(own)
                    + " differ in other axes than that of class " + axis.axisClass());
            }
            Place[] places = new Place[own.length];
            for (int d = 0; d < own.length; d++) {
                int m = d == at[n] ? -1 : matched[d < at[n] ? d : d - 1];
                places[d] = m < 0 ? Place.affine(at[0], 1, -from, true) : Place.loop(m < at[0] ? m : m + 1);
            }
            operands.add(Read.of(parts[n], places));
            orders[n] = new int[own.length];
            for (int d = 0; d < own.length; d++) {
                orders[n][places[d].loop] = d;
            }
            from += own[at[n]].length();
            if (n + 1 < parts.length) {
                pieces[n] = (n == 0 ? "" : ", ") + "select(i" + at[0] + " < " + from + ", ";
                end.append(')');
            } else {
                pieces[n] = n == 0 ? "" : ", ";
            }
        }
        pieces[parts.length] = end.toString();
        String[] formula = new String[parts.length + 1];
        Arrays.fill(formula, ", ");
        formula[0] = "concat(" + axis.name() + ", ";
        formula[parts.length] = ")";
        return new Node(parts[0].type(), axes, Step.concat(pieces, formula, data -> {
            TensorData<?>[] ordered = new TensorData<?>[data.length];
            for (int n = 0; n < ordered.length; n++) {
                ordered[n] = data[n].permute(orders[n]);
            }
            return LazyData.concat(at[0], ordered);
        }, operands));
    }

    private static int ofClass(Axis axis, int part, Axis... axes) {
        int found = -1;
        for (int n = 0; n < axes.length; n++) {
            if (axes[n].axisClass().equals(axis.axisClass())) {
                if (found >= 0) {
                    throw new IllegalArgumentException("concat: part " + part + ", " + AxisLists.text(axes) + ", has more than one axis of class "
                        + axis.axisClass());
                }
                found = n;
            }
        }
        if (found < 0) {
            throw new IllegalArgumentException("concat: part " + part + ", " + AxisLists.text(axes) + ", has no axis of class " + axis.axisClass());
        }
        return found;
    }
}
