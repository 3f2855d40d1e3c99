package io.tensornio.support;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/** Threads that get in each other's way for a while. */
public final class RaceTeam {
    public static final int THREADS = 8;

    /** What a thread does again and again. */
    public interface Member {
        void act(Random random);
    }

    /** What each of the threads does once in a round. */
    public interface Turn {
        void take(int thread);
    }

    private final BooleanSupplier goesOn;
    private final List<Member> members = new ArrayList<>();
    private volatile boolean stop;

    /** A team that runs as long as a condition holds. */
    public RaceTeam(BooleanSupplier goesOn) {
        this.goesOn = goesOn;
    }

    public void add(int threads, Member member) {
        for (int i = 0; i < threads; i++) {
            members.add(member);
        }
    }

    /** Runs all of them until they have done enough or one has failed, whose exception is thrown. */
    public void run() throws Exception {
        List<Callable<Void>> running = new ArrayList<>();
        for (Member member : members) {
            Random random = new Random(running.size());
            running.add(() -> {
                try {
                    while (!stop && goesOn.getAsBoolean()) {
                        member.act(random);
                    }
                } finally {
                    stop = true;
                }
                return null;
            });
        }
        runAll(running);
    }

    /** Rounds in which all threads take their turns at once, with something before and after each. The first failure ends them. */
    public static void rounds(int rounds, Runnable before, Turn turn, Runnable after) throws Exception {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        CyclicBarrier begin = new CyclicBarrier(THREADS, guarded(before, failure));
        CyclicBarrier end = new CyclicBarrier(THREADS, guarded(after, failure));
        List<Callable<Void>> running = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            int thread = t;
            Runnable mine = guarded(() -> turn.take(thread), failure);
            running.add(() -> {
                for (int round = 0; round < rounds && failure.get() == null; round++) {
                    begin.await();
                    mine.run();
                    end.await();
                }
                return null;
            });
        }
        runAll(running);
        if (failure.get() != null) {
            throw new AssertionError(failure.get().toString(), failure.get());
        }
    }

    /** Keeps a failure for later, so that the threads go on meeting at the barriers. */
    private static Runnable guarded(Runnable action, AtomicReference<Throwable> failure) {
        return () -> {
            try {
                if (failure.get() == null) {
                    action.run();
                }
            } catch (Throwable e) {
                failure.compareAndSet(null, e);
            }
        };
    }

    private static void runAll(List<Callable<Void>> all) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(all.size());
        try {
            for (Future<Void> one : pool.invokeAll(all)) {
                try {
                    one.get();
                } catch (ExecutionException e) {
                    throw new AssertionError(e.getCause().toString(), e.getCause());
                }
            }
        } finally {
            pool.shutdown();
        }
    }
}
