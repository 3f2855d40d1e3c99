package io.tensornio.internal.data;

import io.tensornio.DataType;
//#each primitive
import io.tensornio.FloatTensorData;
//#end each
import io.tensornio.TensorData;
//#each primitive
import io.tensornio.internal.element.FloatBlock;
//#end each
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.memory.Block;
import io.tensornio.internal.memory.Storage;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Data of any type but {@code STRING} as native code takes it: a buffer, and where in it each element lies. To be closed after the native call, which
 * keeps what is in place, in place until then.
 */
public final class StridedOperand implements AutoCloseable {
    private final DataType type;
    private final long[] sizes;
    private final long[] strides;
    private final long byteOffset;
    private final Block block;
    /** Whether the block is this object's own. */
    private final boolean isCopy;

    private StridedOperand(Block block, long[] sizes, long[] strides, long offset, boolean isCopy) {
        type = block.dataType();
        this.sizes = sizes;
        this.strides = strides;
        this.block = block;
        this.isCopy = isCopy;
        byteOffset = block.storage.byteOffset() + offset * type.byteSize();
    }

    /**
     * Data for reading: in place if it is in native memory and has strides, else a copy.
     *
     * @param data data without a ragged axis
     * @return the operand, or null if the data is strings
     * @throws io.tensornio.TensorClosedException if the data's tensor is closed
     * @throws IllegalArgumentException if a user's data has no such shape as there can be
     * @throws OutOfMemoryError if a copy does not fit the memory budget or one direct buffer
     */
    public static StridedOperand of(TensorData<?> data) {
        StridedOperand inPlace = inPlace(data);
        if (inPlace != null) {
            return inPlace;
        }
        //#each primitive
        if (data instanceof FloatTensorData) {
            FloatTensorData own = (FloatTensorData) data;
            return copy(FloatBlock.uncleared(checked(own)), block -> FloatCopies.fill(FloatStrided.of((FloatBlock) block), own));
        }
        //#end each
        return null;
    }

    private static long[] checked(TensorData<?> data) {
        return Shapes.check(data.shape(), data.dataType().byteSize());
    }

    private static StridedOperand copy(Block block, Consumer<Block> fill) {
        try {
            fill.accept(block);
            long[] shape = block.shape();
            return new StridedOperand(block, shape, Layout.rowMajorStrides(shape), 0, true);
        } catch (Throwable e) {
            block.close();
            throw e;
        }
    }

    /**
     * Data in place.
     *
     * @param data any data
     * @return the operand, or null if the data is not in native memory, or has no strides
     * @throws io.tensornio.TensorClosedException if the data's tensor is closed
     */
    public static StridedOperand inPlace(TensorData<?> data) {
        //#each primitive
        if (data instanceof FloatStrided) {
            FloatStrided own = (FloatStrided) data;
            if (!own.block.isNative()) {
                return null;
            }
            long[] sizes = new long[own.rank];
            long[] strides = new long[own.rank];
            for (int d = 0; d < sizes.length; d++) {
                sizes[d] = own.size(d);
                strides[d] = own.stride(d);
            }
            own.block.pin();
            return new StridedOperand(own.block, sizes, strides, own.offset(), false);
        }
        //#end each
        return null;
    }

    /**
     * Sees to it that data can be written.
     *
     * @param data any data
     * @throws java.nio.ReadOnlyBufferException if it cannot
     * @throws io.tensornio.TensorClosedException if the data's tensor is closed
     */
    public static void checkWritable(TensorData<?> data) {
        //#each primitive
        if (data instanceof FloatTensorData) {
            FloatCopies.checkWritable((FloatTensorData) data);
        }
        //#end each
    }

    /** Whether data is of a sparse tensor. */
    public static boolean isSparse(TensorData<?> data) {
        //#each primitive
        if (data instanceof FloatTensorData) {
            return FloatSparseEntries.has((FloatTensorData) data);
        }
        //#end each
        return false;
    }

    /**
     * Copies data to other data of the same type and shape.
     *
     * @param from any data
     * @param to writable data
     */
    public static void copy(TensorData<?> from, TensorData<?> to) {
        //#each primitive
        if (from instanceof FloatTensorData) {
            ((FloatTensorData) to).put((FloatTensorData) from);
        }
        //#end each
    }

    /** The type of the elements. */
    public DataType type() {
        return type;
    }

    /** How many axes. */
    public int rank() {
        return sizes.length;
    }

    /** The sizes, not to be changed. */
    public long[] sizes() {
        return sizes;
    }

    /** The strides in elements, not to be changed. */
    public long[] strides() {
        return strides;
    }

    /** The buffer that the elements lie in, among others. */
    public ByteBuffer root() {
        return block.storage.root();
    }

    /** Where in the {@link #root()} the first element lies, in bytes. */
    public long byteOffset() {
        return byteOffset;
    }

    /** Whether some byte may be an element of both. */
    public boolean mayOverlap(StridedOperand other) {
        return root() == other.root() && end(false) < other.end(true) && other.end(false) < end(true);
    }

    /** The lowest byte of any element, or the one after the highest. */
    private long end(boolean highest) {
        long at = 0;
        for (int d = 0; d < sizes.length; d++) {
            if (sizes[d] == 0) {
                return byteOffset;          // no byte at all
            }
            long reach = (sizes[d] - 1) * strides[d];
            at += reach > 0 == highest ? reach : 0;
        }
        return byteOffset + (highest ? at + 1 : at) * type.byteSize();
    }

    @Override
    public void close() {
        if (isCopy) {
            block.close();
        } else {
            block.storage.unpin();
        }
    }
}
