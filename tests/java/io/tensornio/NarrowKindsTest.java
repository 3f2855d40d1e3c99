package io.tensornio;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.IntBuffer;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Sparse and ragged tensors, descriptions, data of users and indices of types that are stored narrow, and what serves data of any type. */
@ExtendWith(MemoryBalance.class)
class NarrowKindsTest {
    private static final DataType[] NARROW = {DataType.FLOAT16, DataType.BFLOAT16, DataType.INT8, DataType.INT16, DataType.UINT16, DataType.UINT32,
        DataType.UINT64};

    /** Nested arrays of the carrier's primitive, of small numbers. */
    private static Object numbers(DataType type, int n) {
        if (type.isFloat()) {
            float[] all = new float[n];
            IntStream.range(0, n).forEach(i -> all[i] = i + .5f);
            return all;
        }
        if (type == DataType.UINT32 || type == DataType.UINT64) {
            return IntStream.range(0, n).mapToLong(i -> i).toArray();
        }
        return IntStream.range(0, n).toArray();
    }

    @Test
    void dataOfAnyTypeIsWrittenAndReadBackByCodeThatKnowsNoType() {
        for (DataType type : NARROW) {
            Object numbers = numbers(type, 6);
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (Tensor<?> made = Tensors.ofNested(type, numbers)) {
                assertEquals(type, made.dataType());
                assertSame(type, made.data().dataType());
                made.data().writeTo(bytes);
                assertEquals(6 * type.byteSize(), bytes.size());
                try (Tensor<?> read = Tensors.dense(type, new long[] {6}, data -> data.readFrom(new ByteArrayInputStream(bytes.toByteArray())));
                    Tensor<?> put = Tensors.dense(type, new long[] {6}, data -> data.putNested(numbers));
                    Tensor<?> copy = made.data().copy()) {
                    assertEquals(made.data(), read.data());
                    assertEquals(made.data(), put.data());
                    assertEquals(made.data(), copy.data());
                    assertEquals(made.data().hashCode(), copy.data().hashCode());
                }
            }
        }
        Expect.exactly(IllegalArgumentException.class, () -> Tensors.ofNested(DataType.INT8, new float[] {1}), "float[]", "int");
        Expect.exactly(IllegalArgumentException.class, () -> Tensors.ofNested(DataType.INT8, new int[][] {{1}, {128}}), "128", "INT8");
        Tensors.ofNested(DataType.STRING, new String[] {"a"}).close();
    }

    @Test
    void nestedArraysWithANumberOutsideOfTheRangeChangeNothing() {
        try (Tensor<Integer> made = Tensors.denseInt(DataType.UINT16, new long[] {2, 2}, data -> {
            data.putNested(new int[][] {{1, 2}, {3, 4}});
            Expect.exactly(IllegalArgumentException.class, () -> data.putNested(new int[][] {{5, 6}, {7, 65536}}), "65536", "UINT16");
            Expect.exactly(IllegalArgumentException.class, () -> data.put(IntBuffer.wrap(new int[] {5, -1})), "-1", "UINT16");
            Expect.exactly(IllegalArgumentException.class, () -> data.put(IntTensorData.of(new int[] {5, 70000, 1, 1}, 2, 2)), "70000");
        })) {
            assertArrayEquals(new int[][] {{1, 2}, {3, 4}}, (int[][]) made.toNested());
        }
    }

    @Test
    void aStreamIsWrittenUpToTheFirstNumberThatDoesNotFitAndRoundedOnce() {
        try (Tensor<Integer> made = Tensors.denseInt(DataType.INT8, new long[] {3}, data ->
            Expect.exactly(IllegalArgumentException.class, () -> data.put(IntStream.of(1, 2, 200)), "200", "INT8"))) {
            assertArrayEquals(new int[] {1, 2, 0}, (int[]) made.toNested());
        }
        // The middle of two FLOAT16, and a bit more, which no FLOAT holds.
        double middle = 1 + 0x1p-11;
        try (Tensor<Float> made = Tensors.denseFloat(DataType.FLOAT16, new long[] {2}, data ->
            data.put(DoubleStream.of(middle, middle + 0x1p-40)))) {
            assertArrayEquals(new float[] {1, 1 + 0x1p-10f}, (float[]) made.toNested());
        }
    }

