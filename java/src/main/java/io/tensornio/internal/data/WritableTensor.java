package io.tensornio.internal.data;

import io.tensornio.DataType;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.internal.memory.NativeMemory;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.memory.Block;
import io.tensornio.internal.memory.Storage;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A writable dense tensor of any type but {@code STRING} that only its owner can access: native code fills it and {@link #publish()} makes it a
 * tensor, or it stays writable, like the parameters of a model, and is read by others through {@link #snapshot()}.
 *
 * <pre>{@code
 * try (WritableTensor out = WritableTensor.allocate(DataType.FLOAT, 2, 3)) {
 *     NativeMemory.fill(out.root(), out.byteOffset());
 *     return out.publish();               // then close() does nothing
 * }                                       // if the call fails, the memory is released here
 * }</pre>
 *
 * <p>It is for one thread at a time, but other threads may close it while it is not published. A native call during
 * which that may happen holds a {@link #pin()}. Native code writes a {@code BOOL} as 0 or 1.
 */
public final class WritableTensor implements AutoCloseable {
    private final Block block;
    /** Whether this still owns the block. */
    private boolean owner = true;

    private WritableTensor(Block block) {
        this.block = block;
    }

    /**
     * Allocates memory with undefined contents: the caller writes every element before it is published.
     *
     * @param type the type of the elements
     * @param shape the size of each axis
     * @return an open tensor
     * @throws IllegalArgumentException if the type is {@code STRING}, a size is negative, or a {@code long} cannot count the bytes
     * @throws OutOfMemoryError if the memory is not available
     */
    public static WritableTensor allocate(DataType type, long... shape) {
        return new WritableTensor(block(type, shape, false));
    }

    /**
     * Like {@link #allocate}, for what only native code writes: until the data is asked for, here or of the tensor, nobody can be reading the memory,
     * and to release it takes no system call.
     *
     * @param type the type of the elements
     * @param shape the size of each axis
     * @return an open tensor
     * @throws IllegalArgumentException as above
     * @throws OutOfMemoryError as above
     */
    public static WritableTensor unexposed(DataType type, long... shape) {
        long[] checked = check(type, shape);
        return new WritableTensor(over(Storage.allocateUnexposed(Storage.size(type, checked)), type, checked));
    }

    /**
     * Like {@link #allocate}, with elements that are zero.
     *
     * @param type the type of the elements
     * @param shape the size of each axis
     * @return an open tensor
     * @throws IllegalArgumentException as above
     * @throws OutOfMemoryError as above
     */
    public static WritableTensor zeroed(DataType type, long... shape) {
        return new WritableTensor(block(type, shape, true));
    }

    /**
     * Allocates one block for several tensors that are used together, with undefined contents. Each is published or
     * closed independently; the pages are released, and count as in use, until the last one is closed.
     *
     * @param types the type of each
     * @param shapes the shape of each
     * @return as many open tensors
     * @throws IllegalArgumentException as above
     * @throws OutOfMemoryError as above, for the sum of all
     */
    public static WritableTensor[] together(DataType[] types, long[]... shapes) {
        long[] ends = new long[types.length];
        long[][] checked = new long[types.length][];
        long end = 0;
        for (int n = 0; n < types.length; n++) {
            checked[n] = check(types[n], shapes[n]);
            long start = aligned(end);
            ends[n] = start + Shapes.product(checked[n]) * types[n].byteSize();
            if (ends[n] < start || ends[n] > Integer.MAX_VALUE) {
                throw new OutOfMemoryError(types.length + " tensors in one block need more than " + Integer.MAX_VALUE + " bytes");
            }
            end = ends[n];
        }
        WritableTensor[] made = new WritableTensor[types.length];
        Storage whole = Storage.allocate(end, false);
        try {
            long start = 0;
            for (int n = 0; n < types.length; n++) {
                made[n] = new WritableTensor(over(whole.part(start, ends[n] - start), types[n], checked[n]));
                start = aligned(ends[n]);
            }
        } catch (Throwable e) {
            for (WritableTensor tensor : made) {
                if (tensor != null) {
                    tensor.close();
                }
            }
            throw e;
        } finally {
            whole.close();          // the parts own it now
        }
        return made;
    }

    /**
     * Makes a tensor of memory that somebody lends, see {@link Storage#adopt}.
     *
     * @param type the type of the elements, any but {@code STRING}
     * @param shape the size of each axis, checked, of as many elements as {@code lent} has
     * @param lent a direct buffer in native order, whose position is aligned to the element
     * @param unchecked whether data and buffers over it do not keep it
     * @param release gives the memory back; not called if this fails
     * @return a tensor that the caller closes
     */
    public static Tensor<?> adopt(DataType type, long[] shape, ByteBuffer lent, boolean unchecked, Runnable release) {
        Storage storage = Storage.adopt(lent, unchecked, release);
        boolean succeeded = false;
        try {
            Tensor<?> made = new WritableTensor(over(storage, type, shape)).publish();
            succeeded = true;
            return made;
        } finally {
            storage.adopted(succeeded);
        }
    }

    private static long aligned(long at) {
        return (at + Storage.ALIGNMENT - 1) / Storage.ALIGNMENT * Storage.ALIGNMENT;
    }

    private static long[] check(DataType type, long... shape) {
        return Shapes.check(shape, Objects.requireNonNull(type, "type").byteSize());
    }

    private static Block block(DataType type, long[] shape, boolean zeroed) {
        long[] checked = check(type, shape);
        return AnyData.carrier(type).allocate(checked, zeroed);
    }

    private static Block over(Storage storage, DataType type, long... shape) {
        if (type == DataType.STRING) {
            storage.close();
        }
        return AnyData.carrier(type).over(storage, shape);
    }

    /**
     * The buffer by which native code finds the elements, {@link #byteOffset()} bytes into it. As an argument of the
     * native call, it keeps the addresses reserved meanwhile.
     *
     * @return a direct buffer, which may contain other tensors
     */
    public ByteBuffer root() {
        return block.storage.root();
    }

    /** The offset of the elements in {@link #root()}, in bytes: a multiple of 64. */
    public long byteOffset() {
        return block.storage.byteOffset();
    }

    /** All elements as writable bytes, to be used with a {@link #pin()}: one buffer after the other, if there are more bytes than one can have. */
    public ByteBuffer[] bytes() {
        return block.storage.segments(numBytes());
    }

    /** The bytes of all elements. */
    public long numBytes() {
        return block.numBytes();
    }

    /**
     * Keeps the pages in place for a native call, until {@link Storage#unpin()}.
     *
     * @throws io.tensornio.TensorClosedException if it is closed
     */
    public Storage pin() {
        return block.pin();
    }

    /** All elements, as data of the type's interface: they can be written until this is published. */
    public TensorData<?> data() {
        block.expose();
        return elements();
    }

    /** The same for the library, which writes them before this is published, and does not keep them: the memory stays one that nobody has seen. */
    public TensorData<?> elements() {
        return AnyData.carrier(block.dataType()).whole(block);
    }

    /** The same of those elements that a layout has, which is one of positions in this tensor. */
    public TensorData<?> elements(Layout layout) {
        return AnyData.carrier(block.dataType()).over(block, layout);
    }

    /**
     * Makes the elements immutable and transfers the memory to a tensor: closing this does nothing from now on.
     *
     * @return a tensor that the caller closes
     * @throws IllegalStateException if it was published or closed before
     */
    public Tensor<?> publish() {
        if (!owner) {
            throw new IllegalStateException("the " + block + " was published or closed before");
        }
        Tensor<?> tensor = TensorPublisher.publish(block, elements());
        owner = false;
        return tensor;
    }

    /**
     * Copies the current elements.
     *
     * @return a tensor that the caller closes
     * @throws io.tensornio.TensorClosedException if this is closed
     * @throws OutOfMemoryError if there is no memory for it
     */
    public Tensor<?> snapshot() {
        Storage pinned = pin();
        try (WritableTensor copy = allocate(block.dataType(), block.shape())) {
            ByteBuffer[] from = pinned.segments(numBytes());
            ByteBuffer[] to = copy.block.storage.segments(numBytes());
            for (int n = 0; n < to.length; n++) {
                to[n].put(from[n]);
            }
            return copy.publish();
        } finally {
            pinned.unpin();
        }
    }

    /** Releases the memory, unless this was published. Closing again does nothing. */
    @Override
    public void close() {
        if (owner) {
            owner = false;
            block.close();
        }
    }
}
