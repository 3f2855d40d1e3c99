package io.tensornio.internal.compute;

import java.nio.ByteBuffer;

/** Where the inputs and outputs of a run are, as {@link NativeCompute#run} takes it, one after the other. */
final class Places {
    /** The buffer of a truth value, which has none. */
    private static final long NONE = -1;

    /** The buffers that elements lie in, each once: small tensors share them, and native code asks for each. */
    final ByteBuffer[] memory;
    final long[] geometry;
    private int buffers;
    private int at;

    /** For so many inputs and outputs, which take so many numbers. */
    Places(int sides, int numbers) {
        memory = new ByteBuffer[sides];
        geometry = new long[numbers];
    }

    /** How many numbers a tensor takes. */
    static int length(int rank) {
        return 2 + rank;
    }

    /** An input that is a number takes one number, its bits. */
    void number(long bits) {
        geometry[at++] = bits;
    }

    /** An input that is a truth value takes as much as a tensor without axes. */
    void truth(long value) {
        geometry[at++] = NONE;
        geometry[at++] = value;
    }

    /** An input or output that lies in a buffer, from a byte of it on. */
    void elements(ByteBuffer root, long byteOffset, long... strides) {
        geometry[at++] = number(root);
        geometry[at++] = byteOffset;
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
