package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;

/** Direct buffers, as the natives of sparse tensors read and write them. */
final class SparseSides {
    /** What nobody should overwrite. */
    static final long BEHIND = -77;

    private SparseSides() {
    }

    static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    static LongBuffer longs(long... values) {
        LongBuffer buffer = direct(Long.BYTES * values.length).asLongBuffer();
        buffer.duplicate().put(values);
        return buffer;
    }

    static FloatBuffer floats(float... values) {
        FloatBuffer buffer = direct(Float.BYTES * values.length).asFloatBuffer();
        for (int i = 0; i < values.length; i++) {
            buffer.put(i, values[i]);
        }
        return buffer;
    }

    /** The first of the numbers; there is one more, which nobody has written. */
    static long[] upTo(LongBuffer buffer, int length) {
        assertEquals(BEHIND, buffer.get(length));
        long[] values = new long[length];
        LongBuffer all = buffer.duplicate();
        all.position(0);
        all.get(values);
        return values;
    }

    /** An output buffer with a guard behind it, which {@link #upTo} checks. */
    static LongBuffer output(int length) {
        long[] values = new long[length + 1];
        Arrays.fill(values, BEHIND);
        return longs(values);
    }
}
