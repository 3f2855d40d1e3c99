package io.tensornio.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.lang.management.ManagementFactory;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs on executors that are JVMs of their own, submitted as {@code spark-submit} does: by Spark's class of that name, with a home of its jars. */
class ClusterTest {
    @TempDir
    Path home;

    @Test
    void jobsEndAsTheyShouldWhateverHappensToTasksAndExecutors() throws Exception {
        int depth = Integer.getInteger("tensornio.test.depth", 1);
        // Of one version at each run, and of all at depth, where there are more jobs, too.
        assumeTrue(depth > 1 || package$.MODULE$.SPARK_VERSION().startsWith("4"));
        Files.createDirectory(home.resolve("jars"));
        List<String> own = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path path = Paths.get(entry).toAbsolutePath();
            if (entry.contains("tensornio") && !entry.contains("/org.apache") || Files.isDirectory(path) || entry.contains("junit")
                || entry.contains("protobuf-javalite")) {
                own.add(path.toString());
            } else if (Files.exists(path)) {
                Files.createSymbolicLink(home.resolve("jars").resolve(path.getFileName()), path);
            }
        }
        String java = Paths.get(System.getProperty("java.home"), "bin", "java").toString();
        String library = System.getProperty("tensornio.library");
        String options = "-Dtensornio.spark.keepMillis=300 -Dtensornio.maxMemory=64m" + (library == null ? "" : " -Dtensornio.library=" + library);
        List<String> command = new ArrayList<>(Arrays.asList(java, "-Xmx512m"));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(argument -> argument.startsWith("--add-opens") || argument.startsWith("-Dio.netty") || argument.startsWith("-Djdk.reflect"))
            .forEach(command::add);
        command.addAll(Arrays.asList(options.split(" ")));
        command.addAll(Arrays.asList("-cp", String.join(File.pathSeparator, own) + File.pathSeparator + home.resolve("jars") + "/*",
            "org.apache.spark.deploy.SparkSubmit", "--master", "local-cluster[2,1,1024]"));
        String[] settings = {"spark.ui.enabled=false", "spark.driver.host=localhost", "spark.driver.bindAddress=127.0.0.1",
            "spark.executor.memory=512m", "spark.executor.extraJavaOptions=" + options,
            "spark.executor.extraClassPath=" + String.join(File.pathSeparator, own), "spark.sql.shuffle.partitions=2"};
        for (String setting : settings) {
            command.addAll(Arrays.asList("--conf", setting));
        }
        command.addAll(Arrays.asList("--class", ClusterJobs.class.getName(), "spark-internal", String.valueOf(depth)));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("SPARK_HOME", home.toString());
        builder.environment().put("SPARK_SCALA_VERSION", scala.util.Properties.versionNumberString().replaceAll("\\.\\d+$", ""));
        builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        File said = home.resolve("said").toFile();
        File errors = home.resolve("errors").toFile();
        Process process = builder.directory(home.toFile()).redirectOutput(said).redirectError(errors).start();
        if (!process.waitFor(9, TimeUnit.MINUTES)) {
            process.destroyForcibly();
        }
        List<String> lines = Files.readAllLines(said.toPath()).stream().filter(line -> line.matches("[a-z ]+: .*")).collect(Collectors.toList());
        String expected = "a job: 159600\nread: [[1]]\nthreads: [1]\na task that fails in the middle: 159600\ntoo much memory: true true"
            + (depth < 2 ? "" : "\na task that is killed: 159600\nleft: [0 unused, 0 bytes]\n"
                + "an executor that dies in the middle: 159600\ntraining: the same");
        String errorText = new String(Files.readAllBytes(errors.toPath()), StandardCharsets.UTF_8);
        assertEquals(expected, String.join("\n", lines), () -> errorText.substring(Math.max(0, errorText.length() - 8000)));
    }
}
