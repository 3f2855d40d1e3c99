package io.tensornio.bench.peers;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Runs {@link PeersBench}, and prints a table of the times and of how they compare. */
public final class Peers {
    private static final String[] LIBRARIES = {"tensornio", "nd4j", "djl"};

    private Peers() {
    }

    /**
     * Runs the benchmark.
     *
     * @param args JMH's own, such as {@code -p operation=add -p size=8}
     * @throws CommandLineOptionException if JMH does not know an argument
     * @throws RunnerException if a benchmark fails
     */
    public static void main(String[] args) throws CommandLineOptionException, RunnerException {
        Map<String, Map<String, Double>> rows = new TreeMap<>();
        for (RunResult result : new Runner(new OptionsBuilder().parent(new CommandLineOptions(args)).include("PeersBench").build()).run()) {
            String row = String.format("%-10s %9s", result.getParams().getParam("operation"), result.getParams().getParam("size"));
            rows.computeIfAbsent(row, key -> new TreeMap<>()).put(result.getParams().getParam("library"), result.getPrimaryResult().getScore());
        }
        StringBuilder table = new StringBuilder("\n| operation, floats | tensors | of ND4J | of DJL |\n| --- | --- | --- | --- |\n");
        rows.forEach((row, times) -> {
            table.append("| ").append(row.trim().replaceAll(" +", ", ")).append(" | ").append(nanos(times.get(LIBRARIES[0]))).append(" |");
            for (int n = 1; n < LIBRARIES.length; n++) {
                Double own = times.get(LIBRARIES[0]);
                Double other = times.get(LIBRARIES[n]);
                table.append(' ').append(own == null || other == null ? "-" : String.format(Locale.ROOT, "%.2f", own / other)).append(" |");
            }
            table.append('\n');
        });
        System.out.print(table);
    }

    private static String nanos(Double time) {
        return time == null ? "-" : String.format(Locale.ROOT, time < 1e4 ? "%.0f ns" : "%.1f us", time < 1e4 ? time : time / 1e3);
    }
}