    @Test
    void sparseTensorsKeepTheType() {
        for (DataType type : NARROW) {
            try (SparseTensor<?> made = Tensors.sparse(type, new long[] {3, 4}, 2, data -> {
                putOne(data, 3, 2, 1);
                putOne(data, 2, 0, 3);
            }); Tensor<?> dense = made.toDense(); SparseTensor<?> back = sparse(dense); Tensor<?> copy = made.data().copy()) {
                assertEquals(type, made.dataType());
                assertEquals(type, made.values().dataType());
                assertEquals(type, dense.dataType());
                assertEquals(type, back.dataType());
                assertEquals(2L * (type.byteSize() + 16), made.numBytes());
                assertEquals(made.data(), dense.data());
                assertEquals(made.data(), back.data());
                assertEquals(made.data(), copy.data());
                assertEquals(made.data().hashCode(), back.data().hashCode());
                Object row = dense.data().slice(2).toNested();
                assertEquals(row.getClass(), made.data().slice(2).toNested().getClass());
            }
        }
        try (SparseTensor<Integer> made = Tensors.sparseInt(DataType.INT8, new long[] {5}, 1, data -> {
            Expect.exactly(IllegalArgumentException.class, () -> data.put(128, 1), "128", "INT8");
            data.put(-128, 1);
        }); SparseTensor<Integer> coordinates = Tensors.sparseInt(LongTensorData.of(new long[] {4, 1}, 2, 1), IntTensorData.ofInt8(new byte[] {7, 8}),
            5)) {
            assertArrayEquals(new int[] {0, -128, 0, 0, 0}, (int[]) made.intData().toNested());
            assertEquals(DataType.INT8, coordinates.dataType());
            assertArrayEquals(new int[] {0, 8, 0, 0, 7}, (int[]) coordinates.intData().toNested());
        }
    }

    private static void putOne(TensorData<?> data, int value, int... at) {
        Object number = data instanceof FloatTensorData ? (Object) (float) value : (Object) (long) value;
        number = data instanceof IntTensorData ? (Object) value : number;
        data.putNested(number, at);
    }

    private static SparseTensor<?> sparse(Tensor<?> dense) {
        TensorData<?> data = dense.data();
        return data instanceof FloatTensorData ? SparseTensor.fromDense((FloatTensorData) data)
            : data instanceof IntTensorData ? SparseTensor.fromDense((IntTensorData) data) : SparseTensor.fromDense((LongTensorData) data);
    }

    @Test
    void negativeZerosOfHalvesAreNotStored() {
        for (DataType type : new DataType[] {DataType.FLOAT16, DataType.BFLOAT16}) {
            try (Tensor<?> made = Tensors.ofNested(type, new float[] {0, -0.0f, 1, Float.NaN}); SparseTensor<?> sparse = sparse(made)) {
                assertEquals(2, sparse.values().numElements());
            }
        }
    }

    @Test
    void raggedTensorsKeepTheType() {
        for (DataType type : NARROW) {
            try (RaggedTensor<?> made = Tensors.ragged(type, new long[] {3, -1}, data -> {
                data.putNested(numbers(type, 3), 0);
                data.putNested(numbers(type, 1), 2);
                data.putNested(numbers(type, 20), 1);
                for (int i = 0; i < 3; i++) {
                    putOne(data, 9, 2, i + 1);
                }
            }); Tensor<?> dense = made.toDense(7L); Tensor<?> copy = Tensors.dense(type, new long[] {3}, data -> data.putNested(numbers(type, 3)))) {
                assertEquals(type, made.dataType());
                assertEquals(type, made.values().dataType());
                assertEquals(27, made.numElements());
                assertEquals(type, dense.dataType());
                assertEquals(copy.data(), made.data().slice(0));
                assertEquals(made.data().slice(1).toString(), dense.data().slice(1).toString());
                assertEquals(made.data(), ragged(made).data());
            }
        }
        try (RaggedTensor<Integer> made = Tensors.raggedInt(DataType.UINT16, new long[] {2, -1}, data -> {
            data.put(new int[] {1, 2}, 0);
            Expect.exactly(IllegalArgumentException.class, () -> data.put(new int[] {3, -1, 4}, 0), "-1", "UINT16");
            Expect.exactly(IllegalArgumentException.class, () -> data.put(-1, 0, 2), "-1", "UINT16");
            Expect.exactly(IllegalArgumentException.class, () -> data.put(IntStream.of(5, 65536), 1), "65536", "UINT16");
        })) {
            assertArrayEquals(new int[][] {{1, 2}, {}}, (int[][]) made.toNested());
            Expect.exactly(IllegalArgumentException.class, () -> made.toDense(65536L), "UINT16", "65536", "65535");
        }
        try (RaggedTensor<Float> made = Tensors.raggedFloat(DataType.FLOAT16, new long[] {1, -1}, data -> data.put(.1f, 0, 1))) {
            assertEquals(0.099975586f, made.floatData().get(0, 1));
            Expect.exactly(IllegalArgumentException.class, () -> made.toDense(70000.), "FLOAT16", "70000");
        }
    }

