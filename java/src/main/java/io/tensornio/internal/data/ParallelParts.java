package io.tensornio.internal.data;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * Divides work among the calling thread and the idle threads of the JVM's common pool.
 *
 * <p>Each takes the next unclaimed part. The caller waits only for parts that another thread has begun, and these never
 * wait for the caller, so that a busy pool cannot cause a deadlock.
 */
final class ParallelParts implements Runnable {
    private IntConsumer work;
    private final Throwable[] failures;
    private final AtomicInteger next = new AtomicInteger();
    private final CountDownLatch left;

    private ParallelParts(int parts, IntConsumer work) {
        this.work = work;
        failures = new Throwable[parts];
        left = new CountDownLatch(parts);
    }

    /** The maximum number of threads. */
    static int threads() {
        return Math.min(Runtime.getRuntime().availableProcessors(), ForkJoinPool.getCommonPoolParallelism() + 1);
    }

    /**
     * Does all parts, including those after a failed one; then throws the exception of the first failed part.
     *
     * @param parts the number of parts, at least 1
     * @param work does the part with a number; throws no checked exception
     */
    static void run(int parts, IntConsumer work) {
        ParallelParts all = new ParallelParts(parts, work);
        for (int others = Math.min(parts, threads()) - 1; others > 0; others--) {
            try {
                ForkJoinPool.commonPool().execute(all);
            } catch (RejectedExecutionException | OutOfMemoryError e) {
                break;                  // continue with fewer threads
            }
        }
        all.run();
        all.await();
        all.work = null;                // a thread that starts later must not keep it reachable
        for (Throwable failure : all.failures) {
            if (failure instanceof Error) {
                throw (Error) failure;
            }
            if (failure != null) {
                throw (RuntimeException) failure;
            }
        }
    }

    @Override
    public void run() {
        for (int part = next.getAndIncrement(); part < failures.length; part = next.getAndIncrement()) {
            try {
                work.accept(part);
            } catch (Throwable e) {
                failures[part] = e;
            } finally {
                left.countDown();
            }
        }
    }

    /** Waits for the other threads, even if interrupted, since they write the caller's memory; restores the interrupt. */
    private void await() {
        boolean isInterrupted = false;
        while (true) {
            try {
                left.await();
                break;
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
