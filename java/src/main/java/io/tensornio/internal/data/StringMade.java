package io.tensornio.internal.data;

import io.tensornio.DataType;
import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.element.StringSource;

/** The elements of a complex view of {@code String} data. */
abstract class StringMade extends Made implements StringSource {
    private final StringSource[] sources;

    StringMade(long[] shape, StringData... parts) {
        this(Conditions.NONE, shape, parts);
    }

    /** What evaluates conditions before it reads a part. */
    StringMade(Conditions first, long[] shape, StringData... parts) {
        this(first, shape, sources(parts), parts);
    }

    private StringMade(Conditions first, long[] shape, StringSource[] sources, StringData... parts) {
        super(first, shape, sources, parts);
        this.sources = sources;
    }

    static StringSource[] sources(StringData... parts) {
        StringSource[] sources = new StringSource[parts.length];
        for (int n = 0; n < parts.length; n++) {
            sources[n] = parts[n].source();
        }
        return sources;
    }

    final StringSource source(int part) {
        return sources[part];
    }

    @Override
    final DataType type() {
        return StringElement.TYPE;
    }

    /** An element that no part has. */
    String value(long place) {
        return StringElement.ZERO;
    }

    /** A way to read an element. */
    private interface Form<S, T> {
        T read(S source, long at);
    }

    /** Goes from one complex view to the next: however deep they are, this takes no more stack. */
    private <T> T find(long at, Form<StringSource, T> ofPart, Form<StringMade, T> ofNone) {
        StringMade made = this;
        long place = at;
        for (int part = part(at); part >= 0; part = made.part(place)) {
            StringSource source = made.sources[part];
            place = made.position(part, place);
            if (!(source instanceof StringMade)) {
                return ofPart.read(source, place);
            }
            made = (StringMade) source;
        }
        return ofNone.read(made, place);
    }

    @Override
    public final String read(long at) {
        return find(at, StringSource::read, StringMade::value);
    }

    @Override
    public final byte[] readBytes(long at) {
        return find(at, StringSource::readBytes, (made, place) -> StringElement.encode(made.value(place), made, place));
    }

    @Override
    public final Object readAny(long at) {
        return find(at, StringSource::readAny, StringMade::value);
    }

    @Override
    public String where(long at) {
        return StringElement.where(shape, at);
    }

    @Override
    public final void write(String value, long at) {
        checkWritable();
    }
}
