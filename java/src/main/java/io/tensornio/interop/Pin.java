package io.tensornio.interop;

import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.TensorLayout;
import io.tensornio.internal.data.StridedOperand;
import io.tensornio.internal.data.TensorPublisher;
import io.tensornio.internal.memory.Block;
import io.tensornio.internal.memory.PinReference;
import io.tensornio.internal.string.StringPacked;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * Keeps the elements of a dense tensor where they are, for native code of others that reads them in place.
 *
 * <pre>{@code
 * try (Pin pin = Pin.of(tensor)) {
 *     other.read(pin.address(), pin.byteSize());
 * }
 * }</pre>
 *
 * <p>The tensor may be closed meanwhile, by anybody: that is immediate for all who read it by its data, but its memory stays as it is, and
 * {@linkplain io.tensornio.MemoryStats#bytesInUse() in use}, until its last pin is closed. Buffers may be kept for longer: they are safe to read,
 * but from then on their contents are undefined, old values or zeros. What is not safe is native code that goes on using an address.
 *
 * <p>Of a tensor that is mapped, such as by {@link io.tensornio.io.Npy#map}, the memory is that of the file: if somebody cuts it short, native code
 * that reads the memory ends the JVM.
 *
 * <p>A pin that nobody closes ends once neither it nor any of its buffers is reachable, and is reported as a leak, as tensors are.
 *
 * <p>Several threads may use a pin, and any of them close it.
 */
public final class Pin implements AutoCloseable {
    private final Block block;
    private final PinReference reference;
    /** Where the elements begin in the block's storage, in bytes. */
    private final long from;
    private final long byteSize;
    /** The tensor, of which the layout is asked for when somebody needs it; null if this is writable, and has a layout. */
    private final Tensor<?> tensor;
    private final TensorLayout layout;
    private final boolean writable;
    /** The memory, once somebody has asked for it; guarded by this. */
    private ByteBuffer[] memory;

    private Pin(Block block, long from, long byteSize, Tensor<?> tensor, TensorLayout layout) {
        this.block = block;
        this.tensor = tensor;
        this.from = from;
        this.byteSize = byteSize;
        this.layout = layout;
        writable = tensor == null;
        try {
            reference = new PinReference(this, block.storage);
        } catch (Throwable e) {
            block.storage.close();
            throw e;
        }
        reference.track(this, block.dataType(), block.shape());
    }

    /**
     * Pins a published tensor. Its memory is read-only: code that writes through the address, or through a buffer in spite of its being read-only, as
     * some native libraries do, changes what was promised not to change.
     *
     * @param tensor a dense tensor of numbers, booleans or fixed-length strings
     * @return a pin, which the caller closes
     * @throws IllegalArgumentException if the tensor is sparse or ragged, or its strings have variable length
     * @throws io.tensornio.TensorClosedException if the tensor is closed
     */
    public static Pin of(AnyTensor<?> tensor) {
        Objects.requireNonNull(tensor, "tensor");
        if (!(tensor instanceof Tensor)) {
            throw new IllegalArgumentException("a " + tensor.getClass().getSimpleName() + " has no elements in one run of memory to be pinned: pin "
                + "its values() and what places them, or the tensor that toDense() makes");
        }
        Tensor<?> dense = (Tensor<?>) tensor;
        Block block = TensorPublisher.blockOf(dense);
        if (block instanceof StringPacked) {
            throw new IllegalArgumentException("the " + block + " has variable-length strings, which have no fixed size to be pinned by: read its "
                + "offsets() and bytes()");
        }
        block.share();
        return new Pin(block, 0, block.numBytes(), dense, null);
    }

    /**
     * Pins what a factory's {@code init} was given, or a contiguous part of it, for native code that writes the elements. It is for use inside of
     * {@code init} alone, and ends when {@code init} does:
     *
     * <pre>{@code
     * Tensor<Float> result = Tensors.denseFloat(shape, data -> {
     *     try (Pin pin = Pin.writable(data)) {
     *         other.computeInto(pin.buffer());
     *     }
     * });
     * }</pre>
     *
     * <p>The buffers must not be written later, when the tensor is published: nothing could refuse that, and readers would see it.
     *
     * @param data the data under construction: of a dense tensor of numbers or booleans, in row-major order without gaps
     * @return a pin, which the caller closes
     * @throws IllegalArgumentException if the elements are no such data: strings, sparse and ragged data, other layouts, a user's own memory
     * @throws java.nio.ReadOnlyBufferException if the data is that of a published tensor
     * @throws io.tensornio.TensorClosedException if the tensor is closed, as by an {@code init} that has thrown
     */
    public static Pin writable(TensorData<?> data) {
        Objects.requireNonNull(data, "data");
        StridedOperand operand = StridedOperand.underConstruction(data);
        if (operand == null) {
            throw new IllegalArgumentException("only the data that a factory of dense tensors of numbers or booleans gives to init can be pinned "
                + "to be written, or a part of it in row-major order without gaps; this is " + data.getClass().getSimpleName());
        }
        try {
            operand.block().share();
        } finally {
            operand.close();
        }
        Pin pin = new Pin(operand.block(), operand.byteStart(), data.totalSize() * operand.type().byteSize(), null,
            TensorLayout.rowMajor(data.shape()));
        operand.block().addWriter(pin.reference);
        return pin;
    }

    /**
     * The elements as they are in memory, described by {@link #layout()}: nothing is copied.
     *
     * @return a direct buffer in native byte order, from position 0 to {@link #byteSize()}: a new one over the same memory at each call, read-only
     *     unless this pin is {@link #writable}
     * @throws IllegalStateException if the pin has ended, or there are more bytes than a buffer can have: see {@link #buffers()}
     */
    public ByteBuffer buffer() {
        ByteBuffer[] all = memory();
        if (all.length > 1) {
            throw new IllegalStateException("the " + block + " has " + byteSize + " bytes pinned, more than one buffer can have: buffers() gives "
                + all.length);
        }
        return view(all[0]);
    }

    /**
     * The elements as they are in memory, like {@link #buffer()}, in as many buffers as it takes, one after the other.
     *
     * @return direct buffers of {@link #byteSize()} bytes together
     * @throws IllegalStateException if the pin has ended
     */
    public ByteBuffer[] buffers() {
        ByteBuffer[] all = memory().clone();
        for (int n = 0; n < all.length; n++) {
            all[n] = view(all[n]);
        }
        return all;
    }

    private synchronized ByteBuffer[] memory() {
        checkOpen();
        if (memory == null) {
            memory = reference.aliases(from, byteSize);
        }
        return memory;
    }

    private ByteBuffer view(ByteBuffer part) {
        return (writable ? part.duplicate() : part.asReadOnlyBuffer()).order(ByteOrder.nativeOrder());
    }

    /**
     * The address of the first byte. All bytes are at it and after it, also if there are more than a buffer can have. It may be used until the pin is
     * closed: later uses read or write memory that belongs to somebody else by then.
     *
     * @return the address; of memory of the library itself a multiple of 64, unless this pins a part
     * @throws IllegalStateException if the pin has ended, or there is no such address: files of more than 2 GiB are mapped in parts, see
     *     {@link #buffers()}
     */
    public long address() {
        checkOpen();
        if (!block.storage.isOneRun()) {
            throw new IllegalStateException("the " + block + " is mapped in parts, which follow each other nowhere: buffers() gives them");
        }
        return block.storage.address() + from;
    }

    /**
     * The size of the memory, with the padding of its layout.
     *
     * @return the number of bytes
     */
    public long byteSize() {
        return byteSize;
    }

    /**
     * The type of the elements.
     *
     * @return the type
     */
    public DataType dataType() {
        return block.dataType();
    }

    /**
     * How the elements lie in the memory.
     *
     * @return the layout, in elements from the first byte on
     */
    public TensorLayout layout() {
        return writable ? layout : tensor.layout();
    }

    private void checkOpen() {
        if (reference.hasEnded()) {
            throw new IllegalStateException("the pin of the " + block + " has ended: " + (writable ? "it was closed, or init has returned"
                : "it was closed"));
        }
    }

    /** Ends the pin: native code must not use the address any more. Closing again does nothing. */
    @Override
    public void close() {
        reference.end();
    }

    @Override
    public String toString() {
        return "Pin[" + byteSize + " bytes of " + block + (reference.hasEnded() ? ", ended]" : "]");
    }
}
