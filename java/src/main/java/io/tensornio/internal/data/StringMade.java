package io.tensornio.internal.data;

import io.tensornio.DataType;
import io.tensornio.TensorData;
import io.tensornio.internal.element.Source;
import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.element.StringSource;

/** The elements of a complex view of {@code String} data. */
class StringMade extends Made implements StringSource {
    private final String fill;

    /** Makes the elements; {@code fill} is the value of those that no part has. */
    StringMade(Assembly assembly, String fill, long[] shape, Source[] sources, TensorData<?>... parts) {
        super(assembly, shape, sources, parts);
        this.fill = fill;
    }

    @Override
    public final DataType type() {
        return StringElement.TYPE;
    }

    @Override
    final String fill() {
        return fill;
    }

    /** An element that no part has. */
    String value(long place) {
        return fill;
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
            StringSource source = (StringSource) made.sources[part];
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
