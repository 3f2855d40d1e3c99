package io.tensornio.bench;

import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/**
 * What was measured, by {@code Class.method} and what its parameters are, in the order of their names, such as
 * {@code ElementBench.tensor does=COPY seen=mono}. Each figure is the median over the iterations of a fork, and the mean of that
 * over the forks.
 */
final class Results {
    /** What JMH's profiler calls the bytes that an operation allocates. */
    private static final String ALLOCATED = "gc.alloc.rate.norm";

    private final Map<String, Double> nanos = new HashMap<>();
    private final Map<String, Double> bytes = new HashMap<>();

    /** What JMH measured, and lines with the name and nanoseconds of what others did. */
    Results(Collection<RunResult> results, Collection<String> others) {
        for (String line : others) {
            String[] words = line.split(" ");
            nanos.put(words[0], Double.valueOf(words[1]));
        }
        for (RunResult result : results) {
            BenchmarkParams params = result.getParams();
            StringBuilder name = new StringBuilder(params.getBenchmark().replace(Results.class.getPackage().getName() + ".", ""));
            params.getParamsKeys().stream().sorted().forEach(key -> name.append(' ').append(key).append('=').append(params.getParam(key)));
            nanos.put(name.toString(), mean(result, iteration -> iteration.getPrimaryResult().getScore()));
            bytes.put(name.toString(), mean(result, Results::allocated));
        }
    }

    private static double mean(RunResult result, ToDoubleFunction<IterationResult> score) {
        return result.getBenchmarkResults().stream().mapToDouble(fork -> median(fork, score)).average().getAsDouble();
    }

    private static double median(BenchmarkResult fork, ToDoubleFunction<IterationResult> score) {
        double[] scores = fork.getIterationResults().stream().mapToDouble(score).sorted().toArray();
        int n = scores.length;
        return (scores[(n - 1) / 2] + scores[n / 2]) / 2;
    }

    private static double allocated(IterationResult iteration) {
        Result<?> result = iteration.getSecondaryResults().get(ALLOCATED);
        return result == null ? Double.NaN : result.getScore();
    }

    boolean has(String... benchmarks) {
        for (String benchmark : benchmarks) {
            if (!nanos.containsKey(benchmark)) {
                return false;
            }
        }
        return true;
    }

    /** How long an operation takes. */
    double nanos(String benchmark) {
        return nanos.get(benchmark);
    }

    /** How much an operation allocates; not a number if nobody looked. */
    double bytes(String benchmark) {
        return bytes.get(benchmark);
    }

    static String time(double nanos) {
        return nanos < 10 ? String.format(Locale.ROOT, "%.3f ns", nanos)
            : nanos < 1e4 ? String.format(Locale.ROOT, "%.1f ns", nanos)
            : nanos < 1e6 ? String.format(Locale.ROOT, "%.1f us", nanos / 1e3)
            : String.format(Locale.ROOT, "%.2f ms", nanos / 1e6);
    }
}
