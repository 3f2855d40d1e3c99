package io.tensornio.bench;

import io.tensornio.Tensor;
import io.tensornio.Tensors;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Texts put one by one where the JVM has met others before, and hardly any of these: a method that it does not inline then is a call for each
 * character in some JVMs. The slowest of many forks says more than the mean.
 */
@Warmup(iterations = 8, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@OperationsPerInvocation(StringBench.N)
@State(Scope.Thread)
public class MixedTextBench extends Timed {
    private static final int MET = 300_000;

    /** Which texts were put before. */
    @Param({"ascii", "others"})
    public String before;

    private final String[] ascii = new String[StringBench.N];
    private final String[] others = new String[StringBench.N];

    /** Makes the texts, and puts some. */
    @Setup
    public void setup() {
        for (int n = 0; n < StringBench.N; n++) {
            ascii[n] = String.format("string number %06d", n);
            others[n] = "\u20ac" + ascii[n];
        }
        fill(Arrays.copyOf(before.equals("ascii") ? ascii : others, MET));
    }

    private static long fill(String... strings) {
        try (Tensor<String> tensor = Tensors.denseString(new long[] {strings.length}, data -> StringBench.fill(data, strings))) {
            return tensor.numBytes();
        }
    }

    /** Texts of 20 characters of ASCII. */
    @Benchmark
    public long ascii() {
        return fill(ascii);
    }

    /** The same behind a character that is not Latin-1. */
    @Benchmark
    public long others() {
        return fill(others);
    }
}
