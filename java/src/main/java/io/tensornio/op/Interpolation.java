package io.tensornio.op;

/** How {@code resize} computes what is between the elements of images. */
public enum Interpolation {
    /** The element that is nearest: number {@code floor((p + 0.5) * in / out)}. */
    NEAREST(1),
    /** On a line between the two beside it, on each axis. */
    BILINEAR(2),
    /** By the cubic convolution of four on each axis (Keys, 1981), with a = -0.75. */
    BICUBIC(4);

    private final int taps;

    Interpolation(int taps) {
        this.taps = taps;
    }

    /**
     * How many elements of an axis each is computed of.
     *
     * @return 1, 2 or 4
     */
    public int taps() {
        return taps;
    }
}
