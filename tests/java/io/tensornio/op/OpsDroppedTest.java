package io.tensornio.op;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.MemoryStats;
import io.tensornio.support.Expect;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Results that nobody closes by hand. */
class OpsDroppedTest {
    @Test
    void manyResultsThatAreDroppedTakeLittleMemory() {
        long most = 0;
        try (Ops tf = Ops.create()) {
            Operand<Float> x = tf.constant(new float[1024]);
            int count = 20_000 * Expect.depth();
            long before = MemoryStats.current().bytesInUse();
            for (int n = 0; n < count; n++) {
                tf.math.neg(x);
                if (n % 1000 == 0) {
                    System.gc();
                    most = Math.max(most, MemoryStats.current().bytesInUse() - before);
                }
            }
        }
        long limit = 32L << 20;                 // all of them are 80 MiB and more
        long found = most;
        assertTrue(found < limit, () -> found + " bytes were in use");
    }

    @Test
    void aScopeThatIsClosedMeanwhileLeavesNothing() throws Exception {
        for (int n = 0; n < 20; n++) {
            Ops tf = Ops.create();
            Operand<Float> x = tf.constant(new float[] {1, 2});
            List<Operand<Float>> all = new ArrayList<>();
            Thread closer = new Thread(tf::close);
            closer.start();
            try {
                while (true) {
                    all.add(tf.math.add(x, x));
                }
            } catch (IllegalStateException e) {         // TensorClosedException, too
                closer.join();
                assertTrue(all.stream().allMatch(one -> one.asTensor().isClosed()));
            }
        }
    }
}
