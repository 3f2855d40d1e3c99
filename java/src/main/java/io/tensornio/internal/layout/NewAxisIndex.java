package io.tensornio.internal.layout;

/** An axis of size 1 that the source does not have. */
public final class NewAxisIndex extends AxisIndex {
    /** The singleton. */
    public static final NewAxisIndex NEW_AXIS = new NewAxisIndex();

    private NewAxisIndex() {
    }

    @Override
    void apply(Slicer slicer) {
        slicer.insert();
    }

    @Override
    public int axes() {
        return 0;
    }

    @Override
    public String toString() {
        return "newAxis()";
    }
}
