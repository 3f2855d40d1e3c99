package io.tensornio.internal.memory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.List;

/** How much memory the control groups of Linux, such as those of a container, leave this process: beyond it the kernel ends the process. */
final class ContainerLimit {
    /** What the JVM itself needs beside its heap, unless that is more than half of what there is: code, metadata, stacks, the collector's tables. */
    private static final long OF_THE_JVM = 256L << 20;
    private static final long LEAST = 1 << 20;

    private ContainerLimit() {
    }

    /**
     * The most that tensors may have by default.
     *
     * @param wanted what they would have without a limit
     * @param heap the maximum of the heap
     */
    static long budget(long wanted, long heap) {
        return budget(wanted, heap, limit(Paths.get("/proc/self/cgroup"), Paths.get("/sys/fs/cgroup")));
    }

    /** The same for a limit. Half of what it leaves beside the heap, or all but what the JVM needs if that is more. */
    static long budget(long wanted, long heap, long limit) {
        long left = Math.max(limit - heap, 0);
        return Math.min(wanted, Math.max(Math.max(left / 2, left - OF_THE_JVM), LEAST));
    }

    /**
     * The least limit of the groups that the process is in.
     *
     * @param groups the file that names them
     * @param mount where their files are
     * @return the bytes; {@link Long#MAX_VALUE} if there is no limit, or none can be read
     */
    static long limit(Path groups, Path mount) {
        long least = Long.MAX_VALUE;
        if (!Files.isReadable(groups)) {
            return least;
        }
        try {
            for (String line : Files.readAllLines(groups, StandardCharsets.UTF_8)) {
                String[] parts = line.split(":", 3);        // number:controllers:path
                if (parts.length < 3) {
                    continue;
                }
                if (parts[1].isEmpty()) {
                    least = Math.min(least, limit(mount, parts[2], "memory.max"));
                } else if (Arrays.asList(parts[1].split(",")).contains("memory")) {
                    least = Math.min(least, limit(mount.resolve("memory"), parts[2], "memory.limit_in_bytes"));
                }
            }
        } catch (IOException | RuntimeException e) {
            Log.log(Log.DEBUG, "cannot read the memory limits of control groups", e);
        }
        return least;
    }

    /**
     * The least limit of a group and those above it. In a container the path may be the host's, of which only the last group is there, as the root.
     */
    private static long limit(Path mount, String group, String file) throws IOException {
        long least = read(mount.resolve(file));
        Path inside = mount;
        for (String name : group.split("/")) {
            // A group of a namespace above this one begins with dots.
            if (!name.isEmpty() && !name.equals("..")) {
                inside = inside.resolve(name);
                least = Math.min(least, read(inside.resolve(file)));
            }
        }
        return least;
    }

    private static long read(Path file) throws IOException {
        if (!Files.isReadable(file)) {
            return Long.MAX_VALUE;
        }
        List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        String text = lines.isEmpty() ? "" : lines.get(0).trim();
        // "max" stands for none, and more digits than a long has, of 64 bits without a sign, do so, too.
        boolean isNumber = !text.isEmpty() && text.length() <= 18;
        for (char c : text.toCharArray()) {
            isNumber &= c >= '0' && c <= '9';
        }
        return isNumber ? Long.parseLong(text) : Long.MAX_VALUE;
    }
}
