package io.tensornio.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Runs the benchmarks, and prints what was promised beside what was reached: times from this one run, and how they compare.
 */
public final class Bars {
    /** How long to count collections for each size. */
    private static final double SECONDS = 2;
    private static final double QUICK_SECONDS = 0.3;
    /** So often all is measured, each time in a JVM of its own: a machine that is slow for a minute is so for one round alone. */
    private static final int ROUNDS = 3;

    private final boolean quick;
    private final int rounds;
    private final String json;
    private final List<String> baselines;
    private final Table bars = new Table(Bar.COLUMNS);
    private final Table comparisons = new Table(Comparison.COLUMNS);

    private Bars(boolean quick, int rounds, String json, List<String> baselines) {
        if (rounds < 1) {
            throw new IllegalArgumentException(rounds + " rounds: at least 1 is needed");
        }
        this.quick = quick;
        this.rounds = rounds;
        this.json = json;
        this.baselines = baselines;
    }

    /**
     * Runs the benchmarks.
     *
     * @param args first, in any order: {@code quick} or {@code full}, {@code --rounds N} for how often, {@code --markdown FILE} for a copy of
     *     the table, {@code --json FILE} for what JMH measured in all rounds, {@code --baselines FILE} for what was measured outside of the
     *     JVM, a name and nanoseconds in a line; then JMH's own arguments, of which names select benchmarks
     * @throws CommandLineOptionException if JMH does not know an argument
     * @throws RunnerException if a benchmark fails
     * @throws IOException if the table cannot be written
     * @throws InterruptedException if the thread is interrupted
     */
    public static void main(String[] args) throws CommandLineOptionException, RunnerException, IOException, InterruptedException {
        LinkedList<String> rest = new LinkedList<>(Arrays.asList(args));
        boolean quick = false;
        Map<String, String> own = new HashMap<>();
        while (!rest.isEmpty() && Arrays.asList("quick", "full", "--rounds", "--markdown", "--json", "--baselines").contains(rest.getFirst())) {
            String arg = rest.removeFirst();
            if (!arg.startsWith("--")) {
                quick = arg.equals("quick");
            } else if (rest.isEmpty()) {
                throw new IllegalArgumentException("nothing follows " + arg);
            } else {
                own.put(arg, rest.removeFirst());
            }
        }
        int rounds = own.containsKey("--rounds") ? Integer.parseInt(own.get("--rounds")) : quick ? 1 : ROUNDS;
        List<String> baselines = own.containsKey("--baselines") ? Files.readAllLines(Paths.get(own.get("--baselines"))) : Collections.emptyList();
        CommandLineOptions arguments = new CommandLineOptions(rest.toArray(new String[0]));
        String table = new Bars(quick, rounds, own.get("--json"), baselines).run(arguments, rest.contains("-p"));
        String markdown = own.get("--markdown");
        if (markdown != null) {
            Files.write(Paths.get(markdown), table.getBytes(StandardCharsets.UTF_8));
        }
        System.out.printf("%n%s", table);
    }

    private String run(CommandLineOptions arguments, boolean withParameters) throws RunnerException, InterruptedException {
        boolean isWhole = arguments.getIncludes().isEmpty() && arguments.getExcludes().isEmpty() && !withParameters;
        ChainedOptionsBuilder options = new OptionsBuilder().parent(arguments).shouldFailOnError(true).addProfiler(GCProfiler.class);
        options.forks(arguments.getForkCount().orElse(1));          // what the arguments say stands
        if (quick) {
            options.warmupIterations(arguments.getWarmupIterations().orElse(3));
            options.measurementIterations(arguments.getMeasurementIterations().orElse(3));
            options.warmupTime(arguments.getWarmupTime().orElse(TimeValue.milliseconds(200)));
            options.measurementTime(arguments.getMeasurementTime().orElse(TimeValue.milliseconds(200)));
        }
        Results results = new Results(baselines);
        List<RunResult> all = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            System.out.printf("# Round %d of %d%n", round, rounds);
            Collection<RunResult> measured = new Runner(options.build()).run();
            results.add(measured);
            all.addAll(measured);
            if (isWhole) {
                requireAll(results);            // the next round would be in vain
            }
        }
        if (json != null) {
            ResultFormatFactory.getInstance(ResultFormatType.JSON, json).writeOut(all);
        }
        fill(bars, Promises.bars(), results);
        fill(comparisons, Comparisons.all(), results);
        if (isWhole) {
            bars.addAll(CollectionRequests.count(quick ? QUICK_SECONDS : SECONDS));
        }
        return String.format(Locale.ROOT, "### Java %s, %s %s, %d processors, %s%s%n%n%s%s%n%d of %d bars reached.%n",
            System.getProperty("java.version"), System.getProperty("os.name"), System.getProperty("os.arch"),
            Runtime.getRuntime().availableProcessors(), rounds == 1 ? "one round" : "medians of " + rounds + " rounds",
            quick ? " (quick: for orientation)" : "", bars, comparisons.isEmpty() ? "" : "\n" + comparisons,
            bars.reached() + comparisons.reached(), bars.promised() + comparisons.promised());
    }

    private static void requireAll(Results results) {
        Stream.concat(Promises.bars().stream(), Comparisons.all().stream()).forEach(promise -> {
            if (!promise.isMeasured(results) && !promise.isOptional()) {
                throw new IllegalStateException("not measured: " + promise);
            }
        });
    }

    private static void fill(Table table, List<Promise> promises, Results results) {
        for (Promise promise : promises) {
            if (promise.isMeasured(results)) {
                table.add(promise.row(results));
            }
        }
    }
}
