package io.tensornio.internal.file;

import io.tensornio.DataType;
import io.tensornio.internal.data.WritableTensor;
import io.tensornio.internal.memory.Bytes;
import io.tensornio.internal.memory.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads elements of a fixed width into native memory, in one pass, and puts them into native form there, piece by piece, while a cache has them. */
final class ElementInput {
    /** What is taken for a tensor of a stream at first; then it doubles, as long as there are more elements. */
    private static final long FIRST = 1 << 20;
    /** The bytes that are read and put into native form at once: whole elements. */
    private static final int PIECE = 1 << 18;
    private static final int LARGEST = 1 << 30;

    private ElementInput() {
    }

    /**
     * Reads all elements of a tensor. Nothing is allocated before it is known that a file has them; of a stream, at most twice what was there.
     *
     * @param in where they are
     * @param type not STRING
     * @param isSwapped whether their bytes are in the other order than in memory
     * @param shape a checked shape
     * @return an open tensor, which nobody has seen
     */
    static WritableTensor read(ByteInput in, DataType type, boolean isSwapped, long... shape) throws IOException {
        long bytes = 1;
        for (long size : shape) {
            bytes *= size;
        }
        bytes *= type.byteSize();
        in.need(bytes);
        Storage.size(type, shape);
        long capacity = in.left() < 0 ? Math.min(bytes, FIRST) : bytes;
        WritableTensor tensor = capacity == bytes ? WritableTensor.unexposed(type, shape) : WritableTensor.unexposed(DataType.UINT8, capacity);
        try {
            long have = 0;
            while (true) {
                read(in, new Bytes(tensor.bytes()), have, type, isSwapped);
                if (capacity == bytes) {
                    return tensor;
                }
                have = capacity;
                capacity = capacity > bytes / 2 ? bytes : 2 * capacity;
                WritableTensor larger = capacity == bytes ? WritableTensor.unexposed(type, shape)
                    : WritableTensor.unexposed(DataType.UINT8, capacity);
                new Bytes(larger.bytes()).put(new Bytes(tensor.bytes()));
                tensor.close();
                tensor = larger;
            }
        } catch (Throwable e) {
            tensor.close();
            throw e;
        }
    }

    /** Fills memory from a position on, a multiple of the width, to its end. */
    private static void read(ByteInput in, Bytes to, long from, DataType type, boolean isSwapped) throws IOException {
        boolean isMended = isSwapped || type == DataType.BOOL;
        for (long at = from; at < to.size; ) {
            ByteBuffer part = to.at(at, isMended ? PIECE : LARGEST);
            in.fill(part);
            part.rewind();
            mend(part, type, isSwapped);
            at += part.limit();
        }
    }

    /** Puts whole elements into the form that they have in memory: bytes in native order, BOOL 0 or 1. */
    static void mend(ByteBuffer elements, DataType type, boolean isSwapped) {
        if (type == DataType.BOOL) {
            Bytes.normalise(elements);
        } else if (isSwapped) {
            swap(elements, type.byteSize());
        }
    }

    private static void swap(ByteBuffer elements, int width) {
        int end = elements.limit();
        switch (width) {
            case 2:
                for (int at = 0; at < end; at += 2) {
                    elements.putShort(at, Short.reverseBytes(elements.getShort(at)));
                }
                break;
            case 4:
                for (int at = 0; at < end; at += 4) {
                    elements.putInt(at, Integer.reverseBytes(elements.getInt(at)));
                }
                break;
            case 8:
                for (int at = 0; at < end; at += 8) {
                    elements.putLong(at, Long.reverseBytes(elements.getLong(at)));
                }
                break;
            default:
                break;
        }
    }
}
