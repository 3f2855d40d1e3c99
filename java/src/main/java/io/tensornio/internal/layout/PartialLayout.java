package io.tensornio.internal.layout;

import java.util.Arrays;
import java.util.function.UnaryOperator;

/**
 * A layout whose strides may be unknown: the shape, and which axes are lists of positions, always are known. Views of it are made exactly as on data
 * where the strides are known; where they are not, a reshape checks the number of elements only, and keeps lists as they are. Immutable.
 */
public final class PartialLayout {
    /** If the strides are unknown, a placeholder with the same lists, whose strides are row-major or 0. */
    private final Layout layout;
    private final boolean known;

    private PartialLayout(Layout layout, boolean known) {
        this.layout = layout;
        this.known = known;
    }

    /** A fully known layout. */
    public static PartialLayout of(Layout layout) {
        return new PartialLayout(layout, true);
    }

    /** A layout with unknown strides; the shape is checked. */
    public static PartialLayout of(long... shape) {
        return new PartialLayout(Layout.rowMajor(shape), false);
    }

    /** The sizes themselves: not to be changed or handed out. */
    public long[] shape() {
        return layout.sizes();
    }

    /** The layout, or null if the strides are unknown or an axis is not strided. */
    public Layout strided() {
        return known && layout.isStrided() ? layout : null;
    }

    /** The first axis that is a list of positions, or -1. */
    public int list() {
        for (int d = 0; d < layout.rank(); d++) {
            if (!layout.isStrided(d)) {
                return d;
            }
        }
        return -1;
    }

    /** Whether the elements cannot be written through such a view. */
    public boolean isReadOnly() {
        return layout.isReadOnly();
    }

    /**
     * Makes a view.
     *
     * @param step makes the view of a known layout
     * @return the view of this layout
     * @throws IllegalArgumentException if the step cannot be taken
     */
    public PartialLayout view(UnaryOperator<Layout> step) {
        try {
            Layout view = step.apply(layout);
            return new PartialLayout(known ? view : anyStrides(view, true), known);
        } catch (IllegalArgumentException e) {
            if (known && layout.isStrided()) {
                throw e;
            }
            // The strides are unknown: only the number of elements and the lists can prevent the view.
            return new PartialLayout(anyStrides(step.apply(anyStrides(layout, false)), true), false);
        }
    }

    /** Replaces the strides by placeholders. A stride of 0 is known even if the others are not: all positions of such an axis coincide. */
    private static Layout anyStrides(Layout layout, boolean keepZeros) {
        long[] strides = Layout.rowMajorStrides(layout.sizes());
        for (int d = 0; d < strides.length; d++) {
            strides[d] = keepZeros && layout.isStrided(d) && layout.size(d) > 1 && layout.stride(d) == 0 ? 0 : strides[d];
        }
        return new Layout(0, layout.sizes(), strides, layout.lists(), layout.runs(), layout.isReadOnly());
    }

    @Override
    public String toString() {
        return Arrays.toString(layout.sizes());
    }
}
