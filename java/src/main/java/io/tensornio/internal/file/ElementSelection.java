package io.tensornio.internal.file;

import io.tensornio.DataType;
import io.tensornio.Tensor;
import io.tensornio.TensorIndex;
import io.tensornio.internal.data.AnyData;
import io.tensornio.internal.data.WritableTensor;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Slicer;
import io.tensornio.internal.memory.Bytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * Reads selected elements of an array in a file, and no others but those in small gaps between them: what is contiguous in the file directly into the
 * tensor, what is scattered by way of a small copy of the part of the file that it is in.
 */
final class ElementSelection {
    /** The most bytes of such a part. */
    private static final long PART = 1 << 20;
    /** A part is not read as a whole if it has more bytes than this for each that is selected. */
    private static final long SPARSITY = 16;
    private static final int LARGEST = 1 << 30;

    private final String name;
    private final FileChannel channel;
    private final long start;
    private final DataType type;
    private final int width;
    private final boolean isSwapped;

    /** Elements from a position of a file on. */
    ElementSelection(String name, FileChannel channel, long start, DataType type, boolean isSwapped) {
        this.name = name;
        this.channel = channel;
        this.start = start;
        this.type = type;
        this.isSwapped = isSwapped;
        width = type.byteSize();
    }

    /** Reads what indices select of an array with a layout. */
    Tensor<?> read(Layout array, TensorIndex... indices) throws IOException {
        try (WritableTensor target = fill(array, indices)) {
            return target.publish();
        }
    }

    /** The same, of which nobody has seen the tensor yet. */
    WritableTensor fill(Layout array, TensorIndex... indices) throws IOException {
        Layout selected = Slicer.slice(array, indices);
        WritableTensor target = WritableTensor.unexposed(type, selected.sizes().clone());
        try {
            if (selected.totalSize() > 0) {
                read(selected, target, new Bytes(target.bytes()), 0);
            }
            return target;
        } catch (Throwable e) {
            target.close();
            throw e;
        }
    }

    /** Reads elements to a place of the target, counted in elements. */
    private void read(Layout from, WritableTensor target, Bytes bytes, long at) throws IOException {
        long count = from.totalSize();
        if (from.isContiguous()) {
            read(from.lowest(), count, bytes, at);          // not its offset: an axis of size 1 may have a list
            return;
        }
        long span = from.highest() - from.lowest() + 1;
        if (span * width <= PART && span / SPARSITY <= count) {
            try (WritableTensor part = WritableTensor.allocate(type, span)) {
                read(from.lowest(), span, new Bytes(part.bytes()), 0);
                Layout to = new Layout(at, from.sizes(), Layout.rowMajorStrides(from.sizes()));
                AnyData.copy(part.elements(from.from(from.lowest())), target.elements(to));
            }
            return;
        }
        long rows = from.size(0);
        long row = count / rows;
        if (rows == 1) {
            read(from.at(0), target, bytes, at);
            return;
        }
        // Halves, until one is near enough, or contiguous: the first axis may have billions of positions.
        long half = rows / 2;
        read(from.part(0, half), target, bytes, at);
        read(from.part(half, rows - half), target, bytes, at + half * row);
    }

    /** Reads a run of elements to a place of memory, both counted in elements. */
    private void read(long from, long count, Bytes to, long at) throws IOException {
        ByteInput in = new ByteInput.OfFile(name, channel, start + from * width, start + (from + count) * width);
        for (long done = 0; done < count * width; ) {
            ByteBuffer piece = to.at(at * width + done, Math.min(count * width - done, LARGEST));
            in.fill(piece);
            piece.rewind();
            ElementInput.mend(piece, type, isSwapped);
            done += piece.limit();
        }
    }
}
