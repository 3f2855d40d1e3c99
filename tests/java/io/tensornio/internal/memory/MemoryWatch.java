package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.MemoryStats;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;

/** What tests of memory look at, beside the statistics. */
public final class MemoryWatch {
    private MemoryWatch() {
    }

    /** The numbers when all that was dropped before has been collected. */
    public static MemoryStats settled() {
        Garbage.settle();
        return MemoryStats.current();
    }

    /** Checks that exactly as much is in use as was before, once what was dropped meanwhile has been collected. */
    public static void assertBalanced(MemoryStats before) {
        // First, since the slabs in use keep what was dropped in them.
        Garbage.settle();
        Garbage.collectUntil(() -> MemoryStats.current().bytesInUse() <= before.bytesInUse());
        assertEquals(before.bytesInUse(), MemoryStats.current().bytesInUse(), "bytes in use");
        assertEquals(before.tensorsAlive(), MemoryStats.current().tensorsAlive(), "tensors alive");
    }

    /** Bytes that count against the budget. */
    static long reserved() {
        long[] numbers = new long[8];
        NativeMemory.memory(numbers);
        return numbers[0] + numbers[1];
    }

    /** Bytes of addresses of closed blocks that somebody may still reach. */
    static long stale() {
        long[] numbers = new long[8];
        NativeMemory.memory(numbers);
        return numbers[2];
    }

    /** A number of kB that Linux tells of this process. */
    static long statusKilobytes(String key) {
        for (String line : lines("/proc/self/status")) {
            if (line.startsWith(key + ":")) {
                return Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        throw new AssertionError(key);
    }

    /** The size of a page; where the system does not tell, the largest that such systems have. */
    static long pageSize() {
        if (!Files.isReadable(Paths.get("/proc/self/smaps"))) {
            return 16 << 10;
        }
        for (String line : lines("/proc/self/smaps")) {
            if (line.startsWith("KernelPageSize:")) {
                return Long.parseLong(line.replaceAll("\\D", "")) << 10;
            }
        }
        throw new AssertionError("a process without pages");
    }

    /** How many mappings this process has. */
    static int mappings() {
        return lines("/proc/self/maps").length;
    }

    private static String[] lines(String file) {
        try {
            return new String(Files.readAllBytes(Paths.get(file)), StandardCharsets.UTF_8).split("\n");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
