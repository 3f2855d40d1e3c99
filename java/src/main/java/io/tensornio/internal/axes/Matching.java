package io.tensornio.internal.axes;

import io.tensornio.Axis;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * The matching of the axes of two operands: first those that are equal, then those of equal class, length and offset. A
 * matched pair becomes the left one's axis in the result.
 */
public final class Matching {
    /** The nesting depth of {@link #strict} in a thread; null if it is not in strict mode. */
    private static final ThreadLocal<Integer> STRICT = new ThreadLocal<>();

    private Matching() {
    }

    /** Runs the supplier in strict mode. */
    public static <T> T strict(Supplier<T> expressions) {
        Integer depth = STRICT.get();
        STRICT.set(depth == null ? 1 : depth + 1);
        try {
            return expressions.get();
        } finally {
            if (depth == null) {
                STRICT.remove();
            } else {
                STRICT.set(depth);
            }
        }
    }

    static boolean alike(Axis one, Axis other) {
        return one.offset() == other.offset() && one.length() == other.length() && one.axisClass().equals(other.axisClass());
    }

    /**
     * Matches axes.
     *
     * @param step the operation, for messages
     * @return for each axis on the right the index of the matching one on the left, or -1
     * @throws IllegalArgumentException if one could match several by its class
     */
    static int[] match(String step, Axis[] left, Axis[] right) {
        int[] matched = new int[right.length];
        boolean[] taken = new boolean[left.length];
        int open = 0;
        for (int r = 0; r < right.length; r++) {
            matched[r] = AxisLists.indexOf(left, right[r]);
            if (matched[r] >= 0) {
                taken[matched[r]] = true;
            } else {
                open++;
            }
        }
        if (open == 0) {
            return matched;
        }
        boolean[] alike = new boolean[right.length];
        for (int r = 0; r < right.length; r++) {
            for (int l = 0; matched[r] < 0 && !alike[r] && l < left.length; l++) {
                alike[r] = !taken[l] && alike(left[l], right[r]);
            }
        }
        for (int r = 0; r < right.length; r++) {
            if (alike[r]) {
                matched[r] = only(step, left, taken, right, r, alike);
            }
        }
        return matched;
    }

    private static int only(String step, Axis[] left, boolean[] taken, Axis[] right, int r, boolean... alike) {
        int found = -1;
        int candidates = 0;
        for (int l = 0; l < left.length; l++) {
            if (!taken[l] && alike(left[l], right[r])) {
                found = found < 0 ? l : found;
                candidates++;
            }
        }
        int rivals = 0;
        for (int other = 0; other < right.length; other++) {
            rivals += alike[other] && alike(right[other], right[r]) ? 1 : 0;
        }
        if (candidates > 1 || rivals > 1) {
            throw new IllegalArgumentException(step + ": " + AxisLists.text(left) + " and " + AxisLists.text(right) + ": " + right[r]
                + " could match more than one axis of its class: " + candidates + " on the left, for " + rivals + " on the right");
        }
        return found;
    }

    /** The axes of an elementwise result, and for each operand the indices of its axes among them. */
    static final class Union {
        final Axis[] axes;
        final int[] left;
        final int[] right;

        private Union(Axis[] axes, int[] left, int[] right) {
            this.axes = axes;
            this.left = left;
            this.right = right;
        }
    }

    /**
     * Unites the axes of operands of an elementwise operation: in the left one's order if it has all of them; else in
     * the right one's if that has; else the left one's, then the additional ones of the right one.
     *
     * @throws IllegalArgumentException if axes are ambiguous; or if this thread is strict and they do not fit
     */
    static Union unite(String step, Axis[] left, Axis[] right) {
        int[] matched = match(step, left, right);
        int shared = 0;
        for (int l : matched) {
            shared += l >= 0 ? 1 : 0;
        }
        if (STRICT.get() != null) {
            checkStrict(step, left, right, shared, matched);
        }
        if (shared == right.length) {
            return new Union(left, identity(left.length), matched);
        }
        int[] ofLeft = identity(left.length);
        int[] ofRight = new int[right.length];
        if (shared == left.length) {
            Axis[] axes = right.clone();
            for (int r = 0; r < right.length; r++) {
                ofRight[r] = r;
                if (matched[r] >= 0) {
                    axes[r] = left[matched[r]];
                    ofLeft[matched[r]] = r;
                }
            }
            return new Union(axes, ofLeft, ofRight);
        }
        Axis[] axes = Arrays.copyOf(left, left.length + right.length - shared);
        int more = left.length;
        for (int r = 0; r < right.length; r++) {
            ofRight[r] = matched[r];
            if (matched[r] < 0) {
                axes[more] = right[r];
                ofRight[r] = more++;
            }
        }
        return new Union(axes, ofLeft, ofRight);
    }

    static int[] identity(int rank) {
        int[] identity = new int[rank];
        for (int n = 0; n < rank; n++) {
            identity[n] = n;
        }
        return identity;
    }

    private static void checkStrict(String step, Axis[] left, Axis[] right, int shared, int... matched) {
        List<String> faults = new ArrayList<>();
        if (shared == 0 && left.length > 0 && right.length > 0) {
            faults.add("share no axis");
        }
        boolean[] taken = new boolean[left.length];
        for (int l : matched) {
            if (l >= 0) {
                taken[l] = true;
            }
        }
        for (int r = 0; r < right.length; r++) {
            for (int l = 0; matched[r] < 0 && l < left.length; l++) {
                if (!taken[l] && left[l].axisClass().equals(right[r].axisClass()) && left[l].length() != right[r].length()) {
                    faults.add(left[l] + " and " + right[r] + " are of one class and do not match");
                }
            }
        }
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException(step + ": " + AxisLists.text(left) + " and " + AxisLists.text(right)
                + (faults.get(0).startsWith("share") ? " " : ": ") + String.join("; ", faults));
        }
    }
}
