package io.tensornio.internal.string;

import io.tensornio.StringTensorIterator;
import io.tensornio.internal.element.NonUtf8String;
import io.tensornio.internal.element.StringElement;

/** Values that are given one after the other. */
public interface StringValues {
    /** The next, of which there is one: a {@code String}, or a {@link NonUtf8String} if its bytes are no text. */
    Object next();

    /** The values of an array from a place on. */
    static StringValues of(Object[] from, int at) {
        int[] next = {at};
        return () -> from[next[0]++];
    }

    /** The values of an iterator. */
    static StringValues of(StringTensorIterator from) {
        return () -> StringElement.next(from);
    }
}
