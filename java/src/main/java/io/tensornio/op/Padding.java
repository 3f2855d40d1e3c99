package io.tensornio.op;

/** The padding of convolutions and pooling. */
public enum Padding {
    /**
     * There are {@code ceil(n / stride)} windows along an axis of {@code n}. The padding is equal on both sides; an odd
     * element is at the end. A convolution reads zeros there; pooling ignores it.
     */
    SAME,
    /** No padding: there are {@code floor((n - k) / stride) + 1} windows of {@code k} along an axis of {@code n}. */
    VALID
}
