package io.tensornio.bench.peers;

import java.util.concurrent.TimeUnit;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Twelve eager operations on few, some and many floats, in this library and in others. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = {"-Xms1g", "-Xmx1g"})
public class PeersBench {
    /** An operation of a library, which computes once, and lets the result go. */
    @State(Scope.Thread)
    public abstract static class Call {
        /** Which one. */
        @Param({"add", "mul", "exp", "tanh", "relu", "less", "sum", "maxOfRows", "softmax", "matmul", "transpose", "concat"})
        public String operation;
        /** How many floats; a square matrix has at most as many, and 1024 rows. */
        @Param({"8", "65536", "16777216"})
        public int size;

        private Library library;
        Runnable call;

        abstract Library library();

        /** Makes the operands. */
        @Setup
        public void make() {
            library = library();
            call = library.call(operation);
        }

        /** Closes them. */
        @TearDown
        public void close() {
            library.close();
        }
    }

    /** Of this library. */
    public static class OfTensors extends Call {
        @Override
        Library library() {
            return new TensorNio(size);
        }
    }

    /** Of ND4J. */
    public static class OfNdForJ extends Call {
        @Override
        Library library() {
            return new NdForJ(size);
        }
    }

    /** Of DJL. */
    public static class OfDjl extends Call {
        @Override
        Library library() {
            return new Djl(size);
        }
    }

    /** This library. */
    @Benchmark
    public void tensors(OfTensors s) {
        s.call.run();
    }

    /** ND4J. */
    @Benchmark
    public void nd4j(OfNdForJ s) {
        s.call.run();
    }

    /** DJL on PyTorch. */
    @Benchmark
    public void djl(OfDjl s) {
        s.call.run();
    }
}
