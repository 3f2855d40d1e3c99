package io.tensornio.internal.axes;

import io.tensornio.Axis;
import java.util.Arrays;
import java.util.Objects;

/** Lists of axes, in order and without duplicates. */
public final class AxisLists {
    private AxisLists() {
    }

    /**
     * Copies a caller's axes.
     *
     * @throws IllegalArgumentException if one occurs twice
     */
    static Axis[] distinct(Axis... axes) {
        Axis[] own = Arrays.copyOf(Objects.requireNonNull(axes, "axes"), axes.length, Axis[].class);
        for (int n = 0; n < own.length; n++) {
            int which = n;
            Objects.requireNonNull(own[n], () -> "axis " + which);
            if (own[n].isVarying()) {
                throw new IllegalArgumentException("axis " + own[n] + " has no length: it is one of inputs of graphs");
            }
            for (int before = 0; before < n; before++) {
                if (own[before].equals(own[n])) {
                    throw new IllegalArgumentException("axis " + own[n] + " is there twice: " + text(own));
                }
            }
        }
        return own;
    }

    /** The text: {@code (C=3, H=4)}. */
    public static String text(Axis... axes) {
        StringBuilder text = new StringBuilder("(");
        for (int n = 0; n < axes.length; n++) {
            text.append(n == 0 ? "" : ", ").append(axes[n]);
        }
        return text.append(')').toString();
    }

    /** Their lengths. */
    public static long[] shape(Axis... axes) {
        long[] shape = new long[axes.length];
        for (int n = 0; n < shape.length; n++) {
            shape[n] = axes[n].length();
        }
        return shape;
    }

    /** The index of the axis that equals another one, or -1. */
    static int indexOf(Axis[] axes, Axis wanted) {
        for (int n = 0; n < axes.length; n++) {
            if (axes[n].equals(wanted)) {
                return n;
            }
        }
        return -1;
    }

    /**
     * Resolves a caller's axis: the index of the one that equals it, else of the only one of its class, length and offset.
     *
     * @param step the operation, for messages
     * @throws IllegalArgumentException if there is none, or more than one
     */
    static int find(String step, Axis[] axes, Axis wanted) {
        Objects.requireNonNull(wanted, "axis");
        int found = indexOf(axes, wanted);
        for (int n = 0; found < 0 && n < axes.length; n++) {
            if (Matching.alike(axes[n], wanted)) {
                found = n;
                for (int other = n + 1; other < axes.length; other++) {
                    if (Matching.alike(axes[other], wanted)) {
                        throw new IllegalArgumentException(step + ": " + wanted + " is none of " + text(axes) + ", and both " + axes[n] + " and "
                            + axes[other] + ", axes " + n + " and " + other + ", are of its class and length");
                    }
                }
            }
        }
        if (found < 0) {
            throw new IllegalArgumentException(step + ": " + text(axes) + " has no axis " + wanted + reason(axes, wanted));
        }
        return found;
    }

    /** A hint at the axis closest to a missing one. */
    private static String reason(Axis[] axes, Axis wanted) {
        for (Axis axis : axes) {
            if (axis.axisClass().equals(wanted.axisClass())) {
                return "; " + axis + " of the same class has another " + (axis.length() == wanted.length() ? "offset" : "length");
            }
        }
        return "";
    }

    /** An axis of the same name, class and offset, with another length. */
    static Axis resized(Axis axis, long length) {
        return Axis.of(axis.name(), axis.axisClass(), length).withOffset(axis.offset());
    }

    /** The axes with one replaced, or dropped if the other is null. */
    static Axis[] with(Axis[] axes, int at, Axis other) {
        if (other != null) {
            Axis[] more = axes.clone();
            more[at] = other;
            return distinct(more);
        }
        Axis[] less = Arrays.copyOf(axes, axes.length - 1);
        System.arraycopy(axes, at + 1, less, at, less.length - at);
        return less;
    }
}
