package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
//#if primitive
import static org.junit.jupiter.api.Assertions.assertTrue;
//#end

import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorIterator;
import io.tensornio.MemoryStats;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
//#if primitive
import java.nio.ByteBuffer;
//#end

/** Buffers and slices of {@code float} tensors that outlive them: they show the tensor's values or zeros, never those of another. */
@ExtendWith(MemoryBalance.class)
class FloatKeptTest {
    /** In a slab, in a block of its own, in huge pages. */
    //#if primitive
    private static final int[] SIZES = {1, 100, 50_000, 2_200_000};
    //#end
    //~string private static final int[] SIZES = {1, 100, 50_000, 500_000};

    private static Tensor<Float> filled(int n, float value) {
        float[] values = FloatValues.filled(n, value);
        return Tensors.denseFloat(new long[] {n}, data -> data.put(values));
    }

    /** Makes tensors of foreign values of many sizes, and keeps some open meanwhile. */
    private static void makeOthers(int n, Runnable check) {
        List<Tensor<Float>> open = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            open.add(filled(i % 3 == 2 ? 2 * n : n, FloatValues.FOREIGN));
            if (i % 4 == 3) {
                open.remove(0).close();
                check.run();
            }
        }
        open.forEach(Tensor::close);
        check.run();
    }

    //#if primitive
    private static void checkBytes(ByteBuffer bytes, int n, boolean closed) {
        assertEquals(n, FloatValues.count(bytes));
        for (int i = 0; i < n; i += 1 + n / 5000) {
            float value = FloatValues.read(bytes, i);
            assertTrue(value == FloatValues.OWN || closed && value == FloatValues.ZERO, () -> "read " + value);
        }
    }

    @Test
    void bytesAfterClose() {
        for (int n : SIZES) {
            Tensor<Float> tensor = filled(n, FloatValues.OWN);
            ByteBuffer bytes = tensor.asByteBuffer();
            ByteBuffer part = bytes.slice();
            tensor.close();
            makeOthers(n, () -> {
                checkBytes(bytes, n, true);
                checkBytes(part.duplicate().order(bytes.order()), n, true);
            });
        }
    }

    @Test
    void bytesAfterTheTensorWasCollected() {
        MemoryStats before = MemoryStats.current();
        MemoryBalance.fillSmall();
        for (int n : SIZES) {
            ByteBuffer[] bytes = new ByteBuffer[1];
            awaitCollection(dropAfter(n, tensor -> bytes[0] = tensor.asByteBuffer()));
            makeOthers(n, () -> checkBytes(bytes[0], n, false));
            bytes[0] = null;
        }
        MemoryBalance.fillSmall();
        Garbage.collectUntilNoMoreThan(before);
    }
    //#end

    @Test
    void slicesAndIteratorsAfterTheTensorWasCollected() {
        MemoryStats before = MemoryStats.current();
        MemoryBalance.fillSmall();
        for (int n : SIZES) {
            Object[] kept = new Object[3];
            awaitCollection(dropAfter(n, tensor -> {
                kept[0] = tensor.floatData().slice(TensorIndex.step(2));
                kept[1] = tensor.floatData().scalars();
                kept[2] = tensor.floatData().slice(n - 1);
            }));
            makeOthers(n, () -> {
                FloatTensorData slice = (FloatTensorData) kept[0];
                for (int i = 0; i < slice.size(0); i += 1 + n / 5000) {
                    assertEquals(FloatValues.OWN, slice.get(i));
                }
                assertEquals(FloatValues.OWN, ((FloatTensorData) kept[2]).get());
            });
            ((FloatTensorIterator) kept[1]).forEach(value -> assertEquals(FloatValues.OWN, value));
            Arrays.fill(kept, null);
        }
        MemoryBalance.fillSmall();
        Garbage.collectUntilNoMoreThan(before);
    }

    @Test
    void slicesAndIteratorsAfterClose() {
        for (int n : SIZES) {
            Tensor<Float> tensor = filled(n, FloatValues.OWN);
            FloatTensorData slice = tensor.floatData().slice(TensorIndex.flip());
            FloatTensorIterator scalars = slice.scalars();
            tensor.close();
            makeOthers(n, () -> {
                Expect.thrown(TensorClosedException.class, () -> slice.get(0), "FLOAT", "closed");
                Expect.thrown(TensorClosedException.class, () -> slice.get(FloatValues.zeros(n), new int[0]), "FLOAT", "closed");
                Expect.thrown(TensorClosedException.class, scalars::get, "FLOAT", "closed");
            });
        }
    }

    /** Makes a tensor that nobody closes, of which only what is taken here stays reachable. */
    private static WeakReference<Tensor<Float>> dropAfter(int n, java.util.function.Consumer<Tensor<Float>> take) {
        Tensor<Float> tensor = filled(n, FloatValues.OWN);
        take.accept(tensor);
        return new WeakReference<>(tensor);
    }

    private static void awaitCollection(WeakReference<Tensor<Float>> tensor) {
        while (tensor.get() != null) {
            System.gc();
            MemoryBalance.pause();
        }
    }
}
