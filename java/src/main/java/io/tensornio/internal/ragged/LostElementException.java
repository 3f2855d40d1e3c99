package io.tensornio.internal.ragged;

/** An element of a view that its row, which was made shorter since, has no more. */
public final class LostElementException extends IndexOutOfBoundsException {
    private static final long serialVersionUID = 1L;

    LostElementException(String message) {
        super(message);
    }
}
