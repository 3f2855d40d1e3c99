package io.tensornio;

import io.tensornio.internal.data.Carrier;
import io.tensornio.internal.data.TensorPublisher;
import io.tensornio.internal.memory.Block;
import io.tensornio.internal.ragged.RaggedParts;
import io.tensornio.internal.sparse.Sparse;
import io.tensornio.internal.string.StringPacked;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * A dense tensor: immutable elements in one run of native memory, in row-major order. It is made by the factories of
 * {@link Tensors} and read through {@link #floatData()} and its siblings.
 *
 * <pre>{@code
 * try (Tensor<Float> matrix = Tensors.denseFloat(new long[] {2, 3}, data -> data.put(5, 0, 1))) {
 *     float v = matrix.floatData().get(0, 1);
 * }
 * }</pre>
 *
 * <p>It may be used by any number of threads. Data, slices and buffers keep the memory alive by themselves: the tensor need not stay
 * reachable for them to be read.
 *
 * @param <T> the element type: {@code Float}, {@code Double}, {@code Integer}, {@code Long}, {@code Boolean}, {@link UInt8} or
 *     {@code String}
 */
public final class Tensor<T> extends BaseTensor<T> {
    static {
        TensorPublisher.register(new Publisher());
    }

    private final Block block;
    /** Whether this is a part of a sparse or ragged tensor, which closes it. */
    private final boolean borrowed;
    /** The layout; null if contiguous in row-major order. */
    private final TensorLayout layout;

    /** Publishes a filled block; {@code data} is the whole of it. */
    Tensor(Block block, TensorData<?> data) {
        this(block, data, false);
    }

    /** Like {@link #Tensor(Block, TensorData)}, with a layout of the elements in the block. */
    Tensor(Block block, TensorData<?> data, TensorLayout layout) {
        this(block, data, false, layout);
    }

    /** Like {@link #Tensor(Block, TensorData)}; closing a borrowed tensor does nothing, it closes with the tensor of which it is a part. */
    Tensor(Block block, TensorData<?> data, boolean borrowed) {
        this(block, data, borrowed, null);
    }

    private Tensor(Block block, TensorData<?> data, boolean borrowed, TensorLayout layout) {
        super(block.dataType(), layout == null ? block.shape() : layout.shape(), data, !borrowed);
        this.layout = layout;
        this.block = block;
        this.borrowed = borrowed;
        block.publish();
    }

    /** Gives the implementation, which is in other packages, access to the constructors. */
    private static final class Publisher extends TensorPublisher {
        @Override
        protected Tensor<?> make(Block block, TensorData<?> data, TensorLayout layout) {
            return new Tensor<>(block, data, layout);
        }

        @Override
        protected RaggedTensor<?> makeRagged(RaggedParts parts) {
            return RaggedTensor.of(parts);
        }

        @Override
        protected SparseTensor<?> makeSparse(Carrier<?, ?> carrier, Sparse sparse) {
            return SparseTensor.of(carrier, sparse);
        }

        @Override
        protected Block block(AnyTensor<?> tensor) {
            return ((BaseTensor<?>) tensor).block();
        }

        @Override
        protected Sparse elements(SparseTensor<?> tensor) {
            return tensor.memory();
        }

        @Override
        protected TensorData<?> unexposed(Tensor<?> tensor) {
            return tensor.unexposed();
        }

        @Override
        protected void watch(AnyTensor<?> tensor, boolean watched) {
            ((BaseTensor<?>) tensor).watch(watched);
        }
    }

    @Override
    public long numBytes() {
        return block.numBytes();
    }

    @Override
    public boolean isClosed() {
        return block.isClosed();
    }

    @Override
    void expose() {
        block.expose();
    }

    @Override
    Block block() {
        return block;
    }

    @Override
    void closeMemory() {
        if (!borrowed) {
            block.close();
        }
    }

    /**
     * The layout of the elements in memory.
     *
     * @return the layout that the tensor was made with; else the contiguous row-major one
     */
    public TensorLayout layout() {
        return layout == null ? TensorLayout.rowMajor(shape()) : layout;
    }

    /**
     * All elements as they are in memory: in row-major order unless the tensor has another {@link #layout()}, whose padding is included and zero
     * (of fixed-length strings, their padding), each in native byte order. Nothing is copied. The buffer stays safe
     * to read after the tensor is closed, but its contents are then undefined: old values or zeros.
     *
     * <p>Fixed-length strings include their padding; for variable-length strings see {@link #offsets()} and {@link #bytes()}.
     *
     * @return a new read-only direct buffer of {@link #numBytes()} bytes, in native byte order
     * @throws IllegalStateException if the elements are variable-length strings, or take more bytes than a buffer can have: see
     *     {@link #asByteBuffers()}
     * @throws TensorClosedException if the tensor is closed
     */
    public ByteBuffer asByteBuffer() {
        ByteBuffer[] all = asByteBuffers();
        if (all.length > 1) {
            throw new IllegalStateException("the " + block + " has " + numBytes() + " bytes, more than one buffer can have: asByteBuffers() gives "
                + all.length);
        }
        return all[0];
    }

    /**
     * All elements as they are in memory, like {@link #asByteBuffer()}, in as many buffers as it takes: one up to {@link Integer#MAX_VALUE} bytes;
     * beyond that several, of 2^30 bytes each but for the last. No element is in two of them. Nothing is copied. They can be written to a file
     * together, by {@link java.nio.channels.GatheringByteChannel#write(ByteBuffer[])}.
     *
     * @return new read-only direct buffers of {@link #numBytes()} bytes together, one after the other, in native byte order
     * @throws IllegalStateException if the elements are variable-length strings
     * @throws TensorClosedException if the tensor is closed
     */
    public ByteBuffer[] asByteBuffers() {
        if (block instanceof StringPacked) {
            checkOpen();
            throw new IllegalStateException("the strings of this tensor are variable-length: offsets() says where each begins in bytes()");
        }
        ByteBuffer[] all = block.bytes();
        for (int n = 0; n < all.length; n++) {
            all[n] = all[n].asReadOnlyBuffer().order(ByteOrder.nativeOrder());
        }
        return all;
    }

    /**
     * The offsets of the variable-length strings of a STRING tensor in {@link #bytes()}: string {@code i}, in row-major order, spans
     * {@code [offsets[i], offsets[i + 1])}. Together with the bytes, this is Arrow's layout of large strings. Nothing is copied. The buffer's
     * contents are undefined after the tensor is closed: old values or zeros.
     *
     * @return a new read-only direct buffer of {@code numElements() + 1} offsets, in native byte order
     * @throws IllegalStateException if the elements are not variable-length strings
     * @throws TensorClosedException if the tensor is closed
     */
    public LongBuffer offsets() {
        return packed("offsets()").offsets();
    }

    /**
     * The bytes of all variable-length strings of a STRING tensor, in row-major order, one after the other; {@link #offsets()} says where each
     * begins. Nothing is copied. The buffer's contents are undefined after the tensor is closed: old values or zeros.
     *
     * @return a new read-only direct buffer
     * @throws IllegalStateException if the elements are not variable-length strings
     * @throws TensorClosedException if the tensor is closed
     */
    public ByteBuffer bytes() {
        return packed("bytes()").text();
    }

    private StringPacked packed(String asked) {
        checkOpen();
        if (!(block instanceof StringPacked)) {
            throw new IllegalStateException(asked + " exists only for variable-length strings; the elements of this tensor are "
                + (dataType() == DataType.STRING ? "fixed-length strings" : dataType()) + ": use asByteBuffer()");
        }
        return (StringPacked) block;
    }
}
