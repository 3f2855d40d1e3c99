package io.tensornio.internal.memory;

import io.tensornio.internal.sparse.NativeSparse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Has work shared, by the library or by one of another class loader, and prints the names of the threads; run by {@link ThreadsTest}. */
public final class ThreadsProgram {
    /** Enough for 64 threads. */
    private static final int BYTES = 64 << 20;

    private ThreadsProgram() {
    }

    /** Binds the calling thread to the first of its processors. */
    private static void bind() throws IOException, InterruptedException {
        String thread = Files.readSymbolicLink(Paths.get("/proc/thread-self")).getFileName().toString();
        try {
            String command = "taskset -pc $(taskset -pc " + thread + " | sed 's/.*: //; s/[-,].*//') " + thread;
            if (new ProcessBuilder("sh", "-c", command).inheritIO().start().waitFor() == 0) {
                return;
            }
        } catch (IOException e) {
            System.out.println(e.getMessage());
        }
        System.out.println("cannot be bound");
    }

    /** The least time, in milliseconds, that processors spent on this process in a second in which nobody called the library. */
    private static long idle() throws IOException, InterruptedException {
        long least = Long.MAX_VALUE;
        // The JVM may still compile what has run.
        for (int second = 0; second < 5; second++) {
            long before = spent();
            Thread.sleep(1000);
            least = Math.min(least, spent() - before);
        }
        return least;
    }

    private static long spent() throws IOException {
        String all = new String(Files.readAllBytes(Paths.get("/proc/self/stat")), StandardCharsets.US_ASCII);
        String[] words = all.substring(all.lastIndexOf(')') + 2).split(" ");
        return (Long.parseLong(words[11]) + Long.parseLong(words[12])) * 10;       // user and system, in ticks, of which a second has 100
    }

    /** {@code shared}, {@code idle}, {@code bound} or {@code unloaded}. */
    public static void main(String[] arguments) throws Throwable {
        if (arguments[0].equals("bound")) {
            bind();
        }
        if (!arguments[0].equals("unloaded")) {
            Storage storage = Storage.allocate(BYTES, true);
            for (int i = 0; i < 3; i++) {
                if (NativeSparse.count(storage.view().asFloatBuffer(), BYTES / Float.BYTES, Float.BYTES, true) != 0) {
                    throw new AssertionError("all are zero");
                }
            }
            System.out.println("threads " + names());
            if (arguments[0].equals("idle")) {
                System.out.println("idle " + idle());
            }
            return;
        }
        for (int round = 0; round < 3; round++) {
            useOther();
            Garbage.collectUntil(() -> names().isEmpty());
        }
        System.out.println("unloaded " + names());
    }

    /** A method of its own, so that no local variable keeps the other library. */
    private static void useOther() throws Throwable {
        ByteBuffer bytes = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.nativeOrder());
        try (SeparateLibrary library = SeparateLibrary.load()) {
            library.setThreads(3);
            library.sparseCount(bytes.asFloatBuffer(), BYTES / Float.BYTES, Float.BYTES);
            System.out.println("loaded " + names());
        }
    }

    private static List<String> names() {
        try (Stream<Path> tasks = Files.list(Paths.get("/proc/self/task"))) {
            return tasks.map(ThreadsProgram::name).filter(name -> name.matches("tensornio-[0-9]+")).sorted().collect(Collectors.toList());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String name(Path task) {
        try {
            return new String(Files.readAllBytes(task.resolve("comm")), StandardCharsets.US_ASCII).trim();
        } catch (IOException e) {
            return "";          // it has ended
        }
    }
}
