package io.tensornio.internal.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tensornio.AbstractByteTensorData;
import io.tensornio.ByteTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
import io.tensornio.UInt8;
import io.tensornio.support.ByteValues;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import java.nio.ReadOnlyBufferException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes as unsigned numbers. */
@ExtendWith(MemoryBalance.class)
class ByteUnsignedTest {
    private static void put(ByteTensorData data, int value, int... at) {
        switch (at.length) {
            case 0: data.put(value); break;
            case 1: data.put(value, at[0]); break;
            case 2: data.put(value, at[0], at[1]); break;
            case 3: data.put(value, at[0], at[1], at[2]); break;
            case 4: data.put(value, at[0], at[1], at[2], at[3]); break;
            default: data.put(value, at);
        }
    }

    private static int get(ByteTensorData data, int... at) {
        switch (at.length) {
            case 0: return data.getUnsigned();
            case 1: return data.getUnsigned(at[0]);
            case 2: return data.getUnsigned(at[0], at[1]);
            case 3: return data.getUnsigned(at[0], at[1], at[2]);
            case 4: return data.getUnsigned(at[0], at[1], at[2], at[3]);
            default: return data.getUnsigned(at);
        }
    }

    private static String where(int... at) {
        return "the element " + java.util.Arrays.toString(at) + " of the shape " + java.util.Arrays.toString(ones(at.length));
    }

