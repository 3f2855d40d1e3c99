package io.tensornio.internal.layout;

import java.util.Arrays;
import java.util.function.UnaryOperator;

/**
 * A layout of which perhaps nothing is known but the shape, and which axes are lists of positions. Steps of views go on from there: where strides are
 * known, exactly as they do on data; where they are not, a reshape counts elements only, but keeps lists as they are. Immutable.
 */
public final class PartialLayout {
    /** If it is not known, it stands for any that has the same lists: its own strides are those of row-major order, or 0. */
    private final Layout layout;
    private final boolean known;

    private PartialLayout(Layout layout, boolean known) {
        this.layout = layout;
        this.known = known;
    }

    /** Of which all is known. */
    public static PartialLayout of(Layout layout) {
        return new PartialLayout(layout, true);
    }

    /** Of which the shape alone, which is checked, is known. */
    public static PartialLayout of(long... shape) {
        return new PartialLayout(Layout.rowMajor(shape), false);
    }

    /** The sizes themselves: not to be changed or handed out. */
    public long[] shape() {
        return layout.sizes();
    }

    /** The offset and the strides, or null if they are not known or an axis has none. */
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
     * Takes a step.
     *
     * @param step what it makes of a layout
     * @return what it makes of this
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
            // There is no layout to go by: elements are counted, and lists alone stand in the way.
            return new PartialLayout(anyStrides(step.apply(anyStrides(layout, false)), true), false);
        }
    }

    /** A stride of 0 is known as such, whatever the others are: of a list of positions of such an axis all are the same. */
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
