package io.tensornio.internal.sparse;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.tensornio.FloatTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatValues;
import io.tensornio.support.LongValues;
import io.tensornio.support.MemoryBalance;
//~string import java.io.UncheckedIOException;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
//#if primitive
import java.util.ConcurrentModificationException;
//#end

/** Sparse {@code float} tensors at their limits: of sizes, of what they are made of, and of what other threads may do to them. */
@ExtendWith(MemoryBalance.class)
class FloatSparseLimitsTest {
    private static float value(int i) {
        return FloatValues.of(i);
    }

    @Test
    void moreValuesThanElementsAreRefusedBeforeInit() {
        Expect.thrown(IllegalStateException.class, () -> Tensors.sparseFloat(new long[] {2, 2}, 5, data -> fail()), "FLOAT", "[2, 2]", "4 elements",
            "numValues is 5");
        Expect.thrown(IllegalStateException.class, () -> Tensors.sparseFloat(new long[0], 2, data -> fail()), "has 1 element,", "numValues is 2");
        Expect.thrown(IllegalStateException.class, () -> Tensors.sparseFloat(new long[] {2}, 2, data -> data.put(value(1), 1)), "1 distinct value,");
    }

    @Test
    void moreValuesThanOneTensorCanHaveAreRefusedBeforeInit() {
        Expect.thrown(OutOfMemoryError.class, () -> Tensors.sparseFloat(new long[] {1L << 40}, Integer.MAX_VALUE, data -> fail()),
            "2147483647 values",
            "[1099511627776]", "17179869176 bytes", "one tensor can have 2147483647");
        Expect.thrown(OutOfMemoryError.class, () -> Tensors.sparseFloat(new long[] {1 << 20, 1 << 20}, 1 << 27, data -> fail()), "134217728 values",
            "[1048576, 1048576]", "2147483648 bytes", "one tensor can have 2147483647");
        // Few enough for their coordinates, and too many for the index.
        Expect.thrown(OutOfMemoryError.class, () -> Tensors.sparseFloat(new long[] {1L << 40}, 234_881_025, data -> fail()), "234881025 values",
            "[1099511627776]", "one tensor that is being filled can have 234881024");
    }

