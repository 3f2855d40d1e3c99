package io.tensornio.internal.memory;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.excl;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.step;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.FloatTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.internal.element.FloatBlock;
import io.tensornio.internal.element.LongBlock;
import io.tensornio.support.FloatOwn;
import io.tensornio.support.FloatSources;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Memory that is not cleared before it is filled never shows the {@code float} values that another tensor had there. */
@ExtendWith(MemoryBalance.class)
class FloatOldContentsTest {
    private static final int ROWS = 700;
    private static final int COLUMNS = 401;
    private static final int N = ROWS * COLUMNS;

    /** Puts memory for {@code n} elements, all of them foreign, where the next tensors take theirs from; two pieces, as some take two at a time. */
    private static void leaveForeign(int n) {
        boolean isForeign = false;
        // What was idle for a second is gone: once may be too slow.
        for (int i = 0; i < 10 && !isForeign; i++) {
            try (FloatMemory one = new FloatMemory(n); FloatMemory other = new FloatMemory(n)) {
                one.fill();
                other.fill();
            }
            try (FloatMemory next = new FloatMemory(n)) {
                isForeign = next.isForeign();
            }
        }
        assertTrue(isForeign, "what the pool keeps is not handed out with its contents: this test sees nothing");
    }

    /** Memory that was not cleared. */
    private static final class FloatMemory implements AutoCloseable {
        private final FloatBlock block;
        private final int n;

        FloatMemory(int n) {
            this.n = n;
            block = FloatBlock.uncleared(n);
        }

        void fill() {
            for (int i = 0; i < n; i++) {
                block.write(FloatValues.FOREIGN, i);
            }
        }

