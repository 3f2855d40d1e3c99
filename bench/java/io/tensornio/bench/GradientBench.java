package io.tensornio.bench;

import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.TensorData;
import io.tensornio.compute.Comprehension;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What gradients cost beside what goes forward; on all threads, as in a program. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 600, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 4, time = 600, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = {"-Xms1g", "-Xmx1g"})
public class GradientBench {
    /** A comprehension that writes to memory which is there. */
    private static final class Work {
        private final Comprehension program;
        private final Map<String, Object> inputs = new HashMap<>();
        private final Map<String, Object> outputs = new HashMap<>();

        Work(String text) {
            program = Comprehension.of(text);
        }

        /** Gives a tensor under its name, to read or to write. */
        Work with(String name, TensorData<?> data) {
            (program.inputs().contains(name) ? inputs : outputs).put(name, data);
            return this;
        }

        void run() {
            program.runInto(inputs, outputs);
        }
    }

    /** 16 M elements, half of them negative. */
    @State(Scope.Thread)
    public static class Relu {
        private static final int LENGTH = 1 << 24;
        private final float[] x = new float[LENGTH];
        private final float[] slopes = new float[LENGTH];
        private final float[] result = new float[LENGTH];
        private final FloatTensorData input = new OpenTensor(LENGTH).data;
        private final Work backward = new Work("y[i] = max(x[i], 0); gradient y seed g by x; return dx").with("x", input)
            .with("g", new OpenTensor(LENGTH).data).with("dx", new OpenTensor(LENGTH).data);

        /** Fills them. */
        @Setup
        public void fill() {
            for (int n = 0; n < LENGTH; n++) {
                x[n] = (n * 31 & 255) - 128;
            }
            input.put(x);
        }
    }

    /** Matrices of 512 x 512. */
    @State(Scope.Thread)
    public static class Products {
        private static final String TEXT = "C[i,j] += A[i,k] * B[k,j]";
        private final FloatTensorData a = new OpenTensor(512, 512).data;
        private final FloatTensorData b = new OpenTensor(512, 512).data;
        private final Work forward = new Work(TEXT).with("A", a).with("B", b).with("C", new OpenTensor(512, 512).data);
        private final Work backward = new Work(TEXT + "; gradient C seed G by A, B; return dA, dB").with("A", a).with("B", b)
            .with("G", new OpenTensor(512, 512).data).with("dA", new OpenTensor(512, 512).data).with("dB", new OpenTensor(512, 512).data);
    }

    /** 16 images of 64 x 64 x 32, 32 filters of 3 x 3. */
    @State(Scope.Thread)
    public static class Convolutions {
        private static final String TEXT = "O[n,y,x,f] += I[n,y+r,x+s,c] * K[r,s,c,f]";
        private final FloatTensorData images = new OpenTensor(16, 64, 64, 32).data;
        private final FloatTensorData filters = new OpenTensor(3, 3, 32, 32).data;
        private final Work forward = new Work(TEXT).with("I", images).with("K", filters).with("O", new OpenTensor(16, 62, 62, 32).data);
        private final Work backward = new Work(TEXT + "; gradient O seed G by I, K; return dI, dK").with("I", images).with("K", filters)
            .with("G", new OpenTensor(16, 62, 62, 32).data).with("dI", new OpenTensor(16, 64, 64, 32).data)
            .with("dK", new OpenTensor(3, 3, 32, 32).data);
    }

    /** Logits of 4096 examples of 1000 classes. */
    @State(Scope.Thread)
    public static class Losses {
        private static final String TEXT = "m[n] max= z[n,c]; o[n] = floor(m[n]); t[n] += exp(z[n,c] - o[n]); "
            + "l += log(t[n]) + o[n] - z[n,label[n]]";
        private final FloatTensorData logits = new OpenTensor(4096, 1000).data;
        private final IntTensorData labels = IntTensorData.of(new int[4096]);
        private final Work forward = new Work(TEXT + "; return l").with("z", logits).with("label", labels).with("l", new OpenTensor().data);
        private final Work both = new Work(TEXT + "; gradient l by z; return l, dz").with("z", logits).with("label", labels)
            .with("l", new OpenTensor().data).with("dz", new OpenTensor(4096, 1000).data);
    }

    /** The gradient of a ReLU. */
    @Benchmark
    public void relu(Relu s) {
        s.backward.run();
    }

    /** The same as a loop over arrays. */
    @Benchmark
    public void reluLoop(Relu s) {
        float[] x = s.x;
        float[] slopes = s.slopes;
        float[] result = s.result;
        for (int n = 0; n < x.length; n++) {
            result[n] = x[n] > 0 ? slopes[n] : 0;
        }
    }

    /** The gradients by both factors. */
    @Benchmark
    public void matmul(Products s) {
        s.backward.run();
    }

    /** Two products. */
    @Benchmark
    public void matmulTwice(Products s) {
        s.forward.run();
        s.forward.run();
    }

    /** The gradients by images and filters. */
    @Benchmark
    public void conv2d(Convolutions s) {
        s.backward.run();
    }

    /** Two convolutions forward. */
    @Benchmark
    public void conv2dTwice(Convolutions s) {
        s.forward.run();
        s.forward.run();
    }

    /** The loss and its gradient. */
    @Benchmark
    public void crossEntropy(Losses s) {
        s.both.run();
    }

    /** The loss alone. */
    @Benchmark
    public void crossEntropyForward(Losses s) {
        s.forward.run();
    }
}
