package io.tensornio.internal.data;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.internal.memory.Forked;
import org.junit.jupiter.api.Test;

/** What bytes of {@code float} data need of the heap. */
class FloatEncodingHeapTest {
    @Test
    void aHundredMebibytesThroughAHeapOfSixteen() {
        String printed = Forked.with("-Xmx16m", "-XX:+UseSerialGC", "-Dtensornio.maxMemory=200m").run(FloatEncodingProgram.class);
        assertTrue(printed.contains("bytes=" + 100 * (1 << 20)), printed);
    }
}
