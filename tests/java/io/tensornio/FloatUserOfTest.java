package io.tensornio;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.support.Expect;
import io.tensornio.support.FloatValues;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
//#if buffer
import io.tensornio.support.FloatBuffers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.FileChannel.MapMode;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
//#end

/** {@code of}: {@code float} data over the user's arrays and buffers. */
class FloatUserOfTest {
    private static final long[][] SHAPES_OF_6 = {{6}, {2, 3}, {3, 2}, {1, 6, 1}, {6, 1}, {1, 1, 2, 3}, {3, 1, 1, 2, 1}, {1, 2, 1, 1, 3, 1, 1}};

    private static int[] coordinates(int at, long... shape) {
        int[] indices = new int[shape.length];
        int rest = at;
        for (int d = shape.length - 1; d >= 0; d--) {
            indices[d] = rest % (int) shape[d];
            rest /= (int) shape[d];
        }
        return indices;
    }

    @Test
    void anArrayAloneIsAVector() {
        float[] values = FloatValues.array(0, 5);
        FloatTensorData data = FloatTensorData.of(values);
        assertEquals(DataType.FLOAT, data.dataType());
        assertArrayEquals(new long[] {5}, data.shape());
        assertEquals(1, data.rank());
        assertEquals(5, data.size(0));
        assertEquals(5, data.totalSize());
        assertEquals(5, data.numElements());
        assertFalse(data.isReadOnly());
        assertArrayEquals(FloatValues.array(0, 5), FloatValues.all(data));
        Expect.thrown(IndexOutOfBoundsException.class, () -> data.get(5), "index 5", "size 5");
        Expect.thrown(IndexOutOfBoundsException.class, () -> data.get(-1), "index -1");
        Expect.thrown(IndexOutOfBoundsException.class, () -> data.get(0, 0), "[5]");
        Expect.thrown(IllegalArgumentException.class, () -> data.size(1), "axis 1");
    }

    @Test
    void anArrayOfEveryShapeIsInRowMajorOrder() {
        for (long[] shape : SHAPES_OF_6) {
            float[] values = FloatValues.array(0, 6);
            FloatTensorData data = FloatTensorData.of(values, shape);
            assertArrayEquals(shape, data.shape());
            assertEquals(6, data.totalSize());
            for (int n = 0; n < 6; n++) {
                assertEquals(FloatValues.of(n), FloatValues.get(data, coordinates(n, shape)), Arrays.toString(shape));
                assertEquals(FloatValues.of(n), data.get(coordinates(n, shape)));
            }
        }
    }

    @Test
    void anArrayIsWrittenThrough() {
        for (long[] shape : SHAPES_OF_6) {
            float[] values = FloatValues.zeros(6);
            FloatTensorData data = FloatTensorData.of(values, shape);
            for (int n = 0; n < 6; n++) {
                FloatValues.put(data, FloatValues.of(n), coordinates(n, shape));
                assertEquals(FloatValues.of(n), values[n]);
                values[n] = FloatValues.of(n + 50);
                assertEquals(FloatValues.of(n + 50), FloatValues.get(data, coordinates(n, shape)));
            }
        }
    }

    @Test
    void anArrayOfOneMayBeAScalar() {
        float[] values = FloatValues.array(3, 1);
        FloatTensorData data = FloatTensorData.of(values, new long[0]);
        assertEquals(0, data.rank());
        assertEquals(1, data.totalSize());
        assertEquals(FloatValues.of(3), data.get());
        data.put(FloatValues.of(4));
        assertArrayEquals(FloatValues.array(4, 1), values);
        data.copyFrom(FloatValues.array(5, 1));
        assertArrayEquals(FloatValues.array(5, 1), values);
        assertEquals(FloatValues.of(5), data.scalars().get());
        Expect.thrown(IllegalArgumentException.class, data::elements, "rank 0");
    }

