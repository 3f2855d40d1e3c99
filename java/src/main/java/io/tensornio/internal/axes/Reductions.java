package io.tensornio.internal.axes;

import io.tensornio.Axis;
import io.tensornio.DataType;
import java.util.Arrays;
import java.util.Objects;

/** Reductions along axes. */
public final class Reductions {
    private static final Elementwise QUOTIENT = new Elementwise("div", ElementKind.NUMBERS, "(", " / ", ")");

    private Reductions() {
    }

    /**
     * Reduces axes, or all if none is given.
     *
     * @param name {@code sum}, {@code prod}, {@code max} or {@code min}
     */
    public static Node reduce(String name, Node x, Axis... axes) {
        boolean isExtreme = name.equals("max") || name.equals("min");
        if (x.type() == DataType.BOOL && !isExtreme) {
            throw new IllegalArgumentException(name + ": " + AxisLists.text(x.axes()) + " is BOOL: it is computed with after cast(DataType.FLOAT)");
        }
        Axis[] own = x.axes();
        boolean[] dropped = dropped(name, own, axes);
        int[] loops = new int[own.length];
        Axis[] kept = new Axis[own.length];
        long[] reduced = new long[own.length];
        int keeps = 0;
        int drops = 0;
        for (int n = 0; n < own.length; n++) {
            if (dropped[n]) {
                reduced[drops++] = own[n].length();
            } else {
                kept[keeps++] = own[n];
            }
        }
        int keep = 0;
        int drop = keeps;
        StringBuilder over = new StringBuilder();
        for (int n = 0; n < own.length; n++) {
            loops[n] = dropped[n] ? drop++ : keep++;
            if (dropped[n] && keeps > 0) {
                over.append(", ").append(own[n].name());
            }
        }
        String assign = name.equals("sum") ? "+=" : name.equals("prod") ? "*=" : name + "=";
        return new Node(x.type(), Arrays.copyOf(kept, keeps),
            Step.reduce(name, assign, new String[] {name + "(", over + ")"}, Read.of(x, loops), Arrays.copyOf(reduced, drops)));
    }

    public static Node mean(Node x, Axis... axes) {
        if (x.type() != DataType.FLOAT && x.type() != DataType.DOUBLE) {
            throw new IllegalArgumentException("mean: " + AxisLists.text(x.axes()) + " is " + x.type()
                + ": this is of FLOAT and DOUBLE alone, as made by cast(DataType.FLOAT)");
        }
        boolean[] dropped = dropped("mean", x.axes(), axes);
        double count = 1;
        for (int n = 0; n < dropped.length; n++) {
            count *= dropped[n] ? x.axes()[n].length() : 1;
        }
        return QUOTIENT.of(reduce("sum", x, axes), count);
    }

    private static boolean[] dropped(String name, Axis[] own, Axis... axes) {
        boolean[] dropped = new boolean[own.length];
        Arrays.fill(dropped, Objects.requireNonNull(axes, "axes").length == 0);
        for (Axis axis : axes) {
            int found = AxisLists.find(name, own, axis);
            if (dropped[found]) {
                throw new IllegalArgumentException(name + ": axis " + own[found] + " is there twice: " + AxisLists.text(axes));
            }
            dropped[found] = true;
        }
        return dropped;
    }
}
