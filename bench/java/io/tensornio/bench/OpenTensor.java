package io.tensornio.bench;

import io.tensornio.FloatTensorData;
import io.tensornio.internal.FloatBlock;
import io.tensornio.internal.FloatStrided;
import java.nio.FloatBuffer;

/**
 * A float tensor that is being filled for as long as a benchmark runs, and a plain buffer over the same memory. Memory of its
 * own would give the buffer other pages, and a ratio would tell about those.
 */
final class OpenTensor {
    /** All elements, writable. */
    final FloatTensorData data;
    /** The same elements. */
    final FloatBuffer buffer;

    OpenTensor(long... shape) {
        FloatBlock block = new FloatBlock(shape);
        data = FloatStrided.of(block);
        buffer = block.bytes().asFloatBuffer();
        for (int i = 0; i < buffer.capacity(); i++) {       // writes each page, too
            buffer.put(i, i % 97);
        }
    }
}
