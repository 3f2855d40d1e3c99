package io.tensornio.programs;

import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tensornio.Tensors;
import io.tensornio.support.Expect;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BiFunction;

/**
 * Random programs over the whole library: they make tensors of all types and kinds, read, write, slice, view and compute with them, misuse, close
 * and drop them, train and run graphs of them, alone or several threads at once with the same tensors. Every result is held against arrays. The
 * steps of each thread depend on the seed alone.
 */
public final class LibraryPrograms {
    private static final int THREADS = 3;
    private static final int STEPS = 12;

    private static final List<BiFunction<Random, StringBuilder, Held>> DENSE = Arrays.asList(FloatHeld::make, DoubleHeld::make, IntHeld::make,
        LongHeld::make, BooleanHeld::make, ByteHeld::make, StringHeld::make);
    private static final List<BiFunction<Random, StringBuilder, Held>> RAGGED = Arrays.asList(FloatHeldRows::make, DoubleHeldRows::make,
        IntHeldRows::make, LongHeldRows::make, BooleanHeldRows::make, ByteHeldRows::make, StringHeldRows::make);

    private final AtomicReferenceArray<Held> slots = new AtomicReferenceArray<>(5);

    private LibraryPrograms() {
    }

    /** Programs for a JVM of its own: as many as the argument says, and a tenth as many by several threads. */
    public static void main(String[] arguments) {
        int programs = Integer.parseInt(arguments[0]);
        for (int seed = 0; seed < programs; seed++) {
            StringBuilder done = new StringBuilder("seed " + seed);
            try {
                alone(new Random(seed), done);
            } catch (Throwable e) {
                throw new AssertionError(done.toString(), e);
            }
        }
        try (Team team = new Team()) {
            for (int seed = 0; seed < programs / 10; seed++) {
                team.run(new Random(seed), new StringBuilder("seed " + seed + " by several threads"));
            }
        }
        System.out.println(programs + " programs");
    }

    /** A program of one thread. */
    static void alone(Random random, StringBuilder done) {
        LibraryPrograms program = new LibraryPrograms();
        program.steps(random, done);
        program.end(random);
    }

    /** Threads for programs of several. */
    static final class Team implements AutoCloseable {
        private final ExecutorService pool = Executors.newFixedThreadPool(THREADS, daemons());

        private static ThreadFactory daemons() {
            return work -> {
                Thread thread = new Thread(work);
                thread.setDaemon(true);
                return thread;
            };
        }

        /** A program of several threads, each of which has a seed of its own. */
        void run(Random random, StringBuilder done) {
            LibraryPrograms program = new LibraryPrograms();
            List<Callable<Void>> threads = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                Random own = new Random(random.nextLong());
                String name = done + ", thread " + t;
                threads.add(() -> {
                    StringBuilder mine = new StringBuilder(name);
                    try {
                        program.steps(own, mine);
                    } catch (Throwable e) {
                        throw new AssertionError(mine.toString(), e);
                    }
                    return null;
                });
            }
            try {
                for (Future<Void> one : pool.invokeAll(threads)) {
                    one.get();
                }
            } catch (ExecutionException | InterruptedException e) {
                throw new AssertionError(e.getCause() == null ? e : e.getCause());
            }
            program.end(random);
        }

        @Override
        public void close() {
            pool.shutdown();
        }
    }

    private void steps(Random random, StringBuilder done) {
        for (int n = 1 + random.nextInt(STEPS); n > 0; n--) {
            int slot = random.nextInt(slots.length());
            done.append("; ").append(slot);
            Held held = slots.get(slot);
            if (held == null) {
                slots.set(slot, make(random, done));
            } else if (random.nextInt(6) == 0) {
                done.append(" close");
                held.close();
            } else if (random.nextInt(8) == 0) {
                done.append(" drop");
                slots.set(slot, null);
            } else if (random.nextInt(8) == 0) {
                Computed.any(random, done);
            } else {
                held.use(random, done);
            }
        }
    }

    private static Held make(Random random, StringBuilder done) {
        if (random.nextInt(20) == 0) {
            refuse(random, done);
        }
        List<BiFunction<Random, StringBuilder, Held>> kinds = random.nextInt(4) == 0 ? RAGGED : DENSE;
        return kinds.get(random.nextInt(kinds.size())).apply(random, done);
    }

    /** Half of what is left is closed, the rest for the collector. */
    private void end(Random random) {
        for (int slot = 0; slot < slots.length(); slot++) {
            Held held = slots.get(slot);
            if (held != null && random.nextBoolean()) {
                held.close();
                held.close();
            }
        }
    }

    /** What cannot be made leaves nothing. */
    private static void refuse(Random random, StringBuilder done) {
        int way = random.nextInt(4);
        done.append(" refuse ").append(way);
        switch (way) {
            case 0: {
                RuntimeException own = new RuntimeException("init does not want to go on");
                assertSame(own, assertThrows(RuntimeException.class, () -> Tensors.denseDouble(new long[] {2, 3}, data -> {
                    data.put(1, 1, 2);
                    throw own;
                })));
                break;
            }
            case 1:
                Expect.thrown(IllegalArgumentException.class, () -> Tensors.denseInt(new long[] {2, -3}, data -> { }), "-3");
                break;
            case 2:
                Expect.thrown(IllegalStateException.class, () -> Tensors.sparseFloat(new long[] {2, 3}, 2, data -> data.put(1, 1, 2)), "FLOAT");
                break;
            default:
                Expect.thrown(IndexOutOfBoundsException.class, () -> Tensors.raggedLong(new long[] {2, -1}, data -> data.put(1, 2, 0)), "2");
        }
    }
}
