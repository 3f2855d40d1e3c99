package io.tensornio.internal;

import java.nio.FloatBuffer;

/** The elements of one {@code float} tensor. */
public final class FloatBlock extends Block {
    /** Reads; null once the tensor is closed. */
    FloatBuffer rd;
    /** Writes; null once the tensor is published or closed. */
    FloatBuffer wr;

    /**
     * Takes zeroed memory.
     *
     * @param shape a checked shape, which this object keeps
     * @throws OutOfMemoryError if the memory is not to be had, or one buffer cannot hold it
     */
    public FloatBlock(long[] shape) {
        super(FloatElement.TYPE, shape);
        try {
            rd = FloatElement.view(storage.view());
        } catch (Throwable e) {
            close();
            throw e;
        }
        wr = rd;
    }

    @Override
    void stopWrites() {
        wr = null;
    }

    @Override
    void stopAccess() {
        wr = null;
        rd = null;
    }
}
