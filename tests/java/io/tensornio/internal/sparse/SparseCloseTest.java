package io.tensornio.internal.sparse;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.MemoryStats;
import io.tensornio.SparseTensor;
import io.tensornio.TensorClosedException;
import io.tensornio.Tensors;
import io.tensornio.internal.memory.Workers;
import io.tensornio.support.MemoryBalance;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(MemoryBalance.class)
class SparseCloseTest {
    private static final long ROWS = 8_000_000;
    private static final int TRIES = 50;

    /** Whether a close returned before the row pointers of 64 MB were made, which another thread had begun. */
    private static boolean closesMeanwhile() {
        SparseTensor<Float> tensor = Tensors.sparseFloat(new long[] {ROWS, 3}, 1, data -> data.put(1, 7, 2));
        long before = MemoryStats.current().bytesInUse();
        AtomicBoolean done = new AtomicBoolean();
        boolean[] early = {false};
        Workers.run(2, n -> {
            if (n == 0) {
                try {
                    tensor.rowPointers();
                } catch (TensorClosedException e) {
                    assertTrue(tensor.isClosed());
                } finally {
                    done.set(true);
                }
            } else {
                while (MemoryStats.current().bytesInUse() < before + ROWS * Long.BYTES && !done.get()) {
                    Thread.yield();
                }
                tensor.close();
                early[0] = !done.get();
            }
        });
        assertTrue(tensor.isClosed());
        assertThrows(TensorClosedException.class, tensor::rowPointers);
        return early[0];
    }

    @Test
    void closingDoesNotWaitForRowPointers() {
        for (int n = 0; n < TRIES; n++) {
            if (closesMeanwhile()) {
                return;
            }
        }
        throw new AssertionError("each close waited");
    }

    @Test
    void partsThatSeveralThreadsMakeAreOneInTheEnd() {
        try (SparseTensor<Float> tensor = Tensors.sparseFloat(new long[] {1000, 3}, 1, data -> data.put(1, 7, 2))) {
            long before = MemoryStats.current().tensorsAlive();
            Workers.run(4, n -> {
                assertTrue(tensor.rowPointers().longData().get(8) == 1);
                assertTrue(tensor.denseShape().longData().get(0) == 1000);
            });
            assertTrue(MemoryStats.current().tensorsAlive() <= before + 2, "one of each");
        }
    }
}
