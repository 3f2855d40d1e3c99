package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Very many tensors, in JVMs of their own: what the process has stays bounded, and closed ones do without collections. */
class ChurnTest {
    private static final int HEAP_MIB = 64;

    @BeforeEach
    void onLinux() {
        assumeTrue(Files.isReadable(Paths.get("/proc/self/status")));
    }

    private static String run(String what, int count, int bytes) {
        String printed = Forked.with("-Xmx" + HEAP_MIB + "m", "-verbose:gc", "-Dtensornio.maxMemory=256m")
            .run(ChurnProgram.class, what, Integer.toString(count), Integer.toString(bytes));
        assertTrue(number("mappings", printed) < 2000, printed);
        assertTrue(number("tables", printed) < 16 << 10, printed);
        // What is dropped may fill the budget before it is found; what is closed is never more than the pool.
        assertTrue(number("resident", printed) < (HEAP_MIB + (what.equals("drop") ? 256 : 64) + 150) << 10, printed);
        return printed;
    }

    /** The number on the line {@code name=number}. */
    private static long number(String name, String printed) {
        Matcher matcher = Pattern.compile("(?m)^" + name + "=(\\d+)$").matcher(printed);
        assertTrue(matcher.find(), printed);
        return Long.parseLong(matcher.group(1));
    }

    @ParameterizedTest
    @CsvSource({"1000000, 64", "200000, 5000", "20000, 65536", "20000, 1048576", "20000, 2097152"})
    void closedTensorsLeaveNothing(int count, int bytes) {
        String printed = run("close", count, bytes);
        assertEquals(0, number("alive", printed));
        // With 32 bits a collection gives addresses back.
        assertTrue(!Forked.has64Bits() || !printed.contains("System.gc()"), printed);
    }

    @Test
    void droppedTensorsGo() {
        run("drop", 1_000_000, 64);
    }

    @Test
    void droppedBlocksGo() {
        run("drop", 5000, 1 << 20);
    }
}
