package io.tensornio.bench;

import io.tensornio.StringTensorData;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** A million strings of 20 characters into a tensor and out of it, against encoding and decoding them alone. */
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = {"-Xms2g", "-Xmx2g", "-XX:+UseSerialGC"})
@OperationsPerInvocation(StringBench.N)
public class StringBench extends Timed {
    /** How many strings. */
    static final int N = 1_000_000;

    /** Strings, their bytes, and tensors of them. */
    @State(Scope.Thread)
    public static class Strings {
        final String[] strings = new String[N];
        final byte[][] bytes = new byte[N][];
        final StringTensorData variable;
        final StringTensorData padded;
        final Tensor<String> first;
        final Tensor<String> second;

        /** Makes them all. */
        public Strings() {
            for (int n = 0; n < N; n++) {
                strings[n] = String.format("string number %06d", n);
                bytes[n] = strings[n].getBytes(StandardCharsets.UTF_8);
            }
            first = Tensors.denseString(new long[] {N}, data -> fill(data, strings));
            second = Tensors.denseString(new long[] {N}, 20, 0, data -> fill(data, strings));
            variable = first.stringData();
            padded = second.stringData();
        }

        /** Checks them. */
        @Setup
        public void check() {
            for (int n = 0; n < N; n++) {
                if (strings[n].length() != 20 || !variable.get(n).equals(strings[n]) || !padded.get(n).equals(strings[n])) {
                    throw new IllegalStateException("another string: " + variable.get(n));
                }
            }
        }
    }

    /** Puts strings one by one. */
    static void fill(StringTensorData data, String... strings) {
        for (int n = 0; n < strings.length; n++) {
            data.put(strings[n], n);
        }
    }

    /** In, as long as each is. */
    @Benchmark
    public long build(Strings s) {
        try (Tensor<String> tensor = Tensors.denseString(new long[] {N}, data -> fill(data, s.strings))) {
            return tensor.numBytes();
        }
    }

    /** In, padded. */
    @Benchmark
    public long buildPadded(Strings s) {
        try (Tensor<String> tensor = Tensors.denseString(new long[] {N}, 20, 0, data -> fill(data, s.strings))) {
            return tensor.numBytes();
        }
    }

    /** In, as long as each is, by one call. */
    @Benchmark
    public long buildBulk(Strings s) {
        try (Tensor<String> tensor = Tensors.denseString(new long[] {N}, data -> data.put(s.strings))) {
            return tensor.numBytes();
        }
    }

    /** In, padded, by one call. */
    @Benchmark
    public long buildPaddedBulk(Strings s) {
        try (Tensor<String> tensor = Tensors.denseString(new long[] {N}, 20, 0, data -> data.put(s.strings))) {
            return tensor.numBytes();
        }
    }

    /** A copy of an array. */
    @Benchmark
    public long buildFrom(Strings s) {
        try (Tensor<String> tensor = Tensors.create(StringTensorData.of(s.strings))) {
            return tensor.numBytes();
        }
    }

    /** Encoded alone. */
    @Benchmark
    public void encode(Strings s, Blackhole hole) {
        for (String string : s.strings) {
            hole.consume(string.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Out. */
    @Benchmark
    public void read(Strings s, Blackhole hole) {
        for (int n = 0; n < N; n++) {
            hole.consume(s.variable.get(n));
        }
    }

    /** Out of the padded ones. */
    @Benchmark
    public void readPadded(Strings s, Blackhole hole) {
        for (int n = 0; n < N; n++) {
            hole.consume(s.padded.get(n));
        }
    }

    /** Decoded alone. */
    @Benchmark
    public void decode(Strings s, Blackhole hole) {
        for (byte[] string : s.bytes) {
            hole.consume(new String(string, StandardCharsets.UTF_8));
        }
    }
}
