package io.tensornio.internal.data;

import static io.tensornio.support.FloatNestedModel.assertNested;
import static io.tensornio.support.FloatNestedModel.nested;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.internal.element.FloatElement;
import io.tensornio.support.FloatValues;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** The rows of nested arrays that are made of a tensor of {@code float}. */
class FloatNestedRowsTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    /** An array without elements and a reference to it, and as much again. */
    private static final long ROW = 64;

    @Test
    void nothingIsMadeButThem() {
        int n = 10_000;
        try (Tensor<Float> tensor = FloatValues.tensor(n, 2, 2)) {
            FloatTensorData data = tensor.floatData();
            data.toNested();                // classes are there
            long id = Thread.currentThread().getId();
            long before = THREADS.getThreadAllocatedBytes(id);
            data.toNested();
            long bytes = THREADS.getThreadAllocatedBytes(id) - before;
            assertTrue(bytes < 3 * n * (ROW + 2 * FloatElement.BYTES), () -> bytes + " bytes for " + 3 * n + " rows");
        }
    }

    /** Of a whole tensor, and of what begins within one. */
    @Test
    void ofEveryLength() {
        for (int length : new int[] {0, 1, 7, 255, 256, 257, 1000}) {
            try (Tensor<?> tensor = Tensors.ofNested(nested(3, 4, 2, length))) {
                FloatTensorData data = tensor.floatData();
                assertNested(nested(3, 4, 2, length), data.toNested());
                assertNested(nested(3 + 2 * length, 2, length), data.slice(1).toNested());
                assertNested(nested(3 + 4 * length, 2, 2, length), data.slice(TensorIndex.from(2)).toNested());
                assertNested(nested(3 + 5 * length, length), data.slice(2, 1).toNested());
            }
        }
    }
}
