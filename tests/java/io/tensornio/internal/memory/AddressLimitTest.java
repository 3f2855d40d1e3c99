package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Where addresses are scarce, those of closed tensors are had back by a collection before one is refused. */
@EnabledOnOs(OS.LINUX)
class AddressLimitTest {
    /** Room for about 30 tensors; no collection comes by itself. */
    private static String run(int bytes, int rounds) {
        return Forked.with("-Xmx512m", "-Xms512m", "-Xmn400m", "-XX:+UseSerialGC", "-XX:CompressedClassSpaceSize=64m", "-Dtensornio.maxMemory=1g")
            .after("ulimit -v 12000000").run(ClosingProgram.class, "loop", Integer.toString(bytes), Integer.toString(rounds));
    }

    @Test
    void aLoopThatClosesItsTensorsGoesOn() {
        String printed = run(256 << 20, 100);
        assertTrue(printed.contains("closed 100, alive 0"), printed);
    }

    @Test
    void whatIsTooLargeForTheAddressesIsRefused() {
        String printed = Forked.with("-Xmx512m", "-XX:+UseSerialGC", "-XX:CompressedClassSpaceSize=64m", "-Dtensornio.maxMemory=30g")
            .after("ulimit -v 12000000").run(ClosingProgram.class, "keep", Integer.toString(1 << 30), "20");
        assertTrue(printed.matches("(?s).*refused after [1-9]: .*bytes.*"), printed);
    }
}
