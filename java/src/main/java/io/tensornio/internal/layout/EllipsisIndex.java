package io.tensornio.internal.layout;

/** As many whole axes as the other indices leave; the {@link Slicer} knows how many. */
public final class EllipsisIndex extends AxisIndex {
    /** The singleton. */
    public static final EllipsisIndex ELLIPSIS = new EllipsisIndex();

    private EllipsisIndex() {
    }

    @Override
    void apply(Slicer slicer) {
        throw new AssertionError("the slicer's own business");
    }

    @Override
    public int axes() {
        return 0;
    }

    @Override
    public String toString() {
        return "ellipsis()";
    }
}
