package io.tensornio.op;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.MemoryStats;
import io.tensornio.internal.memory.Forked;
import io.tensornio.support.Expect;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

    /** Prints the peak, and how many collections there were, after making many results of 1 MiB; run by the tests below. */
    static final class Program {
        private Program() {
        }

        public static void main(String[] arguments) {
            boolean keeps = arguments[0].equals("kept");
            List<Operand<Float>> kept = new ArrayList<>();
            try (Ops tf = Ops.create()) {
                Operand<Float> x = tf.constant(new float[256 << 10]);
                for (int n = 0; n < 1500; n++) {
                    Operand<Float> result = tf.math.neg(x);
                    if (keeps) {
                        kept.add(result);
                    }
                }
            }
            long collections = ManagementFactory.getGarbageCollectorMXBeans().stream().mapToLong(GarbageCollectorMXBean::getCollectionCount).sum();
            System.out.println("peak=" + (MemoryStats.current().peakBytes() >> 20) + " collections=" + collections + " kept=" + kept.size());
        }
    }

    private static Matcher run(String how) {
        String printed = Forked.with("-Xmx512m", "-Dtensornio.maxMemory=2g").run(Program.class, how);
        Matcher matcher = Pattern.compile("peak=(\\d+) collections=(\\d+)").matcher(printed);
        assertTrue(matcher.find(), printed);
        return matcher;
    }

    /** Long before the budget of 2 GB is full. */
    @Test
    void whatNobodyReachesGoesEarly() {
        int peak = Integer.parseInt(run("dropped").group(1));
        assertTrue(peak < 1000, () -> "the peak is " + peak + " MiB");
    }

    @Test
    void whatIsKeptIsLookedForSeldom() {
        Matcher kept = run("kept");
        assertTrue(Integer.parseInt(kept.group(1)) >= 1500, kept.group());
        assertTrue(Integer.parseInt(kept.group(2)) < 15, kept.group());
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
