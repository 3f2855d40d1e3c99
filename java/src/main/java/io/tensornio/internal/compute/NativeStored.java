package io.tensornio.internal.compute;

import io.tensornio.internal.memory.NativeMemory;
import java.nio.ByteBuffer;

/** The native methods for runs of programs over ragged and sparse tensors. Results stay in native code, by number, until they are freed. */
final class NativeStored {
    /** The forms of inputs and outputs. */
    static final int DENSE = 0;
    static final int RAGGED = 1;
    static final int SPARSE = 2;

    static {
        NativeMemory.load();
    }

    private NativeStored() {
    }

    /**
     * Runs a program.
     *
     * @param text its text
     * @param signature for each input its form, its type, its rank and its sizes, -1 for a ragged axis; for a ragged one the number of values and
     *     that of the row splits of each ragged axis; for a sparse one the number of values, and 1 if there are compressed rows, else 0. Then for
     *     each output its rank and its sizes, or -1 to infer them
     * @param memory direct byte buffers
     * @param geometry for each part of an input the number of its buffer, the offset of its first element in bytes, and its strides; values first,
     *     then row splits, or coordinates, and compressed rows: the row pointers, and then the columns of all values, 4 bytes each. Of a number only
     *     its bits
     * @param threads how many share the work at most, 0 for as many as there are
     * @return the number of the results; then for each output its form, its type, its rank, its sizes, and the number of its values
     * @throws IllegalArgumentException if it is not a valid program, or inputs do not fit it
     * @throws IndexOutOfBoundsException if a look-up or a guarded read is outside of its tensor
     * @throws ArithmeticException if an integer is divided by zero, or has a negative exponent
     * @throws OutOfMemoryError if there is no memory for results or temporaries
     */
    static native long[] run(String text, long[] signature, ByteBuffer[] memory, long[] geometry, int threads);

    /**
     * Says what a program does with inputs, of which it runs those that are not all dense.
     *
     * @param text its text
     * @param signature as that of {@link #run}
     * @param memory as that of {@link #run}
     * @param geometry as that of {@link #run}
     * @param threads as those of {@link #run}
     * @return for each statement its text, its loops and points, and its result, a line each
     */
    static native String explain(String text, long[] signature, ByteBuffer[] memory, long[] geometry, int threads);

    /**
     * Copies the values of an output, or its coordinates.
     *
     * @param results the number of results
     * @param output which one
     * @param coordinates whether its coordinates, not its values
     * @param memory direct byte buffers
     * @param geometry the number of the buffer, the offset in bytes, and 1
     * @throws IllegalArgumentException if there is no such output, or it does not fit
     */
    static native void take(long results, int output, boolean coordinates, ByteBuffer[] memory, long[] geometry);

    /**
     * The row splits of an axis of an output.
     *
     * @param results the number of results
     * @param output which one
     * @param axis the axis
     * @return them; null if it is not ragged
     */
    static native long[] splits(long results, int output, int axis);

    /**
     * Frees results. Freeing again does nothing.
     *
     * @param results the number of results
     */
    static native void free(long results);
}
