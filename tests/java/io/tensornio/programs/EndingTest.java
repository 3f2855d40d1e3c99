package io.tensornio.programs;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.internal.memory.Forked;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The end of the JVM, wherever it comes: it crashes nothing, waits for nothing, and until then tensors can be used. */
class EndingTest {
    @ParameterizedTest
    @ValueSource(strings = {"return", "init", "inits", "busy"})
    void shutdownHooksStillUseTensors(String end) {
        String printed = Forked.with("-Dtensornio.maxMemory=512m").run(EndingProgram.class, end);
        assertTrue(printed.contains("the hook reads 7.0 word 9 3 3.0, computes 3.0, copies 3.0, and closes"), printed);
    }
}
