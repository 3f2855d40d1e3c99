package io.tensornio.internal.data;

import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorElements;
//#if buffer
import io.tensornio.internal.element.BufferTooShortException;
//#end
import io.tensornio.internal.element.FloatSource;
//#if buffer
import io.tensornio.internal.element.ReadOnlyTargetException;
//#end
import io.tensornio.internal.layout.FourIndices;
//#if buffer
import java.nio.FloatBuffer;
import java.util.Objects;
//#end

/**
 * The base class of the library's own {@code float} data: the calls that have the type in their names. {@code get} and {@code put} for each number of
 * indices delegate to a general form; subclasses override those for which they have a faster way.
 */
public abstract class FloatData extends OwnData<FloatTensorData, float[]> implements FloatTensorData {
    FloatData() {
    }

    @Override
    Carrier<FloatTensorData, float[]> carrier() {
        return FloatCarrier.FLOAT;
    }

    @Override
    abstract FloatSource source();

    // ---- One element -------------------------------------------------------------------------------------------------

    /** The element at the first {@code n} of four indices. */
    float getBy(int n, int i, int j, int k, int l) {
        return get(FourIndices.array(n, i, j, k, l));
    }

    /** Writes the element at the first {@code n} of four indices. */
    void putBy(float value, int n, int i, int j, int k, int l) {
        put(value, FourIndices.array(n, i, j, k, l));
    }

    @Override
    public float get() {
        return getBy(0, 0, 0, 0, 0);
    }

    @Override
    public float get(int i) {
        return getBy(1, i, 0, 0, 0);
    }

    @Override
    public float get(int i, int j) {
        return getBy(2, i, j, 0, 0);
    }

    @Override
    public float get(int i, int j, int k) {
        return getBy(3, i, j, k, 0);
    }

    @Override
    public float get(int i, int j, int k, int l) {
        return getBy(4, i, j, k, l);
    }

    @Override
    public void put(float value) {
        putBy(value, 0, 0, 0, 0, 0);
    }

    @Override
    public void put(float value, int i) {
        putBy(value, 1, i, 0, 0, 0);
    }

    @Override
    public void put(float value, int i, int j) {
        putBy(value, 2, i, j, 0, 0);
    }

    @Override
    public void put(float value, int i, int j, int k) {
        putBy(value, 3, i, j, k, 0);
    }

    @Override
    public void put(float value, int i, int j, int k, int l) {
        putBy(value, 4, i, j, k, l);
    }

    // ---- In bulk -----------------------------------------------------------------------------------------------------

    //#if buffer
    /** Copies all elements to the position of a private buffer, and advances it; they fit. */
    abstract void readAll(FloatBuffer to);

    /** Writes as many of the first elements as remain in a private buffer, and advances it; they exist. */
    abstract void writeFirst(FloatBuffer from);
    //#end

    @Override
    public void get(float[] array, int... indices) {
        getArray(array, indices);
    }

    @Override
    public void put(float[] array, int... indices) {
        putArray(array, indices);
    }

    //#if buffer
    @Override
    public void get(FloatBuffer buffer, int... indices) {
        Objects.requireNonNull(buffer, "buffer");
        Objects.requireNonNull(indices, "indices");
        checkOpen();
        if (buffer.isReadOnly()) {
            throw new ReadOnlyTargetException(name(indices));
        }
        FloatData from = (FloatData) selection(indices);
        FloatBuffer own = buffer.duplicate();           // no other thread can change its position and limit between the check and the copy
        if (from.totalSize() > own.remaining()) {
            throw new BufferTooShortException(name(indices), from.totalSize(), own.remaining());
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
        ((FloatData) toWrite(own.remaining(), indices)).writeFirst(own);
        buffer.position(own.position());
    }
    //#end

    @Override
    public void get(FloatTensorData tensor, int... indices) {
        getData(tensor, indices);
    }

    @Override
    public void put(FloatTensorData tensor, int... indices) {
        putData(tensor, indices);
    }

    // ---- As a whole --------------------------------------------------------------------------------------------------

    @Override
    public FloatTensorElements elements() {
        return new FloatElementsCursor(this);
    }
}
