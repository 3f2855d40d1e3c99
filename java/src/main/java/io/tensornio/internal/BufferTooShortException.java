package io.tensornio.internal;

import java.nio.BufferOverflowException;

/** A buffer that a selection does not fit, with the message that its superclass cannot carry. */
final class BufferTooShortException extends BufferOverflowException {
    private static final long serialVersionUID = 1L;

    private final long needed;
    private final int remaining;

    BufferTooShortException(long needed, int remaining) {
        this.needed = needed;
        this.remaining = remaining;
    }

    @Override
    public String getMessage() {
        return "the selection has " + needed + " elements, the buffer has room for " + remaining;
    }
}
