package io.tensornio.internal.memory;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/** Threads that start together and whose failures are the test's. */
public final class Workers {
    private Workers() {
    }

    /** What one thread does; it may throw. */
    public interface Work {
        void run(int number) throws Exception;
    }

    /** Runs the work in so many threads, to the end of all. */
    public static void run(int count, Work work) {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        CountDownLatch start = new CountDownLatch(1);
        Thread[] threads = new Thread[count];
        for (int i = 0; i < count; i++) {
            int number = i;
            threads[i] = new Thread(() -> {
                try {
                    start.await();
                    work.run(number);
                } catch (Throwable e) {
                    failure.compareAndSet(null, e);
                }
            });
            threads[i].start();
        }
        start.countDown();
        for (Thread thread : threads) {
            join(thread);
        }
        if (failure.get() != null) {
            throw new AssertionError("in a thread: " + failure.get(), failure.get());
        }
    }

    /** Nobody interrupts it; unchecked, so that what makes a tensor, which throws nothing that is checked, can wait for others. */
    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
