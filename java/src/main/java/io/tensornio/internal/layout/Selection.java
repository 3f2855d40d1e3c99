package io.tensornio.internal.layout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/** The elements of a shape that a view selects, and the view's shape: equal for views that select the same. Immutable. */
public final class Selection {
    /** The shape, the position of the first element, and for each axis the distances of the others from it. */
    private final List<Object> key;

    private Selection(List<Object> key) {
        this.key = key;
    }

    /**
     * The elements that a view selects.
     *
     * @param shape the shape, whose elements are numbered in row-major order
     * @param step makes the view
     * @return the selection
     */
    public static Selection of(long[] shape, UnaryOperator<Layout> step) {
        Layout view = step.apply(Layout.rowMajor(shape));
        List<Object> key = new ArrayList<>();
        for (long size : view.sizes()) {
            key.add(size);
        }
        if (view.totalSize() == 0) {
            return new Selection(key);
        }
        long first = view.offset();
        for (int d = 0; d < view.rank(); d++) {
            first += view.distance(d, 0);
            key.add(view.size(d) == 1 ? 0L : distances(view, d));
        }
        key.add(first);
        return new Selection(key);
    }

    /** The distances from the first position: a stride, or else a run-length encoding of the differences. */
    private static Object distances(Layout view, int d) {
        if (view.isStrided(d)) {
            return view.stride(d);
        }
        long[] changes = new long[16];
        int n = 0;
        long last = 0;
        for (long i = 1; i < view.size(d); i++) {
            long step = view.distance(d, i) - view.distance(d, i - 1);
            if (i == 1 || step != last) {
                if (n + 2 > changes.length) {
                    changes = Arrays.copyOf(changes, 2 * n);
                }
                changes[n++] = i;
                changes[n++] = step;
            }
            last = step;
            if (view.runs(d) != null) {
                i = Math.max(i, view.runs(d).end(view.runs(d).run(i)) - 1);
            }
        }
        List<Long> list = new ArrayList<>(n);
        for (int k = 0; k < n; k++) {
            list.add(changes[k]);
        }
        return list;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Selection && key.equals(((Selection) other).key);
    }

    @Override
    public int hashCode() {
        return key.hashCode();
    }
}
