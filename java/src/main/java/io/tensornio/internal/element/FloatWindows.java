package io.tensornio.internal.element;

import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.memory.Block;
import io.tensornio.internal.memory.Storage;
import java.nio.FloatBuffer;

/**
 * The elements of a {@code float} tensor that is larger than one buffer: one run of native memory, and a block for each of the windows that a buffer
 * can view. Windows overlap, so that elements that span no more than two of them have in common lie in one, and are accessed like those of any other
 * tensor. All windows are published and closed with this.
 */
public final class FloatWindows extends Block implements FloatSource {
    /** The number of elements from one window to the next, a power of 2. */
    private static final int STEP = Storage.windowStep() / FloatElement.BYTES;
    private static final int SHIFT = Integer.numberOfTrailingZeros(STEP);

    private final FloatBlock[] windows;

    private FloatWindows(Storage memory, long[] shape) {
        super(FloatElement.TYPE, shape, memory);
        Storage[] parts = memory.windows();
        windows = new FloatBlock[parts.length];
        for (int n = 0; n < parts.length; n++) {
            windows[n] = FloatBlock.over(parts[n], parts[n].bytes() / FloatElement.BYTES);
            windows[n].name(shape);
        }
    }

    /**
     * Allocates memory of any size.
     *
     * @param shape a checked shape, which the block keeps
     * @param zeroed whether it must be zeroed; else its contents are undefined, and the caller must write every element before others can read it
     * @return an open block: a {@link FloatBlock} if one buffer can view it, else of this class
     * @throws OutOfMemoryError if the memory is not available
     */
    public static Block allocate(long[] shape, boolean zeroed) {
        return over(Storage.allocateAny(Storage.size(FloatElement.TYPE, shape), zeroed), shape);
    }

    /**
     * A block over existing memory.
     *
     * @param storage the storage, which the block owns from now on
     * @param shape a checked shape, which the block keeps, of no more elements than the storage holds
     * @return an open block, which can be written: as of {@link #allocate}
     */
    public static Block over(Storage storage, long... shape) {
        return storage.isLarge() ? new FloatWindows(storage, shape) : FloatBlock.over(storage, shape);
    }

    /**
     * The window that holds all elements of a layout.
     *
     * @param layout a strided layout
     * @return the window, or null if they span more than one
     */
    public FloatBlock window(Layout layout) {
        if (layout.totalSize() == 0) {
            return windows[0];
        }
        FloatBlock window = windows[(int) (layout.lowest() >> SHIFT)];
        return layout.highest() + window.origin() < window.shape()[0] ? window : null;
    }

    /**
     * The buffer by which native code finds all of the elements.
     *
     * @param write whether it is to be written
     * @return the buffer of the first window
     * @throws java.nio.ReadOnlyBufferException if it is to be written, and this is published
     * @throws io.tensornio.TensorClosedException if this is closed
     */
    public FloatBuffer first(boolean write) {
        return write ? windows[0].writable() : windows[0].readable();
    }

    @Override
    public float read(long at) {
        return windows[(int) (at >> SHIFT)].read(at & STEP - 1);
    }

    @Override
    public void write(float value, long at) {
        windows[(int) (at >> SHIFT)].write(value, at & STEP - 1);
    }

    @Override
    public boolean isReadOnly() {
        return windows[0].isReadOnly();
    }

    @Override
    public void checkOpen() {
        windows[0].checkOpen();
    }

    @Override
    public void checkWritable() {
        windows[0].checkWritable();
    }

    @Override
    public boolean copiesAtOnce() {
        return true;
    }

    @Override
    public long origin() {
        return 0;
    }

    @Override
    public Object memory() {
        return storage.identity();
    }

    @Override
    public void stopWrites() {
        for (FloatBlock window : windows) {
            window.publish();           // ends its pins, too
        }
    }

    @Override
    public void stopAccess() {
        for (FloatBlock window : windows) {
            window.close();
        }
    }
}
