package io.tensornio.bench;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/**
 * What was measured, by {@code Class.method} and what its parameters are, in the order of their names, such as
 * {@code ElementBench.tensor does=COPY seen=mono}. Each figure is the median over the iterations of a fork, and of that the median
 * over the forks.
 */
final class Results {
    /** What JMH's profiler calls the bytes that an operation allocates. */
    private static final String ALLOCATED = "gc.alloc.rate.norm";

    private final Map<String, List<Double>> nanos = new HashMap<>();
    private final Map<String, List<Double>> bytes = new HashMap<>();

    /** What others measured: lines with a name and nanoseconds. */
    Results(Collection<String> others) {
        for (String line : others) {
            String[] words = line.split(" ");
            nanos.computeIfAbsent(words[0], key -> new ArrayList<>()).add(Double.valueOf(words[1]));
        }
    }

    /** What JMH measured, once more. */
    void add(Collection<RunResult> round) {
        for (RunResult result : round) {
            BenchmarkParams params = result.getParams();
            StringBuilder name = new StringBuilder(params.getBenchmark().replace(Results.class.getPackage().getName() + ".", ""));
            params.getParamsKeys().stream().sorted().forEach(key -> name.append(' ').append(key).append('=').append(params.getParam(key)));
            for (BenchmarkResult fork : result.getBenchmarkResults()) {
                add(nanos, name.toString(), fork, iteration -> iteration.getPrimaryResult().getScore());
                add(bytes, name.toString(), fork, Results::allocated);
            }
        }
    }

    private static void add(Map<String, List<Double>> to, String name, BenchmarkResult fork, ToDoubleFunction<IterationResult> score) {
        to.computeIfAbsent(name, key -> new ArrayList<>()).add(median(fork.getIterationResults().stream().mapToDouble(score)));
    }

    private static double median(DoubleStream of) {
        double[] values = of.sorted().toArray();
        int n = values.length;
        return (values[(n - 1) / 2] + values[n / 2]) / 2;
    }

    private static double median(List<Double> of) {
        return median(of.stream().mapToDouble(value -> value));
    }

    private static double allocated(IterationResult iteration) {
        Result<?> result = iteration.getSecondaryResults().get(ALLOCATED);
        return result == null ? Double.NaN : result.getScore();
    }

    boolean has(Collection<String> benchmarks) {
        return nanos.keySet().containsAll(benchmarks);
    }

    /**
     * How two benchmarks compare: the median over the rounds, in each of which they ran side by side. What was measured outside of the JVM
     * counts in every round.
     */
    double compare(String one, String other, DoubleBinaryOperator how) {
        List<Double> ones = nanos.get(one);
        List<Double> others = nanos.get(other);
        if (ones.size() != others.size()) {
            double outside = nanos(other);
            return median(ones.stream().mapToDouble(value -> how.applyAsDouble(value, outside)));
        }
        return median(IntStream.range(0, ones.size()).mapToDouble(round -> how.applyAsDouble(ones.get(round), others.get(round))));
    }

    /** How long an operation takes. */
    double nanos(String benchmark) {
        return median(nanos.get(benchmark));
    }

    /** How much an operation allocates; not a number if nobody looked. */
    double bytes(String benchmark) {
        return median(bytes.get(benchmark));
    }

    static String time(double nanos) {
        return nanos < 10 ? String.format(Locale.ROOT, "%.3f ns", nanos)
            : nanos < 1e4 ? String.format(Locale.ROOT, "%.1f ns", nanos)
            : nanos < 1e6 ? String.format(Locale.ROOT, "%.1f us", nanos / 1e3)
            : String.format(Locale.ROOT, "%.2f ms", nanos / 1e6);
    }
}
