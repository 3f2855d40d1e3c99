package io.tensornio.internal.data;

import io.tensornio.internal.memory.Block;
import io.tensornio.internal.memory.Storage;

/** Elements in row-major order from the start of a direct buffer or an array, as one side of a native call. To be closed after the call. */
final class NativeOperand implements AutoCloseable {
    /** A direct buffer or an array. */
    final Object memory;
    private final Storage pinned;
    private final Block copy;

    /**
     * Keeps all of them.
     *
     * @param memory the direct buffer or the array
     * @param pinned what the call's end unpins, or null
     * @param copy what the call's end closes, being a copy made for it, or null
     */
    NativeOperand(Object memory, Storage pinned, Block copy) {
        this.memory = memory;
        this.pinned = pinned;
        this.copy = copy;
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
