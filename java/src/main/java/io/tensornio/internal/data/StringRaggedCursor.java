package io.tensornio.internal.data;

import io.tensornio.StringTensorIterator;
import io.tensornio.internal.element.StringCursor;
import java.util.Objects;

/** Iterates over the elements of {@link StringRagged} data, those that are no text, too; null is refused before it is written. */
final class StringRaggedCursor extends StringRaggedScalars implements StringCursor {
    StringRaggedCursor(StringRagged data) {
        super(data);
    }

    @Override
    public long position() {
        return ((StringCursor) row()).position();
    }

    @Override
    public Object getAny() {
        return hasMoreElements() ? ((StringCursor) row()).getAny() : get();          // which throws
    }

    @Override
    public StringTensorIterator put(String value) {
        return super.put(Objects.requireNonNull(value, "value"));
    }
}
