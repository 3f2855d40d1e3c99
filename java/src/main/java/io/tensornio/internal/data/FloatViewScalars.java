package io.tensornio.internal.data;

//#if float boolean byte
import io.tensornio.FloatConsumer;
//#end
//#if float byte
import io.tensornio.FloatSupplier;
//#end
import io.tensornio.FloatTensorIterator;
import io.tensornio.internal.element.FloatSource;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.LayoutWalk;
import java.util.Objects;
//~double import java.util.function.DoubleConsumer;
//~double import java.util.function.DoubleSupplier;
//~int import java.util.function.IntConsumer;
//~int import java.util.function.IntSupplier;
//~long import java.util.function.LongConsumer;
//~long import java.util.function.LongSupplier;
//~boolean import java.util.function.BooleanSupplier;

/** Iterates over the elements of a {@link FloatView}. */
class FloatViewScalars extends LayoutWalk implements FloatTensorIterator {
    final FloatSource source;
    /** A cursor of the source. */
    final FloatSource reader;

    FloatViewScalars(FloatSource source, Layout layout) {
        super(layout);
        this.source = source;
        reader = source.cursor(layout);
    }

    @Override
    public float get() {
        if (!hasMoreElements()) {
            source.checkOpen();
        }
        float value = reader.read(next());
        advance();
        return value;
    }

    @Override
    public FloatTensorIterator put(float value) {
        if (layout.isReadOnly() || !hasMoreElements()) {
            checkWritable();
        }
        source.write(value, next());
        advance();
        return this;
    }

    private void checkWritable() {
        if (layout.isReadOnly()) {
            throw OwnData.notWritable(source.type(), source, layout.sizes());
        }
        source.checkWritable();
    }

    @Override
    public void forEach(FloatConsumer consumer) {
        Objects.requireNonNull(consumer, "consumer");
        source.checkOpen();
        while (hasMoreElements()) {
            float value = reader.read(next());
            advance();
            consumer.accept(value);
        }
    }

    @Override
    public void onEach(FloatSupplier supplier) {
        Objects.requireNonNull(supplier, "supplier");
        checkWritable();
        while (hasMoreElements()) {
            float value = supplier.getAsFloat();
            source.write(value, next());
            advance();
        }
    }
}
