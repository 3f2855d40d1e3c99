package io.tensornio.internal.ragged;

/** An access to an element of a view whose row was shortened meanwhile, so that the element no longer exists. */
public final class LostElementException extends IndexOutOfBoundsException {
    private static final long serialVersionUID = 1L;

    LostElementException(String message) {
        super(message);
    }
}
