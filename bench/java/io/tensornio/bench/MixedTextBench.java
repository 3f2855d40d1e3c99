package io.tensornio.bench;

import io.tensornio.StringTensorData;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Texts of ASCII put one by one, where the JVM has met many others before: what the compiler thinks of those then costs up to ten times as much in
 * some JVMs, so there are many forks, and the slowest of them says more than the mean.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 8, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 1, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 12, jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseSerialGC"})
@OperationsPerInvocation(StringBench.N)
@State(Scope.Thread)
public class MixedTextBench {
    /** How many texts beyond Latin-1 were put before. */
    @Param({"0", "300000", "3000000"})
    public int others;

    private final String[] strings = new String[StringBench.N];

    /** Makes the strings, and puts the others. */
    @Setup
    public void setup() {
        for (int n = 0; n < strings.length; n++) {
            strings[n] = String.format("string number %06d", n);
        }
        String[] before = new String[others];
        for (int n = 0; n < others; n++) {
            before[n] = "\u20ac" + n;
        }
        fill(before);
    }

    private static long fill(String... strings) {
        try (Tensor<String> tensor = Tensors.denseString(new long[] {strings.length}, data -> fill(data, strings))) {
            return tensor.numBytes();
        }
    }

    private static void fill(StringTensorData data, String... strings) {
        for (int n = 0; n < strings.length; n++) {
            data.put(strings[n], n);
        }
    }

    /** In, as long as each is. */
    @Benchmark
    public long build() {
        return fill(strings);
    }
}
