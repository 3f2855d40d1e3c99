package io.tensornio.internal.element;

import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.OpenCheck;
import io.tensornio.internal.layout.Slicer;
import io.tensornio.internal.memory.SharedMemory;

/** Elements of any type by position: all of a source that does not depend on the type. */
public interface Source extends OpenCheck {
    /**
     * The identity of the elements' memory.
     *
     * @return null if unknown
     */
    Object memory();

    /**
     * Whether the elements cannot be written.
     *
     * @return true if they are read-only
     */
    boolean isReadOnly();

    /**
     * Checks before anything is written.
     *
     * @throws java.nio.ReadOnlyBufferException if the elements cannot be written
     * @throws io.tensornio.TensorClosedException if the tensor is closed
     */
    void checkWritable();

    /**
     * Checks that several elements can be read, before the first is copied.
     *
     * @param layout their layout
     * @throws IndexOutOfBoundsException if one was in a row that was shortened
     */
    default void checkReadable(Layout layout) {
        // In most sources elements always exist.
    }

    /**
     * Checks that several elements can be written, before the first is: the source may have a capacity.
     *
     * @param layout their layout
     * @param count the number of elements, the first ones of the layout
     * @throws IllegalStateException if they exceed the capacity
     * @throws IndexOutOfBoundsException if one was in a row that was shortened
     */
    default void checkCapacity(Layout layout, long count) {
        // Most sources have memory for every element.
    }

    /**
     * The maximum length of lists of positions in slices, where a few runs are equivalent. Lists are faster to index, runs can be skipped.
     *
     * @return the length
     */
    default long longestList() {
        return Slicer.LONGEST_LIST;
    }

    /**
     * The position at which linear memory begins, if positions are addresses in it: negative for a window of larger memory.
     *
     * @return the position, or {@link Layout#NOWHERE}
     */
    default long origin() {
        return Layout.NOWHERE;
    }

    /**
     * The user's array or buffer that contains the elements.
     *
     * @return null if there is none
     */
    default Object given() {
        return null;
    }

    /**
     * Whether a user's array or buffer may share memory with the elements.
     *
     * @param memory an array or a buffer
     * @return true if they may, or if unknown
     */
    default boolean mayShare(Object memory) {
        return false;
    }

    /**
     * Whether two data certainly share no memory. Data in the same memory is disjoint if its ranges of positions are.
     *
     * @param from non-empty data
     * @param source its source
     * @param to other non-empty data
     * @param target its source
     * @return false if they may share memory, or if unknown
     */
    static boolean areDisjoint(SharedMemory from, Source source, SharedMemory to, Source target) {
        Object one = from.memory();
        Object other = to.memory();
        if (one != null && other != null) {
            return one != other || !SharedMemory.overlap(from, to);
        }
        return !mayShare(source, target) || !mayShare(target, source);          // either may know that the memory is not shared
    }

    /** Whether a source may share the memory of another, which is in a user's buffer, or unknown. */
    static boolean mayShare(Source source, Source other) {
        Object given = other.given();
        return given == null || source.mayShare(given);
    }
}
