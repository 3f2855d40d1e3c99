package io.tensornio.internal.data;

import io.tensornio.FloatTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.internal.element.FloatBlock;
import io.tensornio.internal.element.FloatElement;
import io.tensornio.internal.element.LongBlock;
import io.tensornio.internal.layout.OpenCheck;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.sparse.NativeSparse;
import io.tensornio.internal.sparse.Sparse;
import io.tensornio.internal.sparse.SparseBuild;
import io.tensornio.internal.sparse.SparseBuilder;
import java.util.Arrays;
import java.util.ConcurrentModificationException;
import java.util.Objects;

/** Makes sparse {@code float} elements from data. */
public final class FloatSparseTensors {
    private FloatSparseTensors() {
    }

    /**
     * Sparse elements from coordinates in any order; of duplicates the last is kept.
     *
     * @param indices the coordinates, (n, rank)
     * @param values the elements, (n)
     * @param denseShape the sizes
     * @return the elements, for the caller to close
     */
    public static FloatSparse of(LongTensorData indices, FloatTensorData values, long... denseShape) {
        Objects.requireNonNull(indices, "indices");
        Objects.requireNonNull(values, "values");
        Objects.requireNonNull(denseShape, "denseShape");
        OpenCheck.check(indices);
        OpenCheck.check(values);
        long[] shape = Shapes.checkSparse(denseShape);
        long[] indicesShape = indices.shape().clone();
        long[] valuesShape = values.shape().clone();
        Sparse.checkParts(indicesShape, valuesShape, shape);
        int n = (int) Math.min(valuesShape[0], Integer.MAX_VALUE);          // more do not fit anyway
        return make(shape, n, (outIndices, outValues) -> {
            try (StridedOperand coordinates = LongCopies.contiguous(indices, indicesShape);
                StridedOperand elements = FloatCopies.contiguous(values, valuesShape)) {
                return SparseBuild.run(coordinates.memory(), false, elements.memory(), n, shape, FloatElement.BYTES, outIndices.wr, outValues.wr);
            }
        });
    }

    /**
     * Sparse elements from dense data, without zeros, including -0.0.
     *
     * @param data the data
     * @return the elements, for the caller to close
     */
    public static FloatSparse of(FloatTensorData data) {
        Objects.requireNonNull(data, "data");
        OpenCheck.check(data);
        long[] shape = Shapes.checkSparse(data.shape());
        if (FloatSparseEntries.has(data)) {
            return ofSparse(data, shape);
        }
        Shapes.checkDense(shape, FloatElement.TYPE, FloatElement.BYTES);            // the elements are counted and copied in dense form
        long total = Shapes.product(shape);
        try (StridedOperand dense = FloatCopies.contiguous(data, shape)) {
            int n = (int) NativeSparse.count(dense.memory(), total, FloatElement.BYTES, FloatElement.IS_FLOATING);
            return make(shape, n, (outIndices, outValues) -> {
                try {
                    return NativeSparse.fromDense(dense.memory(), total, shape, FloatElement.BYTES, FloatElement.IS_FLOATING, outIndices.wr,
                        outValues.wr);
                } catch (IllegalArgumentException e) {          // thrown only if the output is too small
                    throw new ConcurrentModificationException("another thread writes the data of shape " + Arrays.toString(shape)
                        + " that is being copied: " + n + (n == 1 ? " element was" : " elements were") + " not zero, now there are more", e);
                }
            });
        }
    }

    private static FloatSparse ofSparse(FloatTensorData data, long... shape) {
        int n = 0;
        try (FloatSparseEntries entries = FloatSparseEntries.of(data)) {
            while (n <= SparseBuilder.MOST_VALUES && entries.next()) {
                n += FloatElement.isZero(entries.value()) ? 0 : 1;      // may overflow for a view with repeated positions
            }
        }
        FloatSparseBuilder filling = new FloatSparseBuilder(shape, n);
        try (FloatSparseEntries entries = FloatSparseEntries.of(data)) {
            while (entries.next()) {
                if (!FloatElement.isZero(entries.value())) {
                    filling.write(entries.value(), entries.number());
                }
            }
            return filling.publish();
        } catch (Throwable e) {
            filling.close();
            throw e;
        }
    }

    /** Writes sorted entries, and returns their number. */
    interface Sorting {
        long sort(LongBlock outIndices, FloatBlock outValues);
    }

    /** Sparse elements with a capacity of {@code n}, trimmed to the number written. */
    static FloatSparse make(long[] shape, int n, Sorting sorting) {
        LongBlock indices = LongBlock.uncleared(n, shape.length);
        FloatBlock values = null;
        int distinct;
        try {
            values = FloatBlock.uncleared(n);
            distinct = (int) sorting.sort(indices, values);
            if (distinct == n) {
                return new FloatSparse(shape, indices, values);
            }
        } catch (Throwable e) {
            indices.close();
            if (values != null) {
                values.close();
            }
            throw e;
        }
        try {
            LongData someIndices = LongStrided.of(indices).part(0, distinct);
            FloatData someValues = FloatStrided.of(values).part(0, distinct);
            return make(shape, distinct, (outIndices, outValues) -> {
                LongCopies.copyDisjoint(someIndices, LongStrided.of(outIndices));
                FloatCopies.copyDisjoint(someValues, FloatStrided.of(outValues));
                return distinct;
            });
        } finally {
            indices.close();
            values.close();
        }
    }
}
