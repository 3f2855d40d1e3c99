package io.tensornio.internal.layout;

import java.util.NoSuchElementException;

/**
 * That an iterator or a cursor was asked for an element after the last one. The message is built when it is asked for, as that of
 * {@link TensorIndexOutOfBoundsException}: no loop has the code for it.
 */
public final class NoMoreElementsException extends NoSuchElementException {
    private static final long serialVersionUID = 1L;

    private final long n;

    /** Names how many elements there are. */
    public NoMoreElementsException(long n) {
        this.n = n;
    }

    @Override
    public String getMessage() {
        return "past the last of " + Shapes.elements(n);
    }
}
