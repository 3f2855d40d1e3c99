package io.tensornio.internal.element;

import io.tensornio.internal.memory.SharedMemory;

/** Elements by their positions, whatever their type: what tells whether a copy from one to another could overwrite what it has yet to read. */
public interface Source {
    /**
     * What the elements are kept in, as an object that stands for it.
     *
     * @return null if nobody knows
     */
    Object memory();

    /**
     * Where linear memory begins, if the positions are those in it.
     *
     * @return the position of its first element; -1 if elements are found by other means, and there are no strides to tell
     */
    default long origin() {
        return -1;
    }

    /**
     * The array or the buffer of the user's that the elements are in.
     *
     * @return null if they are in none
     */
    default Object given() {
        return null;
    }

    /**
     * Whether writing an array or a buffer of the user's may change the elements, or the other way round.
     *
     * @param memory an array or a buffer
     * @return true if nobody knows
     */
    default boolean mayShare(Object memory) {
        return false;
    }

    /**
     * Whether writing some data cannot change other data. Data of one memory is disjoint if the ranges of its positions are.
     *
     * @param from data that has elements
     * @param source what it is a view of
     * @param to other data that has elements
     * @param target what that is a view of
     * @return false if nobody knows
     */
    static boolean areDisjoint(SharedMemory from, Source source, SharedMemory to, Source target) {
        Object one = from.memory();
        Object other = to.memory();
        if (one != null && other != null) {
            return one != other || !from.layout().overlaps(to.layout());
        }
        return !mayShare(source, target) || !mayShare(target, source);          // each may know that the other's is none of its own
    }

    /** Whether a source may share the memory of another, which is a buffer of the user's, or unknown. */
    static boolean mayShare(Source source, Source other) {
        Object given = other.given();
        return given == null || source.mayShare(given);
    }
}
