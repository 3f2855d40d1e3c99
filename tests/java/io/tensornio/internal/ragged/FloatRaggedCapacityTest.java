package io.tensornio.internal.ragged;

import static io.tensornio.internal.ragged.FloatRaggedRows.with;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.MemoryStats;
import io.tensornio.RaggedTensor;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;

/**
 * The capacity of rows of {@code float}; and more rows, or longer ones, than there can be: the error says what was asked and what is possible, and
 * nothing grows.
 */
@ExtendWith(MemoryBalance.class)
class FloatRaggedCapacityTest {
    private static float[] array(int from, int n) {
        return FloatValues.array(from, n);
    }

    private static void refused(Executable call, String... says) {
        Expect.thrown(OutOfMemoryError.class, call, says);
    }

    // ---- What exceeds the heap -------------------------------------------------------------------------------------

    @Test
    void moreRowsThanCanBeNumbered() {
        refused(() -> Tensors.raggedFloat(new long[] {1L << 40, -1}, data -> fail()), "1099511627776 rows", "[1099511627776, -1]",
            "there can be 2147483639");
        refused(() -> Tensors.raggedFloat(new long[] {1 << 16, 1 << 16, -1}, data -> fail()), "4294967296 rows", "[65536, 65536, -1]", "2147483639");
        Tensors.raggedFloat(new long[] {1, -1, -1}, data -> {
            data.put(FloatValues.of(1), 0, 2, 0);
            refused(() -> data.put(FloatValues.of(2), 0, Integer.MAX_VALUE, 0), "2147483648 rows", "[1, -1, -1]", "there can be 2147483639");
            assertEquals(3, data.slice(0).size(0));
        }).close();
        Tensors.raggedFloat(new long[] {1, -1, 1L << 40, -1}, data -> {
            refused(() -> data.put(FloatValues.of(2), 0, 0, 0, 0), "1099511627776 rows", "[1, -1, 1099511627776, -1]", "there can be 2147483639");
            refused(() -> data.put(FloatValues.of(2), 0, 1 << 25, 0, 0), "more than 9223372036854775807 rows", "[1, -1, 1099511627776, -1]",
                "there can be 2147483639");
            assertEquals(0, data.slice(0).size(0));
        }).close();
    }

    @Test
    void moreRowsThanTheHeapCanHold() {
        refused(() -> Tensors.raggedFloat(new long[] {400_000_000, -1}, data -> fail()), "400000000 rows", "[400000000, -1]",
            "4800000000 bytes of heap");
        try (RaggedTensor<Float> tensor = Tensors.raggedFloat(new long[] {2, -1, -1}, data -> {
            data.put(FloatValues.of(1), 0, 2, 0);
            // The heap cannot even hold the numbers of the rows, or can hold these but not the rows.
            refused(() -> data.put(FloatValues.of(2), 1, 400_000_000, 0), "400000004 rows", "[2, -1, -1]", "4800000048 bytes of heap");
            refused(() -> data.put(FloatValues.of(2), 1, 80_000_000, 0), "80000004 rows", "[2, -1, -1]", "960000048 bytes of heap");
            assertEquals(0, data.slice(1).size(0));
            data.put(FloatValues.of(3), 1, 10_000, 0);
        })) {
            assertArrayEquals(new float[] {FloatValues.of(1), FloatValues.of(3)}, FloatValues.all(tensor.floatData()));
        }
    }

    @Test
    void longerRowsThanOneTensorHasBytesFor() {
        refused(() -> Tensors.raggedFloat(new long[] {1, -1, 1L << 31}, data -> fail()), "2147483648 elements in one position", "[1, -1, 2147483648]",
            "there can be 2147483639");
        try (RaggedTensor<Float> tensor = Tensors.raggedFloat(new long[] {2, -1}, data -> {
            data.put(FloatValues.of(1), 0, 0);
            refused(() -> data.put(FloatValues.of(2), 0, Integer.MAX_VALUE), "row of 2147483648 positions", "[2, -1]", "2147483647 bytes");
            refused(() -> data.slice(0).put(FloatValues.of(2), Integer.MAX_VALUE), "row of 2147483648 positions", "[2, -1]", "2147483647 bytes");
            data.put(FloatValues.of(3), 0, 1);
        })) {
            assertArrayEquals(new float[] {FloatValues.of(1), FloatValues.of(3)}, FloatValues.all(tensor.floatData()));
        }
        Tensors.raggedFloat(new long[] {1, -1, 1 << 20}, data -> {
            refused(() -> data.put(FloatValues.of(2), 0, 2047, 0), "row of 2048 positions", "[1, -1, 1048576]", "2147483647 bytes");
            assertEquals(0, data.totalSize());
        }).close();
    }

