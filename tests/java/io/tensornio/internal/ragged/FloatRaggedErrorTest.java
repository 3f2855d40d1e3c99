package io.tensornio.internal.ragged;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.BooleanTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorIterator;
import io.tensornio.IntTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import java.io.ByteArrayInputStream;
import java.nio.ReadOnlyBufferException;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
//~boolean,string import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
//#if buffer
import io.tensornio.support.FloatBuffers;
import java.nio.FloatBuffer;
//#end

/** What ragged {@code float} tensors refuse, and that it changes nothing. */
@ExtendWith(MemoryBalance.class)
class FloatRaggedErrorTest {
    private static void refusesShape(String part, long... shape) {
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.raggedFloat(shape, data -> { }), part, java.util.Arrays.toString(shape));
    }

    @Test
    void shapes() {
        refusesShape("axis 0", -1, 3);
        refusesShape("no ragged axis", 3, 4);
        refusesShape("no ragged axis");
        refusesShape("negative size on axis 2", 3, -1, -2);
        refusesShape("more bytes than a long can count", 3, -1, Long.MAX_VALUE / 2, 5);
        Expect.thrown(NullPointerException.class, () -> Tensors.raggedFloat(null, data -> { }), "shape");
        Expect.thrown(NullPointerException.class, () -> Tensors.raggedFloat(new long[] {1, -1}, null), "init");
        Expect.thrown(OutOfMemoryError.class, () -> Tensors.raggedFloat(new long[] {1L << 40, -1}, data -> { }), "rows");
        Expect.thrown(OutOfMemoryError.class, () -> Tensors.raggedFloat(new long[] {Integer.MAX_VALUE - 8, -1}, data -> { }), "2147483639 rows",
            "[2147483639, -1]", "25769803668 bytes of heap");
    }

    @Test
    void aFailedInitFreesEverything() {
        RuntimeException mine = new RuntimeException("mine");
        FloatTensorData[] kept = new FloatTensorData[3];
        assertSame(mine, assertThrows(RuntimeException.class, () -> Tensors.raggedFloat(new long[] {3, -1}, data -> {
            data.put(FloatValues.array(0, 100_000), 1);
            kept[0] = data;
            kept[1] = data.slice(1);
            kept[2] = data.slice(TensorIndex.flip());
            throw mine;
        })));
        for (FloatTensorData data : kept) {
            assertThrows(TensorClosedException.class, data::scalars);
            assertThrows(TensorClosedException.class, () -> data.slice(0));
            assertTrue(data.toString().endsWith("(closed)"), data.toString());
            assertTrue(data.isReadOnly());
        }
        Expect.thrown(TensorClosedException.class, () -> kept[0].put(FloatValues.of(1), 0, 0), "[3, -1]");
        Expect.thrown(TensorClosedException.class, () -> kept[0].put(FloatValues.array(0, 1), 0), "[3, -1]");
    }

    @Test
    void publishedDataRefusesWrites() {
        FloatTensorData[] kept = new FloatTensorData[3];
        try (RaggedTensor<Float> tensor = Tensors.raggedFloat(new long[] {2, -1}, data -> {
            data.put(FloatValues.array(0, 2), 1);
            kept[0] = data;
            kept[1] = data.slice(1);
            kept[2] = data.slice(TensorIndex.all(), TensorIndex.even());
        })) {
            for (FloatTensorData data : new FloatTensorData[] {kept[0], tensor.floatData()}) {
                Expect.thrown(ReadOnlyBufferException.class, () -> data.put(FloatValues.of(1), 1, 0), "[2, -1]", "published");
                assertThrows(ReadOnlyBufferException.class, () -> data.put(FloatValues.of(1), 7, 0));
                assertThrows(ReadOnlyBufferException.class, () -> data.put(new float[1], 1));
                //#if buffer
                assertThrows(ReadOnlyBufferException.class, () -> data.put(FloatBuffer.allocate(1), 1));
                //#end
                assertThrows(ReadOnlyBufferException.class, () -> data.put(FloatTensorData.of(new float[1]), 1));
                assertThrows(ReadOnlyBufferException.class, () -> data.put(FloatTensorData.of(new float[1]).stream(), 1));
                assertThrows(ReadOnlyBufferException.class, () -> data.write(new ByteArrayInputStream(new byte[99])));
                assertThrows(ReadOnlyBufferException.class, () -> data.elements().put(new float[1]));
                assertThrows(ReadOnlyBufferException.class, () -> data.scalars().put(FloatValues.of(1)));
                assertEquals(FloatValues.of(1), data.get(1, 1));
            }
            assertThrows(ReadOnlyBufferException.class, () -> kept[1].put(FloatValues.of(1), 0));
            assertThrows(ReadOnlyBufferException.class, () -> kept[2].put(FloatValues.of(1), 1, 0));
        }
        assertThrows(TensorClosedException.class, () -> kept[0].get(1, 0));
        assertThrows(TensorClosedException.class, () -> kept[1].get(0));
        assertThrows(TensorClosedException.class, () -> kept[2].get(1, 0));
    }

    @Test
    void scalarsPastTheLast() {
        try (RaggedTensor<Float> tensor = Tensors.raggedFloat(new long[] {3, -1}, data -> {
            data.put(FloatValues.array(0, 3), 0);
            data.put(FloatValues.array(3, 1), 2);
            for (FloatTensorData view : new FloatTensorData[] {data, data.slice(TensorIndex.flip())}) {
                FloatTensorIterator scalars = view.scalars();
                scalars.forEach(value -> { });
                Expect.thrown(NoSuchElementException.class, scalars::get, "past the last of 4 elements");
                Expect.thrown(NoSuchElementException.class, () -> scalars.put(FloatValues.of(1)), "past the last of 4 elements");
            }
        })) {
            FloatTensorIterator scalars = tensor.floatData().slice(TensorIndex.flip()).scalars();
            scalars.forEach(value -> { });
            Expect.thrown(NoSuchElementException.class, scalars::get, "past the last of 4 elements");
            assertArrayEquals(FloatValues.array(0, 4), FloatValues.all(tensor.floatData()));
        }
    }

    @Test
    void closedData() {
        RaggedTensor<Float> tensor = RaggedTensor.fromRowLengths(FloatTensorData.of(FloatValues.array(0, 4)), 3, 1);
        FloatTensorData data = tensor.floatData();
        FloatTensorData row = data.slice(0);
        FloatTensorData flipped = data.slice(TensorIndex.flip());
        FloatTensorIterator scalars = flipped.scalars();
        tensor.close();
        tensor.close();
        for (FloatTensorData all : new FloatTensorData[] {data, flipped}) {
            assertArrayEquals(new long[] {2, -1}, all.shape());
            assertEquals(4, all.totalSize());
            assertTrue(all.toString().endsWith("[2, -1] (closed)"), all.toString());
            Expect.thrown(TensorClosedException.class, () -> all.get(0, 0), "[2, -1]");
            assertThrows(TensorClosedException.class, () -> all.get(9, 9));
            assertThrows(TensorClosedException.class, () -> all.slice(0));
            assertThrows(TensorClosedException.class, () -> all.slice(TensorIndex.at(9)));
            assertThrows(TensorClosedException.class, all::slice);
            assertThrows(TensorClosedException.class, all::elements);
            assertThrows(TensorClosedException.class, all::scalars);
            assertThrows(TensorClosedException.class, all::hashCode);
            assertThrows(TensorClosedException.class, () -> all.copyTo(new float[9]));
            assertThrows(TensorClosedException.class, () -> all.stream().count());
            assertThrows(TensorClosedException.class, () -> all.put(FloatValues.of(1), 0, 0));
            assertThrows(TensorClosedException.class, () -> Tensors.create(all));
        }
        Expect.thrown(TensorClosedException.class, () -> row.get(0), "[2, -1]");
        assertThrows(TensorClosedException.class, scalars::get);
        assertThrows(TensorClosedException.class, tensor::toDense);
        assertThrows(TensorClosedException.class, tensor::floatData);
    }

    @Test
    void whatInitKeptIsClosedBeforeItsCoordinatesAreWrong() {
        FloatTensorData[] kept = new FloatTensorData[2];
        Tensors.raggedFloat(new long[] {2, -1}, data -> {
            data.put(FloatValues.array(0, 2), 1);
            kept[0] = data;
            kept[1] = data.slice(1);
        }).close();
        for (int[] at : new int[][] {{9, 9}, {1, -1}, {1, 2}, {1}, {1, 0, 0}, {}}) {
            Expect.thrown(TensorClosedException.class, () -> kept[0].get(at), "[2, -1]");
            Expect.thrown(TensorClosedException.class, () -> FloatValues.get(kept[0], at), "[2, -1]");
            //~string Expect.thrown(TensorClosedException.class, () -> kept[0].getBytes(at), "[2, -1]");
        }
        for (int[] at : new int[][] {{9}, {-1}, {0, 0}, {}}) {
            Expect.thrown(TensorClosedException.class, () -> kept[1].get(at), "[2, -1]");
        }
    }

    @Test
    void whatFailsGrowsNothing() {
        try (RaggedTensor<Float> tensor = Tensors.raggedFloat(new long[] {2, -1, 2, -1}, data -> {
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(FloatValues.of(1), 0, 5, 2, 0), "index 2", "axis 2", "size 2");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(FloatValues.of(1), 0, 5, 0, -1), "index -1", "axis 3");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(FloatValues.of(1), 2, 5, 0, 0), "index 2", "axis 0", "size 2");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(FloatValues.of(1), 0, -1, 0, 0), "index -1", "axis 1");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(FloatValues.of(1), 0, 1, 0), "3 indices");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(new float[1], 0, 1, 2), "index 2", "axis 2");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(new float[1], 0, 1, 1, -3), "index -3", "axis 3");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(new float[1], 0, 1, 1, 1, 1), "5 indices");
            Expect.thrown(OutOfMemoryError.class, () -> data.put(FloatValues.of(1), 0, 1, 1, Integer.MAX_VALUE), "row of 2147483648 positions");
            Expect.thrown(IllegalArgumentException.class, () -> data.put(new float[1], 0, 4), "single row", "[0, 4]");
            Expect.thrown(IllegalArgumentException.class, () -> data.put(new float[1]), "single row");
            Expect.thrown(IllegalArgumentException.class, () -> data.put(FloatTensorData.of(new float[1], 1, 1), 0, 4, 0),
                "cannot copy the shape [1, 1] to the selection at [0, 4, 0] of the shape [2, -1, 2, -1], which has the shape [-1]");
            Expect.thrown(NullPointerException.class, () -> data.put((float[]) null, 0, 4, 0), "array");
            Expect.thrown(IllegalArgumentException.class, () -> data.write(new ByteArrayInputStream(new byte[9])), "single row");
            Expect.thrown(IllegalArgumentException.class, () -> data.put(FloatTensorData.of(new float[1]).stream()), "single row");
            Expect.thrown(IllegalArgumentException.class, () -> data.elements().put(new float[1]), "single row");
            //~boolean,string Expect.thrown(NullPointerException.class, () -> data.put(Stream.of(FloatValues.of(1), null), 0, 4, 0),
            //~boolean,string     "null among the values, after 1 of them");
            RuntimeException mine = new RuntimeException("mine");
            assertSame(mine, assertThrows(RuntimeException.class, () -> data.put(FloatTensorData.of(FloatValues.array(0, 9)).stream().peek(value -> {
                throw mine;
            }), 0, 4, 0)));
            assertEquals(0, data.slice(0).size(0));
        })) {
            assertEquals(0, tensor.numElements());
            assertEquals(1, tensor.rowSplits(3).numElements());
        }
    }

    //#if buffer
    @Test
    void aBufferThatIsRefusedKeepsItsPosition() {
        try (RaggedTensor<Float> tensor = Tensors.raggedFloat(new long[] {2, -1, 2}, data -> FloatBuffers.filled(1, 3).forEach((kind, buffer) -> {
            Expect.thrown(IllegalArgumentException.class, () -> data.put(buffer, 0), "3 elements", "positions of 2");
            assertEquals(FloatBuffers.MARGIN, buffer.position(), kind);
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(buffer, 0, 1), "3 elements", "at [0, 1]", "which has 2");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(buffer, 2), "index 2", "axis 0");
            assertEquals(FloatBuffers.MARGIN, buffer.position(), kind);
            assertEquals(3, buffer.remaining(), kind);
        }))) {
            assertEquals(0, tensor.numElements());
        }
    }
    //#end

    @Test
    void rowsOfPositionsWithElements() {
        try (RaggedTensor<Float> tensor = Tensors.raggedFloat(new long[] {2, -1, 2}, data -> {
            Expect.thrown(IllegalArgumentException.class, () -> data.put(new float[3], 0), "3 elements", "positions of 2");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(new float[3], 0, 1), "3 elements", "at [0, 1]", "which has 2");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(new float[2], 0, 1, 1), "2 elements", "at [0, 1, 1]", "which has 1");
            assertEquals(0, data.slice(0).size(0));
            // A stream writes what fits.
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(FloatTensorData.of(FloatValues.array(5, 3)).stream(), 0, 1), "more than 2");
        })) {
            float zero = FloatValues.ZERO;
            assertArrayEquals(new float[] {zero, zero, FloatValues.of(5), FloatValues.of(6)}, FloatValues.all(tensor.values().floatData()));
        }
    }

    /** One row, or none: the message is right then, too. */
    @Test
    void rowsThatAreNotNamed() {
        for (long rows : new long[] {0, 1}) {
            String message = "the indices [] do not select a single row of the shape [" + rows
                + ", -1]: put growing rows one at a time, each at 1 index";
            Tensors.raggedFloat(new long[] {rows, -1}, data ->
                Expect.thrown(IllegalArgumentException.class, () -> data.put(new float[2]), message)).close();
        }
    }

    /** A slice has axes of its own: messages count them from its first one. */
    @Test
    void indicesOfARowThatGrows() {
        Tensors.raggedFloat(new long[] {2, -1, 4}, data -> {
            data.put(FloatValues.array(0, 12), 1);
            FloatTensorData row = data.slice(1);
            String axis = "is outside of axis 0 of size 3 in the shape [3, 4]";
            Expect.thrown(IndexOutOfBoundsException.class, () -> row.get(3, 0), "index 3 of [3, 0] " + axis);
            Expect.thrown(IndexOutOfBoundsException.class, () -> row.slice(3, 0), "index 3 of [3, 0] " + axis);
            Expect.thrown(IndexOutOfBoundsException.class, () -> row.get(0, 4),
                "index 4 of [0, 4] is outside of axis 1 of size 4 in the shape [3, 4]");
            Expect.thrown(IndexOutOfBoundsException.class, () -> row.put(FloatValues.OWN, -1, 0),
                "index -1 of [-1, 0] is outside of axis 0 of size 3 in the shape [3, 4]");
            Expect.thrown(IndexOutOfBoundsException.class, () -> row.put(new float[5], 1),
                "5 elements for the selection at [1] of the shape [3, 4], which has 4");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.get(1, 3, 0),
                "index 3 of [1, 3, 0] is outside of axis 1 of size 3 in the shape [2, -1, 4]");
        }).close();
    }

    @Test
    void readsOutsideOfARow() {
        try (RaggedTensor<Float> tensor = RaggedTensor.fromRowLengths(FloatTensorData.of(FloatValues.array(0, 4)), 3, 1)) {
            for (FloatTensorData data : new FloatTensorData[] {tensor.floatData(),
                tensor.floatData().slice(TensorIndex.flip()).slice(TensorIndex.flip())}) {
                Expect.thrown(IndexOutOfBoundsException.class, () -> data.get(1, 1), "index 1 of [1, 1]", "axis 1", "size 1", "[2, -1]");
                Expect.thrown(IndexOutOfBoundsException.class, () -> data.get(0, -1), "index -1", "axis 1", "size 3");
                Expect.thrown(IndexOutOfBoundsException.class, () -> data.get(2, 0), "index 2", "axis 0", "size 2");
                Expect.thrown(IndexOutOfBoundsException.class, () -> data.get(0), "1 index", "[2, -1]", "rank 2");
                Expect.thrown(IndexOutOfBoundsException.class, () -> data.slice(1, 1), "index 1", "axis 1", "size 1");
                Expect.thrown(IndexOutOfBoundsException.class, () -> data.slice(0, 0, 0), "3 indices", "rank 2");
                Expect.thrown(IndexOutOfBoundsException.class, () -> data.get(new float[2], 0), "3 elements", "room for 2");
                Expect.thrown(IndexOutOfBoundsException.class, () -> data.slice(TensorIndex.all(), TensorIndex.at(1)), "at(1)", "row [1]", "axis 1",
                    "size 1");
                Expect.thrown(IndexOutOfBoundsException.class, () -> data.slice(TensorIndex.all(), TensorIndex.incl(0, -2)), "position -2",
                    "incl(0, -2)", "row [1]");
                Expect.thrown(IndexOutOfBoundsException.class, () -> data.slice(TensorIndex.all(), TensorIndex.take(IntTensorData.of(new int[] {2}))),
                    "position 2",
                    "row [1]");
                Expect.thrown(IndexOutOfBoundsException.class, () -> data.slice(TensorIndex.range(0, 3)), "range(0, 3)", "axis 0", "size 2",
                    "[2, -1]");
                Expect.thrown(IndexOutOfBoundsException.class, () -> data.slice(TensorIndex.all(), TensorIndex.all(), TensorIndex.all()),
                    "3 indices");
                Expect.thrown(IllegalArgumentException.class,
                    () -> data.slice(TensorIndex.all(), TensorIndex.mask(BooleanTensorData.of(new boolean[1]))), "mask",
                    "axis 1", "[2, -1]");
                Expect.thrown(IllegalArgumentException.class,
                    () -> data.slice(TensorIndex.at(0), TensorIndex.mask(BooleanTensorData.of(new boolean[3]))), "mask", "axis 1", "[2, -1]");
                Expect.thrown(IllegalArgumentException.class, () -> data.slice(TensorIndex.ellipsis(), TensorIndex.ellipsis()), "one ellipsis()");
                Expect.thrown(NullPointerException.class, () -> data.slice((TensorIndex) null), "null");
                Expect.thrown(IllegalArgumentException.class, () -> data.size(2), "axis 2");
                Expect.thrown(IllegalArgumentException.class, () -> Tensors.create(data), "row [1]", "1 positions", "row [0]", "has 3");
            }
            Expect.thrown(IllegalArgumentException.class, () -> tensor.rowSplits(0), "axis 0", "[1] are");
            Expect.thrown(IllegalArgumentException.class, () -> tensor.rowSplits(2), "axis 2", "[1] are");
            Expect.thrown(IllegalArgumentException.class, () -> tensor.rowSplits(-1), "axis -1", "[1] are");
            Expect.thrown(IllegalArgumentException.class, () -> Tensors.denseFloat(new long[] {4}, data -> data.put(tensor.floatData())), "[2, -1]",
                "[4]");
        }
    }

    @Test
    void aMaskForARaggedAxisIsToldToTakeARowFirst() {
        BooleanTensorData mask = BooleanTensorData.of(new boolean[] {true, false, true});
        Consumer<FloatTensorData> check = data -> {
            for (TensorIndex row : new TensorIndex[] {TensorIndex.at(0), TensorIndex.all()}) {
                Expect.thrown(IllegalArgumentException.class, () -> data.slice(row, TensorIndex.mask(mask)),
                    "a mask for axis 1 of the shape [2, -1]: a ragged axis takes none; slice a row first, and mask that");
            }
            assertArrayEquals(new long[] {2}, data.slice(0).slice(TensorIndex.mask(mask)).shape());
        };
        try (RaggedTensor<Float> tensor = Tensors.raggedFloat(new long[] {2, -1}, data -> {
            data.put(FloatValues.array(0, 3), 0);
            data.put(FloatValues.array(3, 1), 1);
            check.accept(data);
        })) {
            check.accept(tensor.floatData());
        }
    }
}
