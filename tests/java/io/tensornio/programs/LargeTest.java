package io.tensornio.programs;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tensornio.internal.memory.Forked;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import org.junit.jupiter.api.Test;

/** Tensors that are larger than a buffer of Java's can be. How they work at each boundary is tested with small windows, by all tests of views. */
class LargeTest {
    private static final long NEEDED = 7L << 30;

    @Test
    void tensorsOfMoreThanTwoGibibytes() throws IOException {
        assumeTrue(available() >= NEEDED, "skipped: it needs " + NEEDED + " bytes of memory");
        String printed = Forked.with("-Dtensornio.maxMemory=6g", "-Xmx256m").run(LargeProgram.class);
        assertTrue(printed.endsWith("refuses" + System.lineSeparator()), printed);
    }

    /** The bytes that the system has left, where it says so. */
    private static long available() throws IOException {
        Path info = Paths.get("/proc/meminfo");
        if (!Files.exists(info)) {
            return 0;
        }
        return Files.readAllLines(info).stream().filter(line -> line.startsWith("MemAvailable:"))
            .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10).findFirst().orElse(0);
    }
}