    // ---- What rows take --------------------------------------------------------------------------------------------

    @Test
    void roomOfRowsThatBecameShorterIsUsedAgain() {
        int rows = 60;
        int n = 3000;
        long before = MemoryStats.current().bytesInUse();
        with(new long[] {rows, -1}, data -> {
            for (int round = 0; round < 3; round++) {
                for (int i = 0; i < rows; i++) {
                    data.put(array(i, n), i);
                    data.put(array(i + round, 2), i);
                }
            }
            FloatTensorData row = data.slice(7);
            data.put(array(0, n), 8);
            // Without that it would be all rows at their longest.
            long most = 4L * n * DataType.FLOAT.byteSize() + 4096;
            long now = MemoryStats.current().bytesInUse() - before;
            assertTrue(now <= most, () -> now + " bytes, " + most + " expected");
            assertArrayEquals(array(9, 2), FloatValues.all(row));
            assertEquals(2L * (rows - 1) + n, data.totalSize());
        }, tensor -> {
            for (int i = 0; i < rows; i++) {
                assertArrayEquals(i == 8 ? array(0, n) : array(i + 2, 2), FloatValues.all(tensor.floatData().slice(i)));
            }
        });
    }

    @Test
    void elementsInAnyOrderTakeFourTimesTheirMemoryAtMost() {
        int rows = 1000;
        int n = 20;
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < rows * n; i++) {
            order.add(i);
        }
        Collections.shuffle(order, new Random(3));
        long before = MemoryStats.current().bytesInUse();
        with(new long[] {rows, -1}, data -> {
            for (int p : order) {
                data.put(FloatValues.of(p % 100), p / n, p % n);
            }
            long most = 4L * rows * n * DataType.FLOAT.byteSize();
            assertTrue(MemoryStats.current().bytesInUse() - before <= most,
                () -> (MemoryStats.current().bytesInUse() - before) + " bytes, " + most + " expected");
            assertEquals(rows * n, data.totalSize());
        }, tensor -> {
            for (int p : order) {
                assertEquals(FloatValues.of(p % 100), tensor.floatData().get(p / n, p % n));
            }
        });
    }

    @Test
    void columnAfterColumnTakesNoMoreMemoryThanDoublingDoes() {
        int n = 2000;
        long before = MemoryStats.current().bytesInUse();
        with(new long[] {50, -1}, data -> {
            for (int j = 0; j < n; j++) {
                for (int i = 0; i < 50; i++) {
                    data.put(FloatValues.of(i + j), i, j);
                }
            }
            long most = 50L * n * DataType.FLOAT.byteSize() * 8;
            assertTrue(MemoryStats.current().bytesInUse() - before <= most,
                () -> (MemoryStats.current().bytesInUse() - before) + " bytes, " + most + " expected");
        }, tensor -> {
            for (int i = 0; i < 50; i++) {
                assertArrayEquals(array(i, n), FloatValues.all(tensor.floatData().slice(i)));
            }
        });
    }

    /** The memory that rows are put to is not cleared before. */
    @Test
    void zerosInMemoryThatWasUsedBefore() {
        int n = 100_000;
        for (int round = 0; round < 3; round++) {
            with(new long[] {2, -1}, data -> data.put(array(1, n), 0), tensor -> assertEquals(n, tensor.numElements()));
            with(new long[] {3, -1}, data -> {
                data.put(FloatValues.of(1), 0, n / 2);
                data.put(array(1, 2), 2);
                data.put(FloatValues.of(5), 2, n / 4);
            }, tensor -> {
                float[] first = FloatValues.all(tensor.floatData().slice(0));
                assertEquals(n / 2 + 1, first.length);
                for (int j = 0; j < n / 2; j++) {
                    assertEquals(FloatValues.ZERO, first[j]);
                }
                float[] last = FloatValues.all(tensor.floatData().slice(2));
                assertEquals(n / 4 + 1, last.length);
                for (int j = 2; j < n / 4; j++) {
                    assertEquals(FloatValues.ZERO, last[j]);
                }
            });
        }
    }
}
