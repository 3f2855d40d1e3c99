package io.tensornio;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.compute.Comprehension;
import io.tensornio.compute.Results;
import io.tensornio.support.MemoryBalance;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Booleans over buffers of bytes, of which every one that is not 0 is true. */
@ExtendWith(MemoryBalance.class)
class BooleanBufferTest {
    private static ByteBuffer filled(ByteBuffer buffer, int... bytes) {
        for (int at = 0; at < bytes.length; at++) {
            buffer.put(at, (byte) bytes[at]);
        }
        return buffer;
    }

    private static boolean[] all(BooleanTensorData data) {
        boolean[] elements = new boolean[(int) data.totalSize()];
        data.get(elements);
        return elements;
    }

    @Test
    void bytesAreReadAndWrittenInPlaceFromThePositionToTheLimit() {
        for (ByteBuffer buffer : new ByteBuffer[] {ByteBuffer.allocate(8), ByteBuffer.allocateDirect(8),
            ByteBuffer.wrap(new byte[11], 2, 8).slice()}) {
            filled(buffer, 9, 0, 1, 2, -128, 0, 9, 9).position(1).limit(6);
            BooleanTensorData data = BooleanTensorData.of(buffer, 5);
            assertArrayEquals(new boolean[] {false, true, true, true, false}, all(data));
            assertTrue(data.get(3));
            data.put(true, 0);
            data.put(false, 2);
            assertEquals(1, buffer.get(1), "true is written as 1");
            assertEquals(0, buffer.get(3));
            data.put(new boolean[] {true, false, true, false, true});
            buffer.clear();
            byte[] bytes = new byte[8];
            buffer.get(bytes);
            assertArrayEquals(new byte[] {9, 1, 0, 1, 0, 1, 9, 9}, bytes);
            assertEquals(1, buffer.put(4, (byte) 7).position(8).position() - 7);
            assertTrue(data.get(3), "a later write is seen, a later position not");
        }
    }

    @Test
    void theNumberOfBytesIsThatOfTheShape() {
        Throwable wrong = assertThrows(IllegalArgumentException.class, () -> BooleanTensorData.of(ByteBuffer.allocate(5), 2, 2));
        assertEquals("the shape [2, 2] has 4 elements, the buffer has 5", wrong.getMessage());
        assertThrows(NullPointerException.class, () -> BooleanTensorData.of((ByteBuffer) null, 2));
        assertTrue(BooleanTensorData.of(filled(ByteBuffer.allocate(1), 3)).get());
    }

    @Test
    void aReadOnlyBufferIsReadOnlyData() {
        for (ByteBuffer buffer : new ByteBuffer[] {ByteBuffer.allocate(2), ByteBuffer.allocateDirect(2)}) {
            BooleanTensorData data = BooleanTensorData.of(filled(buffer, 0, 5).asReadOnlyBuffer(), 2);
            assertArrayEquals(new boolean[] {false, true}, all(data));
            assertThrows(ReadOnlyBufferException.class, () -> data.put(true, 0));
            assertFalse(data.get(0));
        }
    }

    @Test
    void viewsCopiesAndComprehensionsAgreeWithAnArray() {
        Random random = new Random(3);
        for (boolean direct : new boolean[] {false, true}) {
            ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(60) : ByteBuffer.allocate(60);
            boolean[] expected = new boolean[60];
            for (int at = 0; at < 60; at++) {
                byte one = (byte) (random.nextBoolean() ? 0 : random.nextInt(256));
                buffer.put(at, one);
                expected[at] = one != 0;
            }
            BooleanTensorData data = BooleanTensorData.of(buffer, 3, 4, 5);
            BooleanTensorData twin = BooleanTensorData.of(expected, 3, 4, 5);
            assertEquals(twin, data);
            assertEquals(twin.hashCode(), data.hashCode());
            assertArrayEquals(all(twin.transpose()), all(data.transpose()));
            assertArrayEquals((boolean[][][]) twin.toNested(), (boolean[][][]) data.toNested());
            try (Tensor<Boolean> tensor = Tensors.create(data);
                 Results counted = Comprehension.of("n += select(b[i,j,k], 1, 0)").run(data)) {
                assertEquals(twin, tensor.booleanData());
                long trues = 0;
                for (boolean one : expected) {
                    trues += one ? 1 : 0;
                }
                assertEquals(trues, counted.longTensor("n").longData().get());
            }
            data.put(twin.transpose().transpose());
            assertEquals(twin, data);
        }
    }
}
