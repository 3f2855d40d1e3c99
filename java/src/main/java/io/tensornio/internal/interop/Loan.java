package io.tensornio.internal.interop;

import io.tensornio.DataType;
import io.tensornio.Tensor;
import io.tensornio.internal.data.AnyData;
import io.tensornio.internal.data.TensorPublisher;
import io.tensornio.internal.data.WritableTensor;
import io.tensornio.internal.memory.Block;
import io.tensornio.internal.memory.Storage;
import java.nio.ByteBuffer;

/**
 * Memory lent for one call to another library, by an adapter that knows that the library lets go of the buffer. Unlike an
 * {@link io.tensornio.interop.Pin} it does not make the memory one that others may be reading: what only the other library has seen is closed, and
 * used again, without a system call. For the adapters alone.
 */
public final class Loan implements AutoCloseable {
    /** The memory to be filled; null if this lends a tensor. */
    private final WritableTensor filled;
    private final Storage storage;
    private final ByteBuffer[] buffers;
    private boolean open = true;

    private Loan(WritableTensor filled, Storage storage, long bytes) {
        this.filled = filled;
        this.storage = storage;
        try {
            buffers = storage.lend(bytes);
        } catch (Throwable e) {
            storage.unpin();
            throw e;
        }
    }

    /**
     * Lends a tensor to be read; one that is mapped is copied, since its file may be cut short meanwhile.
     *
     * @param tensor of elements of fixed size
     * @return a loan, which holds a pin
     * @throws io.tensornio.TensorClosedException if the tensor is closed
     */
    public static Loan of(Tensor<?> tensor) {
        Block block = TensorPublisher.blockOf(tensor);
        if (block.storage.isMapped()) {
            try (Tensor<?> copy = AnyData.computed(AnyData.of(tensor))) {
                return of(copy);            // its pin keeps the memory
            }
        }
        return new Loan(null, block.pin(), block.numBytes());
    }

    /**
     * Lends memory to be filled: all of it, since it has old contents.
     *
     * @param type the type of the elements, any but {@code STRING}
     * @param shape the size of each axis
     * @return a loan, to be published or closed
     * @throws IllegalArgumentException if the type is {@code STRING}, or a size is negative
     * @throws OutOfMemoryError if the memory is not available
     */
    public static Loan toFill(DataType type, long... shape) {
        WritableTensor made = WritableTensor.unexposed(type, shape);
        try {
            return new Loan(made, made.pin(), made.numBytes());
        } catch (Throwable e) {
            made.close();
            throw e;
        }
    }

    /**
     * Copies a tensor of any type and layout.
     *
     * @param tensor the tensor
     * @return a tensor in row-major order, which the caller closes
     * @throws io.tensornio.TensorClosedException if the tensor is closed
     */
    public static Tensor<?> rowMajor(Tensor<?> tensor) {
        TensorPublisher.blockOf(tensor).expose();
        return TensorPublisher.unexposedData(tensor).copy();
    }

    /**
     * Copies a dense tensor of elements of fixed size with its axes in another order.
     *
     * @param tensor the tensor
     * @param axes a permutation of the axes
     * @return a tensor in row-major order, which the caller closes
     * @throws io.tensornio.TensorClosedException if the tensor is closed
     */
    public static Tensor<?> permuted(Tensor<?> tensor, int... axes) {
        TensorPublisher.blockOf(tensor).expose();
        return TensorPublisher.unexposedData(tensor).permute(axes).copy();
    }

    /**
     * The memory, of at most 2 GiB.
     *
     * @return a direct buffer in native order, from position 0 to the end of the elements; not to be written if a tensor was lent, nor to be kept
     * @throws IllegalStateException if there are more bytes than a buffer can have
     */
    public ByteBuffer buffer() {
        if (buffers.length > 1) {
            throw new IllegalStateException("memory of " + buffers.length + " buffers was asked for as one");
        }
        return buffers[0];
    }

    /**
     * The memory, of any size.
     *
     * @return one or several buffers as {@link #buffer()} gives, one after the other, all but the last of the same size
     */
    public ByteBuffer[] buffers() {
        return buffers.clone();
    }

    /**
     * Makes a tensor of what was filled. This is closed by it.
     *
     * @return a tensor that the caller closes
     * @throws IllegalStateException if a tensor was lent to be read
     */
    public Tensor<?> publish() {
        if (filled == null) {
            throw new IllegalStateException("what was lent to be read is a tensor already: only memory lent to be filled is published");
        }
        Tensor<?> made = filled.publish();
        close();
        return made;
    }

    /** Ends the loan; what was filled and not published is given back. Closing again does nothing. */
    @Override
    public void close() {
        if (open) {
            open = false;
            storage.unpin();
            if (filled != null) {
                filled.close();
            }
        }
    }
}
