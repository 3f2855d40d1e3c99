package io.tensornio.internal.compute;

import io.tensornio.internal.memory.NativeMemory;
import java.nio.ByteBuffer;

/** The native method that runs an {@link Algorithm}. Like those of {@link NativeCompute}, it checks its arguments. */
final class NativeNumeric {
    static {
        NativeMemory.load();
    }

    private NativeNumeric() {
    }

    /**
     * Runs an algorithm.
     *
     * @param algorithm its number
     * @param inputs the number of operands
     * @param signature for each operand, and then for each result, its type, its rank and its sizes
     * @param memory direct byte buffers
     * @param geometry for each of them the number of its buffer, the offset of its first element in bytes, and its strides in elements
     * @param numbers the parameters of the algorithm: integers, and the bits of doubles
     * @param threads how many share the work at most, 0 for as many as there are
     * @return a number that some algorithms have besides their results, else 0
     * @throws IllegalArgumentException if something does not fit, or as the algorithm says
     * @throws IndexOutOfBoundsException if elements are outside of their buffer, or as the algorithm says
     * @throws ArithmeticException as the algorithm says
     * @throws OutOfMemoryError if there is no memory for temporaries
     */
    static native long run(int algorithm, int inputs, long[] signature, ByteBuffer[] memory, long[] geometry, long[] numbers, int threads);
}
