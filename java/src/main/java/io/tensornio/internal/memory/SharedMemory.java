package io.tensornio.internal.memory;

import io.tensornio.TensorData;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.OpenCheck;
import java.util.Objects;

/** Data that can tell which memory holds its elements, for overlap tests. */
public interface SharedMemory {
    /**
     * The layout of the elements in {@link #memory}.
     *
     * @return a layout that covers at least their positions
     */
    Layout layout();

    /**
     * The identity of the memory of the elements. Data with different identities does not overlap.
     *
     * @return null if unknown
     */
    Object memory();

    /**
     * Another memory that holds some of the elements, at unspecified positions: that of the stored elements of sparse data.
     *
     * @return null if there is none
     */
    default Object alsoIn() {
        return null;
    }

    /**
     * The source data, if the elements are computed from other data and have no memory of their own.
     *
     * @return null if the elements have memory of their own
     */
    default TensorData<?>[] read() {
        return null;
    }

    /**
     * Whether two data may share an element. Conservative: true if the memory of either is unknown; otherwise the
     * ranges from the lowest to the highest position are compared.
     *
     * @param one data
     * @param other data of any type
     * @return false if they certainly do not overlap
     * @throws io.tensornio.TensorClosedException if the tensor of either is closed
     */
    static boolean isShared(TensorData<?> one, TensorData<?> other) {
        Objects.requireNonNull(other, "other");
        OpenCheck.check(one);
        OpenCheck.check(other);
        if (one.numElements() == 0 || other.numElements() == 0) {
            return false;
        }
        if (!(one instanceof SharedMemory) || !(other instanceof SharedMemory)) {
            return true;
        }
        SharedMemory a = (SharedMemory) one;
        SharedMemory b = (SharedMemory) other;
        if (a.read() != null || b.read() != null) {
            return a.read() != null ? isAnyShared(a.read(), other) : isAnyShared(b.read(), one);
        }
        Object first = a.memory();
        Object second = b.memory();
        if (first == null || second == null) {
            return true;
        }
        if (first == second) {
            return a.layout().overlaps(b.layout());
        }
        Object stored = a.alsoIn();
        Object storedToo = b.alsoIn();
        return stored != null && (stored == second || stored == storedToo) || storedToo != null && storedToo == first;
    }

    /** Whether any of several data may share an element with another. */
    static boolean isAnyShared(TensorData<?>[] parts, TensorData<?> other) {
        for (TensorData<?> part : parts) {
            if (isShared(part, other)) {
                return true;
            }
        }
        return false;
    }
}
