package io.tensornio.internal.memory;

import static io.tensornio.internal.memory.SparseSides.BEHIND;
import static io.tensornio.internal.memory.SparseSides.direct;
import static io.tensornio.internal.memory.SparseSides.floats;
import static io.tensornio.internal.memory.SparseSides.longs;
import static io.tensornio.internal.memory.SparseSides.output;
import static io.tensornio.internal.memory.SparseSides.upTo;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.internal.sparse.NativeSparse;
import io.tensornio.support.Expect;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;

/** What the natives of sparse tensors refuse, of which nothing is written and no memory stays. */
@ExtendWith(ExactBalance.class)
class SparseNativeMisuseTest {
    private static final long[] SHAPE = {3, 4};

    @Test
    void coordinatesOutsideAreNamed() {
        LongBuffer indices = output(6);
        FloatBuffer out = floats(0, 0, 0);
        float[] values = {1, 2, 3};
        Expect.exactly(IndexOutOfBoundsException.class,
            () -> NativeSparse.build(new long[] {0, 0, 1, 4, 0, 1}, false, values, 3, SHAPE, 4, indices, out),
            "row 1", "has 4", "axis 1", "[3, 4]", "size is 4");
        Expect.exactly(IndexOutOfBoundsException.class, () -> NativeSparse.build(longs(0, 0, 1, 1, -1, 1), false, values, 3, SHAPE, 4, indices, out),
            "row 2", "has -1", "axis 0", "size is 3");
        Expect.exactly(IndexOutOfBoundsException.class, () -> NativeSparse.build(longs(0, 12, 1), true, values, 3, SHAPE, 4, indices, out),
            "row 1", "position 12", "12 elements");
        Expect.exactly(IndexOutOfBoundsException.class,
            () -> NativeSparse.build(longs(0), true, values, 1, new long[] {4, 0}, 4, indices, out), "row 0", "0 elements");
        FloatBuffer dense = floats(new float[12]);
        Expect.exactly(IndexOutOfBoundsException.class, () -> NativeSparse.toDense(longs(0, 0, 3, 0), values, 2, SHAPE, 4, dense), "row 1", "has 3");
        Expect.exactly(IndexOutOfBoundsException.class, () -> NativeSparse.toDense(longs(0, 0), values, 1, new long[] {0, 4}, 4, dense), "row 0");
        Expect.exactly(IndexOutOfBoundsException.class, () -> NativeSparse.rowPointers(longs(0, 0, 5, 0), 2, 5, output(6)), "row 1", "has 5");
    }

