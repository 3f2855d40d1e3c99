package io.tensornio.bench;

import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Tensors made, filled and closed one after the other, against filling memory that is there already, and against a direct
 * buffer for each. Iterations are long, so that each has its share of the collections.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 600, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 4, time = 600, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = {"-Xms1g", "-Xmx1g"})
public class MemoryBench {
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
}
