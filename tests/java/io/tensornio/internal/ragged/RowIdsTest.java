package io.tensornio.internal.ragged;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.FloatTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The row of each element of a ragged axis. */
@ExtendWith(MemoryBalance.class)
class RowIdsTest {
    @Test
    void rowIdsAreTheRowOfEachElement() {
        try (RaggedTensor<Float> flat = RaggedTensor.fromRowSplits(FloatTensorData.of(new float[6]), 0, 3, 3, 4, 6);
                Tensor<Long> ids = flat.rowIds(1)) {
            assertEquals("INT64[6] [0, 0, 0, 2, 3, 3]", ids.toString());
            Expect.thrown(IllegalArgumentException.class, () -> flat.rowIds(0), "axis 0", "not a ragged one");
        }
        try (RaggedTensor<Float> none = RaggedTensor.fromRowSplits(FloatTensorData.of(new float[0]), 0, 0); Tensor<Long> ids = none.rowIds(1)) {
            assertEquals("INT64[0] []", ids.toString());
        }
        RaggedTensor<Float> closed = RaggedTensor.fromRowSplits(FloatTensorData.of(new float[0]), 0);
        closed.close();
        Expect.thrown(TensorClosedException.class, () -> closed.rowIds(1));
    }
}
