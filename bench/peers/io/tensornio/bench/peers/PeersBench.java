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
@State(Scope.Thread)
public class PeersBench {
    /** Which one. */
    @Param({"add", "mul", "exp", "tanh", "relu", "less", "sum", "maxOfRows", "softmax", "matmul", "transpose", "concat"})
    public String operation;
    /** How many floats; a square matrix has at most as many, and 1024 rows. */
    @Param({"8", "65536", "16777216"})
    public int size;
    /** By what. */
    @Param({"tensornio", "nd4j", "djl"})
    public String library;

    private Library made;
    private Runnable call;

    /** Makes the operands. */
    @Setup
    public void make() {
        made = Library.of(library, size);
        call = made.call(operation);
    }

    /** Closes them. */
    @TearDown
    public void close() {
        made.close();
    }

    /** Computes once, and lets the result go. */
    @Benchmark
    public void run() {
        call.run();
    }
}
