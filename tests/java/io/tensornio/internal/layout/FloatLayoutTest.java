package io.tensornio.internal.layout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorLayout;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.NaiveView;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Dense {@code float} tensors whose memory is not in row-major order, or has padding. */
@ExtendWith(MemoryBalance.class)
class FloatLayoutTest {
    private static final long[] SHAPE = {3, 4, 2};

    private static TensorLayout[] layouts() {
        return new TensorLayout[] {TensorLayout.rowMajor(SHAPE), TensorLayout.columnMajor(SHAPE),
            TensorLayout.rowMajor(SHAPE, new long[] {5, 4, 7}), TensorLayout.columnMajor(SHAPE, new long[] {4, 6, 3}),
            TensorLayout.strided(SHAPE, new long[] {4, 12, 2}, 0)};
    }

    /** Wherever no index leads. */
    private static void assertGapsAreZero(Tensor<Float> tensor) {
        boolean[] isNamed = new boolean[(int) tensor.layout().extent()];
        for (int[] at : NaiveView.of(3, 4, 2).indices()) {
            isNamed[(int) tensor.layout().position(at[0], at[1], at[2])] = true;
        }
        ByteBuffer bytes = tensor.asByteBuffer();
        for (int i = 0; i < isNamed.length; i++) {
            assertTrue(isNamed[i] || FloatValues.read(bytes, i) == FloatValues.ZERO, "the element " + i + " in " + tensor.layout());
        }
    }

    @Test
    void theShapeAloneIsSeen() {
        float[] values = FloatValues.array(1, 24);
        for (TensorLayout layout : layouts()) {
            try (Tensor<Float> tensor = Tensors.denseFloat(layout, data -> data.copyFrom(values));
                Tensor<Float> plain = Tensors.denseFloat(SHAPE, data -> data.copyFrom(values))) {
                FloatTensorData data = tensor.floatData();
                assertArrayEquals(SHAPE, tensor.shape());
                assertEquals(layout, tensor.layout());
                assertEquals(24, tensor.numElements());
                assertEquals(layout.extent() * DataType.FLOAT.byteSize(), tensor.numBytes());
                assertEquals(layout.extent() * DataType.FLOAT.byteSize(), tensor.asByteBuffer().remaining());
                assertGapsAreZero(tensor);
                assertArrayEquals(values, FloatValues.all(data));
                float[] bulk = FloatValues.zeros(24);
                data.copyTo(bulk);
                assertArrayEquals(values, bulk);
                assertEquals(plain.floatData(), data);
                assertEquals(plain.floatData().hashCode(), data.hashCode());
                assertEquals(plain.toString(), tensor.toString());
                assertEquals(layout.isContiguous(), data.isContiguous());
                try (Tensor<Float> copy = data.copy(); SparseTensor<Float> sparse = SparseTensor.fromDense(data)) {
                    assertEquals(TensorLayout.rowMajor(SHAPE), copy.layout());
                    assertEquals(plain.asByteBuffer(), copy.asByteBuffer());
                    assertEquals(data, sparse.floatData());
                }
            }
        }
    }

    @Test
    void layoutsInWhichElementsCouldShareAPlaceAreRefused() {
        TensorLayout[] bad = {TensorLayout.strided(new long[] {2, 3}, new long[] {2, 1}, 0), TensorLayout.strided(new long[] {2}, new long[] {0}, 0),
            TensorLayout.strided(new long[] {2}, new long[] {-1}, 1), TensorLayout.strided(new long[] {2}, new long[] {1}, 1)};
        for (TensorLayout layout : bad) {
            Expect.thrown(IllegalArgumentException.class, () -> Tensors.denseFloat(layout, data -> { }), "cannot be allocated");
        }
        assertFalse(bad[0].equals(bad[1]));
    }
}