    @Test
    void whatCountsIsElementsNotTheirBytes() {
        long[] shape = {1L << 31, 1L << 31};
        try (SparseTensor<Float> tensor = Tensors.sparseFloat(shape, 2, data -> {
            data.put(value(1), Integer.MAX_VALUE, Integer.MAX_VALUE);
            data.put(value(2), 3, 4);
        })) {
            FloatTensorData data = tensor.floatData();
            assertEquals(value(1), data.get(Integer.MAX_VALUE, Integer.MAX_VALUE));
            assertEquals(FloatValues.ZERO, data.get(4, 3));
            assertArrayEquals(new long[] {3, 4, Integer.MAX_VALUE, Integer.MAX_VALUE}, LongValues.all(tensor.indices().longData()));
            Expect.thrown(OutOfMemoryError.class, tensor::toDense, "[2147483648, 2147483648]");
            assertEquals(value(2), data.slice(TensorIndex.excl(0, 1, 2)).get(0, 4));
            assertEquals(value(2), data.slice(TensorIndex.excl(2), TensorIndex.excl(5, 1, 7)).get(2, 3));
            assertEquals(value(1), data.slice(TensorIndex.excl(2), TensorIndex.excl(5, 1, 7)).get(Integer.MAX_VALUE - 1, Integer.MAX_VALUE - 3));
            assertEquals(value(2), data.slice(TensorIndex.to(2_000_000_000)).slice(TensorIndex.excl(5)).get(3, 4));
            try (SparseTensor<Float> again = Tensors.sparseFloat(tensor.indices().longData(), tensor.values().floatData(), shape)) {
                assertEquals(value(2), again.floatData().get(3, 4));
            }
        }
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.sparseFloat(new long[] {1L << 32, 1L << 31}, 1, data -> fail()),
            "[4294967296, 2147483648]", "more elements than a long can count");
    }

    /** The caller did nothing wrong: such a shape is one that sparse tensors have. */
    @Test
    void whatIsTooLargeToBeDenseHasNoMemoryWhicheverCallAsksForIt() {
        for (long[] shape : new long[][] {{1L << 31, 1L << 31}, {Long.MAX_VALUE}, {1L << 20, 1L << 20}}) {
            try (SparseTensor<Float> tensor = Tensors.sparseFloat(shape, 0, data -> { })) {
                String named = Arrays.toString(shape);
                OutOfMemoryError e = Expect.thrown(OutOfMemoryError.class, tensor::toDense, named);
                assertEquals(e.getMessage(), Expect.thrown(OutOfMemoryError.class, () -> Tensors.create(tensor.floatData())).getMessage());
                assertEquals(e.getMessage(), Expect.thrown(OutOfMemoryError.class, () -> Tensors.create(tensor.floatData().slice())).getMessage());
            }
        }
    }

    //#if float double int long string
    /** It is not memory that it is short of: a dense tensor cannot have such a shape, whoever asks for it. */
    @Test
    void whatIsEmptyIsNotCalledTooLargeForTheMemory() {
        for (long[] shape : new long[][] {{0, 1L << 31, 1L << 31}, {1L << 31, 1L << 31, 0}}) {
            try (SparseTensor<Float> tensor = Tensors.sparseFloat(shape, 0, data -> { })) {
                String named = Arrays.toString(shape);
                String said = "has more bytes than a long can count, its sizes of 0 left out";
                Expect.thrown(IllegalArgumentException.class, tensor::toDense, named, said);
                Expect.thrown(IllegalArgumentException.class, () -> Tensors.create(tensor.floatData()), named, said);
                Expect.thrown(IllegalArgumentException.class, () -> Tensors.create(tensor.floatData().slice()), named, said);
                Expect.thrown(IllegalArgumentException.class, () -> Tensors.denseFloat(shape, data -> fail()), named, said);
            }
        }
    }
    //#end

    @Test
    void slicesOfMoreElementsThanHaveCountableBytes() {
        try (SparseTensor<Float> tensor = Tensors.sparseFloat(new long[] {1L << 31, 1L << 31}, 1, data -> data.put(value(1), 3, 4))) {
            FloatTensorData flipped = tensor.floatData().slice(TensorIndex.flip());
            assertEquals(value(1), flipped.slice(TensorIndex.at(-4), TensorIndex.at(4)).get());
        }
    }

    @Test
    void raggedDataOfFullRows() {
        try (RaggedTensor<Float> ragged = Tensors.raggedFloat(new long[] {3, -1}, data -> {
            data.put(FloatValues.array(1, 4), 0);
            data.put(FloatValues.zeros(4), 1);
            data.put(FloatValues.array(5, 4), 2);
        }); SparseTensor<Float> sparse = SparseTensor.fromDense(ragged.floatData()); Tensor<Float> dense = Tensors.create(ragged.floatData())) {
            assertArrayEquals(new long[] {3, 4}, sparse.shape());
            assertEquals(dense.floatData(), sparse.floatData());
            Expect.thrown(IllegalArgumentException.class, () -> SparseTensor.fromDense(raggedOfOneShortRow()), "rows of one length");
        }
    }

    private static FloatTensorData raggedOfOneShortRow() {
        try (RaggedTensor<Float> ragged = Tensors.raggedOfNested(new float[][] {FloatValues.array(1, 2), FloatValues.array(1, 1)})) {
            SparseTensor.fromDense(ragged.floatData()).close();
            return ragged.floatData();
        }
    }

    @Test
    void valuesTellOfTheTensorOnceClosed() {
        SparseTensor<Float> tensor = Tensors.sparseFloat(new long[] {3, 4}, 1, data -> data.put(value(1), 1, 1));
        FloatTensorData values = tensor.values().floatData();
        LongTensorData indices = tensor.indices().longData();
        tensor.close();
        Expect.thrown(TensorClosedException.class, () -> values.get(0), "FLOAT", "[3, 4]");
        Expect.thrown(TensorClosedException.class, () -> indices.get(0, 0), "INT64", "[1, 2]");
    }

    /** The left half of a matrix, which another thread may write meanwhile; null if that thread used up the capacity. */
    private static SparseTensor<Float> fill(int side, AtomicReference<FloatTensorData> leaked, boolean early) {
        try {
            return Tensors.sparseFloat(new long[] {side, side}, side * side / 2, data -> {
                if (early) {
                    leaked.set(data);
                }
                for (int i = 0; i < side * side / 2; i++) {
                    data.put(value(i), i % side, i / side);
                }
                leaked.set(data);
            });
        } catch (TensorClosedException e) {
            throw e;
        } catch (IllegalStateException | IndexOutOfBoundsException e) {
            leaked.set(null);
        //~string } catch (NullPointerException e) {
        //~string     leaked.set(null);               // the texts of both are torn
        }
        return null;
    }

    /** Nothing is left in use, which the balance finds, and as many coordinates are published as values. */
    @Test
    void lateWritesRaceWithPublication() throws Exception {
        int side = 40;
        AtomicReference<FloatTensorData> leaked = new AtomicReference<>();
        AtomicBoolean stop = new AtomicBoolean();
        AtomicReference<Throwable> bad = new AtomicReference<>();
        Thread writer = new Thread(() -> {
            for (int k = 0; !stop.get(); k++) {
                FloatTensorData data = leaked.get();
                try {
                    for (int i = 0; data != null && i < side; i++) {
                        data.put(value(i), i, k % side);
                        data.get(i, i);
                    }
                } catch (IllegalStateException | ReadOnlyBufferException | IndexOutOfBoundsException e) {
                    leaked.compareAndSet(data, null);
                //~string } catch (UncheckedIOException | NullPointerException e) {
                //~string     leaked.compareAndSet(data, null);       // where two threads write one text there may be some of both, or of none
                } catch (Throwable e) {
                    bad.compareAndSet(null, e);
                }
            }
        });
        int published = 0;
        writer.start();
        try {
            for (int round = 0; round < 300 * Expect.depth(); round++) {
                // Every other time the writer comes when all is put, so that it meets the publication alone.
                try (SparseTensor<Float> tensor = fill(side, leaked, round % 2 == 0)) {
                    if (tensor != null) {
                        assertEquals(tensor.values().numElements(), tensor.indices().size(0));
                        tensor.floatData().hashCode();
                        published++;
                    }
                }
            }
        } finally {
            stop.set(true);
            writer.join();
        }
        assertTrue(published > 0, "no tensor was published");
        if (bad.get() != null) {
            throw new AssertionError(bad.get());
        }
    }

    //#if primitive
    @Test
    void dataThatAnotherThreadWritesHasChanged() throws Exception {
        float[] array = FloatValues.zeros(20_000);
        float one = FloatValues.array(1, 1)[0];
        AtomicBoolean stop = new AtomicBoolean();
        Thread writer = new Thread(() -> {
            for (int k = 0; !stop.get(); k++) {
                Arrays.fill(array, k % 2 == 0 ? one : FloatValues.ZERO);
            }
        });
        writer.start();
        try {
            for (int round = 0; round < 200; round++) {
                try (SparseTensor<Float> tensor = SparseTensor.fromDense(FloatTensorData.of(array))) {
                    assertEquals(tensor.values().numElements(), tensor.indices().size(0));
                } catch (ConcurrentModificationException e) {
                    assertEquals(true, e.getMessage().contains("another thread writes the data of shape [20000]"), e.getMessage());
                }
            }
        } finally {
            stop.set(true);
            writer.join();
        }
    }
    //#end
}
