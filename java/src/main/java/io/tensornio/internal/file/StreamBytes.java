package io.tensornio.internal.file;

import io.tensornio.DataType;
import io.tensornio.internal.data.WritableTensor;
import io.tensornio.internal.memory.Bytes;
import java.io.IOException;
import java.nio.ByteBuffer;

/** All bytes of an input, in native memory, which grows as they come. */
final class StreamBytes implements AutoCloseable {
    private static final long FIRST = 1 << 20;

    private WritableTensor memory = WritableTensor.unexposed(DataType.UINT8, FIRST);
    private Bytes bytes = new Bytes(memory.bytes());
    private long size;

    StreamBytes(ByteInput in) throws IOException {
        try {
            while (true) {
                if (size == bytes.size) {
                    grow();
                }
                ByteBuffer part = bytes.at(size, bytes.size - size);
                int count = in.read(part);
                if (count < 0) {
                    return;
                }
                size += count;
            }
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    private void grow() {
        WritableTensor larger = WritableTensor.unexposed(DataType.UINT8, 2 * bytes.size);
        Bytes all = new Bytes(larger.bytes());
        all.put(bytes);
        memory.close();
        memory = larger;
        bytes = all;
    }

    Bytes bytes() {
        return bytes;
    }

    long size() {
        return size;
    }

    @Override
    public void close() {
        memory.close();
    }
}
