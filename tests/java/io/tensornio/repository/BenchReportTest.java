package io.tensornio.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bench/report.py}, which makes tables and plots of what benchmarks measured. Skipped where there is no Python 3.8. */
class BenchReportTest {
    private static final Path PROJECT = Paths.get("").toAbsolutePath();
    private static final String TABLE = "<!-- table copies -->\n<!-- end -->\n";

    @TempDir
    Path folder;

    @BeforeAll
    static void assumePython() throws InterruptedException {
        boolean isThere = false;
        try {
            isThere = new ProcessBuilder("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 8))").start().waitFor() == 0;
        } catch (IOException e) {       // no such program
        }
        assumeTrue(isThere, "needs python3, 3.8 or later");
    }

    private static String report(Path where, int status, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(Arrays.asList("python3", PROJECT.resolve("bench/report.py").toString()));
        Collections.addAll(command, arguments);
        Path said = Files.createTempFile("report", ".log");
        try {
            Process process = new ProcessBuilder(command).directory(where.toFile()).redirectErrorStream(true).redirectOutput(said.toFile()).start();
            assertTrue(process.waitFor(1, TimeUnit.MINUTES), "does not end");
            String text = read(said);
            assertEquals(status, process.exitValue(), text);
            return text;
        } finally {
            Files.delete(said);
        }
    }

    private static String read(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }

    private void write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(file, text.getBytes(StandardCharsets.UTF_8));
    }

    /** What JMH writes of a benchmark, as far as it is read. */
    private static String jmh(String method, int n, double bytes, double... nanos) {
        return "{\"benchmark\": \"io.tensornio.bench.CopyBench." + method + "\", \"jdkVersion\": \"17.0.15\", \"params\": {\"n\": \"" + n + "\"}, "
            + "\"primaryMetric\": {\"scoreUnit\": \"ns/op\", \"rawData\": [" + Arrays.toString(nanos) + "]}, "
            + "\"secondaryMetrics\": {\"gc.alloc.rate.norm\": {\"score\": " + bytes + "}}}";
    }

    private void sample() throws IOException {
        write("README.md", "# Nothing here\n");
        write("bench/README.md", "before\n" + TABLE + "between\n" + TABLE.replace("copies", "peers"));
        write("bench/plots/none", "");
        write("bench/results/jdk17.json", "{\"OldBench.kept\": 4.5, \"CopyBench.ours n=8 / CopyBench.raw\": 9.0}");
        write("bench/rows.txt", "# a comment\n"
            + "[copies] jdk17\n"
            + "of 8 and of 64 | CopyBench.ours n=64,8 | CopyBench.raw | 1.5\n"
            + "what it adds | CopyBench.ours n=8 | CopyBench.raw | +1 ns\n"
            + "bytes | CopyBench.ours n=8:gc.alloc.rate.norm | | 0 B\n"
            + "a time that is recorded | OldBench.kept | | 5 ns\n"
            + "against NumPy ({copy/numpy}) | CopyBench.ours n=8 | copy/numpy |\n"
            + "not measured | NewBench.one | NewBench.other | 1\n"
            + "[peers] jdk17 | array | raw | ours\n"
            + "a copy of 8 | CopyBench.ours n=8 | CopyBench.raw | | CopyBench.array\n");
        write("one.json", "[" + String.join(",", jmh("ours", 8, 0, 1, 2, 100), jmh("ours", 64, 0, 9), jmh("raw", 8, 0, 2), jmh("raw", 64, 0, 3),
            jmh("array", 8, 0, 3)) + "]");
        write("two.json", "[" + String.join(",", jmh("ours", 8, 0, 30), jmh("ours", 64, 0, 9), jmh("raw", 8, 0, 30), jmh("raw", 64, 0, 3),
            jmh("array", 8, 0, 5)) + "]");
        write("criterion/copy/numpy/new/benchmark.json", "{\"full_id\": \"copy/numpy\"}");
        write("criterion/copy/numpy/new/estimates.json", "{\"median\": {\"point_estimate\": 32.0}}");
    }

    @Test
    void tablesAndPlotsOfTheProjectAreThoseOfItsResults() throws Exception {
        report(PROJECT, 0, "--check");
    }

    @Test
    void measurementsAreMergedIntoResultsTablesAndPlots() throws Exception {
        sample();
        report(folder, 0, "one.json", "two.json", "criterion");
        assertEquals("before\n<!-- table copies -->\n"
            + "| operation, and its alternative | goal | JDK 17 |\n| --- | --- | --- |\n"
            + "| of 8 and of 64 | 1.5 | **3.00**, 1.00 |\n"         // within each round, though one of them ran on a slower machine
            + "| what it adds | +1 ns | 0.00 |\n"
            + "| bytes | 0 B | 0 |\n"
            + "| a time that is recorded | 5 ns | 4.5 |\n"
            + "| against NumPy (32.0 ns) |  | 0.50 |\n"
            + "<!-- end -->\nbetween\n<!-- table peers -->\n"
            + "| operation | array | raw | ours | ratio | goal |\n| --- | --- | --- | --- | --- | --- |\n"
            + "| a copy of 8 | 4.000 ns | 16.0 ns | 16.0 ns | 1.00 |  |\n<!-- end -->\n", read(folder.resolve("bench/README.md")));
        String results = read(folder.resolve("bench/results/jdk17.json"));
        assertTrue(results.contains("\"CopyBench.ours n=8 / CopyBench.raw\": 1.0,\n") && results.contains("\"OldBench.kept\": 4.5"), results);
        String plot = read(folder.resolve("bench/plots/copies.svg"));
        assertTrue(plot.contains(">of 8 and of 64<") && plot.contains(">3.00<") && plot.contains("class=\"goal\""), plot);
        assertTrue(read(folder.resolve("bench/plots/peers.svg")).contains(">0.25<"));
        report(folder, 0, "--check");
    }

    @Test
    void tablesThatAreNotThoseOfTheResultsAreNoticed() throws Exception {
        sample();
        String said = report(folder, 1, "--check");
        assertTrue(said.contains("README.md") && said.contains("copies.svg"), said);
        assertTrue(read(folder.resolve("bench/README.md")).contains(TABLE), "changed by a check");
    }
}
