package io.tensornio.internal.data;

import io.tensornio.StringTensorIterator;
import io.tensornio.internal.element.StringCursor;
import io.tensornio.internal.element.StringSource;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.LayoutWalk;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Iterates over the elements of a {@link StringView}. */
final class StringViewScalars extends LayoutWalk implements StringCursor {
    private final StringSource source;
    /** A cursor of the source. */
    private final StringSource reader;

    StringViewScalars(StringSource source, Layout layout) {
        super(layout);
        this.source = source;
        reader = source.cursor(layout);
    }

    @Override
    public String get() {
        if (!hasMoreElements()) {
            source.checkOpen();
        }
        String value = reader.read(next());
        advance();
        return value;
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
        Objects.requireNonNull(value, "value");
        if (layout.isReadOnly() || !hasMoreElements()) {
            StringLaidOut.checkWritable(source, layout);
        }
        source.write(value, next());
        advance();
        return this;
    }

    @Override
    public void forEach(Consumer<? super String> consumer) {
        Objects.requireNonNull(consumer, "consumer");
        source.checkOpen();
        while (hasMoreElements()) {
            String value = reader.read(next());
            advance();
            consumer.accept(value);
        }
    }

    @Override
    public void onEach(Supplier<String> supplier) {
        Objects.requireNonNull(supplier, "supplier");
        StringLaidOut.checkWritable(source, layout);
        while (hasMoreElements()) {
            String value = Objects.requireNonNull(supplier.get(), () -> "null from the supplier for " + source.where(next()));
            source.write(value, next());
            advance();
        }
    }
}
