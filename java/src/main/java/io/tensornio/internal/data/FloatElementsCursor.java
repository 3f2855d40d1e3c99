package io.tensornio.internal.data;

import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorElements;
import io.tensornio.FloatTensorIterator;
import io.tensornio.TensorIndex;
import io.tensornio.internal.layout.NoMoreElementsException;
import io.tensornio.internal.layout.OpenCheck;
//#if buffer
import java.nio.FloatBuffer;
//#end
import java.util.Iterator;
import java.util.Objects;
import java.util.Spliterator;

/** Walks through the sub-tensors along the first axis of {@link FloatData}. */
final class FloatElementsCursor implements FloatTensorElements, Iterator<FloatTensorData> {
    private final FloatData data;
    private final long n;
    private long i;

    FloatElementsCursor(FloatData data) {
        this.data = data;
        n = data.size(0);
    }

    private FloatTensorData current() {
        if (i >= n) {
            data.checkOpen();
            throw new NoMoreElementsException(n);
        }
        return row(i);
    }

    private FloatTensorData row(long at) {
        return at <= Integer.MAX_VALUE ? data.slice((int) at) : data.slice(TensorIndex.at(at));
    }

    /** The current element, to be written from something that must not be null. */
    private FloatTensorData target(Object values, String name) {
        Objects.requireNonNull(values, name);
        if (i >= n) {
            data.checkOpen();
            if (values instanceof FloatTensorData) {
                OpenCheck.check((FloatTensorData) values);
            }
            data.checkWritable();
        }
        return current();
    }

    @Override
    public boolean hasMoreElements() {
        return i < n;
    }

    @Override
    public FloatTensorData get() {
        FloatTensorData element = current();
        i++;
        return element;
    }

    @Override
    public FloatTensorIterator scalars() {
        FloatTensorIterator scalars = current().scalars();
        i++;
        return scalars;
    }

    @Override
    public FloatTensorElements put(float[] array) {
        target(array, "array").put(array);
        i++;
        return this;
    }

    //#if buffer
    @Override
    public FloatTensorElements put(FloatBuffer buffer) {
        target(buffer, "buffer").put(buffer);
        i++;
        return this;
    }
    //#end

    @Override
    public FloatTensorElements put(FloatTensorData tensor) {
        target(tensor, "tensor").put(tensor);
        i++;
        return this;
    }

    @Override
    public Iterator<FloatTensorData> iterator() {
        return new FloatElementsCursor(data);
    }

    @Override
    public Spliterator<FloatTensorData> spliterator() {
        return new SubTensorSpliterator<>(this::row, data::checkOpen, n);
    }

    @Override
    public boolean hasNext() {
        return i < n;
    }

    @Override
    public FloatTensorData next() {
        return get();
    }
}
