package io.tensornio.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.spark.package$;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs on executors that are JVMs of their own, submitted as {@code spark-submit} does: by Spark's class of that name, with a home of its jars. */
class ClusterTest {
    private static final int DEPTH = Integer.getInteger("tensornio.test.depth", 1);

    @TempDir
    Path home;
    /** The library and the tests, which executors have on their class path, without the jars of Spark. */
    private final List<String> own = new ArrayList<>();
    private final String library = System.getProperty("tensornio.library");
    /** A model is kept for longer than a task waits for its turn on a slow machine: it is read once. */
    private final String options = "-Dtensornio.spark.keepMillis=5000 -Dtensornio.maxMemory=64m"
        + (library == null ? "" : " -Dtensornio.library=" + library);

    @BeforeEach
    void fillTheHome() throws IOException {
        Files.createDirectory(home.resolve("jars"));
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path path = Paths.get(entry).toAbsolutePath();
            if (entry.contains("tensornio") && !entry.contains("/org.apache") || Files.isDirectory(path) || entry.contains("junit")
                || entry.contains("protobuf-javalite")) {
                own.add(path.toString());
            } else if (Files.exists(path)) {
                Files.createSymbolicLink(home.resolve("jars").resolve(path.getFileName()), path);
            }
        }
    }

    /** Starts one of Spark's programs; its streams go to files of its name. */
    private Process start(String name, String... arguments) throws IOException {
        String java = Paths.get(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = new ArrayList<>(Arrays.asList(java, "-Xmx512m", "-Dspark.master.rest.enabled=false"));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(argument -> argument.startsWith("--add-opens") || argument.startsWith("-Dio.netty") || argument.startsWith("-Djdk.reflect"))
            .forEach(command::add);
        command.addAll(Arrays.asList(options.split(" ")));
        command.addAll(Arrays.asList("-cp", String.join(File.pathSeparator, own) + File.pathSeparator + home.resolve("jars") + "/*"));
        command.addAll(Arrays.asList(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("SPARK_HOME", home.toString());
        builder.environment().put("SPARK_SCALA_VERSION", scala.util.Properties.versionNumberString().replaceAll("\\.\\d+$", ""));
        builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return builder.directory(home.toFile()).redirectOutput(home.resolve(name + ".said").toFile())
            .redirectError(home.resolve(name + ".errors").toFile()).start();
    }

    /** Runs {@link ClusterJobs}, and compares what they say. */
    private void submit(String expected, String master, String jobs, String... more) throws Exception {
        List<String> arguments = new ArrayList<>(Arrays.asList("org.apache.spark.deploy.SparkSubmit", "--master", master));
        List<String> settings = new ArrayList<>(Arrays.asList("spark.ui.enabled=false", "spark.driver.host=localhost",
            "spark.driver.bindAddress=127.0.0.1", "spark.executor.memory=512m", "spark.executor.extraJavaOptions=" + options,
            "spark.executor.extraClassPath=" + String.join(File.pathSeparator, own), "spark.sql.shuffle.partitions=2"));
        settings.addAll(Arrays.asList(more));
        for (String setting : settings) {
            arguments.addAll(Arrays.asList("--conf", setting));
        }
        arguments.addAll(Arrays.asList("--class", ClusterJobs.class.getName(), "spark-internal", jobs));
        Process process = start("jobs", arguments.toArray(new String[0]));
        if (!process.waitFor(9, TimeUnit.MINUTES)) {
            process.destroyForcibly().waitFor();
        }
        List<String> lines = Files.readAllLines(home.resolve("jobs.said")).stream().filter(line -> line.matches("[a-z ]+: .*"))
            .collect(Collectors.toList());
        String errors = new String(Files.readAllBytes(home.resolve("jobs.errors")), StandardCharsets.UTF_8);
        assertEquals(expected, String.join("\n", lines), () -> errors.substring(Math.max(0, errors.length() - 20_000)));
    }

    @Test
    void jobsEndAsTheyShouldWhateverHappensToTasksAndExecutors() throws Exception {
        // Of one version at each run, and of all at depth, where there are more jobs, too.
        assumeTrue(DEPTH > 1 || package$.MODULE$.SPARK_VERSION().startsWith("4"));
        submit("a job: 159600\nread: [[1]]\nthreads: [1]\na task that fails in the middle: 159600\ntoo much memory: true true"
            + (DEPTH < 2 ? "" : "\na task that is killed: 159600\nleft: [0 unused, 0 bytes]\n"
                + "an executor that dies in the middle: 159600\ntraining: the same"), "local-cluster[2,1,1024]", DEPTH < 2 ? "some" : "all");
    }

    /** Spark runs a second attempt on another host than the first, of which local-cluster has one: so here are workers of two addresses. */
    @Test
    void aTaskThatAnotherAttemptOvertakesIsKilledAndLeavesNothing() throws Exception {
        assumeTrue(DEPTH > 1);
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        String master = "spark://127.0.0.1:" + port;
        List<Process> cluster = new ArrayList<>();
        try {
            cluster.add(start("master", "org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", String.valueOf(port),
                "--webui-port", "0"));
            for (String host : new String[] {"127.0.0.2", "127.0.0.3"}) {
                cluster.add(start(host, "org.apache.spark.deploy.worker.Worker", "--host", host, "--cores", "1", "--memory", "1g",
                    "--webui-port", "0", "--work-dir", home.resolve("work-" + host).toString(), master));
            }
            submit("a task that is overtaken: 159600\nkilled: [another attempt succeeded]\nleft: [0 unused, 0 bytes]", master, "speculation",
                "spark.cores.max=2", "spark.executor.cores=1", "spark.scheduler.minRegisteredResourcesRatio=1",
                "spark.scheduler.maxRegisteredResourcesWaitingTime=120s", "spark.speculation=true", "spark.speculation.quantile=0.5",
                "spark.speculation.interval=100ms", "spark.speculation.minTaskRuntime=2s", "spark.speculation.efficiency.enabled=false");
        } finally {
            for (Process process : cluster) {
                process.destroy();
                process.waitFor();
            }
        }
    }
}
