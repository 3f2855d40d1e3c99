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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;

/**
 * Runs the benchmarks, and prints what was promised beside what was reached: times from this one run, and how they compare. What is compared is
 * measured {@linkplain Neighbours side by side}.
 */
public final class Bars {
    /** How long to count collections for each size. */
    private static final double SECONDS = 2;
    private static final double QUICK_SECONDS = 0.3;
    /** So often all is measured, each time in a JVM of its own: a machine that is slow for a minute is so for one round alone. */
    private static final int ROUNDS = 3;

    private final int rounds;
    private final String json;
    private final List<String> baselines;
    private final Table bars = new Table(Bar.COLUMNS);
    private final Table comparisons = new Table(Comparison.COLUMNS);

    private Bars(int rounds, String json, List<String> baselines) {
        if (rounds < 1) {
            throw new IllegalArgumentException(rounds + " rounds: at least 1 is needed");
        }
        this.rounds = rounds;
        this.json = json;
        this.baselines = baselines;
    }

    /**
     * Runs the benchmarks.
     *
     * @param args first, in any order: {@code quick} or {@code full}, {@code --rounds N} for how often, {@code --markdown FILE} for a copy of
     *     the table, {@code --json FILE} for what JMH measured in all rounds, {@code --baselines FILE} for what was measured outside of the
     *     JVM, a name and nanoseconds in a line; then JMH's own arguments, of which names and {@code -p} select some of the
     *     benchmarks that a row of the tables needs
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
        String table = new Bars(rounds, own.get("--json"), baselines).run(new Selection(rest, quick));
        String markdown = own.get("--markdown");
        if (markdown != null) {
            Files.write(Paths.get(markdown), table.getBytes(StandardCharsets.UTF_8));
        }
        System.out.printf("%n%s", table);
    }

    private String run(Selection selection) throws RunnerException, InterruptedException {
        List<Promise> promised = Promises.bars();
        List<Promise> compared = Comparisons.all();
        List<Promise> promises = Stream.concat(promised.stream(), compared.stream()).collect(Collectors.toList());
        List<String> names = Neighbours.of(promises);
        names.removeIf(name -> !selection.has(name));
        if (names.isEmpty()) {
            throw new IllegalArgumentException("nothing that is promised is measured by what the arguments select");
        }
        Results results = new Results(baselines);
        List<RunResult> all = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            for (int n = 0; n < names.size(); n++) {
                System.out.printf("%n# Round %d of %d, benchmark %d of %d: %s%n", round, rounds, n + 1, names.size(), names.get(n));
                Collection<RunResult> measured = new Runner(selection.alone(names.get(n))).run();
                results.add(measured);
                all.addAll(measured);
            }
            if (selection.isWhole()) {
                requireAll(promises, results);            // the next round would be in vain
            }
        }
        if (json != null) {
            ResultFormatFactory.getInstance(ResultFormatType.JSON, json).writeOut(all);
        }
        fill(bars, promised, results);
        fill(comparisons, compared, results);
        if (selection.isWhole()) {
            bars.addAll(CollectionRequests.count(selection.isQuick() ? QUICK_SECONDS : SECONDS));
        }
        return String.format(Locale.ROOT, "### Java %s, %s %s, %d processors, %s%s%n%n%s%s%n%d of %d bars reached.%n",
            System.getProperty("java.version"), System.getProperty("os.name"), System.getProperty("os.arch"),
            Runtime.getRuntime().availableProcessors(), rounds == 1 ? "one round" : "medians of " + rounds + " rounds",
            selection.isQuick() ? " (quick: for orientation)" : "", bars, comparisons.isEmpty() ? "" : "\n" + comparisons,
            bars.reached() + comparisons.reached(), bars.promised() + comparisons.promised());
    }

    private static void requireAll(List<Promise> promises, Results results) {
        for (Promise promise : promises) {
            if (!results.has(promise.benchmarks()) && !promise.isOptional()) {
                throw new IllegalStateException("not measured: " + promise);
            }
        }
    }

    private static void fill(Table table, List<Promise> promises, Results results) {
        for (Promise promise : promises) {
            if (results.has(promise.benchmarks())) {
                table.add(promise.row(results));
            }
        }
    }
}
