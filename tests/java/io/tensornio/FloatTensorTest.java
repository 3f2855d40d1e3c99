package io.tensornio;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.internal.element.Encodings;
import io.tensornio.support.Accessors;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Dense {@code float} tensors as wholes: shapes, metadata, accessors, closing, bytes. */
@ExtendWith(MemoryBalance.class)
class FloatTensorTest {
    private static final int BYTES = DataType.FLOAT.byteSize();

    @Test
    void memoryIsZeroThoughItWasUsedBefore() {
        for (int n : new int[] {1, 16, 1000, 20_000, 1 << 20, 3_000_001}) {
            for (int round = 0; round < 3; round++) {
                try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {n}, data -> {
                    float[] fresh = FloatValues.filled(n, FloatValues.FOREIGN);
                    data.get(fresh, new int[0]);
                    assertArrayEquals(FloatValues.zeros(n), fresh);
                    data.put(FloatValues.filled(n, FloatValues.FOREIGN));
                })) {
                    assertEquals(FloatValues.FOREIGN, tensor.floatData().get(n - 1));
                }
            }
        }
    }

    @Test
    void whatInitDidNotWriteIsZero() {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {2, 2}, data -> data.put(FloatValues.FOREIGN, 1, 0))) {
            assertArrayEquals(new float[] {FloatValues.ZERO, FloatValues.ZERO, FloatValues.FOREIGN, FloatValues.ZERO},
                FloatValues.all(tensor.floatData()));
        }
    }

    @Test
    void metadata() {
        try (Tensor<Float> tensor = FloatValues.tensor(2, 3, 4)) {
            FloatTensorData data = tensor.floatData();
            assertEquals(DataType.FLOAT, tensor.dataType());
            assertEquals(DataType.FLOAT, data.dataType());
            assertEquals(3, tensor.rank());
            assertEquals(3, data.rank());
            assertArrayEquals(new long[] {2, 3, 4}, tensor.shape());
            assertArrayEquals(new long[] {2, 3, 4}, data.shape());
            for (int d = 0; d < 3; d++) {
                assertEquals(d + 2, tensor.size(d));
                assertEquals(d + 2, data.size(d));
            }
            assertEquals(24, tensor.numElements());
            assertEquals(24, data.numElements());
            assertEquals(24, data.totalSize());
            assertEquals(FloatValues.numBytes(0, 24), tensor.numBytes());
            assertTrue(data.isReadOnly());
        }
    }

    @Test
    void noSuchAxis() {
        try (Tensor<Float> tensor = FloatValues.tensor(2, 3); Tensor<Float> scalar = FloatValues.tensor();
             Tensor<Float> six = FloatValues.tensor(1, 1, 1, 1, 1, 1)) {
            for (int d : new int[] {-1, 2, 3, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
                Expect.thrown(IllegalArgumentException.class, () -> tensor.size(d), "axis " + d, "[2, 3]", "rank 2");
                Expect.thrown(IllegalArgumentException.class, () -> tensor.floatData().size(d), "axis " + d, "[2, 3]", "rank 2");
            }
            Expect.thrown(IllegalArgumentException.class, () -> scalar.size(0), "axis 0", "rank 0");
            Expect.thrown(IllegalArgumentException.class, () -> scalar.floatData().size(0), "axis 0", "rank 0");
            Expect.thrown(IllegalArgumentException.class, () -> six.floatData().size(6), "axis 6", "rank 6");
        }
    }

    @Test
    void shapeIsCopiedOnTheWayInAndOut() {
        long[] shape = {2, 3};
        try (Tensor<Float> tensor = Tensors.denseFloat(shape, data -> {
            shape[0] = 1000;
            assertArrayEquals(new long[] {2, 3}, data.shape());
            data.put(FloatValues.of(1), 1, 2);
        })) {
            shape[1] = -7;
            tensor.shape()[0] = 99;
            tensor.floatData().shape()[0] = 99;
            tensor.floatData().slice(0).shape()[0] = 99;
            assertArrayEquals(new long[] {2, 3}, tensor.shape());
            assertArrayEquals(new long[] {2, 3}, tensor.floatData().shape());
            assertEquals(FloatValues.of(1), tensor.floatData().get(1, 2));
            assertThrows(IndexOutOfBoundsException.class, () -> tensor.floatData().get(98, 0));
        }
    }

    @Test
    void rankZero() {
        try (Tensor<Float> scalar = Tensors.denseFloat(new long[0], data -> data.put(FloatValues.of(7)))) {
            assertEquals(0, scalar.rank());
            assertArrayEquals(new long[0], scalar.shape());
            assertEquals(1, scalar.numElements());
            assertEquals(FloatValues.numBytes(7, 1), scalar.numBytes());
            assertEquals(FloatValues.of(7), scalar.floatData().get());
            assertEquals(FloatValues.of(7), scalar.floatData().get(new int[0]));
            //#if primitive
            assertEquals(BYTES, scalar.asByteBuffer().capacity());
            //#end
            assertEquals(FloatValues.of(7), scalar.floatData().slice().scalars().get());
        }
    }

    @Test
    void zeroSizes() {
        for (long[] shape : new long[][] {{0}, {3, 0, 2}, {0, 5_000_000_000L}, {5_000_000_000L, 0}, {0, 0, 0, 0, 0, 0}, {1, 2, 3, 4, 5, 0},
            {3, 0, 1L << 31}}) {
            try (Tensor<Float> tensor = Tensors.denseFloat(shape, data -> {
                assertFalse(data.scalars().hasMoreElements());
                data.put(FloatValues.zeros(0));
                data.scalars().onEach(() -> {
                    throw new AssertionError("there is nothing to supply");
                });
                Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(FloatValues.zeros(1)), "1 element", "which has 0");
            })) {
                FloatTensorData data = tensor.floatData();
                String text = Arrays.toString(shape);
                assertArrayEquals(shape, tensor.shape(), text);
                assertArrayEquals(shape, data.shape(), text);
                assertArrayEquals(shape, data.slice().shape(), text);
                assertArrayEquals(shape, data.slice(TensorIndex.all()).shape(), text);
                assertEquals(0, tensor.numElements(), text);
                assertEquals(0, data.totalSize(), text);
                assertEquals(FloatValues.numBytes(0, 0), tensor.numBytes(), text);
                //#if primitive
                assertEquals(0, tensor.asByteBuffer().capacity(), text);
                //#end
                //~string assertEquals(0, tensor.bytes().capacity(), text);
                assertFalse(data.slice(TensorIndex.flip()).scalars().hasMoreElements(), text);
                data.get(FloatValues.zeros(0), new int[0]);
                data.scalars().forEach(value -> {
                    throw new AssertionError("there is nothing to consume");
                });
                assertThrows(IndexOutOfBoundsException.class, () -> data.get(new int[shape.length]), text);
                assertTrue(tensor.toString().startsWith("FLOAT" + text), tensor.toString());
            }
        }
    }

    @Test
    void axesBeyondTheIntsBesideAnEmptyOne() {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {5_000_000_000L, 0}, data -> { })) {
            FloatTensorData data = tensor.floatData();
            assertEquals(5_000_000_000L, data.size(0));
            assertArrayEquals(new long[] {0}, data.slice(TensorIndex.at(4_999_999_999L)).shape());
            assertArrayEquals(new long[] {0}, data.slice(Integer.MAX_VALUE).shape());
            assertArrayEquals(new long[] {2_500_000_000L, 0}, data.slice(TensorIndex.range(0, 5_000_000_000L, 2)).shape());
            assertArrayEquals(new long[] {5_000_000_000L, 0}, data.slice(TensorIndex.flip(), TensorIndex.flip()).shape());
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.slice(TensorIndex.at(5_000_000_000L)), "at(5000000000)", "axis 0",
                "size 5000000000");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.get(Integer.MAX_VALUE, 0), "index 0", "axis 1", "size 0");
        }
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {3, 0, 5_000_000_000L}, data -> { })) {
            FloatTensorData last = tensor.floatData().slice(2);
            assertArrayEquals(new long[] {0, 5_000_000_000L}, last.shape());
            assertFalse(last.scalars().hasMoreElements());
            last.get(FloatValues.zeros(0), new int[0]);
            assertArrayEquals(new long[] {0}, last.slice(TensorIndex.all(), TensorIndex.at(-1)).shape());
            last.slice(TensorIndex.all(), TensorIndex.at(-1)).get(FloatValues.zeros(0), new int[0]);
        }
    }

    @Test
    void negativeSizes() {
        //#if primitive
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.denseFloat(new long[] {-1}, data -> { }), "[-1]", "negative", "axis 0");
        //#end
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.denseFloat(new long[] {2, Long.MIN_VALUE}, data -> { }),
            "[2, " + Long.MIN_VALUE + "]", "axis 1");
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.denseFloat(new long[] {0, 3, -2}, data -> { }), "[0, 3, -2]", "axis 2");
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.denseFloat(new long[] {-2, -2}, data -> { }), "[-2, -2]", "axis 0");
    }

    @Test
    void sizesWhoseProductOverflows() {
        for (long[] shape : new long[][] {{1L << 62, 4}, {4, 1L << 62}, {1L << 32, 1L << 32}, {1L << 21, 1L << 21, 1L << 22},
            {Long.MAX_VALUE, Long.MAX_VALUE}}) {
            Expect.thrown(IllegalArgumentException.class, () -> Tensors.denseFloat(shape, data -> { }), Arrays.toString(shape));
        }
        //#if !boolean !byte
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.denseFloat(new long[] {Long.MAX_VALUE}, data -> { }), "[" + Long.MAX_VALUE + "]");
        //#end
    }

    @Test
    void sizesThatAreMerelyTooLarge() {
        long[][] shapes = {
            {1L << 40}, {1L << 20, 1L << 20}, {1, Integer.MAX_VALUE, 2},
            //~boolean,byte {Long.MAX_VALUE},
        };
        for (long[] shape : shapes) {
            long elements = Arrays.stream(shape).reduce(1, (a, b) -> a * b);
            Expect.thrown(OutOfMemoryError.class, () -> Tensors.denseFloat(shape, data -> { }), Arrays.toString(shape), "FLOAT",
                //#if primitive
                elements * BYTES + " bytes", "more than the memory budget", "-Dtensornio.maxMemory");
                //#end
                //~string (elements + 1) * BYTES + " bytes", String.valueOf(Integer.MAX_VALUE));
        }
    }

    @Test
    void nullArguments() {
        Expect.thrown(NullPointerException.class, () -> Tensors.denseFloat((long[]) null, data -> { }), "shape");
        Expect.thrown(NullPointerException.class, () -> Tensors.denseFloat(new long[] {2}, null), "init");
        Expect.thrown(NullPointerException.class, () -> Tensors.denseFloat(new long[] {-2}, null), "init");
    }

    //~encoded @org.junit.jupiter.api.Tag("carrier")
    @Test
    void accessorsOfTheWrongType() {
        try (Tensor<Float> tensor = FloatValues.tensor(2)) {
            Accessors.ALL.forEach((type, accessor) -> {
                DataType carrier = Encodings.carrier(type);
                if (carrier == DataType.FLOAT) {
                    assertEquals(DataType.FLOAT, accessor.apply(tensor).dataType());
                } else {
                    IllegalStateException e = Expect.thrown(IllegalStateException.class, () -> accessor.apply(tensor), "FLOAT", carrier.name());
                    assertFalse(e instanceof TensorClosedException);
                }
            });
        }
    }

    @Test
    void accessorsAfterClose() {
        Tensor<Float> tensor = FloatValues.tensor(2, 5);
        tensor.close();
        Accessors.ALL.forEach((type, accessor) -> Expect.thrown(TensorClosedException.class, () -> accessor.apply(tensor), "FLOAT", "[2, 5]",
            "closed"));
        Expect.thrown(TensorClosedException.class, tensor::asByteBuffer, "FLOAT", "[2, 5]", "closed");
    }

    @Test
    void closingTwice() {
        long before = MemoryStats.current().tensorsAlive();
        Tensor<Float> other = FloatValues.tensor(2);
        Tensor<Float> tensor = FloatValues.tensor(2);
        assertFalse(tensor.isClosed());
        for (int i = 0; i < 3; i++) {
            tensor.close();
            assertTrue(tensor.isClosed());
        }
        assertFalse(other.isClosed());
        assertEquals(FloatValues.of(1), other.floatData().get(1));
        assertTrue(MemoryStats.current().tensorsAlive() <= before + 1);
        other.close();
    }

    @Test
    void metadataAfterClose() {
        Tensor<Float> tensor = FloatValues.tensor(2, 3);
        FloatTensorData data = tensor.floatData();
        FloatTensorData row = data.slice(1);
        FloatTensorData odd = data.slice(TensorIndex.flip(), TensorIndex.step(2));
        tensor.close();
        assertEquals(DataType.FLOAT, tensor.dataType());
        assertEquals(2, tensor.rank());
        assertEquals(3, tensor.size(1));
        assertEquals(6, tensor.numElements());
        assertEquals(FloatValues.numBytes(0, 6), tensor.numBytes());
        assertArrayEquals(new long[] {2, 3}, tensor.shape());
        assertArrayEquals(new long[] {2, 3}, data.shape());
        assertEquals(DataType.FLOAT, data.dataType());
        assertEquals(3, data.size(1));
        assertEquals(6, data.totalSize());
        assertTrue(data.isReadOnly());
        assertArrayEquals(new long[] {3}, row.shape());
        assertArrayEquals(new long[] {2, 2}, odd.shape());
        Expect.thrown(IllegalArgumentException.class, () -> data.size(2), "axis 2");
    }

    @Test
    void toStringAfterCloseSaysSo() {
        for (long[] shape : new long[][] {{}, {3}, {2, 3}, {0}, {3, 0, 2}, {50, 50}, {1, 1, 1, 1, 1, 1}}) {
            Tensor<Float> tensor = FloatValues.tensor(shape);
            FloatTensorData data = tensor.floatData();
            FloatTensorData part = shape.length > 0 ? data.slice(TensorIndex.flip()) : data.slice();
            tensor.close();
            assertEquals("FLOAT" + Arrays.toString(shape) + " (closed)", tensor.toString());
            assertEquals("FLOAT" + Arrays.toString(shape) + " (closed)", data.toString());
            assertEquals("FLOAT" + Arrays.toString(shape) + " (closed)", part.toString());
        }
    }

    @Test
    void everythingElseAfterCloseThrows() {
        Tensor<Float> tensor = FloatValues.tensor(2, 3);
        FloatTensorData data = tensor.floatData();
        FloatTensorIterator scalars = data.scalars();
        FloatTensorElements elements = data.elements();
        tensor.close();
        String[] says = {"FLOAT", "[2, 3]", "closed"};
        Expect.thrown(TensorClosedException.class, () -> data.get(0, 0), says);
        Expect.thrown(TensorClosedException.class, () -> data.put(FloatValues.OWN, 0, 0), says);
        Expect.thrown(TensorClosedException.class, () -> data.get(FloatValues.zeros(6), new int[0]), says);
        Expect.thrown(TensorClosedException.class, () -> data.put(FloatValues.zeros(6)), says);
        Expect.thrown(TensorClosedException.class, data::slice, says);
        Expect.thrown(TensorClosedException.class, () -> data.slice(0), says);
        Expect.thrown(TensorClosedException.class, () -> data.slice(0, 0), says);
        Expect.thrown(TensorClosedException.class, () -> data.slice(new int[] {0}), says);
        Expect.thrown(TensorClosedException.class, () -> data.slice(TensorIndex.all()), says);
        Expect.thrown(TensorClosedException.class, data::elements, says);
        Expect.thrown(TensorClosedException.class, data::scalars, says);
        Expect.thrown(TensorClosedException.class, scalars::get, says);
        Expect.thrown(TensorClosedException.class, () -> scalars.put(FloatValues.OWN), says);
        Expect.thrown(TensorClosedException.class, () -> scalars.forEach(value -> { }), says);
        Expect.thrown(TensorClosedException.class, () -> scalars.onEach(() -> FloatValues.OWN), says);
        Expect.thrown(TensorClosedException.class, elements::get, says);
        Expect.thrown(TensorClosedException.class, elements::scalars, says);
        Expect.thrown(TensorClosedException.class, () -> elements.put(FloatValues.zeros(3)), says);
        Expect.thrown(TensorClosedException.class, () -> elements.iterator().next(), says);
        Expect.thrown(TensorClosedException.class, () -> elements.forEach(row -> { }), says);
    }

    @Test
    void highRanksAfterClose() {
        Tensor<Float> tensor = FloatValues.tensor(1, 2, 1, 3, 1, 2);
        FloatTensorData data = tensor.floatData();
        FloatTensorData five = data.slice(0);
        tensor.close();
        String[] says = {"FLOAT", "[1, 2, 1, 3, 1, 2]", "closed"};
        for (int n = 0; n <= 6; n++) {
            int[] leading = new int[n];
            Expect.thrown(TensorClosedException.class, () -> FloatValues.slice(data, leading), says);
            Expect.thrown(TensorClosedException.class, () -> data.slice(leading), says);
            Expect.thrown(TensorClosedException.class, () -> data.get(FloatValues.zeros(12), leading), says);
        }
        Expect.thrown(TensorClosedException.class, () -> five.slice(0), says);
        Expect.thrown(TensorClosedException.class, () -> five.get(new int[5]), says);
        Expect.thrown(TensorClosedException.class, () -> data.get(new int[6]), says);
        Expect.thrown(TensorClosedException.class, () -> data.put(FloatValues.OWN, new int[6]), says);
        Expect.thrown(TensorClosedException.class, data::scalars, says);
    }

    //#if primitive
    @Test
    void asByteBufferIsAReadOnlyViewInNativeOrder() {
        for (int n : new int[] {1, 6, 40_000}) {
            try (Tensor<Float> tensor = FloatValues.tensor(n)) {
                ByteBuffer bytes = tensor.asByteBuffer();
                assertTrue(bytes.isDirect());
                assertTrue(bytes.isReadOnly());
                assertEquals(ByteOrder.nativeOrder(), bytes.order());
                assertEquals(0, bytes.position());
                assertEquals(n * BYTES, bytes.limit());
                assertEquals(n * BYTES, bytes.capacity());
                for (int i = 0; i < n; i++) {
                    assertEquals(FloatValues.of(i), FloatValues.read(bytes, i));
                }
                assertThrows(ReadOnlyBufferException.class, () -> bytes.put(0, (byte) 1));
                bytes.limit(1);
                bytes.order(ByteOrder.BIG_ENDIAN).position(1);
                ByteBuffer again = tensor.asByteBuffer();
                assertNotSame(bytes, again);
                assertEquals(0, again.position());
                assertEquals(n * BYTES, again.limit());
                assertEquals(ByteOrder.nativeOrder(), again.order());
                assertEquals(FloatValues.of(n - 1), tensor.floatData().get(n - 1));
            }
        }
    }
    //#end

    @Test
    void comparedByIdentity() {
        try (Tensor<Float> a = FloatValues.tensor(2); Tensor<Float> b = FloatValues.tensor(2)) {
            assertEquals(a, a);
            assertNotEquals(a, b);
            assertEquals(System.identityHashCode(a), a.hashCode());
        }
    }

    @Test
    void aSuperclassOfTheConsumerWillDo() {
        java.util.function.Consumer<Object> init = data -> ((FloatTensorData) data).put(FloatValues.FOREIGN, 0);
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {1}, init)) {
            assertEquals(FloatValues.FOREIGN, tensor.floatData().get(0));
        }
    }
}
