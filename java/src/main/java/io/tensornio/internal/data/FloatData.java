package io.tensornio.internal.data;

import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorElements;
import io.tensornio.TensorData;
import io.tensornio.TensorFormat;
import io.tensornio.internal.element.BufferTooShortException;
import io.tensornio.internal.element.ReadOnlyTargetException;
import io.tensornio.internal.layout.OpenCheck;
import io.tensornio.internal.layout.Shapes;
//#if buffer
import java.nio.FloatBuffer;
//#end
import java.util.Arrays;
import java.util.Objects;

/** The base class of the library's own {@code float} data: everything but access to single elements, slices and iterators. */
abstract class FloatData extends FloatViewed implements Described {
    /** The number of elements of a staging array. */
    static final int CHUNK = 8192;

    @Override
    public final DataType dataType() {
        return source().dataType();
    }

    /** Throws if the data is closed or cannot be written. */
    abstract void checkWritable();

    /** Whether copies should go row by row along the first axis, since rows have a class with fast bulk copies. */
    boolean isCopiedByRows() {
        return false;
    }

    /** A range of valid positions of the first axis. */
    abstract FloatData part(long from, long n);

    /** Copies all elements to an array, starting at {@code at}; they fit. */
    abstract void readAll(float[] to, int at);

    /** Writes the first {@code n} elements, which exist, from an array, starting at {@code at}. */
    abstract void writeFirst(int n, float[] from, int at);

    //#if buffer
    /** Copies all elements to the position of a private buffer, and advances it; they fit. */
    abstract void readAll(FloatBuffer to);

    /** Writes as many of the first elements as remain in a private buffer, and advances it; they exist. */
    abstract void writeFirst(FloatBuffer from);
    //#end

    @Override
    public final Object memory() {
        FloatSparse published = FloatSparse.of(this);
        return published != null ? published : source().memory();
    }

    @Override
    public final TensorData<?>[] read() {
        FloatMade made = source() instanceof FloatMade ? (FloatMade) source() : null;
        return made != null && made.isKnown() ? made.read() : null;
    }

    @Override
    public final boolean mayShare(Object memory) {
        return source().mayShare(memory);
    }

    @Override
    public final long origin() {
        return source().origin();
    }

    @Override
    public final Object identity() {
        Object known = memory();
        Object given = known == null ? source().given() : known;
        return given == null ? source() : given;
    }

    @Override
    public final Composition composition() {
        Composition made = source() instanceof FloatMade ? ((FloatMade) source()).composition() : null;
        return made != null && made.isWhole(layout()) ? made : null;
    }

    @Override
    public final Object alsoIn() {
        FloatSparse published = FloatSparse.of(this);
        return published == null ? null : published.stored().memory();
    }

    /** Whether there are bulk reads and writes, by a loop at least, so that copies should use a staging array. */
    boolean isCopiedAtOnce() {
        return false;
    }

    // ---- In bulk ---------------------------------------------------------------------------------------------------

    /** The selection at the indices of a bulk call. Slices of this data are of this class, too. */
    private FloatData selection(int... indices) {
        return (FloatData) FloatSelection.of(this, indices);
    }

    /** The selection to be read to an array of a capacity; checks that it fits. */
    private FloatData toRead(int capacity, int... indices) {
        FloatData from = selection(indices);
        if (from.totalSize() > capacity) {
            throw new IndexOutOfBoundsException(FloatSelection.name(this, indices) + " has " + Shapes.elements(from.totalSize())
                + ", the array has room for " + capacity);
        }
        //#if primitive
        from.checkReadable();
        //#end
        return from;
    }

    /** The selection to whose start {@code given} elements are to be written; checks that they fit. */
    private FloatData toWrite(int given, int... indices) {
        FloatData to = selection(indices);
        if (given > to.totalSize()) {
            throw new IndexOutOfBoundsException(Shapes.elements(given) + " for " + FloatSelection.name(this, indices) + ", which has "
                + to.totalSize());
        }
        to.checkCapacity(given);
        return to;
    }

