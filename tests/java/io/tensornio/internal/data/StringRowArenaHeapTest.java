package io.tensornio.internal.data;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.internal.memory.Forked;
import org.junit.jupiter.api.Test;

/** Ragged strings that exhaust the heap. */
class StringRowArenaHeapTest {
    @Test
    void aPutThatExhaustsTheHeapGrowsNothing() {
        String printed = Forked.with("-Xmx32m", "-XX:+UseSerialGC").run(StringRowArenaHeapProgram.class);
        assertTrue(printed.contains("refused=8"), printed);
    }
}