    /** The same rows, of the values of another ragged tensor. */
    @SuppressWarnings("try")            // the memory is shared, and closed with the tensor of the test
    private static RaggedTensor<?> ragged(RaggedTensor<?> made) {
        TensorData<?> values = made.values().data();
        long[] splits = made.rowSplits(1).longData().toNested(long[].class);
        try (RaggedTensor<?> same = RaggedTensor.fromRowSplits(values, splits)) {
            assertEquals(made.dataType(), same.dataType());
            assertEquals(made.data(), same.data());
        }
        return made;
    }

    @Test
    void aDescriptionOfTheTypeIsAllocated() {
        TensorDescription half = TensorDescription.of(DataType.FLOAT16, 2, 3);
        try (Tensor<Float> made = Tensors.denseFloat(half, data -> data.put(1.5f, 1, 2))) {
            assertEquals(DataType.FLOAT16, made.dataType());
            assertEquals(DataType.FLOAT16, made.data().description().dataType());
            assertEquals(1.5f, made.floatData().get(1, 2));
        }
        TensorLayout columns = TensorLayout.columnMajor(2, 3);
        try (Tensor<Integer> made = Tensors.denseInt(TensorDescription.of(DataType.INT8, columns), data -> {
            data.put(-1, 1, 0);
            data.put(5, 0, 2);
        })) {
            assertEquals(DataType.INT8, made.dataType());
            assertArrayEquals(new int[][] {{0, 0, 5}, {-1, 0, 0}}, (int[][]) made.toNested());
            assertEquals(-1, made.asByteBuffer().get(1));
        }
        Expect.exactly(IllegalArgumentException.class, () -> Tensors.denseInt(half, data -> { }), "FLOAT16", "INT32");
    }

    @Test
    void dataOfUsersHasTheTypeThatItSays() {
        FloatTensorData half = new AbstractFloatTensorData(DataType.FLOAT16, 3) {
            @Override
            protected float getAt(long[] indices) {
                return indices[0] + .1f;
            }
        };
        assertEquals(DataType.FLOAT16, half.dataType());
        assertEquals(0.099975586f, half.get(0));
        try (Tensor<Float> made = Tensors.create(half); Tensor<Float> wide = Tensors.denseFloat(new long[] {3}, data -> data.put(half))) {
            assertEquals(DataType.FLOAT16, made.dataType());
            assertEquals(half, made.floatData());
            assertEquals(0.099975586f, wide.floatData().get(0));
            assertNotEquals(half, wide.floatData());
        }
        int[] given = {127, 128};
        IntTensorData bytes = new AbstractIntTensorData(DataType.INT8, 2) {
            @Override
            protected int getAt(long[] indices) {
                return given[(int) indices[0]];
            }

            @Override
            protected void putAt(int value, long[] indices) {
                given[(int) indices[0]] = value;
            }
        };
        assertEquals(127, bytes.get(0));
        Expect.exactly(IllegalStateException.class, () -> bytes.get(1), "NarrowKindsTest", "128", "[1]", "INT8");
        Expect.exactly(IllegalArgumentException.class, () -> bytes.put(-129, 0), "-129", "INT8");
        bytes.put(-128, 1);
        assertArrayEquals(new int[] {127, -128}, given);
        Expect.exactly(IllegalArgumentException.class, () -> new AbstractLongTensorData(DataType.INT8, 2) {
            @Override
            protected long getAt(long[] indices) {
                return 0;
            }
        }, "INT8", "long");
    }

    @Test
    void indicesAreValuesAndBitsOfUnsignedOnesAreRefused() {
        IntTensorData rows = IntTensorData.of(new int[] {10, 20, 30, 40, 50}, 5);
        try (Tensor<Integer> bytes = Tensors.denseInt(DataType.UINT16, new long[] {2}, data -> data.put(new int[] {4, 0}));
            Tensor<Long> wide = Tensors.denseLong(DataType.UINT32, new long[] {1}, data -> data.put(3, 0));
            Tensor<Long> bits = Tensors.denseLong(DataType.UINT64, new long[] {1, 1}, data -> data.put(3, 0, 0))) {
            assertArrayEquals(new int[] {50, 10}, (int[]) rows.slice(TensorIndex.take(bytes.intData())).toNested());
            assertArrayEquals(new int[] {40}, (int[]) rows.slice(TensorIndex.take(wide.longData())).toNested());
            Expect.exactly(IllegalArgumentException.class, () -> rows.slice(TensorIndex.take(bits.longData())), "UINT64", "convert");
            Expect.exactly(IllegalArgumentException.class, () -> rows.slice(bits.longData()), "UINT64");
            Expect.exactly(IllegalArgumentException.class, () -> Tensors.sparseFloat(bits.longData(), FloatTensorData.of(new float[1]), 4), "UINT64");
        }
        long top = 0xffffffffL;
        try (Tensor<Long> far = Tensors.denseLong(DataType.UINT32, new long[] {1}, data -> data.put(top, 0))) {
            Expect.thrown(IndexOutOfBoundsException.class, () -> rows.slice(TensorIndex.take(far.longData())), "" + top);
        }
    }

