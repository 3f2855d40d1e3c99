package io.tensornio.internal.memory;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.at;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Direct buffers of the caller's whose memory has gone: an exception, not a crash. */
class UnmappedBufferTest {
    private static final int N = 20_000;

    private static Tensor<Float> matrix() {
        return Tensors.denseFloat(new long[] {N, 2}, data -> data.put(7, N - 1, 1));
    }

    /** What makes arenas. By reflection: Java has them since 22. */
    private static Class<?> arenas() {
        Class<?> type;
        try {
            type = Class.forName("java.lang.foreign.Arena");
        } catch (ClassNotFoundException e) {
            type = null;
        }
        assumeTrue(type != null && Forked.feature() >= 22, "arenas");
        return type;
    }

    private static FloatBuffer of(Object arena, int n) throws ReflectiveOperationException {
        Object segment = arenas().getMethod("allocate", long.class, long.class).invoke(arena, (long) Float.BYTES * n, (long) Float.BYTES);
        Class<?> segmentType = Class.forName("java.lang.foreign.MemorySegment");
        ByteBuffer bytes = (ByteBuffer) segmentType.getMethod("asByteBuffer").invoke(segment);
        return bytes.order(ByteOrder.nativeOrder()).asFloatBuffer();
    }

    private static FloatBuffer ofClosedArena() throws ReflectiveOperationException {
        Object arena = arenas().getMethod("ofShared").invoke(null);
        FloatBuffer buffer = of(arena, N);
        arenas().getMethod("close").invoke(arena);
        return buffer;
    }

    /** No other thread may touch it: so none helps with so many rows. */
    @Test
    void manyRowsIntoABufferOfOneThread() throws ReflectiveOperationException {
        Object arena = arenas().getMethod("ofConfined").invoke(null);
        float[][] rows = new float[1 << 10][1 << 10];
        rows[1023][1023] = 5;
        FloatBuffer buffer = of(arena, 1 << 20);
        for (int n = 0; n < 20; n++) {          // as another thread may come too late for a part
            FloatTensorData.of(buffer, 1 << 10, 1 << 10).putNested(rows);
        }
        assertEquals(5, buffer.get((1 << 20) - 1));
        arenas().getMethod("close").invoke(arena);
    }

    @Test
    void readingIntoABufferOfAClosedArena() throws ReflectiveOperationException {
        FloatBuffer gone = ofClosedArena();
        try (Tensor<Float> matrix = matrix()) {
            FloatTensorData column = matrix.floatData().slice(all(), at(1));
            assertThrows(IllegalStateException.class, () -> column.get(gone));
            assertThrows(IllegalStateException.class, () -> matrix.floatData().slice(0).get(gone));
            assertEquals(0, gone.position());
        }
    }

    @Test
    void writingFromABufferOfAClosedArena() throws ReflectiveOperationException {
        FloatBuffer gone = ofClosedArena();
        Tensors.denseFloat(new long[] {N, 2}, data -> {
            assertThrows(IllegalStateException.class, () -> data.slice(all(), at(1)).put(gone));
            assertThrows(IllegalStateException.class, () -> data.put(gone));
            assertEquals(0, gone.position());
            assertEquals(0, data.get(N - 1, 1));
        }).close();
    }

    /** A file that was cut short behind a mapping: the JVM survives touching it in {@code java.nio}, native code would not. */
    @Test
    void writingFromAMappedFileThatWasCutShort() throws IOException {
        assumeTrue(Forked.feature() >= 14, "the JVM survives it in bulk copies (JDK-8191278)");
        Path path = Files.createTempFile("tensornio", ".bin");
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.setLength(4L * N);
            FloatBuffer mapped = file.getChannel().map(MapMode.READ_WRITE, 0, 4L * N).order(ByteOrder.nativeOrder()).asFloatBuffer();
            assumeTrue(!System.getProperty("os.name").startsWith("Windows"), "a mapped file can be cut short");
            file.setLength(0);
            Tensors.denseFloat(new long[] {N, 2}, data ->
                assertThrows(InternalError.class, () -> data.slice(all(), at(1)).put(mapped))).close();
        } finally {
            Files.delete(path);
        }
    }
}
