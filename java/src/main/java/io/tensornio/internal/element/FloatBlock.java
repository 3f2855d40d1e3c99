package io.tensornio.internal.element;

//~array import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.memory.Block;
import io.tensornio.internal.memory.Storage;
import java.nio.Buffer;
import java.nio.FloatBuffer;

/** The elements of one {@code float} tensor. */
public final class FloatBlock extends Block implements FloatSource {
    /** The buffer for reads; null once the tensor is closed. */
    public FloatBuffer rd;
    /** The buffer for writes; null once the tensor is published or closed. */
    public FloatBuffer wr;

    /**
     * Allocates zeroed memory.
     *
     * @param shape a checked shape, which this object keeps
     * @throws OutOfMemoryError if the memory is not available, or one buffer cannot hold it
     */
    public FloatBlock(long[] shape) {
        this(shape, true);
    }

    private FloatBlock(long[] shape, boolean zeroed) {
        super(FloatElement.TYPE, shape, zeroed);
        try {
            rd = FloatElement.view(storage.view());
        } catch (Throwable e) {
            close();
            throw e;
        }
        wr = rd;
    }

    /**
     * Allocates memory with undefined contents, maybe of another tensor: the caller must write every element before
     * others can read it, or close the block.
     *
     * @param shape a checked shape, which the block keeps
     * @return an open block
     * @throws OutOfMemoryError if the memory is not available, or one buffer cannot hold it
     */
    public static FloatBlock uncleared(long... shape) {
        return new FloatBlock(shape, false);
    }

    /**
     * A block over existing memory.
     *
     * @param storage the storage, which the block owns from now on: closing the block closes it, as does a failure here
     * @param shape a checked shape, which the block keeps
     * @return an open block, which can be written
     * @throws IllegalArgumentException if the storage is too small
     */
    public static FloatBlock over(Storage storage, long... shape) {
        return new FloatBlock(storage, shape, true);
    }

    /**
     * A published tensor's elements in another shape. Both blocks own the memory, which is released when both are closed.
     *
     * @param other the elements, all of them
     * @param shape a checked shape of as many elements, which this object keeps
     * @throws io.tensornio.TensorClosedException if the other is closed
     */
    public FloatBlock(FloatBlock other, long[] shape) {
        this(other.share(), shape, false);
    }

    private FloatBlock(Storage memory, long[] shape, boolean writable) {
        super(FloatElement.TYPE, shape, memory);
        try {
            checkSize();
            rd = FloatElement.view(storage.view());
        } catch (Throwable e) {
            close();            // releases this owner
            throw e;
        }
        wr = writable ? rd : null;
    }

    /** Wraps a user's buffer, of the same class as the library's own. */
    public FloatBlock(FloatBuffer buffer, long[] shape) {
        super(FloatElement.TYPE, shape, null);
        rd = buffer;
        wr = buffer;
    }

    /** Whether the memory is the library's, which native code may access. */
    public boolean isNative() {
        return storage != null;
    }

    /**
     * The buffer for reads.
     *
     * @throws io.tensornio.TensorClosedException if the tensor is closed
     */
    public FloatBuffer readable() {
        FloatBuffer b = rd;
        if (b == null) {
            throw closedException();
        }
        return b;
    }

    /**
     * The buffer for writes.
     *
     * @throws java.nio.ReadOnlyBufferException if the tensor is published
     * @throws io.tensornio.TensorClosedException if it is closed
     */
    public FloatBuffer writable() {
        FloatBuffer b = wr;
        if (b == null) {
            throw notWritableException();
        }
        return b;
    }

    @Override
    public float read(long at) {
        return FloatElement.read(readable(), (int) at);
    }

    @Override
    public void write(float value, long at) {
        FloatElement.write(writable(), (int) at, value);
    }

    @Override
    public boolean isReadOnly() {
        return wr == null;
    }

    @Override
    public void checkOpen() {
        readable();
    }

    @Override
    public void checkWritable() {
        writable();
    }

    @Override
    public long origin() {
        return storage == null ? 0 : -storage.windowStart() / FloatElement.BYTES;
    }

    @Override
    public Object memory() {
        return storage == null ? null : storage.identity();
    }

    @Override
    public Object given() {
        return isNative() ? null : rd;
    }

    @Override
    public boolean mayShare(Object memory) {
        return !isNative() && memory instanceof Buffer && ((Buffer) memory).isDirect();
    }

    @Override
    public void stopWrites() {
        wr = null;
    }

    @Override
    public void stopAccess() {
        wr = null;
        rd = null;
    }
}
