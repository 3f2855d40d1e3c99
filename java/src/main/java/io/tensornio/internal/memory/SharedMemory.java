package io.tensornio.internal.memory;

import io.tensornio.TensorData;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.OpenCheck;
import java.util.Objects;

/** Data that knows the memory of its elements, or that it is unknown: for tests of overlap. */
public interface SharedMemory {
    /**
     * Where the elements are in {@link #memory}.
     *
     * @return their positions, or more
     */
    Layout layout();

    /**
     * The identity of the memory of the elements. Data with different identities does not overlap.
     *
     * @return null if unknown
     */
    Object memory();

    /**
     * Other memory that has some of the elements, at whatever positions: that of the stored elements of sparse data.
     *
     * @return null if there is none
     */
    default Object alsoIn() {
        return null;
    }

    /**
     * The data that the elements are read from, if they have no memory of their own.
     *
     * @return null if they have
     */
    default TensorData<?>[] read() {
        return null;
    }

    /**
     * Whether an element of one could be an element of the other. What is not known is answered with yes; of known memory, the addresses from the
     * lowest to the highest element are compared.
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

    /** The same of several. */
    static boolean isAnyShared(TensorData<?>[] parts, TensorData<?> other) {
        for (TensorData<?> part : parts) {
            if (isShared(part, other)) {
                return true;
            }
        }
        return false;
    }
}
