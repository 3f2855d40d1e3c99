package io.tensornio.internal.element;

/** Where the user's own array or data has null for a string. A separate class, so that such data can still be printed. */
public final class NullElementException extends NullPointerException {
    private static final long serialVersionUID = 1L;

    NullElementException(String message) {
        super(message);
    }
}
