package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.support.Expect;
import org.junit.jupiter.api.Test;

/** The library loses no memory, nor count of it, where the stack ends in the middle of its work. */
class StackEndTest {
    @Test
    void closingAtTheEndOfTheStackIsCountedOnce() {
        // Interpreted, so that each call takes a frame of its own.
        String printed = Forked.with("-Xint", "-Xss300k", "-Dtensornio.maxMemory=8m")
            .run(ClosingProgram.class, "overflow", "80000", Integer.toString(2000 * Expect.depth()));
        assertTrue(printed.contains("alive 0 with 0 bytes"), printed);
    }
}
