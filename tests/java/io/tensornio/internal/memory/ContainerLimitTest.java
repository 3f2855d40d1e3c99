package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left for tensors where a container has a limit. */
class ContainerLimitTest {
    private static final long MIB = 1 << 20;

    @TempDir
    Path folder;

    private void write(String file, String text) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        Files.write(path, text.getBytes(StandardCharsets.UTF_8));
    }

    private long limit() {
        return ContainerLimit.limit(folder.resolve("groups"), folder.resolve("mount"));
    }

    @Test
    void theLeastLimitOfAllGroupsCounts() throws IOException {
        assertEquals(Long.MAX_VALUE, limit(), "there are no groups");
        write("groups", "0::/a/b\n");
        assertEquals(Long.MAX_VALUE, limit(), "there are no files");
        write("mount/a/b/memory.max", "max\n");
        assertEquals(Long.MAX_VALUE, limit());
        write("mount/a/memory.max", "1073741824\n");
        assertEquals(1024 * MIB, limit());
        write("mount/a/b/memory.max", "2147483648\n");
        assertEquals(1024 * MIB, limit());
        write("mount/memory.max", "1048576\n");
        assertEquals(MIB, limit(), "as a container without a namespace of its own sees it");
    }

    @Test
    void theFirstVersionHasOtherFiles() throws IOException {
        write("groups", "3:cpu,cpuacct:/x\n2:hugetlb,memory:/docker/17\n1:name=systemd:/\n0::/\n");
        write("mount/memory/memory.limit_in_bytes", "9223372036854771712\n");
        assertEquals(Long.MAX_VALUE, limit(), "no limit");
        write("mount/memory/docker/17/memory.limit_in_bytes", "1000000\n");
        assertEquals(1_000_000, limit());
    }

    @Test
    void whatMakesNoSenseIsNoLimit() throws IOException {
        write("groups", "nonsense\n\n0::/../../x\n");
        write("mount/memory.max", "18446744073709551615\n");
        write("mount/x/memory.max", "");
        assertEquals(Long.MAX_VALUE, limit());
    }

    @Test
    void tensorsHaveWhatIsLeftBesideTheHeap() {
        assertEquals(742 * MIB, ContainerLimit.budget(742 * MIB, 742 * MIB, Long.MAX_VALUE));
        assertEquals(128 * MIB, ContainerLimit.budget(768 * MIB, 768 * MIB, 1024 * MIB));
        assertEquals(768 * MIB, ContainerLimit.budget(3072 * MIB, 3072 * MIB, 4096 * MIB));
        assertEquals(2048 * MIB, ContainerLimit.budget(2048 * MIB, 2048 * MIB, 8192 * MIB), "there is more than enough");
        assertEquals(MIB, ContainerLimit.budget(1024 * MIB, 1024 * MIB, 1000 * MIB), "nothing is left, and none would be no budget");
    }

    /** What the JVM says of itself is the truth here, whatever container the tests run in. */
    @Test
    void theDefaultIsNeverMoreThanIsLeft() {
        long heap = Runtime.getRuntime().maxMemory();
        assertTrue(ContainerLimit.budget(heap, heap) <= heap);
    }
}
