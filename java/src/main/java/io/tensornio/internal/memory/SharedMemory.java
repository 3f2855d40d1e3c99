package io.tensornio.internal.memory;

import io.tensornio.TensorData;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.OpenCheck;
import java.util.ArrayList;
import java.util.List;
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
     * The position at which {@link #memory} begins: data of one memory may count from different ones.
     *
     * @return the position, or the same number for all data of this memory
     */
    default long origin() {
        return 0;
    }

    /** Whether the ranges of positions of two data overlap that have elements in the same memory. */
    static boolean overlap(SharedMemory one, SharedMemory other) {
        return one.layout().from(one.origin()).overlaps(other.layout().from(other.origin()));
    }

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
     * @return the same array at each call, not to be changed; null if the elements have memory of their own
     */
    default TensorData<?>[] read() {
        return null;
    }

    /**
     * Whether writing an array or a buffer of the user's may change the elements, or the other way round.
     *
     * @param memory an array or a buffer
     * @return true if nobody knows
     */
    boolean mayShare(Object memory);

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
        List<TensorData<?>> read = new ArrayList<>();
        Inputs.any(new TensorData<?>[] {other}, SharedMemory::hasElements, input -> !read.add(input));
        return Inputs.any(new TensorData<?>[] {one}, SharedMemory::hasElements, input -> read.stream().anyMatch(also -> isOneMemory(input, also)));
    }

    /** Data without elements shares nothing. */
    static boolean hasElements(TensorData<?> data) {
        return data.numElements() != 0;
    }

    /** The same of data that has elements and is no complex view. */
    static boolean isOneMemory(TensorData<?> one, TensorData<?> other) {
        if (!(one instanceof SharedMemory) || !(other instanceof SharedMemory)) {
            return true;
        }
        SharedMemory a = (SharedMemory) one;
        SharedMemory b = (SharedMemory) other;
        Object first = a.memory();
        Object second = b.memory();
        if (first == null || second == null) {
            return true;
        }
        if (first == second) {
            return overlap(a, b);
        }
        Object stored = a.alsoIn();
        Object storedToo = b.alsoIn();
        return stored != null && (stored == second || stored == storedToo) || storedToo != null && storedToo == first;
    }
}
