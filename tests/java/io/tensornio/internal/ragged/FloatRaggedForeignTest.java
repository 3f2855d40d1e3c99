package io.tensornio.internal.ragged;

import static io.tensornio.TensorIndex.all;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.tensornio.FloatTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Ragged {@code float} data of other implementations than the library's: equal to none of its own, and copied by rows alone. */
@ExtendWith(MemoryBalance.class)
class FloatRaggedForeignTest {
    /** Data of another class that answers as some data does. */
    private static FloatTensorData delegate(FloatTensorData data) {
        return (FloatTensorData) Proxy.newProxyInstance(FloatTensorData.class.getClassLoader(), new Class<?>[] {FloatTensorData.class},
            (self, method, given) -> {
                try {
                    return method.invoke(data, given);
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            });
    }

    private static void rows(FloatTensorData data) {
        data.put(FloatValues.array(1, 2), 0);
        data.put(FloatValues.array(3, 2), 1);
    }

    /** Runs a check on ragged data of each kind, which has two rows of two elements. */
    private static void onEach(Consumer<FloatTensorData> check) {
        try (RaggedTensor<Float> tensor = Tensors.raggedFloat(new long[] {2, -1}, data -> {
            rows(data);
            for (FloatTensorData some : Arrays.asList(data, data.slice(all()))) {
                check.accept(some);
            }
        })) {
            check.accept(tensor.floatData());
        }
    }

    private static void refuses(Runnable copy, FloatTensorData foreign) {
        Expect.thrown(IllegalArgumentException.class, copy::run, "[2, -1]", foreign.getClass().getName(), "RaggedTensor");
    }

    @Test
    void itIsEqualToNone() {
        onEach(data -> {
            FloatTensorData foreign = delegate(data);
            assertFalse(data.equals(foreign));
            assertEquals(data, data.slice(all()));
            assertFalse(FloatTensorData.of(FloatValues.array(1, 4), 2, 2).equals(foreign));
        });
    }

    @Test
    void itIsNotMadeDense() {
        onEach(data -> {
            FloatTensorData foreign = delegate(data);
            refuses(() -> Tensors.create(foreign), foreign);
            refuses(() -> SparseTensor.fromDense(foreign), foreign);
        });
    }

    @Test
    void itMakesNoRaggedTensor() {
        LongTensorData splits = LongTensorData.of(new long[] {0, 1, 2});
        onEach(data -> {
            FloatTensorData foreign = delegate(data);
            List<Runnable> factories = Arrays.asList(
                () -> RaggedTensor.fromRowSplits(foreign, splits),
                () -> RaggedTensor.fromRowLengths(foreign, splits),
                () -> RaggedTensor.fromDense(foreign, FloatValues.of(1)),
                () -> RaggedTensor.fromDense(foreign, new long[] {1, 1}));
            factories.forEach(make -> Expect.thrown(IllegalArgumentException.class, make::run, "[2, -1]", "no ragged axis"));
        });
    }

    @Test
    void itIsCopiedToAndFromNothing() {
        onEach(data -> {
            FloatTensorData foreign = delegate(data);
            Tensors.raggedFloat(new long[] {2, -1}, own -> {
                rows(own);
                float[] before = FloatValues.all(own);
                refuses(() -> own.slice(all()).put(foreign), foreign);
                Expect.thrown(IllegalArgumentException.class, () -> own.put(foreign), "[2, -1]", "single row");
                Expect.thrown(IllegalArgumentException.class, () -> own.put(foreign, 1), "[2, -1]", "[-1]");
                if (!data.isReadOnly()) {
                    refuses(() -> own.get(foreign), foreign);
                    refuses(() -> own.slice(all()).get(foreign), foreign);
                }
                assertArrayEquals(before, FloatValues.all(own));
                assertArrayEquals(before, FloatValues.all(data));
            }).close();
        });
    }

    @Test
    void itsRowsAreCopied() {
        onEach(data -> {
            FloatTensorData foreign = delegate(data);
            try (RaggedTensor<Float> copy = Tensors.raggedFloat(foreign.shape(), own -> {
                for (int i = 0; i < 2; i++) {
                    own.put(delegate(foreign.slice(i)), i);
                }
            }); Tensor<Float> row = Tensors.create(foreign.slice(1))) {
                assertEquals(data, copy.floatData());
                assertEquals(data.slice(1), row.floatData());
            }
        });
    }

    @Test
    void aRowOfFewerPositionsThanNoneIsRefused() {
        Tensors.raggedFloat(new long[] {2, -1, 0}, own -> {
            FloatTensorData honest = FloatTensorData.of(FloatValues.zeros(0), 3, 0);
            FloatTensorData liar = (FloatTensorData) Proxy.newProxyInstance(FloatTensorData.class.getClassLoader(),
                new Class<?>[] {FloatTensorData.class},
                (self, method, given) -> method.getName().equals("shape") ? new long[] {-1, 0} : method.invoke(honest, given));
            Expect.thrown(IllegalArgumentException.class, () -> own.put(liar, 0), "[-1, 0]");
            own.put(honest, 1);
            assertEquals(0, own.slice(0).size(0));
            assertEquals(3, own.slice(1).size(0));
        }).close();
    }
}
