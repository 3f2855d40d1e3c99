package io.tensornio.internal.data;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * Divides work among the calling thread and the idle threads of the JVM's common pool.
 *
 * <p>Each takes the next free part. The caller waits only for parts that another thread has begun, and these never wait for the caller: so a busy
 * pool blocks nothing.
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

    /** How many threads may work at a time. */
    static int threads() {
        return Math.min(Runtime.getRuntime().availableProcessors(), ForkJoinPool.getCommonPoolParallelism() + 1);
    }

    /**
     * Does all parts, also those after one that fails; throws what the first of those threw that failed.
     *
     * @param parts how many, more than none
     * @param work does the part of a number; it throws nothing that is checked
     */
    static void run(int parts, IntConsumer work) {
        ParallelParts all = new ParallelParts(parts, work);
        for (int others = Math.min(parts, threads()) - 1; others > 0; others--) {
            try {
                ForkJoinPool.commonPool().execute(all);
            } catch (RejectedExecutionException | OutOfMemoryError e) {
                break;                  // then there are fewer of them
            }
        }
        all.run();
        all.await();
        all.work = null;                // a thread that comes later holds nothing of it
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

    /** Waits for the others, also if the thread is interrupted, since they write the caller's memory; restores the interrupt. */
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
