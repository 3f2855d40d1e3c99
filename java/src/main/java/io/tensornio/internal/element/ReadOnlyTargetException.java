package io.tensornio.internal.element;

import java.nio.ReadOnlyBufferException;

/** A buffer that was to take elements and cannot be written, with the message that its superclass cannot carry. */
public final class ReadOnlyTargetException extends ReadOnlyBufferException {
    private static final long serialVersionUID = 1L;

    private final String name;

    /** For elements that messages call by this name. */
    public ReadOnlyTargetException(String name) {
        this.name = name;
    }

    @Override
    public String getMessage() {
        return "the buffer that was to take " + name + " is read-only";
    }
}
