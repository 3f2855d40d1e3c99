package io.tensornio.internal.memory;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A copy pins an array only for a moment at a time: else nobody could collect until its end, and who needs memory would get an error. */
class PinTest {
    @ParameterizedTest
    @CsvSource({
        "-XX:+UseSerialGC, true",
        "-XX:+UseSerialGC, false",
        "-XX:+UseParallelGC, true",
        "-XX:+UseParallelGC, false",
        "-XX:+UseG1GC, true",
        "-XX:+UseG1GC, false",
    })
    void collectionsGoOnDuringALongCopy(String collector, String toArray) {
        // The array is a third of the heap. Checked JNI would not pin it, but copy it.
        Forked.with("-Xmx48m", "-XX:-CheckJNICalls", collector).run(PinProgram.class, toArray);
    }
}
