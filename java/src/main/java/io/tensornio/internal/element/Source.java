package io.tensornio.internal.element;

import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.memory.SharedMemory;

/** Elements of any type by position: the part that overlap tests for copies need. */
public interface Source {
    /**
     * The identity of the elements' memory.
     *
     * @return null if unknown
     */
    Object memory();

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