    @Test
    void anEmptyArray() {
        for (long[] shape : new long[][] {{0}, {0, 3}, {3, 0}, {2, 0, 4}, {0, 1L << 40}, {1L << 40, 0}, {0, 0, 0, 0, 0, 0, 0}}) {
            FloatTensorData data = FloatTensorData.of(FloatValues.zeros(0), shape);
            assertArrayEquals(shape, data.shape());
            assertEquals(0, data.totalSize());
            assertFalse(data.scalars().hasMoreElements());
            float[] one = FloatValues.array(7, 1);
            data.copyTo(one);
            assertArrayEquals(FloatValues.array(7, 1), one);
            data.copyFrom(FloatValues.zeros(0));
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.copyFrom(one), "1 element");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.get(new int[shape.length]), "size 0");
            assertTrue(data.toString().endsWith("[]"), data.toString());
        }
        assertArrayEquals(new long[] {0}, FloatTensorData.of(FloatValues.zeros(0)).shape());
    }

    @Test
    void theShapeIsTheCallersNoMore() {
        long[] shape = {2, 3};
        FloatTensorData data = FloatTensorData.of(FloatValues.array(0, 6), shape);
        shape[0] = 1L << 40;
        data.shape()[1] = 77;
        assertArrayEquals(new long[] {2, 3}, data.shape());
        assertEquals(FloatValues.of(5), data.get(1, 2));
    }

    @Test
    void aShapeThatDoesNotFit() {
        float[] six = FloatValues.array(0, 6);
        Expect.thrown(IllegalArgumentException.class, () -> FloatTensorData.of(six, 2, 4), "[2, 4]", "8 elements", "the array has 6");
        Expect.thrown(IllegalArgumentException.class, () -> FloatTensorData.of(six, 5), "[5]", "5 elements", "has 6");
        Expect.thrown(IllegalArgumentException.class, () -> FloatTensorData.of(six, new long[0]), "[]", "1 element", "has 6");
        Expect.thrown(IllegalArgumentException.class, () -> FloatTensorData.of(FloatValues.zeros(0), new long[0]), "[]", "1 element", "has 0");
        Expect.thrown(IllegalArgumentException.class, () -> FloatTensorData.of(six, 6, 0), "[6, 0]", "0 elements", "has 6");
        Expect.thrown(IllegalArgumentException.class, () -> FloatTensorData.of(six, 6 + (1L << 32)), "has 6");
        Expect.thrown(IllegalArgumentException.class, () -> FloatTensorData.of(six, -1), "[-1]", "negative", "axis 0");
        Expect.thrown(IllegalArgumentException.class, () -> FloatTensorData.of(six, -2, -3), "[-2, -3]", "negative", "axis 0");
        Expect.thrown(IllegalArgumentException.class, () -> FloatTensorData.of(FloatValues.zeros(0), 0, -3), "[0, -3]", "negative", "axis 1");
        Expect.thrown(IllegalArgumentException.class, () -> FloatTensorData.of(six, 6, Long.MIN_VALUE), "negative", "axis 1");
    }

    /** Products that a {@code long} would show as the length that there is. */
    @Test
    void aShapeThatOverflows() {
        Expect.thrown(IllegalArgumentException.class, () -> FloatTensorData.of(FloatValues.zeros(0), 1L << 32, 1L << 32), "more bytes");
        Expect.thrown(IllegalArgumentException.class, () -> FloatTensorData.of(FloatValues.zeros(0), 0, Long.MAX_VALUE, 2), "more bytes");
        Expect.thrown(IllegalArgumentException.class, () -> FloatTensorData.of(FloatValues.zeros(1), Long.MAX_VALUE, Long.MAX_VALUE), "more bytes");
        Expect.thrown(IllegalArgumentException.class, () -> FloatTensorData.of(FloatValues.zeros(8), 1L << 62, 16), "more bytes");
    }

    @Test
    void nullIsRefused() {
        // Not the words of the JVM, which name it, too, but not on Java 8.
        assertEquals("values", assertThrows(NullPointerException.class, () -> FloatTensorData.of((float[]) null)).getMessage());
        Expect.thrown(NullPointerException.class, () -> FloatTensorData.of((float[]) null, 2, 3), "values");
        Expect.thrown(NullPointerException.class, () -> FloatTensorData.of(FloatValues.zeros(1), (long[]) null), "shape");
        //#if buffer
        Expect.thrown(NullPointerException.class, () -> FloatTensorData.of((FloatBuffer) null, 2), "buffer");
        Expect.thrown(NullPointerException.class, () -> FloatTensorData.of(FloatBuffer.allocate(1), (long[]) null), "shape");
        //#end
    }

    //#if buffer
    @Test
    void aBufferOfEveryKindIsRead() {
        for (long[] shape : SHAPES_OF_6) {
            FloatBuffers.filled(0, 6).forEach((kind, buffer) -> {
                FloatTensorData data = FloatTensorData.of(buffer, shape);
                String where = kind + " " + Arrays.toString(shape);
                assertEquals(FloatBuffers.MARGIN, buffer.position(), where);
                assertEquals(6, buffer.remaining(), where);
                assertArrayEquals(shape, data.shape(), where);
                assertEquals(buffer.isReadOnly(), data.isReadOnly(), where);
                assertArrayEquals(FloatValues.array(0, 6), FloatValues.all(data), where);
                for (int n = 0; n < 6; n++) {
                    assertEquals(FloatValues.of(n), FloatValues.get(data, coordinates(n, shape)), where);
                }
                float[] array = FloatValues.zeros(6);
                data.copyTo(array);
                assertArrayEquals(FloatValues.array(0, 6), array, where);
            });
        }
    }

    @Test
    void aBufferOfEveryKindIsWrittenThrough() {
        for (long[] shape : SHAPES_OF_6) {
            FloatBuffers.all(6).forEach((kind, buffer) -> {
                FloatTensorData data = FloatTensorData.of(buffer, shape);
                String where = kind + " " + Arrays.toString(shape);
                for (int n = 0; n < 6; n++) {
                    FloatValues.put(data, FloatValues.of(n), coordinates(n, shape));
                }
                assertArrayEquals(FloatBuffers.withMargins(FloatValues.array(0, 6)), FloatBuffers.content(buffer), where);
                data.copyFrom(FloatValues.array(20, 6));
                assertArrayEquals(FloatBuffers.withMargins(FloatValues.array(20, 6)), FloatBuffers.content(buffer), where);
                buffer.put(FloatBuffers.MARGIN + 2, FloatValues.of(99));
                assertEquals(FloatValues.of(99), FloatValues.get(data, coordinates(2, shape)), where);
                assertEquals(FloatBuffers.MARGIN, buffer.position(), where);
                assertEquals(6, buffer.remaining(), where);
            });
        }
    }

    @Test
    void thePositionAndLimitCountOnlyAtFirst() {
        FloatBuffers.filled(0, 6).forEach((kind, buffer) -> {
            FloatTensorData data = FloatTensorData.of(buffer, 2, 3);
            buffer.clear();
            assertArrayEquals(FloatValues.array(0, 6), FloatValues.all(data), kind);
            buffer.position(1);
            buffer.limit(2);
            assertArrayEquals(FloatValues.array(0, 6), FloatValues.all(data), kind);
            float[] array = FloatValues.zeros(3);
            data.get(array, 1);
            assertArrayEquals(FloatValues.array(3, 3), array, kind);
            assertEquals(1, buffer.position());
            assertEquals(2, buffer.limit());
        });
    }

    @Test
    void whatIsReadOnlyIsLeftAlone() {
        FloatBuffers.filled(0, 6).forEach((kind, buffer) -> {
            if (buffer.isReadOnly()) {
                FloatTensorData data = FloatTensorData.of(buffer, 2, 3);
                String[] says = {"FLOAT", "[2, 3]", "read"};
                Expect.thrown(ReadOnlyBufferException.class, () -> data.put(FloatValues.FOREIGN, 0, 0), says);
                Expect.thrown(ReadOnlyBufferException.class, () -> data.put(FloatValues.FOREIGN, 7, 7), says);
                Expect.thrown(ReadOnlyBufferException.class, () -> data.put(FloatValues.FOREIGN, new int[] {0, 0}), says);
                Expect.thrown(ReadOnlyBufferException.class, () -> data.copyFrom(FloatValues.zeros(6)), says);
                Expect.thrown(ReadOnlyBufferException.class, () -> data.put(FloatValues.zeros(0), 1), says);
                Expect.thrown(ReadOnlyBufferException.class, () -> data.put(FloatBuffer.allocate(6)), says);
                Expect.thrown(ReadOnlyBufferException.class, () -> data.put(FloatTensorData.of(FloatValues.zeros(6), 2, 3)), says);
                Expect.thrown(ReadOnlyBufferException.class, () -> FloatTensorData.of(FloatValues.zeros(6), 2, 3).get(data), says);
                Expect.thrown(ReadOnlyBufferException.class, () -> data.scalars().put(FloatValues.FOREIGN), says);
                Expect.thrown(ReadOnlyBufferException.class, () -> data.scalars().onEach(() -> FloatValues.FOREIGN), says);
                Expect.thrown(ReadOnlyBufferException.class, () -> data.elements().put(FloatValues.zeros(3)), says);
                Expect.thrown(ReadOnlyBufferException.class, () -> data.slice(1).put(FloatValues.FOREIGN, 0), says);
                Expect.thrown(ReadOnlyBufferException.class, () -> data.slice(TensorIndex.incl(1, 0, 1)).put(FloatValues.FOREIGN, 0, 0), says);
                assertTrue(data.slice(TensorIndex.flip()).isReadOnly());
                assertArrayEquals(FloatValues.array(0, 6), FloatValues.all(data), kind);
            }
        });
    }

    @Test
    void aBufferWithMoreOrLessThanTheShape() {
        FloatBuffers.filled(0, 6).forEach((kind, buffer) -> {
            Expect.thrown(IllegalArgumentException.class, () -> FloatTensorData.of(buffer, 2, 4), "[2, 4]", "8 elements", "the buffer has 6");
            Expect.thrown(IllegalArgumentException.class, () -> FloatTensorData.of(buffer),
                "the shape [] has 1 element, the buffer has 6: for a vector, pass buffer.remaining() as the shape");
            Expect.thrown(IllegalArgumentException.class, () -> FloatTensorData.of(buffer, buffer.capacity()), "the buffer has 6");
            Expect.thrown(IllegalArgumentException.class, () -> FloatTensorData.of(buffer, -6, -1), "negative", "axis 0");
            Expect.thrown(IllegalArgumentException.class, () -> FloatTensorData.of(buffer, 1L << 32, 1L << 32), "more bytes");
            assertEquals(FloatBuffers.MARGIN, buffer.position(), kind);
        });
    }

    @Test
    void emptyBuffersAndScalars() {
        FloatBuffers.filled(0, 0).forEach((kind, buffer) -> {
            for (long[] shape : new long[][] {{0}, {0, 3}, {3, 0}, {0, 1L << 40}}) {
                FloatTensorData data = FloatTensorData.of(buffer, shape);
                assertArrayEquals(shape, data.shape(), kind);
                assertArrayEquals(FloatValues.zeros(0), FloatValues.all(data), kind);
                data.copyTo(FloatValues.zeros(0));
                data.get(FloatBuffer.allocate(0));
            }
        });
        FloatBuffers.all(1).forEach((kind, buffer) -> {
            FloatTensorData data = FloatTensorData.of(buffer);
            assertEquals(0, data.rank(), kind);
            data.put(FloatValues.of(8));
            assertEquals(FloatValues.of(8), data.get(), kind);
            assertArrayEquals(FloatBuffers.withMargins(FloatValues.of(8)), FloatBuffers.content(buffer), kind);
        });
        assertEquals(0, FloatTensorData.of(FloatBuffer.allocate(0), 0).totalSize());
    }

    @Test
    void aMappedFile() throws IOException {
        Path path = Files.createTempFile("tensornio", ".bin");
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
                FloatTensorData data = FloatTensorData.of(FloatValues.view(file.map(MapMode.READ_WRITE, 0, 6 * Float.BYTES).order(order)), 2, 3);
                assertFalse(data.isReadOnly());
                data.copyFrom(FloatValues.array(0, 6));
                data.put(FloatValues.of(40), 1, 1);
                ByteBuffer bytes = ByteBuffer.allocate(6 * Float.BYTES).order(order);
                assertEquals(bytes.capacity(), file.read(bytes, 0));
                for (int n = 0; n < 6; n++) {
                    assertEquals(FloatValues.of(n == 4 ? 40 : n), FloatValues.read(bytes, n), order.toString());
                }
                FloatTensorData read = FloatTensorData.of(FloatValues.view(file.map(MapMode.READ_ONLY, 0, 6 * Float.BYTES).order(order)), 2, 3);
                assertTrue(read.isReadOnly());
                assertEquals(data, read);
                Expect.thrown(ReadOnlyBufferException.class, () -> read.put(FloatValues.FOREIGN, 0, 0), "[2, 3]", "read-only");
            }
        } finally {
            Files.delete(path);
        }
    }
    //#end
}
