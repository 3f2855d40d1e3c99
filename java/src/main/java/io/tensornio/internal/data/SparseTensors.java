package io.tensornio.internal.data;

import io.tensornio.LongTensorData;
import io.tensornio.TensorData;
import io.tensornio.internal.element.LongBlock;
import io.tensornio.internal.layout.OpenCheck;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.memory.Block;
import io.tensornio.internal.sparse.NativeSparse;
import io.tensornio.internal.sparse.Sparse;
import io.tensornio.internal.sparse.SparseBuild;
import io.tensornio.internal.sparse.SparseBuilder;
import java.util.Arrays;
import java.util.ConcurrentModificationException;
import java.util.Objects;

/** Makes sparse elements from data. */
final class SparseTensors {
    private SparseTensors() {
    }

    /**
     * Sparse elements from coordinates in any order; of duplicates the last is kept.
     *
     * @param carrier that of the elements
     * @param indices the coordinates, (n, rank)
     * @param values the elements, (n)
     * @param denseShape the sizes
     * @return the elements, for the caller to close
     */
    static <D extends TensorData<D>, A> Sparse of(PrimitiveCarrier<D, A> carrier, LongTensorData indices, D values, long... denseShape) {
        Objects.requireNonNull(indices, "indices");
        Objects.requireNonNull(values, "values");
        Objects.requireNonNull(denseShape, "denseShape");
        DataIndices.checkSigned(indices);
        OpenCheck.check(indices);
        OpenCheck.check(values);
        long[] shape = Shapes.checkSparse(denseShape);
        long[] indicesShape = indices.shape().clone();
        long[] valuesShape = values.shape().clone();
        Sparse.checkParts(indicesShape, valuesShape, shape);
        int n = (int) Math.min(valuesShape[0], Integer.MAX_VALUE);          // more do not fit anyway
        return make(carrier, shape, n, (outIndices, outValues) -> {
            try (StridedOperand coordinates = Copies.contiguous(LongCarrier.INT64, indices, indicesShape);
                StridedOperand elements = Copies.contiguous(carrier, values, valuesShape)) {
                return SparseBuild.run(coordinates.memory(), false, elements.memory(), n, shape, carrier.bytes, outIndices.wr,
                    carrier.buffer(outValues, true));
            }
        });
    }

    /**
     * Sparse elements from dense data, without zeros, including -0.0.
     *
     * @param carrier that of the elements
     * @param data the data
     * @return the elements, for the caller to close
     */
    static <D extends TensorData<D>, A> Sparse of(PrimitiveCarrier<D, A> carrier, D data) {
        Objects.requireNonNull(data, "data");
        OpenCheck.check(data);
        long[] shape = Shapes.checkSparse(data.shape());
        if (OwnData.isSparse(data)) {
            return ofSparse(carrier, data, shape);
        }
        Shapes.checkDense(shape, carrier.type, carrier.bytes);            // the elements are counted and copied in dense form
        long total = Shapes.product(shape);
        try (StridedOperand dense = Copies.contiguous(carrier, data, shape)) {
            int n = (int) NativeSparse.count(dense.memory(), total, carrier.bytes, carrier.isFloating);
            return make(carrier, shape, n, (outIndices, outValues) -> {
                try {
                    return NativeSparse.fromDense(dense.memory(), total, shape, carrier.bytes, carrier.isFloating, outIndices.wr,
                        carrier.buffer(outValues, true));
                } catch (IllegalArgumentException e) {          // thrown only if the output is too small
                    throw new ConcurrentModificationException("another thread writes the data of shape " + Arrays.toString(shape)
                        + " that is being copied: " + n + (n == 1 ? " element was" : " elements were") + " not zero, now there are more", e);
                }
            });
        }
    }

    private static <D extends TensorData<D>, A> Sparse ofSparse(PrimitiveCarrier<D, A> carrier, D data, long... shape) {
        int n = 0;
        try (SparseEntries entries = SparseEntries.of(data)) {
            while (n <= SparseBuilder.MOST_VALUES && entries.next()) {
                n += carrier.isZero(entries.source(), entries.at()) ? 0 : 1;      // may overflow for a view with repeated positions
            }
        }
        SparseBuilder filling = carrier.sparseBuilder(shape, n);
        try (SparseEntries entries = SparseEntries.of(data)) {
            while (entries.next()) {
                if (!carrier.isZero(entries.source(), entries.at())) {
                    carrier.copyOne(entries.source(), entries.at(), filling, entries.number());
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
        long sort(LongBlock outIndices, Block outValues);
    }

    /** Sparse elements with a capacity of {@code n}, trimmed to the number written. */
    static <D extends TensorData<D>, A> Sparse make(PrimitiveCarrier<D, A> carrier, long[] shape, int n, Sorting sorting) {
        LongBlock indices = LongBlock.uncleared(n, shape.length);
        Block values = null;
        int distinct;
        try {
            values = carrier.uncleared(n);
            distinct = (int) sorting.sort(indices, values);
            if (distinct == n) {
                return carrier.sparse(shape, indices, values);
            }
        } catch (Throwable e) {
            indices.close();
            if (values != null) {
                values.close();
            }
            throw e;
        }
        try {
            LongTensorData someIndices = LongStrided.of(indices).part(0, distinct);
            D someValues = carrier.whole(values).part(0, distinct).self();
            return make(carrier, shape, distinct, (outIndices, outValues) -> {
                LongCarrier.INT64.copyDisjoint(someIndices, LongStrided.of(outIndices));
                carrier.copyDisjoint(someValues, carrier.whole(outValues).self());
                return distinct;
            });
        } finally {
            indices.close();
            values.close();
        }
    }
}