    private static long[] ones(int rank) {
        long[] shape = new long[rank];
        java.util.Arrays.fill(shape, 1);
        return shape;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6})
    void allValuesAtEveryRank(int rank) {
        int[] at = new int[rank];
        try (Tensor<UInt8> tensor = Tensors.denseUInt8(ones(rank), data -> {
            for (int value = 0; value <= 255; value++) {
                put(data, value, at);
                assertEquals(value, get(data, at));
                assertEquals(value, data.getUnsigned(at));
                assertEquals((byte) value, data.get(at));
                data.put(255 - value, at);
                assertEquals(255 - value, get(data, at));
                data.put((byte) value, at);
                assertEquals(value, get(data, at));
            }
        })) {
            assertEquals(255, get(tensor.uInt8Data(), at));
            assertEquals(-1, tensor.uInt8Data().get(at));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6})
    void valuesOutOfRangeAreRefused(int rank) {
        int[] at = new int[rank];
        try (Tensor<UInt8> tensor = Tensors.denseUInt8(ones(rank), data -> {
            put(data, 7, at);
            for (int value : new int[] {-1, 256, -128, 511, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
                Expect.thrown(IllegalArgumentException.class, () -> put(data, value, at), "value " + value, where(at), "0 to 255", "UINT8");
                Expect.thrown(IllegalArgumentException.class, () -> data.put(value, at), "value " + value, where(at), "0 to 255", "UINT8");
            }
        })) {
            assertEquals(7, get(tensor.uInt8Data(), at));
        }
    }

    @Test
    void theMessageSaysWhereAValueOutOfRangeWasPut() {
        try (Tensor<UInt8> tensor = Tensors.denseUInt8(new long[] {3, 4}, data -> {
            int[] at = {2, 1};
            String where = "the value 300 for the element [2, 1] of the shape [3, 4]";
            IllegalArgumentException e = Expect.thrown(IllegalArgumentException.class, () -> data.put(300, at), where);
            at[0] = 0;
            Expect.says(e, where);
            Expect.thrown(IllegalArgumentException.class, () -> data.slice(2).put(300, 1), "the element [1] of the shape [4]");
        })) {
            assertEquals(0, tensor.uInt8Data().get(2, 1));
        }
    }

    /** Bytes that are put to too few indices set a row; a number that is refused must not. */
    @Test
    void valuesOutOfRangeLeaveRowsThatGrowAsTheyAre() {
        AtomicReference<ByteTensorData> published = new AtomicReference<>();
        try (RaggedTensor<UInt8> tensor = Tensors.raggedUInt8(new long[] {2, -1}, data -> {
            data.put(new byte[] {1, 2, 3}, 0);
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(300, 0), "1 index", "[2, -1]", "rank 2");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(300), "0 indices", "[2, -1]");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.slice(0).put(300), "0 indices");
            Expect.thrown(IllegalArgumentException.class, () -> data.put(300, 0, 7), "value 300");
            Expect.thrown(IllegalArgumentException.class, () -> data.slice(0).put(-1, 7), "value -1");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(300, 2, 0), "index 2", "size 2");
        })) {
            assertArrayEquals(new long[] {0, 3, 3}, longs(tensor.rowSplits(1)));
            assertEquals(3, tensor.uInt8Data().getUnsigned(0, 2));
            Expect.thrown(ReadOnlyBufferException.class, () -> tensor.uInt8Data().put(300, 0));
            published.set(tensor.uInt8Data());
        }
        Expect.thrown(TensorClosedException.class, () -> published.get().put(300, 0));
        try (RaggedTensor<UInt8> tensor = Tensors.raggedUInt8(new long[] {2, -1, 3}, data -> {
            data.put(new byte[] {1, 2, 3}, 0);
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(300, 0), "1 index");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(300, 0, 0), "2 indices");
            Expect.thrown(IllegalArgumentException.class, () -> data.put(300, 1, 4, 2), "value 300");
        })) {
            assertEquals(3, tensor.uInt8Data().totalSize());
        }
        try (RaggedTensor<UInt8> tensor = Tensors.raggedUInt8(new long[] {2, -1, -1}, data -> {
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(300, 0), "1 index");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(300, 0, 5), "2 indices");
            Expect.thrown(IllegalArgumentException.class, () -> data.put(300, 0, 5, 5), "value 300");
        })) {
            assertArrayEquals(new long[] {0, 0, 0}, longs(tensor.rowSplits(1)));
        }
    }

    @Test
    void streamsWithAValueOutOfRangeLeaveRowsThatGrowAsTheyAre() {
        try (RaggedTensor<UInt8> tensor = Tensors.raggedUInt8(new long[] {2, -1}, data -> {
            data.put(new byte[] {1, 2, 3}, 0);
            for (int value : new int[] {-1, 256, Integer.MIN_VALUE}) {
                for (int[] at : new int[][] {{0}, {0, 1}, {1}, {1, 4}}) {
                    Expect.thrown(IllegalArgumentException.class, () -> data.put(IntStream.of(9, 8, value, 7, 6), at),
                        "value " + value + ", after 2 others,", "0 to 255", "UINT8");
                }
            }
            byte[] four = {4, 4, 4, 4};
            Expect.thrown(IllegalArgumentException.class, () -> ByteTensorData.of(four).put(IntStream.of(7, 256)), "value 256, after 1 other,",
                "UINT8");
            assertArrayEquals(new byte[] {7, 4, 4, 4}, four);
        })) {
            assertArrayEquals(new long[] {0, 3, 3}, longs(tensor.rowSplits(1)));
            assertArrayEquals(new byte[] {1, 2, 3}, ByteValues.all(tensor.values().uInt8Data()));
        }
    }

    @Test
    void theLargestNumberCanBePadding() {
        try (RaggedTensor<UInt8> tensor = RaggedTensor.fromDense(ByteTensorData.of(new byte[] {1, -1, -1, -1, 2, 0}, 2, 3), 255)) {
            assertArrayEquals(new long[] {0, 1, 4}, longs(tensor.rowSplits(1)));
            assertArrayEquals(new byte[] {1, -1, 2, 0}, ByteValues.all(tensor.values().uInt8Data()));
        }
    }

    @Test
    void aPaddingOutOfRangeIsTheLastThingToBeWrong() {
        Expect.thrown(NullPointerException.class, () -> RaggedTensor.fromDense((ByteTensorData) null, 256), "data");
        assertEquals("indices", assertThrows(NullPointerException.class, () -> ByteTensorData.of(new byte[2]).put(256, (int[]) null)).getMessage());
        Tensor<UInt8> tensor = Tensors.denseUInt8(new long[] {2, 2}, data -> { });
        ByteTensorData data = tensor.uInt8Data();
        Expect.thrown(IllegalArgumentException.class, () -> RaggedTensor.fromDense(data, 256), "256", "0 to 255");
        tensor.close();
        Expect.thrown(TensorClosedException.class, () -> RaggedTensor.fromDense(data, 256), "closed");
    }

    private static long[] longs(Tensor<Long> tensor) {
        long[] all = new long[(int) tensor.longData().totalSize()];
        tensor.longData().copyTo(all);
        return all;
    }

    @Test
    void whatElseIsWrongComesFirst() {
        Tensor<UInt8> tensor = Tensors.denseUInt8(new long[] {2, 2}, data -> {
            coordinates(() -> data.put(256, 0, 2), "index 2", "axis 1", "size 2");
            coordinates(() -> data.put(256, -1, 0), "index -1", "axis 0");
            coordinates(() -> data.put(-1, 0), "1 index", "rank 2");
            coordinates(() -> data.put(-1), "0 indices", "rank 2");
            coordinates(() -> data.put(-1, 0, 0, 0), "3 indices", "rank 2");
            coordinates(() -> data.put(-1, 0, 0, 0, 0), "4 indices", "rank 2");
            coordinates(() -> data.put(-1, 0, 0, 0, 0, 0), "5 indices", "rank 2");
        });
        ByteTensorData data = tensor.uInt8Data();
        assertArrayEquals(new byte[4], ByteValues.all(data));
        Expect.thrown(ReadOnlyBufferException.class, () -> data.put(256, 9, 9), "UINT8", "[2, 2]");
        Expect.thrown(ReadOnlyBufferException.class, () -> data.put(5, 9, 9), "UINT8", "[2, 2]");
        tensor.close();
        Expect.thrown(TensorClosedException.class, () -> data.put(256, 9, 9), "UINT8", "[2, 2]");
        Expect.thrown(TensorClosedException.class, () -> data.getUnsigned(9, 9), "UINT8", "[2, 2]");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6})
    void dataThatCannotBeReadIsNotAskedForAnElement(int rank) {
        int[] written = {0};
        ByteTensorData data = new AbstractByteTensorData(ones(rank)) {
            @Override
            protected byte getAt(long[] indices) {
                throw new AssertionError("read");
            }

            @Override
            protected void putAt(byte value, long[] indices) {
                written[0]++;
            }
        };
        int[] at = new int[rank];
        Expect.thrown(IllegalArgumentException.class, () -> put(data, 300, at), "value 300", where(at), "0 to 255", "UINT8");
        Expect.thrown(IllegalArgumentException.class, () -> data.put(-1, at), "value -1", where(at), "0 to 255", "UINT8");
        for (int others = 0; others <= 6; others++) {
            int[] wrong = new int[others];
            if (others != rank) {
                coordinates(() -> put(data, 300, wrong), others + (others == 1 ? " index" : " indices"), "rank " + rank);
            } else if (rank > 0) {
                wrong[rank - 1] = 1;
                coordinates(() -> put(data, 300, wrong), "index 1", "axis " + (rank - 1), "size 1");
            }
        }
        assertEquals(0, written[0]);
        put(data, 200, at);
        assertEquals(1, written[0]);
    }

    private static void coordinates(Executable call, String... says) {
        Expect.thrown(IndexOutOfBoundsException.class, call, says);
    }

    @Test
    void wrongCoordinatesOfUnsignedReads() {
        try (Tensor<UInt8> tensor = Tensors.denseUInt8(new long[] {2, 2}, data -> { })) {
            ByteTensorData data = tensor.uInt8Data();
            coordinates(() -> data.getUnsigned(0, 2), "index 2", "axis 1", "size 2");
            coordinates(() -> data.getUnsigned(), "0 indices", "rank 2");
            coordinates(() -> data.getUnsigned(1), "1 index", "rank 2");
            coordinates(() -> data.getUnsigned(0, 0, 0, 0, 0), "5 indices", "rank 2");
        }
    }

    @Test
    void slicesAndBytes() {
        try (Tensor<UInt8> tensor = Tensors.denseUInt8(new long[] {2, 3}, data -> {
            data.slice(TensorIndex.flip(), TensorIndex.at(-1)).put(200, 0);
            data.put(new byte[] {(byte) 128, 127}, 0);
        })) {
            ByteTensorData data = tensor.uInt8Data();
            assertEquals(128, data.getUnsigned(0, 0));
            assertEquals(127, data.slice(0).getUnsigned(1));
            assertEquals(200, data.slice(1, 2).getUnsigned());
            assertEquals(200, tensor.asByteBuffer().get(5) & 0xff);
        }
    }
}
