package io.tensornio.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * Programs in Python, with packages that are fetched once, into {@code build/python-files}. Where there is no Python, or they cannot be fetched, a
 * test is skipped, and says so.
 */
public final class Python {
    private static final Path PACKAGES = Paths.get("build", "python-files").toAbsolutePath();
    private static final String[] NEEDED = {"numpy>=2", "scipy>=1.13", "safetensors>=0.5"};

    private Python() {
    }

    /** Runs a program with arguments; what it prints. */
    public static String run(String program, Object... arguments) throws IOException, InterruptedException {
        Assumptions.assumeTrue(start("python3", "--version").status == 0, "skipped: there is no python3");
        synchronized (Python.class) {
            if (start("python3", "-c", "import numpy, scipy, safetensors.numpy").status != 0) {
                List<String> fetch = new ArrayList<>(Arrays.asList("python3", "-m", "pip", "install", "--quiet", "--target", PACKAGES.toString()));
                fetch.addAll(Arrays.asList(NEEDED));
                Assumptions.assumeTrue(start(fetch.toArray(new String[0])).status == 0,
                    "skipped: python3 -m pip cannot fetch " + Arrays.toString(NEEDED));
            }
        }
        List<String> command = new ArrayList<>(Arrays.asList("python3", "-c", program));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        Ended ended = start(command.toArray(new String[0]));
        assertEquals(0, ended.status, ended.printed);
        return ended.printed;
    }

    private static final class Ended {
        int status = -1;
        String printed = "";
    }

    private static Ended start(String... command) throws IOException, InterruptedException {
        Ended ended = new Ended();
        File printed = File.createTempFile("tensornio-python", ".log");
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(printed);
            builder.environment().put("PYTHONPATH", PACKAGES.toString());
            builder.environment().put("PYTHONIOENCODING", "utf-8");
            Process process;
            try {
                process = builder.start();
            } catch (IOException e) {
                return ended;               // there is no such program
            }
            try {
                ended.status = process.waitFor(5, TimeUnit.MINUTES) ? process.exitValue() : -1;
            } finally {
                process.destroyForcibly();
            }
            ended.printed = new String(Files.readAllBytes(printed.toPath()), StandardCharsets.UTF_8);
            return ended;
        } finally {
            if (!printed.delete()) {
                printed.deleteOnExit();
            }
        }
    }
}
