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

/** A cursor over the sub-tensors along the first axis of {@link FloatData}. */
final class FloatElementsCursor implements FloatTensorElements, Iterator<FloatTensorData> {
    private final FloatData data;
    private final long n;
    private long i;

    FloatElementsCursor(FloatData data) {
        this.data = data;
        n = data.size(0);
    }

    private FloatTensorData current() {
        checkCurrent();
        return row(i);
    }

    private void checkCurrent() {
        if (i >= n) {
            data.checkOpen();
            throw new NoMoreElementsException(n);
        }
    }

    private FloatTensorData row(long at) {
        return at <= Integer.MAX_VALUE ? data.slice((int) at) : data.slice(TensorIndex.at(at));
    }

    /** Checks that there is a current element, and that its new values are not null. */
    private void checkTarget(Object values, String name) {
        Objects.requireNonNull(values, name);
        if (i >= n) {
            data.checkOpen();
            if (values instanceof FloatTensorData) {
                OpenCheck.check((FloatTensorData) values);
            }
            data.checkWritable();
        }
        checkCurrent();
    }

    /** Whether messages can name the current element by its index: at rank 1 that would name all elements from there on. */
    private boolean isNumbered() {
        return i <= Integer.MAX_VALUE && data.rank() > 1;
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
        checkTarget(array, "array");
        if (isNumbered()) {
            data.put(array, (int) i);
        } else {
            row(i).put(array);
        }
        i++;
        return this;
    }

    //#if buffer
    @Override
    public FloatTensorElements put(FloatBuffer buffer) {
        checkTarget(buffer, "buffer");
        if (isNumbered()) {
            data.put(buffer, (int) i);
        } else {
            row(i).put(buffer);
        }
        i++;
        return this;
    }
    //#end

    @Override
    public FloatTensorElements put(FloatTensorData tensor) {
        checkTarget(tensor, "tensor");
        if (isNumbered()) {
            data.put(tensor, (int) i);
        } else {
            row(i).put(tensor);
        }
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
