package io.tensornio.internal.data;

import io.tensornio.StringTensorIterator;
import io.tensornio.internal.element.StringCursor;
import io.tensornio.internal.element.StringSource;
import io.tensornio.internal.layout.Layout;
import java.util.Objects;
import java.util.function.Supplier;

/** Iterates over the elements of a {@link StringView}, those that are no text, too; null is refused before it is written. */
final class StringViewCursor extends StringViewScalars implements StringCursor {
    StringViewCursor(StringSource source, Layout layout) {
        super(source, layout);
    }

    @Override
    public long position() {
        return skip();
    }

    @Override
    public Object getAny() {
        if (!hasMoreElements()) {
            source.checkOpen();
        }
        Object value = reader.readAny(next());
        advance();
        return value;
    }

    @Override
    public StringTensorIterator put(String value) {
        return super.put(Objects.requireNonNull(value, "value"));
    }

    @Override
    public void onEach(Supplier<String> supplier) {
        Objects.requireNonNull(supplier, "supplier");
        super.onEach(() -> Objects.requireNonNull(supplier.get(), () -> "null from the supplier for " + source.where(next())));
    }
}
