package io.tensornio.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Runs the benchmarks, and prints what was promised beside what was reached: ratios of times from this one run. The times are
 * medians over the iterations of a fork, and the mean of that over the forks.
 */
public final class Bars {
    private static final double COPY_AND_PUT = 1.15;
    private static final double MAX = 1.5;
    private static final double BULK = 1.05;
    private static final double WARM = 1.6;
    private static final double DIRECT = 1 / 3d;
    /** The size that these two are promised for. */
    private static final int PROMISED_KIB = 64 * 1024;
    private static final double SMALL_DIRECT = 1 / 2d;
    /** How long to count collections for each size. */
    private static final double SECONDS = 2;
    private static final double QUICK_SECONDS = 0.3;

    private final boolean quick;
    private final List<Row> rows = new ArrayList<>();

    private Bars(boolean quick) {
        this.quick = quick;
    }

    /**
     * Runs the benchmarks.
     *
     * @param args first, in any order: {@code quick} or {@code full}, {@code --markdown FILE} for a copy of the table; then JMH's
     *     own arguments, of which names select benchmarks
     * @throws CommandLineOptionException if JMH does not know an argument
     * @throws RunnerException if a benchmark fails
     * @throws IOException if the table cannot be written
     * @throws InterruptedException if the thread is interrupted
     */
    public static void main(String[] args) throws CommandLineOptionException, RunnerException, IOException, InterruptedException {
        LinkedList<String> rest = new LinkedList<>(Arrays.asList(args));
        boolean quick = false;
        Path markdown = null;
        while (!rest.isEmpty() && Arrays.asList("quick", "full", "--markdown").contains(rest.getFirst())) {
            String arg = rest.removeFirst();
            if (!arg.equals("--markdown")) {
                quick = arg.equals("quick");
            } else if (rest.isEmpty()) {
                throw new IllegalArgumentException("--markdown needs a file");
            } else {
                markdown = Paths.get(rest.removeFirst());
            }
        }
        String table = new Bars(quick).run(new CommandLineOptions(rest.toArray(new String[0])), rest.contains("-p"));
        if (markdown != null) {
            Files.write(markdown, table.getBytes(StandardCharsets.UTF_8));
        }
        System.out.printf("%n%s", table);
    }

    private String run(CommandLineOptions arguments, boolean withParameters) throws RunnerException, InterruptedException {
        boolean all = arguments.getIncludes().isEmpty() && arguments.getExcludes().isEmpty() && !withParameters;
        ChainedOptionsBuilder options = new OptionsBuilder().parent(arguments).shouldFailOnError(true);
        if (quick) {            // but what the arguments say stands
            options.forks(arguments.getForkCount().orElse(1));
            options.warmupIterations(arguments.getWarmupIterations().orElse(3));
            options.measurementIterations(arguments.getMeasurementIterations().orElse(3));
            options.warmupTime(arguments.getWarmupTime().orElse(TimeValue.milliseconds(200)));
            options.measurementTime(arguments.getMeasurementTime().orElse(TimeValue.milliseconds(200)));
        }
        Map<String, Double> nanos = nanos(new Runner(options.build()).run());
        for (Bar bar : bars()) {
            if (bar.isMeasured(nanos)) {
                rows.add(bar.row(nanos));
            } else if (all) {
                throw new IllegalStateException("not measured: " + bar);
            }
        }
        if (all) {
            rows.addAll(CollectionRequests.count(quick ? QUICK_SECONDS : SECONDS));
        }
        long promised = rows.stream().filter(Row::hasBar).count();
        long reached = rows.stream().filter(Row::passes).count();
        return String.format(Locale.ROOT, "### Java %s, %s %s, %d processors%s%n%n%s%n%d of %d bars reached.%n", System.getProperty("java.version"),
            System.getProperty("os.name"), System.getProperty("os.arch"), Runtime.getRuntime().availableProcessors(),
            quick ? " (quick: for orientation)" : "", Row.table(rows), reached, promised);
    }

    /** Times by {@code Class.method} and what its parameters are, such as {@code ElementBench.copy seen=mono}. */
    private static Map<String, Double> nanos(Collection<RunResult> results) {
        Map<String, Double> nanos = new HashMap<>();
        for (RunResult result : results) {
            BenchmarkParams params = result.getParams();
            StringBuilder name = new StringBuilder(params.getBenchmark().replace(Bars.class.getPackage().getName() + ".", ""));
            params.getParamsKeys().stream().sorted().forEach(key -> name.append(' ').append(key).append('=').append(params.getParam(key)));
            nanos.put(name.toString(), result.getBenchmarkResults().stream().mapToDouble(Bars::median).average().getAsDouble());
        }
        return nanos;
    }

