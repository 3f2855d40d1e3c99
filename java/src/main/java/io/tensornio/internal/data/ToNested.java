package io.tensornio.internal.data;

import io.tensornio.TensorData;
import java.lang.reflect.Array;
import java.nio.Buffer;
import java.util.Objects;

/**
 * Makes nested arrays from data: the inverse of {@link FromNested}.
 *
 * @param <D> the data of the carrier
 * @param <A> its arrays
 */
public final class ToNested<D extends TensorData<D>, A> {
    /** The maximum number of elements of a sub-tensor that is read at once. */
    private static final int FEW = 8192;

    private final Carrier<D, A> carrier;
    private final long[] shape;
    /** The class of the rows of each axis but the last. */
    private final Class<?>[] rowTypes;
    /** The elements in row-major order, from its position on; null if they are not contiguous. */
    private Buffer buffer;
    /** The depth from which on no axis is ragged. */
    private final int uniformFrom;
    /** The staging array: the elements of a small sub-tensor in row-major order; null outside of one. */
    private A few;
    /** The index of the first of them that was not copied to a row yet. */
    private int next;

    private ToNested(Carrier<D, A> carrier, long... shape) {
        this.carrier = carrier;
        this.shape = shape;
        int uniform = shape.length;
        while (uniform > 0 && shape[uniform - 1] >= 0) {
            uniform--;
        }
        uniformFrom = uniform;
        rowTypes = Nested.rowTypes(carrier.array(0).getClass(), shape.length);
    }

    /**
     * All elements as nested arrays; ragged rows keep their lengths.
     *
     * @param carrier that of the elements
     * @param data any data
     * @return new arrays; at rank 0 the element
     */
    public static <D extends TensorData<D>, A> Object of(Carrier<D, A> carrier, D data) {
        D from = Objects.requireNonNull(data.slice(), "slice() gave null");
        int rank = from.rank();
        if (rank == 0) {
            return carrier.one(from);
        }
        ToNested<D, A> walk = new ToNested<>(carrier, from.shape());
        OwnData<D, A> own = from instanceof OwnData ? OwnData.own(from) : null;
        if (own != null && own.isRun() && own.carrier().readsRows(walk.shape[rank - 1])) {
            walk.buffer = carrier.start(own);
            Object nested = walk.make(0, null);
            own.checkOpen();             // otherwise the last rows may have been read after the release of the memory
            return nested;
        }
        return walk.make(0, from);
    }

    /** Makes the arrays at a depth: from the buffer, if there is one; else from data. */
    private Object make(int depth, D from) {
        int n = Nested.length(from == null ? shape[depth] : from.size(0), depth);
        if (from instanceof OwnData && depth >= uniformFrom && depth < shape.length - 1 && from.totalSize() <= FEW) {
            few = carrier.array((int) from.totalSize());        // read at once, since rows may be short
            next = 0;
            OwnData.<D, A>own(from).readAll(few, 0);
            Object nested = make(depth, null);
            few = null;
            return nested;
        }
        if (depth == shape.length - 1) {
            A row = carrier.array(n);
            if (few != null) {
                System.arraycopy(few, next, row, 0, n);
                next += n;
            } else if (buffer != null) {
                carrier.readRow(buffer, row);
            } else {
                carrier.get(from, row);
            }
            return row;
        }
        Object[] rows = (Object[]) Array.newInstance(rowTypes[depth], n);
        for (int i = 0; i < n; i++) {
            rows[i] = make(depth + 1, from == null ? null : Objects.requireNonNull(from.slice(i), "slice() gave null"));
        }
        return rows;
    }
}
