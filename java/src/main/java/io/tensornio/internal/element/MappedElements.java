package io.tensornio.internal.element;

import io.tensornio.DataType;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.memory.Block;
import io.tensornio.internal.memory.Bytes;
import io.tensornio.internal.memory.MappedFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Bulk reads of the elements of a mapped file, which read the file and not the mapping: contiguous elements directly into their place, others by way
 * of a copy of the part of the file that they are in, if that is small and not mostly gaps.
 */
public final class MappedElements {
    /** The most bytes of such a part, and of what is taken out of it. */
    private static final long PART = 1 << 18;
    /** A part is not read as a whole if it has more elements than this for each that is selected. */
    private static final long SPARSITY = 16;
    private static final int LARGEST = 1 << 30;

    private final MappedFile file;
    private final long start;
    private final Block block;
    private final int width;

    /** Elements of a block, from a position of a file on. */
    MappedElements(MappedFile file, long start, Block block) {
        this.file = file;
        this.start = start;
        this.block = block;
        width = block.dataType().byteSize();
    }

    /** The file. */
    public MappedFile file() {
        return file;
    }

    /** The position of the first element in the file. */
    public long start() {
        return start;
    }

    /** The block. */
    public Block block() {
        return block;
    }

    /**
     * Reads all elements of a layout, in row-major order, to the start of memory: BOOL as 0 and 1.
     *
     * @throws java.io.UncheckedIOException if the file was cut short
     * @throws io.tensornio.TensorClosedException if the tensor is closed
     */
    public void read(Layout layout, Bytes to) {
        if (layout.totalSize() > 0) {
            read(layout, to, 0);
        }
    }

    private void read(Layout from, Bytes to, long at) {
        long count = from.totalSize();
        if (from.isContiguous()) {
            read(from.lowest(), count, to, at);             // not its offset: an axis of size 1 may have a list
            return;
        }
        long span = from.highest() - from.lowest() + 1;
        if (span * width <= PART && count * width <= PART && span / SPARSITY <= count) {
            gather(from, span, to, at);
            return;
        }
        long rows = from.size(0);
        if (rows == 1) {
            read(from.at(0), to, at);
            return;
        }
        // Halves, until one is near enough, or contiguous: the first axis may have billions of positions.
        long half = rows / 2;
        read(from.part(0, half), to, at);
        read(from.part(half, rows - half), to, at + count / rows * half * width);
    }

    /** Reads a run of elements to a place of memory, in bytes. */
    private void read(long from, long count, Bytes to, long at) {
        for (long done = 0; done < count * width; ) {
            ByteBuffer piece = to.at(at + done, Math.min(count * width - done, LARGEST));
            fill(start + from * width + done, piece);
            done += piece.limit();
        }
    }

    private void fill(long from, ByteBuffer to) {
        if (!file.read(from, to)) {
            throw block.closedException();
        }
        to.rewind();
        if (block.dataType() == DataType.BOOL) {
            Bytes.normalise(to);
        }
    }

    private void gather(Layout from, long span, Bytes to, long at) {
        ByteBuffer part = ByteBuffer.allocate((int) span * width).order(ByteOrder.nativeOrder());
        fill(start + from.lowest() * width, part);
        ByteBuffer taken = ByteBuffer.allocate((int) from.totalSize() * width).order(ByteOrder.nativeOrder());
        gather(part, from, 0, from.offset() - from.lowest(), taken);
        taken.flip();
        for (long done = 0; taken.hasRemaining(); ) {
            ByteBuffer piece = to.at(at + done, taken.remaining());
            int count = piece.remaining();
            taken.limit(taken.position() + count);
            piece.put(taken);
            taken.limit(taken.capacity());
            done += count;
        }
    }

    private void gather(ByteBuffer part, Layout from, int axis, long position, ByteBuffer taken) {
        if (axis < from.rank()) {
            for (long i = 0; i < from.size(axis); i++) {
                gather(part, from, axis + 1, position + from.distance(axis, i), taken);
            }
            return;
        }
        int at = (int) position * width;
        switch (width) {
            case 1:
                taken.put(part.get(at));
                break;
            case 2:
                taken.putShort(part.getShort(at));
                break;
            case 4:
                taken.putInt(part.getInt(at));
                break;
            default:
                taken.putLong(part.getLong(at));
                break;
        }
    }
}
