package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tensornio.MemoryStats;
import io.tensornio.Tensor;
import io.tensornio.io.Npy;
import io.tensornio.support.Expect;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where addresses are scarce, a collection reclaims the ranges of closed tensors before an allocation is refused. */
@EnabledOnOs(OS.LINUX)
class AddressLimitTest {
    /** 12 GB of addresses; with 32 bits there are 4 GB at most. */
    private static Forked limited(String... options) {
        return Forked.with(options).with64Bits("-XX:CompressedClassSpaceSize=64m").after("ulimit -v 12000000");
    }

    /** Enough for about 30 tensors of 256 MiB, with 32 bits for about 8; no collection comes by itself. */
    private static String run(String what, int bytes, int rounds) {
        return limited("-Xmx512m", "-Xms512m", "-Xmn400m", "-XX:+UseSerialGC", "-Dtensornio.maxMemory=1g")
            .run(ClosingProgram.class, what, Integer.toString(bytes), Integer.toString(rounds));
    }

    @Test
    void aLoopThatClosesItsTensorsGoesOn() {
        String printed = run("loop", 256 << 20, 100);
        assertTrue(printed.contains("closed 100, alive 0"), printed);
    }

    /** Between what a thread takes out of the queue and what the system has back, the addresses are nobody's. */
    @Test
    void anotherThreadReleasesThem() {
        int rounds = 300 * Expect.depth();
        String printed = run("drained", 256 << 20, rounds);
        assertTrue(printed.contains("closed " + rounds + ", alive 0"), printed);
    }

    /** All are garbage, the budget has room, and the heap is so large that no collection comes by itself before the addresses are used up. */
    @ParameterizedTest
    @CsvSource({"6500000, 64, 60", "5500000, 4, 900"})
    void aLoopThatDropsItsTensorsGoesOn(int kibibytes, int megabytes, int rounds) {
        assumeTrue(Forked.has64Bits(), "a heap of 2 GB has no room among 32 bits");
        String printed = Forked.with("-Xmx2g").after("ulimit -v " + kibibytes)
            .run(ClosingProgram.class, "drop", Integer.toString(megabytes << 20), Integer.toString(rounds));
        assertTrue(printed.contains("dropped " + rounds), printed);
    }

    @Test
    void whatIsTooLargeForTheAddressesIsRefused() {
        String printed = limited("-Xmx512m", "-XX:+UseSerialGC", "-Dtensornio.maxMemory=30g")
            .run(ClosingProgram.class, "keep", Integer.toString(1 << 30), "20");
        assertTrue(printed.matches("(?s).*refused after [1-9]: .*bytes.*"), printed);
    }

    /** Maps a file of 30 GiB, of which only the last byte is there. */
    static final class MappingProgram {
        private MappingProgram() {
        }

        public static void main(String... arguments) throws IOException {
            Path file = Files.createTempFile("large", ".npy");
            try {
                String header = String.format("%-117s\n", "{'descr': '|u1', 'fortran_order': False, 'shape': (" + (30L << 30) + ",), }");
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    channel.write(ByteBuffer.wrap(("\u0093NUMPY\1\0v\0" + header).getBytes(StandardCharsets.ISO_8859_1)), 0);
                    channel.write(ByteBuffer.allocate(1), 128 + (30L << 30) - 1);
                }
                try (Tensor<?> mapped = Npy.map(file)) {
                    System.out.println("mapped " + mapped.numBytes());
                } catch (OutOfMemoryError e) {
                    System.out.println("read, for which " + e.getMessage());
                }
                System.out.println(MemoryStats.current().mappedBytes() + " mapped");
            } finally {
                Files.delete(file);
            }
        }
    }

    @Test
    void aFileThatIsTooLargeForTheAddressesIsRead() {
        String printed = limited("-Xmx512m", "-XX:+UseSerialGC", "-Dtensornio.maxMemory=1g").run(MappingProgram.class);
        assertTrue(printed.matches("(?s).*read, for which the UINT8 tensor of .* memory budget of 1073741824.*\\b0 mapped.*"), printed);
    }
}
