package io.tensornio.internal.element;

import io.tensornio.internal.layout.Shapes;
import java.nio.BufferOverflowException;

/** A selection does not fit a buffer; adds the message, which the superclass cannot have. */
public final class BufferTooShortException extends BufferOverflowException {
    private static final long serialVersionUID = 1L;

    private final String selection;
    private final long needed;
    private final int remaining;

    /** For the name of a selection, its number of elements, and the remaining elements of the buffer. */
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
