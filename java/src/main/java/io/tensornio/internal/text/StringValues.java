package io.tensornio.internal.text;

import io.tensornio.StringTensorIterator;
import io.tensornio.internal.element.RawString;
import io.tensornio.internal.element.StringElement;

/** Values that are given one after the other, each a {@code String}, or a {@link RawString} if its bytes are no text. */
public interface StringValues {
    /** Copies the next {@code n} values to the front of an array. */
    void read(Object[] to, int n);

    /** The values of an array from a place on. */
    static StringValues of(Object[] from, int at) {
        int[] next = {at};
        return (to, n) -> {
            System.arraycopy(from, next[0], to, 0, n);
            next[0] += n;
        };
    }

    /** The values of an iterator. */
    static StringValues of(StringTensorIterator from) {
        return (to, n) -> {
            for (int i = 0; i < n; i++) {
                to[i] = StringElement.next(from);
            }
        };
    }
}
