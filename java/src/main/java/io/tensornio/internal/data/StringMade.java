package io.tensornio.internal.data;

import io.tensornio.TensorData;
import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.element.StringSource;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.OpenCheck;
import io.tensornio.internal.memory.Inputs;
import io.tensornio.internal.memory.ReadOnlyTensorException;
import io.tensornio.internal.memory.SharedMemory;

/**
 * The elements of a complex view, addressed by linear index in its own shape: those of other data, or computed. They
 * are evaluated at each read, and read-only.
 */
abstract class StringMade implements StringSource {
    final long[] shape;
    /** What it reads, and of each part the source and the layout. */
    final StringData[] parts;
    private final StringSource[] sources;
    private final Layout[] layouts;
    private final Conditions conditions;
    /** What the caller asked for; null inside of another complex view. */
    private Composition composition;

    StringMade(long[] shape, StringData... parts) {
        this(Conditions.NONE, shape, parts);
    }

    /** What evaluates conditions before it reads a part. */
    StringMade(Conditions first, long[] shape, StringData... parts) {
        this.shape = shape;
        this.parts = parts;
        sources = new StringSource[parts.length];
        layouts = new Layout[parts.length];
        Conditions most = Conditions.NONE;
        for (int n = 0; n < parts.length; n++) {
            sources[n] = parts[n].source();
            layouts[n] = parts[n].layout();
            most = most.or(conditions(sources[n]));
        }
        conditions = first.then(most);
    }

    /** The conditions that reading an element of a source evaluates. */
    static Conditions conditions(StringSource source) {
        return source instanceof StringMade ? ((StringMade) source).conditions : Conditions.NONE;
    }

    /** Sets the call that made the view, before this is published. */
    final StringMade as(Composition asked) {
        composition = asked;
        return this;
    }

    final Composition composition() {
        return composition;
    }

    /**
     * The position, in a layout of the same shape, of the element with a linear index. Allocates nothing, so that
     * reading an element costs only divisions.
     */
    final long position(Layout layout, long place) {
        long at = layout.offset();
        long rest = place;
        for (int d = shape.length - 1; d >= 0; d--) {
            long size = shape[d];
            long left = d == 0 ? 0 : rest / size;
            at += layout.distance(d, rest - left * size);
            rest = left;
        }
        return at;
    }

    /** Which part has the element at a place; -1 if none does, and it is {@link #value}. */
    int part(long place) {
        return -1;
    }

    /** Where an element is in the source of its part. */
    long position(int part, long place) {
        return position(layouts[part], place);
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

    /** Whether {@link #parts} and what else it reads is all that the elements depend on. */
    boolean isKnown() {
        return true;
    }

    /** All data that it reads, of any type: the same array at each call. */
    TensorData<?>[] read() {
        return parts;
    }

    @Override
    public String where(long at) {
        return StringElement.where(shape, at);
    }

    @Override
    public final void write(String value, long at) {
        checkWritable();
    }

    @Override
    public final boolean isReadOnly() {
        return true;
    }

    @Override
    public void checkOpen() {
        Inputs.any(read(), part -> true, part -> {
            OpenCheck.check(part);
            return false;
        });
    }

    @Override
    public final void checkWritable() {
        checkOpen();
        throw new ReadOnlyTensorException(StringElement.TYPE, shape, "is a complex view");
    }

    @Override
    public final Object memory() {
        return null;
    }

    @Override
    public boolean mayShare(Object memory) {
        return Inputs.any(read(), part -> true, part -> !(part instanceof SharedMemory) || ((SharedMemory) part).mayShare(memory));
    }
}
