package io.tensornio.bench;

import com.sun.management.GarbageCollectionNotificationInfo;
import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Tensors made, filled and closed one after the other, against filling memory that is there already, and against a direct
 * buffer for each. Iterations are long, so that each has its share of the collections.
 */
@Warmup(iterations = 2, time = 600, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 4, time = 600, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = {"-Xms1g", "-Xmx1g"})
public class MemoryBench extends Timed {
    private static FloatBuffer direct(int elements) {
        return ByteBuffer.allocateDirect(elements * Float.BYTES).order(ByteOrder.nativeOrder()).asFloatBuffer();
    }

    /** Tensors that are filled as a whole. */
    @State(Scope.Thread)
    public static class Filled {
        /** How large they are. */
        @Param({"64", "1024", "2048", "16384", "65536"})
        int kib;
        int n;
        float[] array;
        /** Another value each time. */
        float value;
        /** Memory as a tensor has it, with huge pages where tensors get them: what {@code allocateDirect} gives is slower. */
        FloatBuffer warm;
        Consumer<FloatTensorData> put = data -> {
            float next = value;
            for (int i = 0, end = n; i < end; i++) {
                data.put(next, i);
            }
        };
        Consumer<FloatTensorData> putArray = data -> data.put(array);

        /** Makes the array and the warm memory. */
        @Setup
        public void make() {
            n = kib * 1024 / Float.BYTES;
            array = new float[n];
            warm = new OpenTensor(n).buffer;
        }
    }

    private static FloatBuffer fill(FloatBuffer buffer, Filled s) {
        float next = s.value;
        for (int i = 0, end = s.n; i < end; i++) {
            buffer.put(i, next);
        }
        return buffer;
    }

    private static Tensor<Float> tensor(Filled s, Consumer<FloatTensorData> init) {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {s.n}, init)) {
            return tensor;
        }
    }

    /** Filled by a loop. */
    @Benchmark
    public Tensor<Float> filled(Filled s) {
        s.value++;
        return tensor(s, s.put);
    }

    /** Filled from an array. */
    @Benchmark
    public Tensor<Float> filledInBulk(Filled s) {
        return tensor(s, s.putArray);
    }

    /** {@link #filled} over warm memory. */
    @Benchmark
    public FloatBuffer warm(Filled s) {
        s.value++;
        return fill(s.warm, s);
    }

    /** {@link #filledInBulk} over warm memory. */
    @Benchmark
    public FloatBuffer warmInBulk(Filled s) {
        s.warm.position(0);
        return s.warm.put(s.array);
    }

    /** {@link #filled} with a direct buffer for each. */
    @Benchmark
    public FloatBuffer direct(Filled s) {
        s.value++;
        return fill(direct(s.n), s);
    }

    /** Tensors that get one element. */
    @State(Scope.Thread)
    public static class Small {
        /** How many elements they have. */
        @Param({"16", "1024"})
        int floats;
        Consumer<FloatTensorData> put = data -> data.put(1, 0);
    }

    /** A small tensor. */
    @Benchmark
    public Tensor<Float> small(Small s) {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {s.floats}, s.put)) {
            return tensor;
        }
    }

    /** A small direct buffer. */
    @Benchmark
    public FloatBuffer smallDirect(Small s) {
        return direct(s.floats).put(0, 1);
    }

    /** Tensors of many sizes that are made and closed at once. */
    @State(Scope.Thread)
    public static class Created {
        /** How many elements they have. */
        @Param({"16", "1024", "16384", "262144", "524288", "4194304", "16777216"})
        int floats;
        Consumer<FloatTensorData> put = data -> data.put(1, 0);
    }

    /** Counts the collections that a program asked for. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Collections {
        /** How many there were in an iteration, but for the one that shows that all are reported. */
        public long asked;
        /** What the JVM calls a collection that a program asked for. */
        private static final String ASKED_FOR = "System.gc()";
        private final AtomicLong seen = new AtomicLong();
        private long before;

        /** Listens to the collectors. */
        @Setup
        public void listen() {
            for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
                ((NotificationEmitter) collector).addNotificationListener((notification, handback) -> {
                    if (notification.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)
                            && GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData()).getGcCause().equals(ASKED_FOR)) {
                        seen.incrementAndGet();
                    }
                }, null, null);
            }
        }

        /** Begins to count. */
        @Setup(Level.Iteration)
        public void begin() {
            before = seen.get();
        }

        /** Asks for one collection, and waits until it is reported: then those before it are, too. */
        @TearDown(Level.Iteration)
        public void end() throws InterruptedException {
            long then = seen.get();
            System.gc();
            while (seen.get() == then) {
                Thread.sleep(1);
            }
            Thread.sleep(100);
            asked = seen.get() - before - 1;
        }
    }

    /** What makes and closes tensors should never ask for a collection. */
    @Benchmark
    public Tensor<Float> created(Created s, Collections collections) {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {s.floats}, s.put)) {
            return tensor;
        }
    }
}
