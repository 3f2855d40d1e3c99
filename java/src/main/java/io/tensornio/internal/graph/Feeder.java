package io.tensornio.internal.graph;

/**
 * A background thread that does one task at a time: it fills the next batch. It ends when idle for a while, and is restarted on demand.
 */
final class Feeder implements Turn.Held {
    private static final long IDLE_MILLIS = 1000;

    private Runnable work;
    private boolean running;
    private boolean busy;
    private Thread thread;

    /** Starts a task, which throws nothing. The previous one is done. */
    synchronized void begin(Runnable next) {
        work = next;
        busy = true;
        if (!running) {
            running = true;
            thread = new Thread(this::serve, "tensornio-batches");
            thread.setDaemon(true);
            thread.setContextClassLoader(null);
            thread.start();
        }
        notifyAll();
    }

    /** Whether this is called from the task itself. */
    synchronized boolean isInside() {
        return Thread.currentThread() == thread && busy;
    }

    /** The thread that runs the task, or null. */
    @Override
    public synchronized Thread holder() {
        return busy ? thread : null;
    }

    /** Waits until the task is done, even if interrupted; restores the interrupt. */
    @Override
    public synchronized void await() {
        boolean interrupted = false;
        while (busy) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve() {
        while (true) {
            Runnable next = next();
            if (next == null) {
                return;
            }
            try {
                next.run();
            } finally {
                done();
            }
        }
    }

    private synchronized void done() {
        busy = false;
        notifyAll();
    }

    private synchronized Runnable next() {
        long end = System.nanoTime() + IDLE_MILLIS * 1_000_000;
        while (work == null) {
            long left = (end - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                running = false;
                thread = null;
                return null;
            }
            try {
                wait(left);
            } catch (InterruptedException e) {
                // only a user's binder can interrupt this thread
            }
        }
        Runnable next = work;
        work = null;
        return next;
    }
}
