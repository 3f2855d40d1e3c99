package io.tensornio.bench;

import io.tensornio.op.Operand;
import io.tensornio.op.Ops;
import java.util.function.Function;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Sorting, running sums, random numbers, transforms and decompositions, on one thread as {@code bench/python/numeric.py} does the same. */
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = {"-Xms512m", "-Xmx512m", "-Dtensornio.maxMemory=3g", "-Dtensornio.threads=1"})
public class NumericBench extends Timed {
    /** An operation, and its operands, which are random. */
    @State(Scope.Thread)
    public static class Work {
        @Param({"sort", "topK", "cumsum", "normal", "rfft", "rfftDouble", "solve", "cholesky", "qr", "svd", "eigh", "solveBatch", "choleskyBatch",
            "qrBatch", "svdBatch", "eighBatch"})
        String operation;
        private final Ops operands = Ops.create();
        private Function<Ops, Object> call;

        /** Makes the operands. */
        @Setup
        public void make() {
            switch (operation) {
                case "sort":
                    Operand<Float> numbers = operands.random.normal(1, 10_000_000);
                    call = tf -> tf.array.sort(numbers, 0);
                    break;
                case "topK":
                    Operand<Float> rows = operands.random.normal(1, 1000, 100_000);
                    call = tf -> tf.array.topK(rows, 10, 1);
                    break;
                case "cumsum":
                    Operand<Float> steps = operands.random.normal(1, 10_000_000);
                    call = tf -> tf.array.cumsum(steps, 0);
                    break;
                case "normal":
                    call = tf -> tf.random.normal(1, 10_000_000);
                    break;
                case "rfft":
                    Operand<Float> signal = operands.random.normal(1, 1 << 20);
                    call = tf -> tf.fft.rfft(signal);
                    break;
                case "rfftDouble":
                    Operand<Double> exact = operands.random.normal(Double.class, 1, 1 << 20);
                    call = tf -> tf.fft.rfft(exact);
                    break;
                default:
                    boolean isBatch = operation.endsWith("Batch");
                    long n = isBatch ? 64 : 512;
                    Operand<Double> a = isBatch ? operands.random.normal(Double.class, 1, 64, n, n) : operands.random.normal(Double.class, 1, n, n);
                    call = decomposition(a, operands.linalg.matmul(a, operands.linalg.transpose(a)));
                    break;
            }
        }

        private Function<Ops, Object> decomposition(Operand<Double> a, Operand<Double> positive) {
            switch (operation.replace("Batch", "")) {
                case "solve":
                    return tf -> tf.linalg.solve(a, a);
                case "cholesky":
                    return tf -> tf.linalg.cholesky(positive);
                case "qr":
                    return tf -> tf.linalg.qr(a);
                case "svd":
                    return tf -> tf.linalg.svd(a);
                default:
                    return tf -> tf.linalg.eigh(positive);
            }
        }

        /** Closes them. */
        @TearDown
        public void close() {
            operands.close();
        }
    }

    /** Computes, and closes what came of it. */
    @Benchmark
    public Object tensors(Work work) {
        try (Ops tf = Ops.create()) {
            return work.call.apply(tf);
        }
    }
}
