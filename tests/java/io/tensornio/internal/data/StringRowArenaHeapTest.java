package io.tensornio.internal.data;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.internal.memory.Forked;
import org.junit.jupiter.api.Test;

/** Ragged strings that the heap has no room for. */
class StringRowArenaHeapTest {
    @Test
    void aPutThatTheHeapHasNoRoomForGrowsNothing() {
        String printed = Forked.with("-Xmx32m", "-XX:+UseSerialGC").run(StringRowArenaHeapProgram.class);
        assertTrue(printed.contains("refused=8"), printed);
    }
}
