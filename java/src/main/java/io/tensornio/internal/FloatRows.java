package io.tensornio.internal;

import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorElements;
import io.tensornio.FloatTensorIterator;
import io.tensornio.TensorIndex;
import java.nio.FloatBuffer;
import java.util.Iterator;
import java.util.NoSuchElementException;

/** Walks through the sub-tensors along the first axis of {@link FloatStrided} data. */
final class FloatRows implements FloatTensorElements, Iterator<FloatTensorData> {
    private final FloatStrided data;
    private final long n;
    private long i;

    FloatRows(FloatStrided data) {
        this.data = data;
        n = data.size(0);
    }

    private FloatStrided current() {
        if (i >= n) {
            throw new NoSuchElementException("past the last of " + n + " elements");
        }
        return i <= Integer.MAX_VALUE ? data.slice((int) i) : data.slice(TensorIndex.at(i));
    }

    @Override
    public boolean hasMoreElements() {
        return i < n;
    }

    @Override
    public FloatTensorData get() {
        FloatStrided element = current();
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
        current().put(array);
        i++;
        return this;
    }

    //#if buffer
    @Override
    public FloatTensorElements put(FloatBuffer buffer) {
        current().put(buffer);
        i++;
        return this;
    }
    //#end

    @Override
    public FloatTensorElements put(FloatTensorData tensor) {
        current().put(tensor);
        i++;
        return this;
    }

    @Override
    public Iterator<FloatTensorData> iterator() {
        return new FloatRows(data);
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
