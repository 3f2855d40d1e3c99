package io.tensornio.bench;

import io.tensornio.FloatTensorData;
import io.tensornio.internal.data.FloatStrided;
import io.tensornio.internal.element.FloatBlock;
import java.nio.FloatBuffer;

/**
 * A float tensor that is being filled for as long as a benchmark runs, and a plain buffer over the same memory. Memory of its
 * own would give the buffer other pages, and a ratio would tell about those.
 */
final class OpenTensor {
    static final int LARGEST = 96;

    /** The elements, writable. */
    final FloatTensorData data;
    /** Plain memory of the same elements. */
    final FloatBuffer buffer;

    OpenTensor(long... shape) {
        FloatBlock block = new FloatBlock(shape);
        data = FloatStrided.of(block);
        buffer = block.bytes()[0].asFloatBuffer();
        for (int i = 0; i < buffer.capacity(); i++) {       // writes each page, too
            buffer.put(i, value(i));
        }
    }

    /** Part of the elements, beside a buffer that has all. */
    OpenTensor(FloatTensorData data, FloatBuffer buffer) {
        this.data = data;
        this.buffer = buffer;
    }

    /** What stands at a position until something else is written. */
    static float value(int i) {
        return i % (LARGEST + 1);
    }
}
