package io.tensornio.internal.graph;

/**
 * A thread that does one piece of work at a time while its owner does another: it fills the next batch. It ends when there was nothing to do for a
 * while, and is begun again.
 */
final class Feeder implements Turn.Held {
    private static final long IDLE_MILLIS = 1000;

    private Runnable work;
    private boolean running;
    private boolean busy;
    private Thread thread;

    /** Begins a piece of work, which throws nothing. The last one is done. */
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

    /** Whether this is called from the work itself. */
    synchronized boolean isInside() {
        return Thread.currentThread() == thread && busy;
    }

    /** Who is at work. */
    @Override
    public synchronized Thread holder() {
        return busy ? thread : null;
    }

    /** Waits until the work is done, however often the thread is interrupted, which it is afterwards. */
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
                // nobody but a user's binder can know this thread
            }
        }
        Runnable next = work;
        work = null;
        return next;
    }
}
