package io.tensornio.internal.data;

import io.tensornio.DataType;
import io.tensornio.TensorData;
import io.tensornio.internal.element.FloatSource;
import io.tensornio.internal.element.Source;
import io.tensornio.internal.layout.Layout;

/** The elements of a complex view of {@code float} data. */
class FloatMade extends Made implements FloatSource {
    private final DataType type;
    private final float fill;

    /** Makes the elements; {@code fill} is the value of those that no part has. */
    FloatMade(DataType type, Assembly assembly, float fill, long[] shape, Source[] sources, TensorData<?>... parts) {
        super(assembly, shape, sources, parts);
        this.type = type;
        this.fill = fill;
    }

    @Override
    public final DataType type() {
        return type;
    }

    @Override
    final Float fill() {
        return fill;
    }

    /** An element that no part has. */
    float value(long place) {
        return fill;
    }

    /** Goes from one complex view to the next: however deep they are, this takes no more stack. */
    @Override
    public final float read(long at) {
        FloatMade made = this;
        long place = at;
        for (int part = part(at); part >= 0; part = made.part(place)) {
            Source source = made.sources[part];
            place = made.position(part, place);
            if (!(source instanceof FloatMade)) {
                return ((FloatSource) source).read(place);
            }
            made = (FloatMade) source;
        }
        return made.value(place);
    }

    @Override
    public final FloatSource cursor(Layout layout) {
        return PieceCopies.pieces(this) == null ? this : new Cursor(this);
    }

    /** Reads elements of pieces in about their order. */
    private static final class Cursor extends PieceLookup implements FloatSource {
        Cursor(FloatMade all) {
            super(all);
        }

        @Override
        public float read(long place) {
            if (place < first || place >= end) {
                find(place);
            }
            return source == null ? ((FloatMade) none).value(nowhere) : ((FloatSource) source).read(at + (place - first) * step);
        }

        @Override
        public void write(float value, long place) {
            checkWritable();
        }
    }

    @Override
    public final void write(float value, long at) {
        checkWritable();
    }
}
