package io.tensornio.internal.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.BooleanTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorIterator;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
import io.tensornio.support.FloatValues;
import io.tensornio.support.Seeds;
import java.util.NoSuchElementException;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Equality, hashes and iterators of views of pieces against those of arrays, whose elements are read one by one. */
class FloatPiecesTest {
    private static FloatTensorData some(Random random, long... shape) {
        int n = 1;
        for (long size : shape) {
            n *= (int) size;
        }
        float[] values = new float[n];
        for (int i = 0; i < n; i++) {
            values[i] = FloatValues.of(random.nextInt(1000));
        }
        FloatTensorData data = FloatTensorData.of(values, shape);
        switch (random.nextInt(4)) {
            case 0:
                return data.flip();
            case 1:
                return shape.length == 2 ? FloatTensorData.of(values, shape[1], shape[0]).transpose() : data;
            default:
                return data;
        }
    }

    /** A view of pieces of any kind, of any depth, with a slice, a permutation or a flip over it at times. */
    private static FloatTensorData view(Random random, int depth, long rows, long columns) {
        if (depth == 0 || rows == 0 || columns == 0) {
            return some(random, rows, columns);
        }
        long row = random.nextInt((int) rows + 1);
        long column = random.nextInt((int) columns + 1);
        switch (random.nextInt(9)) {
            case 0:
                return FloatTensorData.concat(0, view(random, depth - 1, row, columns), view(random, depth - 1, rows - row, columns));
            case 1:
                return FloatTensorData.concat(1, view(random, depth - 1, rows, column), view(random, depth - 1, rows, columns - column));
            case 2:
                return view(random, depth - 1, row, column).pad(new long[] {rows - row, 0}, new long[] {0, columns - column}, FloatValues.of(7));
            case 3:
                return columns % 2 == 0 ? view(random, depth - 1, rows, columns / 2).tile(1, 2) : view(random, depth - 1, 1, columns).tile(rows, 1);
            case 4:
                return columns % 3 == 0 ? view(random, depth - 1, rows, columns / 3).repeat(1, 3)
                    : view(random, depth - 1, rows, 1).repeat(1, columns);
            case 5:
                boolean[] chosen = new boolean[(int) (rows * columns)];
                for (int i = 0; i < chosen.length; i++) {
                    chosen[i] = random.nextBoolean();
                }
                return FloatTensorData.where(BooleanTensorData.of(chosen, rows, columns), view(random, depth - 1, rows, columns),
                    view(random, depth - 1, rows, columns));
            case 6:
                return view(random, depth - 1, columns, rows).transpose();
            case 7:
                return view(random, depth - 1, rows + 3, columns).slice(TensorIndex.range(1, rows + 1)).slice(TensorIndex.flip());
            default:
                FloatTensorData[] parts = new FloatTensorData[(int) columns];
                for (int n = 0; n < parts.length; n++) {
                    parts[n] = n % 5 == 1 ? FloatTensorData.constant(FloatValues.of(3), rows) : some(random, rows);
                }
                return FloatTensorData.stack(1, parts);
        }
    }

    /** The same elements in an array, each read by its indices. */
    private static FloatTensorData naive(FloatTensorData view) {
        int rows = (int) view.size(0);
        int columns = (int) view.size(1);
        float[] values = new float[rows * columns];
        for (int n = 0; n < values.length; n++) {
            values[n] = view.get(n / columns, n % columns);
        }
        return FloatTensorData.of(values, rows, columns);
    }

    @Test
    void everyViewIsWhatItsElementsAre() {
        Seeds.each(1, 300, (random, done) -> {
            long rows = random.nextInt(40);
            long columns = 1 + random.nextInt(random.nextInt(10) == 0 ? 900 : 30);
            FloatTensorData view = view(random, random.nextInt(4), rows, columns);
            FloatTensorData naive = naive(view);
            assertEquals(naive, view);
            assertEquals(view, naive);
            assertEquals(naive.hashCode(), view.hashCode());
            FloatTensorIterator expected = naive.scalars();
            FloatTensorIterator actual = view.scalars();
            while (expected.hasMoreElements()) {
                assertTrue(actual.hasMoreElements());
                assertEquals(expected.get(), actual.get());
            }
            assertFalse(actual.hasMoreElements());
            assertThrows(NoSuchElementException.class, actual::get);
            if (view.totalSize() > 0) {
                Tensor<?> copy = Tensors.create(naive);
                try (Tensor<?> own = copy) {
                    assertEquals(own.data(), view);
                    assertEquals(view, own.data());
                }
                float[] values = new float[(int) naive.totalSize()];
                naive.copyTo(values);
                int at = random.nextInt(values.length);
                values[at] = FloatValues.of(values[at] == FloatValues.of(1) ? 0 : 1);
                FloatTensorData other = FloatTensorData.of(values, rows, columns);
                assertNotEquals(other, view);
                assertNotEquals(view, other);
            }
        });
    }

    /** Elements that change while they are iterated over are read as they are then. */
    @Test
    void anIteratorReadsWhatIsThere() {
        float[] values = new float[200];
        FloatTensorData part = FloatTensorData.of(values, 200);
        FloatTensorIterator scalars = FloatTensorData.concat(0, part, part).scalars();
        for (int n = 0; n < 400; n++) {
            values[n % 200] = FloatValues.of(n < 200 ? 1 : 0);
            assertEquals(values[n % 200], scalars.get());
        }
    }

    @Test
    void aTensorThatIsClosedMeanwhileIsTold() {
        Tensor<?> tensor = Tensors.create(FloatTensorData.constant(FloatValues.of(1), 100));
        FloatTensorData data = (FloatTensorData) tensor.data();
        FloatTensorData both = FloatTensorData.concat(0, data, data);
        FloatTensorIterator scalars = both.scalars();
        scalars.get();
        tensor.close();
        assertThrows(TensorClosedException.class, scalars::get);
        assertThrows(TensorClosedException.class, both::hashCode);
        assertThrows(TensorClosedException.class, () -> both.equals(FloatTensorData.constant(FloatValues.of(1), 200)));
    }

    /** Pieces of pieces, deeper than stacks are. */
    @Test
    void deepViewsTakeNoMoreStack() {
        FloatTensorData view = some(new Random(1), 1, 70);
        for (int n = 0; n < 3000; n++) {
            view = n % 2 == 0 ? view.pad(new long[] {0, 1}, new long[] {0, 0}) : view.slice(TensorIndex.all(), TensorIndex.range(1, 71));
        }
        FloatTensorData naive = naive(view);
        assertEquals(naive, view);
        assertEquals(naive.hashCode(), view.hashCode());
        FloatTensorIterator scalars = view.scalars();
        for (int n = 0; n < 70; n++) {
            assertEquals(naive.get(0, n), scalars.get());
        }
    }
}