        boolean isForeign() {
            for (int i = 0; i < n; i++) {
                if (block.read(i) != FloatValues.FOREIGN) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public void close() {
            block.close();
        }
    }

    private static float[][] rows(float... values) {
        float[][] rows = new float[ROWS][];
        for (int i = 0; i < ROWS; i++) {
            rows[i] = Arrays.copyOfRange(values, i * COLUMNS, (i + 1) * COLUMNS);
        }
        return rows;
    }

    private static void assertCreated(FloatTensorData source) {
        float[] expected = FloatValues.all(source);
        leaveForeign(expected.length);
        try (Tensor<Float> copy = Tensors.create(source)) {
            assertArrayEquals(expected, FloatValues.all(copy.floatData()));
        }
    }

    @Test
    void copiesOfData() {
        try (Tensor<Float> tensor = FloatValues.tensor(ROWS, COLUMNS)) {
            FloatTensorData data = tensor.floatData();
            assertCreated(data);
            assertCreated(data.slice(flip(), flip()));
            assertCreated(data.slice(step(2)));
            assertCreated(data.slice(all(), excl(5, 9)));
        }
    }

    @Test
    void copiesOfTheUsersData() {
        for (String kind : FloatSources.KINDS) {
            FloatTensorData data = FloatSources.of(kind, ROWS, COLUMNS).data;
            FloatValues.fill(data);
            assertCreated(data);
            assertCreated(data.slice(flip()));
        }
    }

    @Test
    void copiesOfDataThatIsClosedMeanwhile() throws InterruptedException {
        TensorIndex[][] slices = {{}, {flip(), flip()}, {all(), excl(5, 9)}};
        for (int i = 0; i < 30; i++) {
            Tensor<Float> tensor = Tensors.denseFloat(new long[] {ROWS, COLUMNS}, data -> data.scalars().onEach(() -> FloatValues.OWN));
            FloatTensorData data = tensor.floatData().slice(slices[i % 3]);
            leaveForeign((int) data.totalSize());
            Thread closer = new Thread(tensor::close);
            closer.start();
            try (Tensor<Float> copy = Tensors.create(data)) {
                for (float value : FloatValues.all(copy.floatData())) {
                    assertTrue(value == FloatValues.OWN || value == FloatValues.ZERO, () -> "a foreign " + value);
                }
            } catch (TensorClosedException e) {
                assertTrue(tensor.isClosed());
            }
            closer.join();
        }
    }

    @Test
    void nestedArrays() {
        float[] values = FloatValues.array(0, N);
        leaveForeign(N);
        try (Tensor<Float> tensor = Tensors.ofNested(rows(values))) {
            assertArrayEquals(values, FloatValues.all(tensor.floatData()));
        }
    }

    @Test
    void nestedArraysByRows() {
        float[][] rows = rows(FloatValues.array(0, N));
        for (int i = 0; i < ROWS; i += 3) {
            rows[i] = Arrays.copyOf(rows[i], i % COLUMNS);
        }
        int n = 0;
        for (float[] row : rows) {
            n += row.length;
        }
        leaveForeign(n);
        try (RaggedTensor<Float> ragged = Tensors.raggedOfNested(rows)) {
            for (int i = 0; i < ROWS; i++) {
                assertArrayEquals(rows[i], FloatValues.all(ragged.floatData().slice(i)));
            }
        }
    }

    /** As {@link #leaveForeign}, and for coordinates memory with others, outside of any shape. */
    private static void leaveForeignForSparse(int n) {
        leaveForeign(n);
        for (int twice = 0; twice < 2; twice++) {
            LongBlock one = LongBlock.uncleared(n, 2);
            LongBlock other = LongBlock.uncleared(n, 2);
            for (int i = 0; i < 2 * n; i++) {
                one.write(Long.MAX_VALUE - i, i);
                other.write(Long.MAX_VALUE - i, i);
            }
            one.close();
            other.close();
        }
    }

    /** Every third element, some of them twice. */
    private static void assertSparse(SparseTensor<Float> sparse, float... expected) {
        assertArrayEquals(expected, FloatValues.all(sparse.floatData()));
        leaveForeign(N);
        try (Tensor<Float> dense = sparse.toDense()) {
            assertArrayEquals(expected, FloatValues.all(dense.floatData()));
        }
        long before = -1;
        LongTensorData indices = sparse.indices().longData();
        for (int i = 0; i < indices.size(0); i++) {
            long key = indices.get(i, 0) * COLUMNS + indices.get(i, 1);
            assertTrue(indices.get(i, 1) < COLUMNS && key > before && key < N, () -> "key " + key);
            before = key;
        }
    }

    private static void assertSparse(boolean ascending, int twice) {
        int distinct = N / 3;
        long[] indices = new long[2 * (distinct + twice)];
        float[] values = new float[distinct + twice];
        float[] expected = FloatValues.zeros(N);
        for (int i = 0; i < distinct + twice; i++) {
            int entry = i % distinct;
            int at = 3 * (ascending ? entry : (int) (entry * 7919L % distinct));
            indices[2 * i] = at / COLUMNS;
            indices[2 * i + 1] = at % COLUMNS;
            values[i] = FloatValues.of(i);
            expected[at] = values[i];
        }
        LongTensorData places = LongTensorData.of(indices, distinct + twice, 2);
        for (FloatTensorData stored : new FloatTensorData[] {FloatTensorData.of(values), own(values)}) {
            leaveForeignForSparse(distinct + twice);
            try (SparseTensor<Float> sparse = Tensors.sparseFloat(places, stored, ROWS, COLUMNS)) {
                assertEquals(distinct, sparse.values().size(0));
                assertSparse(sparse, expected);
            }
        }
    }

    private static FloatTensorData own(float... values) {
        FloatOwn own = FloatOwn.of(values.length);
        own.put(values);
        return own;
    }

    @Test
    void sortedAndUnsortedCoordinates() {
        assertSparse(true, 0);
        assertSparse(false, 0);
    }

    @Test
    void coordinatesThatComeTwice() {
        assertSparse(false, 2000);
    }

    @Test
    void whatIsNotZeroInDenseData() {
        float[] expected = FloatValues.zeros(N);
        for (int at = 0; at < N; at += 3) {
            expected[at] = FloatValues.FOREIGN;
        }
        FloatTensorData data = FloatTensorData.of(expected, ROWS, COLUMNS);
        leaveForeignForSparse(N / 3 + 1);
        try (SparseTensor<Float> sparse = SparseTensor.fromDense(data)) {
            assertSparse(sparse, expected);
        }
    }

    @Test
    void rowsOfValues() {
        FloatTensorData values = FloatTensorData.of(FloatValues.array(0, N));
        leaveForeign(N);
        try (RaggedTensor<Float> ragged = RaggedTensor.fromRowSplits(values, 0, 5, 5, N)) {
            assertArrayEquals(FloatValues.array(0, N), FloatValues.all(ragged.values().floatData()));
        }
    }

    @Test
    void rowsThatWerePutInAnyOrder() {
        leaveForeign(N);
        try (RaggedTensor<Float> ragged = Tensors.raggedFloat(new long[] {ROWS, -1}, data -> {
            for (int i = 0; i < ROWS; i++) {
                int row = i * 211 % ROWS;
                data.put(FloatValues.array(row * COLUMNS, COLUMNS), row);
            }
            leaveForeign(N);
        })) {
            assertArrayEquals(FloatValues.array(0, N), FloatValues.all(ragged.values().floatData()));
        }
    }

    @Test
    void copiesWithinATensor() {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {ROWS, COLUMNS}, data -> {
            FloatValues.fill(data);
            leaveForeign(N);
            data.put(data.slice(flip(), flip()));
        })) {
            float[] expected = FloatValues.array(0, N);
            for (int i = 0; i < N / 2; i++) {
                float first = expected[i];
                expected[i] = expected[N - 1 - i];
                expected[N - 1 - i] = first;
            }
            assertArrayEquals(expected, FloatValues.all(tensor.floatData()));
        }
    }
}
