package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A tensor may have as many bytes as a buffer, of which only those that are written take memory. */
class LargestTensorTest {
    @ParameterizedTest
    @ValueSource(strings = {"UINT8", "BOOL"})
    void aTensorOfAsManyBytesAsABufferWorksToItsLast(String type) {
        assumeTrue(Forked.has64Bits(), "with 32 bits there are no addresses for so many bytes in one piece");
        Forked.with("-Xmx64m", "-Dtensornio.maxMemory=3g").run(LargestTensorProgram.class, type);
    }
}
