package io.tensornio.op;

/** Whether the windows of convolutions and pools may reach outside of their input. */
public enum Padding {
    /**
     * They may, so that there are {@code ceil(n / stride)} along an axis of {@code n}. As much is outside on both sides; the odd element is behind.
     * A convolution reads zeros there; a pool reads nothing.
     */
    SAME,
    /** They may not: there are {@code floor((n - k) / stride) + 1} windows of {@code k} along an axis of {@code n}. */
    VALID
}
