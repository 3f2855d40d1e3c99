package io.tensornio.internal.data;

import io.tensornio.DataType;
import io.tensornio.internal.element.FloatElement;
import io.tensornio.internal.element.FloatSource;

/** The elements of a complex view of {@code float} data. */
abstract class FloatMade extends Made implements FloatSource {
    private final FloatSource[] sources;
    private final DataType type;

    FloatMade(long[] shape, FloatData... parts) {
        this(Conditions.NONE, shape, parts);
    }

    /** What evaluates conditions before it reads a part. */
    FloatMade(Conditions first, long[] shape, FloatData... parts) {
        this(first, shape, sources(parts), parts);
    }

    private FloatMade(Conditions first, long[] shape, FloatSource[] sources, FloatData... parts) {
        super(first, shape, sources, parts);
        this.sources = sources;
        type = sources.length == 0 ? FloatElement.TYPE : sources[sources.length - 1].dataType();
    }

    static FloatSource[] sources(FloatData... parts) {
        FloatSource[] sources = new FloatSource[parts.length];
        for (int n = 0; n < parts.length; n++) {
            sources[n] = parts[n].source();
        }
        return sources;
    }

    final FloatSource source(int part) {
        return sources[part];
    }

    @Override
    final DataType type() {
        return type;
    }

    @Override
    public final DataType dataType() {
        return type;
    }

    /** An element that no part has. */
    float value(long place) {
        return FloatElement.ZERO;
    }

    /** Goes from one complex view to the next: however deep they are, this takes no more stack. */
    @Override
    public final float read(long at) {
        FloatMade made = this;
        long place = at;
        for (int part = part(at); part >= 0; part = made.part(place)) {
            FloatSource source = made.sources[part];
            place = made.position(part, place);
            if (!(source instanceof FloatMade)) {
                return source.read(place);
            }
            made = (FloatMade) source;
        }
        return made.value(place);
    }

    @Override
    public final void write(float value, long at) {
        checkWritable();
    }
}
