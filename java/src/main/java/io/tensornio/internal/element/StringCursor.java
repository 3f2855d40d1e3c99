package io.tensornio.internal.element;

import io.tensornio.StringTensorIterator;

/** An iterator over the library's own data, which tells where the elements are, and reads those that are no text, too. */
public interface StringCursor extends StringTensorIterator {
    /** The position of the next element, which there is; moves on. */
    long position();

    /** The next element as a String, or as {@link NonUtf8String} if its bytes are no text; moves on. */
    Object getAny();
}
