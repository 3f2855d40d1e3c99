package io.tensornio.internal.data;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.at;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.incl;
import static io.tensornio.TensorIndex.newAxis;
import static io.tensornio.TensorIndex.range;
import static io.tensornio.TensorIndex.step;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.AbstractFloatTensorData;
import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.MemoryStats;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatKinds;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import java.nio.ReadOnlyBufferException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code Tensors.create}: copies of {@code float} data. */
@ExtendWith(MemoryBalance.class)
class FloatCreateTest {
    private static final TensorIndex[][] SLICES = {
        {}, {at(1)}, {all(), at(2)}, {flip(), flip()}, {step(2), range(3, 0, -1)}, {incl(2, 0, 0, 1)}, {all(), incl(3, 0, 1, 3)}, {newAxis(), at(2)},
        {at(1), at(1)}, {range(1, 1)}, {incl(), incl(1, 3, 0)}, {incl(0, 2, 1), incl(0, 3, 1)},
    };

    private static void assertCopy(FloatTensorData source) {
        float[] expected = FloatValues.all(source);
        try (Tensor<Float> copy = Tensors.create(source)) {
            FloatTensorData data = copy.floatData();
            assertEquals(DataType.FLOAT, copy.dataType());
            assertArrayEquals(source.shape(), copy.shape());
            assertArrayEquals(expected, FloatValues.all(data));
            assertTrue(data.isReadOnly());
            assertFalse(copy.isClosed());
            Expect.thrown(ReadOnlyBufferException.class, () -> data.put(FloatValues.FOREIGN, new int[data.rank()]), "FLOAT");
        }
    }

    @Test
    void slicesOfEveryKind() {
        FloatKinds.each(new long[] {3, 4}, kinds -> kinds.forEach((kind, data) -> {
            FloatValues.fill(data);
            for (TensorIndex[] slice : SLICES) {
                assertCopy(data.slice(slice));
            }
        }));
    }

    @Test
    void largeOnes() {
        FloatKinds.each(new long[] {50, 401}, kinds -> kinds.forEach((kind, data) -> {
            FloatValues.fill(data);
            assertCopy(data);
            assertCopy(data.slice(incl(40, 3, 4), flip()));
            assertCopy(data.slice(all(), incl(400, 3, 4)));
        }));
    }

    @Test
    void publishedDataAndItsSlices() {
        try (Tensor<Float> tensor = FloatValues.tensor(3, 4)) {
            for (TensorIndex[] slice : SLICES) {
                assertCopy(tensor.floatData().slice(slice));
            }
        }
    }

    @Test
    void theCopyOutlivesItsSource() {
        Tensor<Float> tensor = FloatValues.tensor(3, 4);
        try (Tensor<Float> copy = Tensors.create(tensor.floatData())) {
            tensor.close();
            assertArrayEquals(FloatValues.array(0, 12), FloatValues.all(copy.floatData()));
        }
    }

    @Test
    void dataBeingFilled() {
        Tensors.denseFloat(new long[] {3, 4}, data -> {
            FloatValues.fill(data);
            for (TensorIndex[] slice : SLICES) {
                assertCopy(data.slice(slice));
            }
        }).close();
    }

    @Test
    void closedDataIsNotCopied() {
        for (long[] shape : new long[][] {{}, {3}, {2, 3}, {0, 3}, {60_000}}) {
            Tensor<Float> tensor = FloatValues.tensor(shape);
            FloatTensorData data = tensor.floatData();
            FloatTensorData list = shape.length == 0 || shape[0] == 0 ? data : data.slice(incl(0, 0, 1));
            tensor.close();
            long before = MemoryStats.current().tensorsAlive();
            Expect.thrown(TensorClosedException.class, () -> Tensors.create(data), "FLOAT", "closed");
            Expect.thrown(TensorClosedException.class, () -> Tensors.create(list), "FLOAT", "closed");
            assertTrue(MemoryStats.current().tensorsAlive() <= before);
        }
    }

    @Test
    void theCopyStandsAlone() {
        float[] array = FloatValues.array(0, 6);
        try (Tensor<Float> copy = Tensors.create(FloatTensorData.of(array, 2, 3))) {
            System.arraycopy(FloatValues.array(50, 6), 0, array, 0, 6);
            assertArrayEquals(FloatValues.array(0, 6), FloatValues.all(copy.floatData()));
        }
    }

    @Test
    void nullIsRefused() {
        Expect.thrown(NullPointerException.class, () -> Tensors.create((FloatTensorData) null), "data");
    }

    @Test
    void whatIsTooLarge() {
        FloatTensorData huge = new AbstractFloatTensorData(1L << 40) {
            @Override
            protected float getAt(long[] indices) {
                throw new AssertionError("nobody should ask");
            }
        };
        Expect.thrown(OutOfMemoryError.class, () -> Tensors.create(huge), "FLOAT", "[1099511627776]");
        assertCopy(huge.slice(range(7, 7)));
    }
}
