package io.tensornio.internal.data;

import io.tensornio.TensorData;
import io.tensornio.TensorIndex;
import io.tensornio.internal.layout.NoMoreElementsException;
import io.tensornio.internal.layout.OpenCheck;
import java.util.Iterator;
import java.util.Objects;
import java.util.Spliterator;

/**
 * A cursor over the sub-tensors along the first axis of {@link OwnData}: all but the calls that have the carrier in their names.
 *
 * @param <D> the data of the carrier
 */
abstract class ElementsCursor<D extends TensorData<D>> implements Iterator<D> {
    private final OwnData<D, ?> data;
    private final long n;
    private long i;

    /** A cursor at the first sub-tensor; refuses data of rank 0. */
    ElementsCursor(OwnData<D, ?> data) {
        data.checkOpen();
        if (data.rank() == 0) {
            throw new IllegalArgumentException("data of rank 0 has no axis to iterate over; scalars() works at any rank");
        }
        this.data = data;
        n = data.size(0);
    }

    final D current() {
        checkCurrent();
        return row(i);
    }

    private void checkCurrent() {
        if (i >= n) {
            data.checkOpen();
            throw new NoMoreElementsException(n);
        }
    }

    final D row(long at) {
        return at <= Integer.MAX_VALUE ? data.slice((int) at) : data.slice(TensorIndex.at(at));
    }

    final void advance() {
        i++;
    }

    /** What takes the values of the current element, at the indices {@link #target}; checks that there is one, and that its values are not null. */
    final D targetData(Object values, String name) {
        Objects.requireNonNull(values, name);
        if (i >= n) {
            data.checkOpen();
            if (values instanceof TensorData) {
                OpenCheck.check((TensorData<?>) values);
            }
            data.checkWritable();
        }
        checkCurrent();
        return isNumbered() ? data.self() : row(i);
    }

    final int[] target() {
        return isNumbered() ? new int[] {(int) i} : new int[0];
    }

    /** Whether messages can name the current element by its index: at rank 1 that would name all elements from there on. */
    private boolean isNumbered() {
        return i <= Integer.MAX_VALUE && data.rank() > 1;
    }

    /** Whether there is a current element. */
    public final boolean hasMoreElements() {
        return i < n;
    }

    /** The current element; goes on to the next. */
    public final D get() {
        D element = current();
        i++;
        return element;
    }

    /** The sub-tensors from the first on, for streams. */
    public final Spliterator<D> spliterator() {
        return new SubTensorSpliterator<>(this::row, data::checkOpen, n);
    }

    @Override
    public final boolean hasNext() {
        return i < n;
    }

    @Override
    public final D next() {
        return get();
    }
}
