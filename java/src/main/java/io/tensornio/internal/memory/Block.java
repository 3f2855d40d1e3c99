package io.tensornio.internal.memory;

import io.tensornio.DataType;
import io.tensornio.TensorClosedException;
import io.tensornio.internal.layout.Shapes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.LongFunction;

/**
 * The elements of one tensor, shared by all of its views. A subclass for each element type holds the typed buffers through which the views read and
 * write; setting them to null here publishes or closes the tensor for all of its views at once.
 *
 * <p>The buffers are plain fields: with volatile ones the compiler could not move their load out of a loop. So an access
 * that races with a close may still use the old buffer; {@link Storage} makes that harmless.
 */
public abstract class Block {
    private static final AtomicIntegerFieldUpdater<Block> CLOSED = AtomicIntegerFieldUpdater.newUpdater(Block.class, "closed");

    private static final boolean HAS_FENCE = hasFence();

    /** The memory behind the buffers; null if it belongs to the user. */
    public final Storage storage;
    private final DataType dataType;
    private final long[] shape;
    /** The shape for messages: that of the whole tensor of which this block is a part. */
    private long[] named;
    /** 1 once {@link #close()} was called. The storage may have other owners, and so still be open. */
    private volatile int closed;
    /** The pins that may write; they end when this is published or closed. Null if there are none. */
    private volatile List<PinReference> writers;

    /**
     * Takes memory for a tensor, which one buffer holds.
     *
     * @param dataType the element type
     * @param shape a checked shape, which this object keeps
     * @param zeroed whether it must be zeroed; else its contents are undefined
     * @throws OutOfMemoryError if the memory is not available, or one buffer cannot hold it
     */
    public Block(DataType dataType, long[] shape, boolean zeroed) {
        this.dataType = dataType;
        this.shape = shape;
        named = shape;
        long bytes = Shapes.product(shape) * dataType.byteSize();
        if (bytes > Integer.MAX_VALUE) {
            throw new OutOfMemoryError("the " + this + " needs " + bytes + " bytes; one tensor can have " + Integer.MAX_VALUE);
        }
        storage = Storage.allocate(bytes, zeroed);
    }

    /**
     * Makes a block over existing memory.
     *
     * @param dataType the element type
     * @param shape a checked shape, which this object keeps
     * @param storage the storage, of which this block becomes an owner; null if the memory is the user's
     */
    public Block(DataType dataType, long[] shape, Storage storage) {
        this.dataType = dataType;
        this.shape = shape;
        named = shape;
        this.storage = storage;
    }

    /**
     * Checks that the storage holds the elements.
     *
     * @throws IllegalArgumentException if it does not
     */
    protected final void checkSize() {
        if (numBytes() > storage.bytes()) {
            throw new IllegalArgumentException("the " + this + " needs " + numBytes() + " bytes; its storage has " + storage.bytes());
        }
    }

    /** Drops the buffer for writes. */
    public abstract void stopWrites();

    /** Drops both buffers. */
    public abstract void stopAccess();

    /** Makes the elements immutable: writes that happen after this are refused. */
    public final void publish() {
        stopWrites();
        if (writers != null) {
            endWriters();
        }
    }

    /**
     * Notes a pin that may write, which ends when this is published or closed.
     *
     * @param pin the pin
     */
    public final void addWriter(PinReference pin) {
        synchronized (this) {
            List<PinReference> all = writers == null ? new ArrayList<>() : writers;
            all.add(pin);
            writers = all;
        }
    }

    private void endWriters() {
        List<PinReference> all;
        synchronized (this) {
            all = writers;
            writers = null;
        }
        if (all != null) {
            all.forEach(PinReference::end);
        }
    }

    /** Closes the tensor for all views and gives its memory back. Closing again does nothing. */
    public final void close() {
        // The flag is set first: it tells a write why there is no buffer. Accesses that race with this are harmless, see Storage.
        if (CLOSED.compareAndSet(this, 0, 1)) {
            try {
                storage.close();
            } finally {
                stopAccess();
            }
            if (writers != null) {
                endWriters();
            }
        }
    }

    /**
     * Whether {@link #close()} was called.
     *
     * @return true once it was
     */
    public final boolean isClosed() {
        return closed != 0;
    }

    /**
     * Whether {@link #close()} was called, for a thread that has just read the memory: if false, it read valid
     * elements, since the flag is set before the pages are released. A volatile read of the flag does not suffice:
     * memory may be read after it (JDK 25 does, in bulk copies). {@code StampedLock.validate} is a fence.
     */
    public final boolean isClosedAfterRead() {
        if (!HAS_FENCE) {
            return isClosedByExchange();
        }
        ReadFence.pass();
        return isClosed();
    }

    /**
     * The same without a fence, by an atomic write of the flag, which orders a later close after all preceding reads.
     * Threads that read one tensor contend for it.
     */
    final boolean isClosedByExchange() {
        return CLOSED.getAndAdd(this, 0) != 0;
    }

    private static boolean hasFence() {
        try {
            Class.forName("java.util.concurrent.locks.StampedLock");
            return true;
        } catch (ClassNotFoundException e) {
            return false;                               // Android before API level 24
        }
    }

    /**
     * Keeps the memory in place for a native call; a close meanwhile takes effect at {@link Storage#unpin()}.
     *
     * @throws TensorClosedException if the tensor is closed
     */
    public final Storage pin() {
        if (isClosed() || !storage.pin()) {
            throw closedException();
        }
        return storage;
    }

    /**
     * The storage, with another block registered as an owner.
     *
     * @throws TensorClosedException if the tensor is closed
     */
    public final Storage share() {
        if (isClosed() || !storage.share()) {
            throw closedException();
        }
        return storage;
    }

    /** Sets the shape for messages: that of the ragged tensor whose flat values this block holds. */
    public final void name(long[] whole) {
        named = whole;
    }

    /** Sets what messages call an element, by its position. It is for types whose messages name single elements. */
    public void namePlaces(LongFunction<String> byPosition) {
        // Others have no use for it.
    }

    /**
     * To be called before data over the elements is handed to the application. If they are closed already, the data has nothing to read from.
     */
    public final void expose() {
        if (storage != null) {
            storage.expose();
            if (isClosed()) {
                stopAccess();           // who closes may not have come to that yet
            }
        }
    }

    /** The exception for a write to a block that has no writable buffer. */
    public final RuntimeException notWritableException() {
        return isClosed() ? closedException() : new ReadOnlyTensorException(dataType, named, "is published");
    }

    /** The exception for an access after the close. */
    public final TensorClosedException closedException() {
        return new TensorClosedException(dataType, named);
    }

    /**
     * All elements as bytes, to be handed out to the application.
     *
     * @return writable buffers, one after the other, of which the caller hands out read-only views: one unless the memory is large
     * @throws TensorClosedException if the tensor is closed
     */
    public final ByteBuffer[] bytes() {
        Storage pinned = pin();
        try {
            pinned.handOut();
            return pinned.segments(numBytes());
        } finally {
            pinned.unpin();
        }
    }

    /**
     * The bytes that the elements take. The storage may be larger.
     *
     * @return the number of bytes
     */
    public long numBytes() {
        return Shapes.product(shape) * dataType.byteSize();
    }

    /**
     * The element type.
     *
     * @return the type
     */
    public final DataType dataType() {
        return dataType;
    }

    /**
     * The tensor's shape.
     *
     * @return the sizes themselves: not to be changed or handed out
     */
    public final long[] shape() {
        return shape;
    }

    @Override
    public final String toString() {
        return dataType + " tensor of shape " + Arrays.toString(shape);
    }
}
