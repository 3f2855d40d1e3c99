package io.tensornio.internal.string;

/** Strings of a tensor that is being filled, wherever they are until it is published. */
public interface StringAccumulator {
    /**
     * Checks how many elements there are.
     *
     * @throws IllegalStateException if there are not so many, since another thread has changed that
     */
    void checkCount(int n);

    /** A copy of the bytes of an element. */
    byte[] bytes(int at);

    /** The text of an element; null if it has none. */
    String text(int at);

    /**
     * Makes the tensor's memory; nothing is to be written any more.
     *
     * @param shape a checked shape of as many elements, which the block keeps
     * @throws OutOfMemoryError if the memory is not available, or one buffer cannot hold it
     * @throws IllegalStateException if it is being written meanwhile
     */
    StringPacked pack(long... shape);

    /** Gives memory back that no block has. */
    void close();
}
