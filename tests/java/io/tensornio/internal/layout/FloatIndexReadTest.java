package io.tensornio.internal.layout;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.at;
import static io.tensornio.TensorIndex.ellipsis;
import static io.tensornio.TensorIndex.excl;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.from;
import static io.tensornio.TensorIndex.incl;
import static io.tensornio.TensorIndex.mask;
import static io.tensornio.TensorIndex.range;
import static io.tensornio.TensorIndex.take;
import static io.tensornio.TensorIndex.to;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.BooleanTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import java.util.Arrays;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** When indices and {@code float} data are read and checked: as the slice is made. */
@ExtendWith(MemoryBalance.class)
class FloatIndexReadTest {
    private static IntTensorData ints(int... values) {
        return IntTensorData.of(values);
    }

    private static LongTensorData longs(long... values) {
        return LongTensorData.of(values);
    }

    @Test
    void laterChangesOfWhatAnIndexWasMadeFromChangeNoSlice() {
        long[] listed = {2, 0, 0};
        long[] left = {1};
        int[] taken = {2, 0, 0};
        long[] coordinate = {1, 0};
        boolean[] where = {true, false, true};
        TensorIndex incl = incl(listed);
        TensorIndex excl = excl(left);
        TensorIndex take = take(ints(taken));
        TensorIndex index = longs(coordinate);
        TensorIndex mask = mask(BooleanTensorData.of(where));
        listed[0] = 99;             // lists are copied when the index is made
        left[0] = 99;
        FloatIndexTest.onEach(data -> {
            FloatTensorData[] slices = {data.slice(incl), data.slice(take), data.slice(excl), data.slice(mask), data.slice(index)};
            float[][] before = Arrays.stream(slices).map(FloatValues::all).toArray(float[][]::new);
            assertArrayEquals(before[0], before[1]);
            assertArrayEquals(before[2], before[3]);
            taken[0] = 99;          // data is read when the slice is made
            coordinate[0] = 0;
            where[0] = false;
            for (int i = 0; i < slices.length; i++) {
                assertArrayEquals(before[i], FloatValues.all(slices[i]));
            }
            assertArrayEquals(FloatValues.array(4, 2), FloatValues.all(data.slice(mask)));
            assertEquals(FloatValues.of(0), data.slice(index).get());
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.slice(take), "position 99 of take(99, 0, 0)");
            taken[0] = 2;
            coordinate[0] = 1;
            where[0] = true;
        }, 3, 2);
    }

    @Test
    void indicesAreReusedOnAxesOfOtherSizes() {
        for (int size : new int[] {3, 4, 9}) {
            FloatIndexTest.onEach(data -> {
                TensorIndex last = at(-1);
                assertEquals(FloatValues.of(size * size - 1), data.slice(last, last).get());
                assertArrayEquals(new long[] {size - 1, size - 1}, data.slice(from(1), to(-1)).shape());
            }, size, size);
        }
    }

    @Test
    void closedDataIsNoIndex() {
        Tensor<Integer> positions = Tensors.denseInt(new long[] {2}, data -> data.put(1, 1));
        Tensor<Boolean> where = Tensors.denseBoolean(new long[] {2}, data -> data.put(true, 1));
        Tensor<Integer> matrix = Tensors.denseInt(new long[] {2, 2}, data -> { });
        TensorIndex take = take(positions.intData());
        TensorIndex wrong = take(matrix.intData());
        TensorIndex index = positions.intData();
        TensorIndex mask = mask(where.booleanData());
        FloatIndexTest.onEach(data -> {
            assertArrayEquals(FloatValues.array(0, 6), FloatValues.all(data.slice(take)));
            assertEquals(FloatValues.of(1), data.slice(index).get());
            assertArrayEquals(FloatValues.array(3, 3), FloatValues.all(data.slice(mask)));
        }, 2, 3);
        FloatIndexTest.onEach(data -> Expect.thrown(IllegalArgumentException.class, () -> data.slice(wrong), "[2, 2]", "rank 0 or 1"), 2, 3);
        positions.close();
        where.close();
        matrix.close();
        FloatIndexTest.onEach(data -> {
            Expect.thrown(TensorClosedException.class, () -> data.slice(wrong), "INT32", "[2, 2]");
            Expect.thrown(TensorClosedException.class, () -> data.slice(take), "INT32", "[2]");
            Expect.thrown(TensorClosedException.class, () -> data.slice(all(), index), "INT32", "[2]");
            Expect.thrown(TensorClosedException.class, () -> data.slice(mask), "BOOL", "[2]");
        }, 2, 3);
    }

    @Test
    void closedDataIsNoIndexWhateverIsWrongWithTheOthers() {
        Tensor<Integer> positions = Tensors.denseInt(new long[] {2}, data -> { });
        Tensor<Long> scalar = Tensors.denseLong(new long[0], data -> { });
        Tensor<Boolean> where = Tensors.denseBoolean(new long[] {2}, data -> { });
        TensorIndex[] closed = {take(positions.intData()), take(scalar.longData()), positions.intData(), scalar.longData(),
            mask(where.booleanData())};
        positions.close();
        scalar.close();
        where.close();
        TensorIndex[][] wrong = {{at(9)}, {range(0, 9)}, {excl(9)}, {at(0), at(0)}, {at(0), at(0), at(0)}, {ellipsis(), ellipsis()},
            {mask(BooleanTensorData.of(new boolean[9]))}, {take(ints(9))}, {take(IntTensorData.of(new int[4], 2, 2))}, {ints(9)},
            {IntTensorData.of(new int[4], 2, 2)}, {new TensorIndex() { }}};
        Consumer<FloatTensorData> check = data -> {
            for (TensorIndex index : closed) {
                for (TensorIndex[] others : wrong) {
                    TensorIndex[] indices = Arrays.copyOf(others, others.length + 1);
                    indices[others.length] = index;
                    Expect.thrown(TensorClosedException.class, () -> data.slice(indices), "is closed");
                }
            }
        };
        FloatIndexTest.onEach(check, 2, 3);
        try (RaggedTensor<Float> tensor = Tensors.raggedFloat(new long[] {2, -1}, data -> {
            data.put(FloatValues.array(0, 2), 1);
            check.accept(data);
            check.accept(data.slice(all()));
            check.accept(data.slice(1));
        })) {
            check.accept(tensor.floatData());
            check.accept(tensor.floatData().slice(flip()));
        }
    }

    @Test
    void slicesOfClosedTensorsSaySoBeforeAnythingElse() {
        Tensor<Float> tensor = FloatValues.tensor(2, 3);
        FloatTensorData data = tensor.floatData();
        FloatTensorData view = data.slice(incl(0, 1, 1));
        tensor.close();
        for (FloatTensorData closed : new FloatTensorData[] {data, view}) {
            Expect.thrown(NullPointerException.class, () -> closed.slice((TensorIndex) null), "null");
            Expect.thrown(NullPointerException.class, () -> closed.slice((TensorIndex[]) null), "indices");
            Expect.thrown(TensorClosedException.class, () -> closed.slice(ellipsis(), ellipsis()), "FLOAT", "[2, 3]");
            Expect.thrown(TensorClosedException.class, () -> closed.slice(at(99)), "FLOAT", "[2, 3]");
            Expect.thrown(TensorClosedException.class, () -> closed.slice(all(), all(), all(), all()), "FLOAT", "[2, 3]");
            Expect.thrown(TensorClosedException.class, () -> closed.slice(new TensorIndex() { }), "FLOAT", "[2, 3]");
            Expect.thrown(TensorClosedException.class, () -> closed.slice(mask(BooleanTensorData.of(new boolean[7]))), "FLOAT", "[2, 3]");
        }
    }
}
