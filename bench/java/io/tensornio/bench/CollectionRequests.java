package io.tensornio.bench;

import com.sun.management.GarbageCollectionNotificationInfo;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

/** Counts how often a loop that makes and closes tensors has the library ask for a collection. */
final class CollectionRequests {
    private static final int[] FLOATS = {16, 1 << 10, 16 << 10, 256 << 10, 512 << 10, 4 << 20, 16 << 20};
    private static final long PATIENCE_NANOS = 10_000_000_000L;
    /** What the JVM calls a collection that a program asked for. */
    private static final String ASKED_FOR = "System.gc()";

    private final AtomicLong seen = new AtomicLong();

    private CollectionRequests() {
    }

    /**
     * Runs the loops.
     *
     * @param seconds how long each
     * @return a row for each size
     * @throws InterruptedException if the thread is interrupted
     */
    static List<Row> count(double seconds) throws InterruptedException {
        CollectionRequests counter = new CollectionRequests();
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            ((NotificationEmitter) collector).addNotificationListener((notification, handback) -> {
                if (notification.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)
                        && GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData()).getGcCause().equals(ASKED_FOR)) {
                    counter.seen.incrementAndGet();
                }
            }, null, null);
        }
        List<Row> rows = new ArrayList<>();
        for (int floats : FLOATS) {
            rows.add(counter.loop(floats, (long) (seconds * 1e9)));
        }
        return rows;
    }

    private Row loop(int floats, long nanos) throws InterruptedException {
        long before = seen.get();
        long start = System.nanoTime();
        long closes = 0;
        while (System.nanoTime() - start < nanos) {
            try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {floats}, data -> data.put(1, 0))) {
                closes += tensor.rank();
            }
        }
        long requests = settle() - before - 1;
        String what = String.format(Locale.ROOT, "collections asked for by %,d creates and closes of %,d bytes", closes, floats * 4L);
        return Row.judged(requests == 0, what, "", "", Long.toString(requests), "0");
    }

    /** Asks for one collection and waits until it is reported: then those before it are, too. */
    private long settle() throws InterruptedException {
        long before;
        long start = System.nanoTime();
        do {
            before = seen.get();
            Thread.sleep(100);
        } while (seen.get() != before);
        System.gc();
        while (seen.get() == before) {
            if (System.nanoTime() - start > PATIENCE_NANOS) {
                throw new IllegalStateException("this JVM does not report the collections that a program asks for");
            }
            Thread.sleep(1);
        }
        return seen.get();
    }
}
