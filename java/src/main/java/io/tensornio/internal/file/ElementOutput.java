package io.tensornio.internal.file;

import io.tensornio.TensorData;
import io.tensornio.TensorIndex;
import io.tensornio.internal.data.AnyData;
import io.tensornio.internal.data.StridedOperand;
import io.tensornio.internal.data.WritableTensor;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Writes the elements of data of a fixed width, in row-major order, as they are in native memory. Those that are contiguous there are written from
 * where they are; all others, such as those of views, of sparse data or of the user's own, by way of a small copy, piece by piece.
 */
final class ElementOutput implements AutoCloseable {
    /** The most bytes of a piece that is copied, unless one row of it takes more. */
    private static final long PIECE = 1 << 20;
    private static final int CHUNK = 1 << 16;

    private final OutputStream out;
    private byte[] chunk;
    /** A copy of the shape that the last piece had. */
    private WritableTensor copy;
    private long[] copied;

    ElementOutput(OutputStream out) {
        this.out = out;
    }

    /** Writes all elements of data that is neither ragged nor of strings. */
    void write(TensorData<?> data) throws IOException {
        write(data, data.totalSize() * data.dataType().byteSize());
    }

    private void write(TensorData<?> data, long bytes) throws IOException {
        if (bytes == 0) {
            return;
        }
        try (StridedOperand inPlace = data.isContiguous() ? StridedOperand.inPlace(data) : null) {
            if (inPlace != null) {
                for (ByteBuffer part : inPlace.contiguousBytes()) {
                    write(part);
                }
                return;
            }
        }
        if (bytes <= PIECE || data.rank() == 0) {
            copy(data);
            return;
        }
        long rows = data.size(0);
        long row = bytes / rows;
        if (row > PIECE) {
            for (long i = 0; i < rows; i++) {
                write(data.slice(TensorIndex.at(i)), row);
            }
            return;
        }
        long step = PIECE / row;
        for (long i = 0; i < rows; i += step) {
            long end = Math.min(rows, i + step);
            write(data.slice(TensorIndex.range(i, end)), (end - i) * row);
        }
    }

    private void copy(TensorData<?> data) throws IOException {
        long[] shape = data.shape();
        if (copy == null || !Arrays.equals(shape, copied)) {
            close();
            copy = WritableTensor.allocate(data.dataType(), shape);
            copied = shape;
        }
        AnyData.copy(data, copy.data());
        for (ByteBuffer part : copy.bytes()) {
            write(part);
        }
    }

    private void write(ByteBuffer bytes) throws IOException {
        if (chunk == null) {
            chunk = new byte[CHUNK];
        }
        while (bytes.hasRemaining()) {
            int count = Math.min(chunk.length, bytes.remaining());
            bytes.get(chunk, 0, count);
            out.write(chunk, 0, count);
        }
    }

    /** Releases the memory of the copies; the stream stays open. */
    @Override
    public void close() {
        if (copy != null) {
            copy.close();
            copy = null;
        }
    }
}
