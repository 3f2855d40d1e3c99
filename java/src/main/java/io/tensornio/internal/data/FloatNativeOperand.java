package io.tensornio.internal.data;

import io.tensornio.FloatTensorData;
import io.tensornio.internal.element.FloatBlock;
import io.tensornio.internal.memory.Storage;

/**
 * The elements of {@code float} data as one side of a native call: what they lie in, if that is the library's memory or an array, from its start in
 * row-major order; else a copy. To be closed after the call.
 */
final class FloatNativeOperand implements AutoCloseable {
    /** A direct buffer or an array. */
    final Object memory;
    private final Storage pinned;
    private final FloatBlock copy;

    /**
     * Keeps the elements in place.
     *
     * @param data any data
     * @param shape the shape that it said it has, checked
     * @throws io.tensornio.TensorClosedException if the data's tensor is closed
     * @throws OutOfMemoryError if a copy does not fit the memory budget or one direct buffer
     */
    FloatNativeOperand(FloatTensorData data, long... shape) {
        if (data instanceof FloatArrayStrided && ((FloatArrayStrided) data).isContiguous() && ((FloatArrayStrided) data).offset() == 0) {
            memory = ((FloatArrayStrided) data).block.rd;
            pinned = null;
            copy = null;
        } else if (data instanceof FloatStrided && ((FloatStrided) data).isContiguous() && ((FloatStrided) data).block.isNative()) {
            FloatStrided own = (FloatStrided) data;
            copy = null;
            pinned = own.block.pin();
            try {
                memory = FloatCopies.elements(own);
            } catch (Throwable e) {
                pinned.unpin();
                throw e;
            }
        } else {
            pinned = null;
            copy = FloatBlock.uncleared(shape.clone());
            try {
                FloatCopies.fill(FloatStrided.of(copy), data);
            } catch (Throwable e) {
                copy.close();
                throw e;
            }
            memory = copy.rd;
        }
    }

    @Override
    public void close() {
        if (pinned != null) {
            pinned.unpin();
        }
        if (copy != null) {
            copy.close();
        }
    }
}
