package io.tensornio.interop;

import io.tensornio.DataType;
import io.tensornio.Tensor;
import io.tensornio.internal.data.WritableTensor;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.memory.NativeMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;

/**
 * Makes tensors of memory that others own, without a copy: the memory of another library, or a mapped file.
 *
 * <p>Whoever lends it promises two things until {@code release} is called: the memory stays where it is, mapped, and nobody writes it. If it is
 * unmapped, a thread that reads it ends the program.
 */
public final class Foreign {
    /** The bits in which eight bytes that are 0 or 1 have none. */
    private static final long NOT_TRUTHS = ~0x0101_0101_0101_0101L;

    private Foreign() {
    }

    /**
     * Makes a tensor that reads foreign memory in place. It counts as {@link io.tensornio.MemoryStats#foreignBytes()}, and against no budget.
     *
     * <p>After {@link Tensor#close()} accesses throw at once. The memory is given back by {@code release}: when the tensor is closed and has no pin
     * and no native call works on it, if nobody has asked for its data or a buffer; else once no data, slice or buffer over it is reachable, after a
     * collection. A tensor that is never closed is collected likewise. {@code release} is called once, on any thread, also one of the library's own;
     * what it throws is logged.
     *
     * <p>If this method throws, the memory remains the caller's, and {@code release} is not called.
     *
     * @param type the type of the elements, which are in native byte order
     * @param shape the size of each axis; none for a scalar
     * @param memory a direct buffer: its bytes from position to limit are the elements, in row-major order. BOOL elements should be 0 or 1, one byte
     *     each: if one is something else, which counts as true, the tensor is a copy, and the memory is given back at once
     * @param release gives the memory back
     * @return a tensor that the caller closes
     * @throws IllegalArgumentException if the buffer is a heap buffer, its byte order is not the native one, it does not have just the bytes of that
     *     shape, or does not begin at a multiple of the element's size; if the type is STRING; or if a size is negative
     * @throws IllegalStateException if the buffer is that of an arena that is closed
     */
    public static Tensor<?> adopt(DataType type, long[] shape, ByteBuffer memory, Runnable release) {
        return adopt(type, shape, memory, release, false);
    }

    /**
     * <b>The one call of this library that can crash a program</b>, or let it read the memory of others: it releases foreign memory although data,
     * slices or buffers over it may still be in use. Whoever goes on reading them after the close reads what is there by then, or ends the JVM.
     *
     * <p>As {@link #adopt}, but {@code release} is called at {@link Tensor#close()}, once there is no pin and no native call works on the memory. So
     * it is for lenders that need their memory back at a certain time, and for callers who know all of the tensor's readers.
     *
     * @param type as of {@link #adopt}
     * @param shape as of {@link #adopt}
     * @param memory as of {@link #adopt}
     * @param release as of {@link #adopt}
     * @return a tensor that the caller closes
     * @throws IllegalArgumentException as {@link #adopt}
     * @throws IllegalStateException as {@link #adopt}
     */
    public static Tensor<?> adoptUnchecked(DataType type, long[] shape, ByteBuffer memory, Runnable release) {
        return adopt(type, shape, memory, release, true);
    }

    private static Tensor<?> adopt(DataType type, long[] shape, ByteBuffer memory, Runnable release, boolean unchecked) {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(shape, "shape");
        Objects.requireNonNull(memory, "memory");
        Objects.requireNonNull(release, "release");
        if (type == DataType.STRING) {
            throw new IllegalArgumentException("strings have no fixed size, so that foreign memory cannot be read as STRING");
        }
        long[] checked = Shapes.check(shape, type.byteSize());
        if (!memory.isDirect()) {
            throw new IllegalArgumentException("this is a heap buffer, which only the JVM can read in place: FloatTensorData.of and its "
                + "siblings wrap it");
        }
        // Another thread could move the position meanwhile.
        ByteBuffer lent = memory.duplicate().order(memory.order());
        long needed = Shapes.product(checked) * type.byteSize();
        if (lent.remaining() != needed) {
            throw new IllegalArgumentException("the " + type + " elements of shape " + Arrays.toString(checked) + " take " + needed
                + " bytes; the buffer has " + lent.remaining() + " from position to limit");
        }
        if (type.byteSize() > 1 && lent.order() != ByteOrder.nativeOrder()) {
            throw new IllegalArgumentException("the buffer is " + lent.order() + ", as buffers are unless they are told otherwise; adopted "
                + "memory is in native order: say memory.order(ByteOrder.nativeOrder()) if it is");
        }
        if (needed > 0) {
            lent.get(lent.position());          // throws if the arena of the memory is closed
            long address = NativeMemory.addressOf(lent) + lent.position();
            if (address % type.byteSize() != 0) {
                throw new IllegalArgumentException("the memory begins at address 0x" + Long.toHexString(address) + ", which is no multiple of the "
                    + type.byteSize() + " bytes of a " + type);
            }
        }
        if (type == DataType.BOOL && !areTruths(lent.duplicate())) {
            return copyOfTruths(checked, lent, release);
        }
        return WritableTensor.adopt(type, checked, lent, unchecked, release);
    }

    /** Whether all bytes are 0 or 1: a Java {@code boolean} must not be anything else, and copies would make one of each byte. */
    private static boolean areTruths(ByteBuffer bytes) {
        while (bytes.remaining() >= Long.BYTES) {
            if ((bytes.getLong() & NOT_TRUTHS) != 0) {
                return false;
            }
        }
        while (bytes.hasRemaining()) {
            if ((bytes.get() & NOT_TRUTHS) != 0) {
                return false;
            }
        }
        return true;
    }

    private static Tensor<?> copyOfTruths(long[] shape, ByteBuffer bytes, Runnable release) {
        try (WritableTensor copy = WritableTensor.allocate(DataType.BOOL, shape)) {
            ByteBuffer to = copy.bytes()[0];
            for (int n = 0; n < bytes.remaining(); n++) {
                to.put(n, (byte) (bytes.get(bytes.position() + n) == 0 ? 0 : 1));
            }
            Tensor<?> made = copy.publish();
            // As for memory that is adopted: who gives it back may throw what it likes.
            WritableTensor.adopt(DataType.UINT8, new long[] {bytes.remaining()}, bytes, true, release).close();
            return made;
        }
    }
}
