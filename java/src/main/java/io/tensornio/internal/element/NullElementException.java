package io.tensornio.internal.element;

/** A null in a user's array or data of strings. A separate class, so that such data can still be printed. */
public final class NullElementException extends NullPointerException {
    private static final long serialVersionUID = 1L;

    NullElementException(String message) {
        super(message);
    }
}