    @Test
    void coordinatesOutOfOrderAreRefused() {
        float[] values = {1, 2, 3};
        FloatBuffer dense = floats(new float[12]);
        Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.toDense(longs(1, 1, 0, 0), values, 2, SHAPE, 4, dense), "row 1", "order");
        Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.toDense(longs(1, 1, 1, 1), values, 2, SHAPE, 4, dense), "row 1", "order");
        Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.rowPointers(longs(1, 0, 0, 0), 2, 3, output(4)), "row 1", "order");
    }

    @Test
    void numbersThatAreNoneAreRefused() {
        LongBuffer indices = output(2);
        FloatBuffer one = floats(1);
        FloatBuffer out = floats(0);
        long[] coordinates = {0, 0};
        for (long n : new long[] {-1, Long.MIN_VALUE}) {
            Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.build(coordinates, false, one, n, SHAPE, 4, indices, out),
                "n is negative");
            Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.toDense(coordinates, one, n, SHAPE, 4, new float[12]), "n is negative");
            Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.count(one, n, 4, false), "n is negative");
            Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.fromDense(one, n, SHAPE, 4, false, indices, out), "n is negative");
            Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.rowPointers(coordinates, n, 1, indices), "n is negative");
            Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.rowPointers(coordinates, 1, n, indices), "rows is negative");
        }
        for (long[] shape : new long[][] {{-1, 4}, {3, Long.MIN_VALUE}}) {
            Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.build(coordinates, false, one, 1, shape, 4, indices, out),
                "negative size");
            Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.toDense(coordinates, one, 1, shape, 4, new float[12]), "negative size");
            Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.fromDense(one, 1, shape, 4, false, indices, out), "negative size");
        }
        long[] large = {1L << 62, 4};
        Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.build(coordinates, false, one, 1, large, 4, indices, out), "product");
        Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.fromDense(one, 1, SHAPE, 4, false, indices, out), "n is 1", "12 elements");
    }

    @Test
    void sidesThatAreTooShortAreRefused() {
        LongBuffer indices = output(4);
        FloatBuffer two = floats(1, 2);
        FloatBuffer out = floats(0, 0);
        long[] coordinates = {2, 0, 1, 0};
        boolean countable = Forked.has64Bits();         // else it is the number itself that is refused
        Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.build(new long[3], false, two, 2, SHAPE, 4, indices, out), "coordinates",
            "3");
        Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.build(new long[1], true, two, 2, SHAPE, 4, indices, out), "coordinates",
            "1");
        Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.build(coordinates, false, floats(1), 2, SHAPE, 4, indices, out), "values");
        Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.build(coordinates, false, two, 2, SHAPE, 4, longs(1, 2, 3), out),
            "outIndices");
        Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.build(coordinates, false, two, 2, SHAPE, 4, indices, floats(1)),
            "outValues");
        Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.build(coordinates, false, two, Long.MAX_VALUE, SHAPE, 4, indices, out),
            countable ? "coordinates" : "n");
        Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.build(coordinates, false, two, 2, new long[3], 4, indices, out),
            "coordinates");
        Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.build(coordinates, false, two, 2, new long[0], 4, indices, floats(0)),
            "outValues");
        Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.toDense(new long[3], two, 2, SHAPE, 4, new float[12]), "indices");
        Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.toDense(coordinates, two, 2, SHAPE, 4, new float[11]), "dense");
        Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.toDense(coordinates, two, 2, SHAPE, 4, floats(new float[11])), "dense");
        Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.count(two, 3, 4, false), "dense");
        Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.count(two, Long.MAX_VALUE, 4, false), countable ? "dense" : "n");
        Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.fromDense(new float[11], 12, SHAPE, 4, false, indices, out), "dense");
        Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.rowPointers(new long[3], 2, 3, indices), "indices");
        Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.rowPointers(coordinates, 2, 5, indices), "pointers");
        Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.rowPointers(coordinates, 2, Long.MAX_VALUE, indices),
            countable ? "pointers" : "rows");
        assertArrayEquals(new long[] {BEHIND, BEHIND, BEHIND, BEHIND}, upTo(indices, 4));
    }

    @Test
    void nothingIsWrittenBeyondAnOutputThatIsTooSmall() {
        float[] dense = new float[12];
        Arrays.fill(dense, 1);
        for (Object side : new Object[] {dense, floats(dense)}) {
            ByteBuffer all = direct(24);
            all.putInt(20, 4711);
            ByteBuffer part = all.duplicate();
            part.limit(20);
            FloatBuffer values = part.slice().order(ByteOrder.nativeOrder()).asFloatBuffer();
            Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.fromDense(side, 12, SHAPE, 4, false, output(30), values),
                "more than 5");
            assertEquals(4711, all.getInt(20));
            Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.fromDense(side, 12, SHAPE, 4, false, longs(1, 2, 3),
                floats(new float[12])),
                "more than 1");
        }
    }

    private static void refusesNull(String argument, Executable call) {
        assertEquals(argument + " is null", Expect.exactly(NullPointerException.class, call).getMessage());
    }

    @Test
    void nullsAreRefusedByName() {
        LongBuffer indices = output(2);
        FloatBuffer one = floats(1);
        FloatBuffer out = floats(0);
        long[] row = {0, 0};
        refusesNull("coordinates", () -> NativeSparse.build(null, false, one, 1, SHAPE, 4, indices, out));
        refusesNull("values", () -> NativeSparse.build(row, false, null, 1, SHAPE, 4, indices, out));
        refusesNull("shape", () -> NativeSparse.build(row, false, one, 1, null, 4, indices, out));
        refusesNull("outIndices", () -> NativeSparse.build(row, false, one, 1, SHAPE, 4, null, out));
        refusesNull("outValues", () -> NativeSparse.build(row, false, one, 1, SHAPE, 4, indices, null));
        refusesNull("indices", () -> NativeSparse.toDense(null, one, 1, SHAPE, 4, out));
        refusesNull("values", () -> NativeSparse.toDense(row, null, 1, SHAPE, 4, out));
        refusesNull("shape", () -> NativeSparse.toDense(row, one, 1, null, 4, out));
        refusesNull("dense", () -> NativeSparse.toDense(row, one, 1, SHAPE, 4, null));
        refusesNull("dense", () -> NativeSparse.count(null, 1, 4, false));
        refusesNull("dense", () -> NativeSparse.fromDense(null, 1, SHAPE, 4, false, indices, out));
        refusesNull("shape", () -> NativeSparse.fromDense(one, 1, null, 4, false, indices, out));
        refusesNull("outIndices", () -> NativeSparse.fromDense(one, 1, SHAPE, 4, false, null, out));
        refusesNull("outValues", () -> NativeSparse.fromDense(one, 1, SHAPE, 4, false, indices, null));
        refusesNull("indices", () -> NativeSparse.rowPointers(null, 1, 1, indices));
        refusesNull("pointers", () -> NativeSparse.rowPointers(row, 1, 1, null));
    }

    @Test
    void sidesOfAnotherKindAreRefused() {
        LongBuffer indices = output(2);
        FloatBuffer one = floats(1);
        FloatBuffer out = floats(0);
        long[] row = {0, 0};
        for (Object bad : new Object[] {"text", 1L, new int[2], new float[2][2], direct(64), LongBuffer.allocate(4), floats(1, 2)}) {
            Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.build(bad, false, one, 1, SHAPE, 4, indices, out), "coordinates");
            Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.build(row, false, one, 1, SHAPE, 4, bad, out), "outIndices");
            Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.rowPointers(bad, 1, 1, indices), "indices");
            Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.rowPointers(row, 1, 1, bad), "pointers");
        }
        for (Object bad : new Object[] {"text", new short[2], new double[2], direct(64), FloatBuffer.allocate(4), longs(1)}) {
            Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.build(row, false, bad, 1, SHAPE, 4, indices, out), "values");
            Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.build(row, false, one, 1, SHAPE, 4, indices, bad), "outValues");
            Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.toDense(row, one, 1, SHAPE, 4, bad), "dense");
            Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.count(bad, 1, 4, false), "dense");
        }
        for (int bytes : new int[] {0, -4, 3, 5, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.build(row, false, one, 1, SHAPE, bytes, indices, out), "values");
            Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.count(one, 1, bytes, false), "dense");
        }
        Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.build(row, false, one, 1, SHAPE, 4, new long[2], out), "outIndices",
            "array");
        Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.build(row, false, one, 1, SHAPE, 4, indices, new float[1]), "outValues",
            "array");
        Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.fromDense(new float[12], 12, SHAPE, 4, false, new long[2], out),
            "outIndices",
            "array");
        Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.toDense(row, one, 1, SHAPE, 4, new float[12]), "dense", "array");
        Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.rowPointers(row, 1, 1, new long[2]), "pointers", "array");
    }

    @Test
    void outputsMustNotOverlap() {
        LongBuffer indices = output(4);
        FloatBuffer two = floats(1, 2);
        LongBuffer coordinates = longs(1, 1, 0, 0);
        Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.build(coordinates, false, two, 2, SHAPE, 4, coordinates, floats(0, 0)),
            "outIndices overlaps coordinates");
        Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.build(coordinates, false, two, 2, SHAPE, 4, indices, two),
            "outValues overlaps values");
        ByteBuffer bytes = direct(64);
        Expect.exactly(IllegalArgumentException.class,
            () -> NativeSparse.build(coordinates, false, two, 2, SHAPE, 4, bytes.asLongBuffer(), bytes.asFloatBuffer()),
            "outIndices overlaps outValues");
        Expect.exactly(IllegalArgumentException.class,
            () -> NativeSparse.toDense(longs(0, 0), bytes.asFloatBuffer(), 1, SHAPE, 4, bytes.asFloatBuffer()),
            "dense overlaps values");
        Expect.exactly(IllegalArgumentException.class, () -> NativeSparse.rowPointers(coordinates, 2, 3, coordinates), "pointers overlaps indices");
        assertEquals(1, coordinates.get(0));
    }

    @Test
    void intermediateResultsBeyondTheBudgetAreAnError() {
        int n = 1 << 16;
        long[] positions = new long[n];
        for (int i = 0; i < n; i++) {
            positions[i] = n - 1 - i;
        }
        long[] numbers = new long[8];
        NativeMemory.memory(numbers);
        LongBuffer indices = output(n);
        ByteBuffer values = direct(n);
        NativeMemory.setMaxMemory(1);
        try {
            Expect.exactly(OutOfMemoryError.class, () -> NativeSparse.build(positions, true, new byte[n], n, new long[] {n}, 1, indices, values),
                "limit");
            LongBuffer coordinates = longs(positions);
            Expect.exactly(OutOfMemoryError.class, () -> NativeSparse.build(coordinates, true, direct(n), n, new long[] {n}, 1, indices, values),
                "limit");
        } finally {
            NativeMemory.setMaxMemory(numbers[5]);
        }
        assertEquals(n, NativeSparse.build(positions, true, new byte[n], n, new long[] {n}, 1, indices, values));
        assertEquals(0, indices.get(0));
        assertEquals(n - 1, indices.get(n - 1));
    }
}
