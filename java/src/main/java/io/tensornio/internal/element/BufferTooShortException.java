package io.tensornio.internal.element;

import io.tensornio.internal.layout.Shapes;
import java.nio.BufferOverflowException;

/** A buffer that a selection does not fit, with the message that its superclass cannot carry. */
public final class BufferTooShortException extends BufferOverflowException {
    private static final long serialVersionUID = 1L;

    private final String selection;
    private final long needed;
    private final int remaining;

    /** Names a selection, its number of elements, and how many remain in the buffer. */
    public BufferTooShortException(String selection, long needed, int remaining) {
        this.selection = selection;
        this.needed = needed;
        this.remaining = remaining;
    }

    @Override
    public String getMessage() {
        return selection + " has " + Shapes.elements(needed) + ", the buffer has room for " + remaining;
    }
}
