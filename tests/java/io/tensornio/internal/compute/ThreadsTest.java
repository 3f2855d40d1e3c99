package io.tensornio.internal.compute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.compute.Comprehension;
import io.tensornio.compute.Results;
import io.tensornio.op.Ops;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import org.junit.jupiter.api.Test;

/** How many threads share a run. */
class ThreadsTest {
    private static final Path TASKS = Paths.get("/proc/self/task");

    /** How long the pool's threads have computed, in the system's ticks. */
    private static long ticks() throws IOException {
        long ticks = 0;
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
            for (Path task : tasks) {
                String stat = new String(Files.readAllBytes(task.resolve("stat")), StandardCharsets.UTF_8);
                if (stat.matches("(?s)\\d+ \\(tensornio-\\d+\\).*")) {
                    String[] words = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
                    ticks += Long.parseLong(words[11]) + Long.parseLong(words[12]);     // utime and stime; proc(5)
                }
            }
        }
        return ticks;
    }

    /** Something of about half a second, by each way into native code. */
    private static void compute() {
        Comprehension work = Comprehension.of("y[i] = exp(sin(exp(sin(exp(sin(x[i]))))))");
        try (Tensor<Float> x = FloatTensorData.generate(at -> at[0], 1 << 18).copy(); Ops tf = Ops.create()) {
            for (int n = 0; n < 40; n++) {
                try (Results results = work.run(x)) {
                    assertEquals(1 << 18, results.floatTensor("y").numElements());
                }
            }
            for (int n = 0; n < 5; n++) {
                tf.array.sort(tf.random.normal(n, 64, 1 << 14), 1);
            }
        }
    }

    @Test
    void aRunOnOneThreadDisturbsNoOther() throws IOException {
        assumeTrue(Files.exists(TASKS) && Runtime.getRuntime().availableProcessors() > 1, "skipped: needs Linux and two processors");
        compute();                      // starts the pool
        long before = ticks();
        compute();
        assumeTrue(ticks() - before > 2, "skipped: the library has one thread");
        long start = ticks();
        Threads.atMost(1, () -> {
            compute();
            return null;
        });
        assertTrue(ticks() - start <= 1, "a thread of the pool worked for " + (ticks() - start) + " ticks");
    }

    @Test
    void limitsEndWithTheirCalls() {
        assertEquals(0, Threads.most());
        assertEquals("3 then 2", Threads.atMost(2, () -> Threads.atMost(3, Threads::most) + " then " + Threads.most()));
        assertThrows(IllegalStateException.class, () -> Threads.atMost(2, () -> {
            throw new IllegalStateException();
        }));
        assertEquals(0, Threads.most());
    }
}
