package io.tensornio.internal.element;

import java.nio.ReadOnlyBufferException;

/** The target of a copy is a read-only buffer; adds the message, which the superclass cannot have. */
public final class ReadOnlyTargetException extends ReadOnlyBufferException {
    private static final long serialVersionUID = 1L;

    private final String name;

    /** For the name of the elements in the message. */
    public ReadOnlyTargetException(String name) {
        this.name = name;
    }

    @Override
    public String getMessage() {
        return "the buffer that was to take " + name + " is read-only";
    }
}
