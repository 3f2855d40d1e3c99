package io.tensornio;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.support.Expect;
import org.junit.jupiter.api.Test;

/** Layouts of tensors that need not be in row-major order. */
class TensorLayoutTest {
    private static final Class<IllegalArgumentException> BAD = IllegalArgumentException.class;

    private static long[] of(long... numbers) {
        return numbers;
    }

    @Test
    void stridesOfBothOrders() {
        assertArrayEquals(of(6, 2, 1), TensorLayout.rowMajor(5, 3, 2).strides());
        assertArrayEquals(of(1, 5, 15), TensorLayout.columnMajor(5, 3, 2).strides());
        assertArrayEquals(of(8, 1), TensorLayout.rowMajor(of(2, 5), of(3, 8)).strides());
        assertArrayEquals(of(1, 3), TensorLayout.columnMajor(of(2, 5), of(3, 8)).strides());
        assertArrayEquals(of(2, 1, 1), TensorLayout.rowMajor(0, 2, 0).strides());
    }

    @Test
    void extentCountsPaddingOnlyWhereThereIsAny() {
        assertEquals(30, TensorLayout.rowMajor(5, 3, 2).extent());
        assertEquals(24, TensorLayout.rowMajor(of(2, 5), of(3, 8)).extent());
        assertEquals(1, TensorLayout.rowMajor().extent());
        assertEquals(0, TensorLayout.rowMajor(3, 0).extent());
        assertEquals(8, TensorLayout.strided(of(2, 2), of(-2, 5), 2).extent());
        assertEquals(0, TensorLayout.strided(of(2, 0), of(9, 9), 5).extent());
        assertEquals(5, TensorLayout.strided(of(), of(), 4).extent());
    }

    @Test
    void alignedRowsBeginAtMultiples() {
        TensorLayout rows = TensorLayout.rowMajor(5, 3, 2).alignedTo(64, DataType.FLOAT);
        assertArrayEquals(of(48, 16, 1), rows.strides());
        assertArrayEquals(of(5, 3, 16), rows.sizes());
        assertArrayEquals(of(5, 3, 2), rows.shape());
        assertEquals(240, rows.extent());
        assertArrayEquals(of(1, 8, 24), TensorLayout.columnMajor(5, 3, 2).alignedTo(64, DataType.DOUBLE).strides());
        assertArrayEquals(of(6, 2, 1), TensorLayout.rowMajor(5, 3, 2).alignedTo(2, DataType.DOUBLE).strides());
        assertArrayEquals(of(48, 16, 1), TensorLayout.strided(of(5, 3, 2), of(6, 2, 1), 0).alignedTo(64, DataType.FLOAT).strides());
        assertEquals(rows, rows.alignedTo(64, DataType.FLOAT));
        assertEquals(TensorLayout.rowMajor(), TensorLayout.rowMajor().alignedTo(64, DataType.FLOAT));
        Expect.thrown(BAD, () -> rows.alignedTo(48, DataType.FLOAT), "48", "power of two");
        Expect.thrown(BAD, () -> rows.alignedTo(0, DataType.FLOAT), "0", "power of two");
        Expect.thrown(BAD, () -> rows.alignedTo(64, DataType.STRING), "STRING");
        Expect.thrown(BAD, () -> TensorLayout.strided(of(2, 2), of(4, 2), 0).alignedTo(64, DataType.FLOAT), "[4, 2]");
        Expect.thrown(BAD, () -> TensorLayout.strided(of(2, 2), of(2, 1), 1).alignedTo(64, DataType.FLOAT), "offset 1");
        Expect.thrown(BAD, () -> TensorLayout.rowMajor(Long.MAX_VALUE).alignedTo(64, DataType.FLOAT), "more elements");
    }

    @Test
    void positionsAreCheckedAgainstTheShape() {
        TensorLayout padded = TensorLayout.rowMajor(of(2, 5), of(3, 8));
        assertEquals(12, padded.position(1, 4));
        Class<IndexOutOfBoundsException> outside = IndexOutOfBoundsException.class;
        Expect.thrown(outside, () -> padded.position(1, 5), "index 5 of [1, 5]", "axis 1 of size 5", "[2, 5]");
        Expect.thrown(outside, () -> padded.position(-1, 0), "index -1");
        Expect.thrown(outside, () -> padded.position(1), "1 indices [1]", "rank 2");
        assertEquals(7, TensorLayout.strided(of(3), of(-2), 9).position(1));
    }

    @Test
    void contiguousIsRowMajorOrderAtAnyOffset() {
        assertTrue(TensorLayout.rowMajor(2, 3).isContiguous());
        assertTrue(TensorLayout.strided(of(2, 3), of(3, 1), 7).isContiguous());
        assertFalse(TensorLayout.columnMajor(2, 3).isContiguous());
        assertFalse(TensorLayout.rowMajor(of(2, 3), of(2, 4)).isContiguous());
        assertTrue(TensorLayout.rowMajor(of(2, 3), of(3, 3)).isContiguous());
    }

    @Test
    void equalityIgnoresWhatMeansNothing() {
        assertEquals(TensorLayout.rowMajor(5, 1), TensorLayout.columnMajor(5, 1));
        assertEquals(TensorLayout.rowMajor(5, 1).hashCode(), TensorLayout.columnMajor(5, 1).hashCode());
        assertEquals(TensorLayout.strided(of(0, 2), of(7, 7), 3), TensorLayout.rowMajor(0, 2));
        assertNotEquals(TensorLayout.rowMajor(2, 3), TensorLayout.columnMajor(2, 3));
        assertNotEquals(TensorLayout.rowMajor(2, 3), TensorLayout.rowMajor(of(2, 3), of(3, 3)));
        assertNotEquals(TensorLayout.rowMajor(2, 3), TensorLayout.strided(of(2, 3), of(3, 1), 1));
    }

    @Test
    void badLayoutsAreRefused() {
        Expect.thrown(BAD, () -> TensorLayout.rowMajor(2, -1), "[2, -1]", "negative");
        Expect.thrown(BAD, () -> TensorLayout.rowMajor(of(2, 5), of(2, 4)), "size 4", "axis 1", "[2, 5]");
        Expect.thrown(BAD, () -> TensorLayout.rowMajor(of(2, 5), of(2)), "1 sizes [2]", "rank 2");
        Expect.thrown(BAD, () -> TensorLayout.rowMajor(of(2, 2), of(2, Long.MAX_VALUE)), "more elements than a long");
        Expect.thrown(BAD, () -> TensorLayout.strided(of(2, 2), of(1), 0), "1 strides [1]", "rank 2");
        Expect.thrown(BAD, () -> TensorLayout.strided(of(2), of(1), -1), "offset -1", "negative");
        Expect.thrown(BAD, () -> TensorLayout.strided(of(3), of(-2), 3), "[-2]", "offset 3", "negative");
        Expect.thrown(BAD, () -> TensorLayout.strided(of(3), of(Long.MAX_VALUE), 3), "more than a long");
        Expect.thrown(BAD, () -> TensorLayout.strided(of(2), of(Long.MAX_VALUE), 0), "more than a long");
    }

    @Test
    void layoutsCopyTheirArrays() {
        long[] shape = {2, 3};
        TensorLayout layout = TensorLayout.rowMajor(shape);
        shape[0] = 9;
        layout.shape()[0] = 9;
        layout.sizes()[0] = 9;
        layout.strides()[0] = 9;
        assertEquals(TensorLayout.rowMajor(2, 3), layout);
    }
}