    /**
     * Checks that the first {@code count} elements can be stored: sparse data has a capacity.
     *
     * @throws IllegalStateException if it is exceeded
     */
    void checkCapacity(long count) {
        source().checkCapacity(layout(), count);
    }

    //#if primitive
    /**
     * Checks that all elements exist, before the first is copied: a growing row may have been shortened.
     *
     * @throws IndexOutOfBoundsException if one does not exist
     */
    void checkReadable() {
        source().checkReadable(layout());
    }
    //#end

    /** {@link #readAll(float[], int)} for any array, including one that holds the elements. */
    final void read(float[] to, int at) {
        if (source().mayShare(to)) {
            float[] between = new float[(int) totalSize()];
            readAll(between, 0);
            System.arraycopy(between, 0, to, at, between.length);
        } else {
            readAll(to, at);
        }
    }

    /** {@link #writeFirst(int, float[], int)} for any array, including one that holds the elements. */
    final void write(int n, float[] from, int at) {
        if (source().mayShare(from)) {
            writeFirst(n, Arrays.copyOfRange(from, at, at + n), 0);
        } else {
            writeFirst(n, from, at);
        }
    }

    @Override
    public void get(float[] array, int... indices) {
        Objects.requireNonNull(array, "array");
        Objects.requireNonNull(indices, "indices");
        checkOpen();
        toRead(array.length, indices).read(array, 0);
    }

    @Override
    public void put(float[] array, int... indices) {
        Objects.requireNonNull(array, "array");
        Objects.requireNonNull(indices, "indices");
        checkWritable();
        toWrite(array.length, indices).write(array.length, array, 0);
    }

    //#if buffer
    @Override
    public void get(FloatBuffer buffer, int... indices) {
        Objects.requireNonNull(buffer, "buffer");
        Objects.requireNonNull(indices, "indices");
        checkOpen();
        if (buffer.isReadOnly()) {
            throw new ReadOnlyTargetException(FloatSelection.name(this, indices));
        }
        FloatData from = selection(indices);
        FloatBuffer own = buffer.duplicate();           // no other thread can change its position and limit between the check and the copy
        if (from.totalSize() > own.remaining()) {
            throw new BufferTooShortException(FloatSelection.name(this, indices), from.totalSize(), own.remaining());
        }
        from.checkReadable();
        from.readAll(own);
        buffer.position(own.position());
    }

    @Override
    public void put(FloatBuffer buffer, int... indices) {
        Objects.requireNonNull(buffer, "buffer");
        Objects.requireNonNull(indices, "indices");
        checkWritable();
        FloatBuffer own = buffer.duplicate();           // as above
        toWrite(own.remaining(), indices).writeFirst(own);
        buffer.position(own.position());
    }
    //#end

    @Override
    public void get(FloatTensorData tensor, int... indices) {
        Objects.requireNonNull(tensor, "tensor");
        Objects.requireNonNull(indices, "indices");
        checkOpen();
        FloatCopies.checkWritable(tensor);
        FloatCopies.copy(slice(indices), tensor, this, true, indices);
    }

    @Override
    public void put(FloatTensorData tensor, int... indices) {
        Objects.requireNonNull(tensor, "tensor");
        Objects.requireNonNull(indices, "indices");
        checkOpen();
        OpenCheck.check(tensor);
        checkWritable();
        FloatCopies.copy(tensor, slice(indices), this, false, indices);
    }

    // ---- As a whole ------------------------------------------------------------------------------------------------

    @Override
    public FloatTensorData slice() {
        checkOpen();
        return this;
    }

    @Override
    public FloatTensorElements elements() {
        checkOpen();
        if (rank() == 0) {
            throw new IllegalArgumentException("data of rank 0 has no axis to iterate over; scalars() works at any rank");
        }
        return new FloatElementsCursor(this);
    }

    @Override
    public boolean equals(Object other) {
        return FloatEquality.equal(this, other);
    }

    @Override
    public int hashCode() {
        return FloatEquality.hash(this);
    }

    @Override
    public String toString() {
        return toString(TensorFormat.DEFAULT);
    }
}
