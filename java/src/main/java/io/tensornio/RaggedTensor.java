package io.tensornio;

import io.tensornio.internal.LongBlock;
import io.tensornio.internal.LongStrided;
import io.tensornio.internal.RaggedParts;
import java.util.Arrays;

/**
 * A ragged tensor: immutable elements in rows of different lengths. The values of all rows lie in one run of native memory, row after row;
 * row splits say where each one starts. Made by {@link Tensors#raggedFloat} and its siblings, or here from values and row splits.
 *
 * <p>The size of a ragged dimension is -1 for the whole tensor, and real for a row. It is safe to use by any number of threads.
 *
 * @param <T> the element type: {@code Float}, {@code Double}, {@code Integer}, {@code Long}, {@code Boolean} or {@link UInt8}
 */
public final class RaggedTensor<T> extends BaseTensor<T> {
    private final RaggedParts parts;

    RaggedTensor(RaggedParts parts) {
        super(parts.values().dataType(), parts.shape(), parts.data(), true);
        this.parts = parts;
    }

    @Override
    public long numBytes() {
        return parts.bytes();
    }

    @Override
    public boolean isClosed() {
        return parts.values().isClosed();
    }

    @Override
    void closeMemory() {
        parts.close();
    }

    /**
     * The elements of all rows, one row after the other. The tensor is a part of this one and shares its memory: closing it does nothing, it
     * closes with this one.
     *
     * @return a tensor of shape {@code [n, sizes of the dimensions behind the last ragged one...]}
     * @throws TensorClosedException if this tensor is closed
     */
    public Tensor<T> values() {
        checkOpen();
        return new Tensor<>(parts.values(), parts.valuesData(), true);
    }

    /**
     * Where the rows of a ragged dimension start: row {@code r} has the positions from split {@code r} to split {@code r + 1}, which is not
     * included, of the next dimension's rows, or of {@link #values()} where it is the last ragged one. The rows of a dimension are the
     * positions of all dimensions before it, in row-major order. The tensor is a part of this one, as {@link #values()} is.
     *
     * @param dimension a ragged dimension
     * @return a tensor of shape {@code [rows + 1]}; the first is 0, and none is less than the one before it
     * @throws IllegalArgumentException if there is no such dimension, or it is not ragged
     * @throws TensorClosedException if this tensor is closed
     */
    public Tensor<Long> rowSplits(int dimension) {
        checkOpen();
        LongBlock block = parts.splits(dimension);
        if (block == null) {
            throw new IllegalArgumentException("dimension " + dimension + " of the shape " + Arrays.toString(shape()) + " is not a ragged one");
        }
        return new Tensor<>(block, LongStrided.of(block), true);
    }
}
