package io.tensornio.op;

/** What {@code pad} puts around the elements. */
public enum PadMode {
    /** Zeros. */
    CONSTANT,
    /** The element at the edge, again and again. */
    EDGE,
    /** What is mirrored at the edge, which itself is not repeated: at most one less than the size. */
    REFLECT
}
