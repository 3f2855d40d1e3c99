package io.tensornio.internal.ragged;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.tensornio.FloatTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Dense and sparse tensors of a part of ragged {@code float} data, whose rows are of one length; those beside it need not be. */
@ExtendWith(MemoryBalance.class)
class FloatRaggedPartTest {
    private static FloatTensorData values(int n) {
        return FloatTensorData.of(FloatValues.array(0, n));
    }

    private static void checkDense(FloatTensorData part, float[] expected, long... shape) {
        try (Tensor<Float> dense = Tensors.create(part); SparseTensor<Float> sparse = SparseTensor.fromDense(part)) {
            assertArrayEquals(shape, dense.shape());
            assertArrayEquals(expected, FloatValues.all(dense.floatData()));
            assertArrayEquals(shape, sparse.shape());
            assertArrayEquals(expected, FloatValues.all(sparse.floatData()));
        }
    }

    @Test
    void theElementsAreThoseOfThePart() {
        try (RaggedTensor<Float> tensor = RaggedTensor.fromRowLengths(values(15), 5, 5, 5)) {
            checkDense(tensor.floatData().slice(TensorIndex.range(1, 3)), FloatValues.array(5, 10), 2, 5);
        }
    }

    @Test
    void theElementsAreThoseOfOneRowOfRows() {
        try (RaggedTensor<Float> tensor = RaggedTensor.fromRowLengths(values(20), new long[] {2, 2}, new long[] {5, 5, 5, 5})) {
            checkDense(tensor.floatData().slice(1), FloatValues.array(10, 10), 2, 5);
        }
    }

    @Test
    void longerRowsBesideThePartDoNotCount() {
        try (RaggedTensor<Float> tensor = RaggedTensor.fromRowLengths(values(14), 5, 2, 2, 5)) {
            checkDense(tensor.floatData().slice(TensorIndex.range(1, 3)), FloatValues.array(5, 4), 2, 2);
        }
    }

    @Test
    void shorterRowsBesideThePartDoNotCount() {
        try (RaggedTensor<Float> tensor = RaggedTensor.fromRowLengths(values(10), 1, 4, 4, 1)) {
            checkDense(tensor.floatData().slice(TensorIndex.range(1, 3)), FloatValues.array(1, 8), 2, 4);
        }
    }
}
