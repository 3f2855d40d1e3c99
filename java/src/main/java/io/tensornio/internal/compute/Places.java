package io.tensornio.internal.compute;

import java.nio.ByteBuffer;

/** The locations of the inputs and outputs of a run, in order, as {@link NativeCompute#run} takes them. */
final class Places {
    /** The buffer number of a truth value, which has no buffer. */
    private static final long NONE = -1;

    /** The distinct buffers of all elements: small tensors share buffers, and native code queries each. */
    final ByteBuffer[] memory;
    final long[] geometry;
    private int buffers;
    private int at;

    /** For this number of inputs and outputs, and of words in the geometry. */
    Places(int sides, int numbers) {
        memory = new ByteBuffer[sides];
        geometry = new long[numbers];
    }

    /** The number of words of a tensor. */
    static int length(int rank) {
        return 2 + rank;
    }

    /** Adds an input that is a number: one word, its bits. */
    void number(long bits) {
        geometry[at++] = bits;
    }

    /** Adds an input that is a truth value or an integer of its own type: as many words as a tensor of rank 0. */
    void scalar(long value) {
        geometry[at++] = NONE;
        geometry[at++] = value;
    }

    /** Adds an input or output in a buffer. */
    void elements(ByteBuffer root, long byteOffset, long... strides) {
        geometry[at++] = number(root);
        geometry[at++] = byteOffset;
        for (long stride : strides) {
            geometry[at++] = stride;
        }
    }

    /** Adds an input in a file. */
    void file(int descriptor, long position, long... strides) {
        geometry[at++] = NONE - 1 - descriptor;
        geometry[at++] = position;
        for (long stride : strides) {
            geometry[at++] = stride;
        }
    }

    private int number(ByteBuffer root) {
        for (int n = 0; n < buffers; n++) {
            if (memory[n] == root) {
                return n;
            }
        }
        memory[buffers] = root;
        return buffers++;
    }
}