    private static double median(BenchmarkResult fork) {
        double[] scores = fork.getIterationResults().stream().mapToDouble(Bars::score).sorted().toArray();
        int n = scores.length;
        return (scores[(n - 1) / 2] + scores[n / 2]) / 2;
    }

    private static double score(IterationResult iteration) {
        return iteration.getPrimaryResult().getScore();
    }

    private static List<Bar> bars() {
        List<Bar> bars = new ArrayList<>();
        for (int kib : new int[] {64, 1024, 2048, 16384, 65536}) {
            filled(bars, kib);
        }
        bars.add(Bar.atMost(SMALL_DIRECT, "create, put one, close, 16 floats, against allocateDirect", "MemoryBench.small floats=16",
            "MemoryBench.smallDirect floats=16"));
        bars.add(Bar.none("create, put one, close, 1,024 floats, against allocateDirect", "MemoryBench.small floats=1024",
            "MemoryBench.smallDirect floats=1024"));
        for (String seen : new String[] {"mono", "mixed"}) {
            String where = seen.equals("mono") ? ", 1000 x 1000" : ", 1000 x 1000, after strided views";
            bars.add(Bar.atMost(COPY_AND_PUT, "get(i, j) into an array" + where, "ElementBench.copy seen=" + seen, "ElementBench.rawCopy"));
            bars.add(Bar.atMost(COPY_AND_PUT, "put(v, i, j)" + where, "ElementBench.put seen=" + seen, "ElementBench.rawPut"));
            bars.add(Bar.atMost(MAX, "get(i, j), the largest" + where, "ElementBench.max seen=" + seen, "ElementBench.rawMax"));
        }
        for (int n : new int[] {8, 64, 1000}) {
            bars.add(Bar.atMost(BULK, bulk("get(float[])", n * n), "BulkBench.get n=" + n, "BulkBench.rawGet n=" + n));
            bars.add(Bar.atMost(BULK, bulk("put(float[])", n * n), "BulkBench.put n=" + n, "BulkBench.rawPut n=" + n));
            bars.add(Bar.none(bulk("get(float[], i)", n), "BulkBench.getRow n=" + n, "BulkBench.rawGetRow n=" + n));
            bars.add(Bar.none(bulk("put(float[], i)", n), "BulkBench.putRow n=" + n, "BulkBench.rawPutRow n=" + n));
        }
        walk(bars, "scalars().get() into an array", "scalarsCopy", "rawCopy");
        walk(bars, "scalars().put(v)", "scalarsPut", "rawPut");
        walk(bars, "scalars().get(), the largest", "scalarsMax", "rawMax");
        walk(bars, "scalars().forEach, into an array", "forEachCopy", "rawCopy");
        walk(bars, "scalars().onEach", "onEachPut", "rawPut");
        walk(bars, "elements(), rows of 16, the largest", "elementsMax", "rawRowsMax");
        walk(bars, "slice(i), rows of 16, the largest", "slicesMax", "rawRowsMax");
        return bars;
    }

    private static void filled(List<Bar> bars, int kib) {
        boolean promised = kib == PROMISED_KIB;
        String size = kib < 1024 ? kib + " KiB" : kib / 1024 + " MiB";
        String what = "create, fill, close, " + size + ", against ";
        String tensor = "MemoryBench.filled kib=" + kib;
        String warm = "MemoryBench.warm kib=" + kib;
        String direct = "MemoryBench.direct kib=" + kib;
        bars.add(promised ? Bar.atMost(WARM, what + "warm memory", tensor, warm) : Bar.none(what + "warm memory", tensor, warm));
        bars.add(promised ? Bar.atMost(DIRECT, what + "allocateDirect", tensor, direct) : Bar.none(what + "allocateDirect", tensor, direct));
        bars.add(Bar.none("create, put(float[]), close, " + size + ", against warm memory", "MemoryBench.filledInBulk kib=" + kib,
            "MemoryBench.warmInBulk kib=" + kib));
    }

    private static String bulk(String call, int elements) {
        return String.format(Locale.ROOT, "%s, %,d elements", call, elements);
    }

    private static void walk(List<Bar> bars, String what, String benchmark, String raw) {
        bars.add(Bar.none(what, "WalkBench." + benchmark, "WalkBench." + raw));
    }
}
