package io.tensornio.internal.layout;

import java.util.NoSuchElementException;

/**
 * Thrown when an iterator or a cursor is advanced past the last element. The message is built lazily, as in
 * {@link TensorIndexOutOfBoundsException}: this keeps the code out of loops.
 */
public final class NoMoreElementsException extends NoSuchElementException {
    private static final long serialVersionUID = 1L;

    private final long n;

    /** For a sequence of {@code n} elements. */
    public NoMoreElementsException(long n) {
        this.n = n;
    }

    @Override
    public String getMessage() {
        return "past the last of " + Shapes.elements(n);
    }
}