    @Test
    void unsignedNumbersOf64BitsArePrintedAsTheirValues() {
        try (Tensor<Long> made = Tensors.denseLong(DataType.UINT64, new long[] {2}, data -> data.put(new long[] {-1, 5}))) {
            assertEquals("UINT64[2] [18446744073709551615,                    5]", made.toString());
            try (Tensor<Long> bits = Tensors.convert(made.longData(), Long.class)) {
                assertEquals("INT64[2] [-1,  5]", bits.toString());
            }
        }
    }

    @Test
    void copiesBetweenTypesOfOneCarrierAreOfValues() {
        FloatTensorData wide = FloatTensorData.of(new float[] {.1f, 70000, -0.0f}, 3);
        try (Tensor<Float> half = Tensors.denseFloat(DataType.FLOAT16, new long[] {3}, data -> data.put(wide));
            Tensor<Float> brain = Tensors.denseFloat(DataType.BFLOAT16, new long[] {3}, data -> data.put(half.floatData()))) {
            assertArrayEquals(new float[] {0.099975586f, Float.POSITIVE_INFINITY, -0.0f}, (float[]) half.toNested());
            assertArrayEquals(new float[] {0.100097656f, Float.POSITIVE_INFINITY, -0.0f}, (float[]) brain.toNested());
        }
        try (Tensor<Long> bits = Tensors.denseLong(DataType.UINT64, new long[] {1}, data -> data.put(LongTensorData.of(new long[] {-7}, 1)))) {
            assertEquals(-7, bits.longData().get(0));
            LongTensorData back = LongTensorData.of(new long[1], 1);
            back.put(bits.longData());
            assertEquals(-7, back.get(0));
        }
    }

    @Test
    void largeCopiesOfOneTypeKeepAllBits() {
        short[] patterns = new short[1 << 16];
        for (int i = 0; i < patterns.length; i++) {
            patterns[i] = (short) i;
        }
        FloatTensorData[] given = {FloatTensorData.ofFloat16(patterns, 256, 256), FloatTensorData.ofBFloat16(patterns, 256, 256)};
        for (FloatTensorData all : given) {
            try (Tensor<Float> copy = Tensors.create(all); Tensor<Float> turned = Tensors.create(copy.floatData().transpose())) {
                short[] back = new short[1 << 16];
                copy.asByteBuffer().asShortBuffer().get(back);
                assertArrayEquals(patterns, back);
                FloatTensorData again = all.dataType() == DataType.FLOAT16 ? FloatTensorData.ofFloat16(back, 256, 256)
                    : FloatTensorData.ofBFloat16(back, 256, 256);
                java.util.Arrays.fill(back, (short) 0);
                again.put(turned.floatData().transpose());
                assertArrayEquals(patterns, back);
                java.util.Arrays.fill(back, (short) 0);
                for (int i = 0; i < 256; i++) {
                    again.slice(i).put(copy.floatData().slice(i).toNested(float[].class));
                }
                assertArrayEquals(patterns, back);
                // By way of arrays, streams of bytes and nested arrays.
                float[] array = new float[1 << 16];
                copy.floatData().get(array);
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                copy.data().writeTo(bytes);
                try (Tensor<?> put = Tensors.dense(all.dataType(), new long[] {256, 256}, data -> ((FloatTensorData) data).put(array));
                    Tensor<?> read = Tensors.dense(all.dataType(), new long[] {256, 256}, data ->
                        data.readFrom(new ByteArrayInputStream(bytes.toByteArray())));
                    Tensor<?> nested = Tensors.ofNested(all.dataType(), copy.toNested())) {
                    for (Tensor<?> one : new Tensor<?>[] {put, read, nested}) {
                        one.asByteBuffer().asShortBuffer().get(back);
                        assertArrayEquals(patterns, back);
                    }
                }
            }
        }
    }
}
