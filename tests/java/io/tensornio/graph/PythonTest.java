package io.tensornio.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.Axis;
import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.support.MemoryBalance;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checkpoints by the package that defined their form: Python's {@code safetensors}, which is fetched once, into {@code build/python}. Where there is
 * no Python, or it cannot be fetched, the tests are skipped, and say so.
 */
@ExtendWith(MemoryBalance.class)
class PythonTest {
    private static final Path PACKAGES = Paths.get("build", "python").toAbsolutePath();
    private static final String[] NEEDED = {"safetensors==0.5.3", "numpy"};
    private static final String READ = "from safetensors import safe_open\n"
        + "import sys\n"
        + "with safe_open(sys.argv[1], 'numpy') as f:\n"
        + "    print(sorted((f.metadata() or {}).items()))\n"
        + "    for key in sorted(f.keys()):\n"
        + "        t = f.get_tensor(key)\n"
        + "        print(key, t.dtype, t.shape, t.flatten().tolist())\n";
    private static final String WRITE = "from safetensors.numpy import save_file\n"
        + "import numpy, sys\n"
        + "save_file({'t2': numpy.array([7, 8], numpy.float32), 't1': numpy.arange(6, dtype=numpy.float32).reshape(2, 3)}, sys.argv[1])\n";

    private final TensorContext t = new TensorContext();
    private final Sym1<Axis> x = t.input(Axis.of(3), float[].class, (in, data) -> data.put(in));
    private final Dense<Axis> layer = t.comprehensions().linear(Axis.of(2), x);
    private final TensorGraph graph = new TensorGraph(t.comprehensions().meanSquare(layer.output(), layer.output()));

    /** What a command prints; null if it cannot be run or fails. */
    private static String run(String... command) throws IOException, InterruptedException {
        File printed = File.createTempFile("tensornio-python", ".log");
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(printed);
            builder.environment().put("PYTHONPATH", PACKAGES.toString());
            builder.environment().put("PYTHONIOENCODING", "utf-8");
            Process process;
            try {
                process = builder.start();
            } catch (IOException e) {
                return null;                // there is no such program
            }
            try {
                if (!process.waitFor(5, TimeUnit.MINUTES) || process.exitValue() != 0) {
                    return null;
                }
            } finally {
                process.destroyForcibly();
            }
            return new String(Files.readAllBytes(printed.toPath()), StandardCharsets.UTF_8);
        } finally {
            if (!printed.delete()) {
                printed.deleteOnExit();
            }
        }
    }

    private static String python(String program, Path file) throws IOException, InterruptedException {
        Assumptions.assumeTrue(run("python3", "--version") != null, "skipped: there is no python3");
        if (run("python3", "-c", "import safetensors.numpy") == null) {
            String fetched = run("python3", "-m", "pip", "install", "--quiet", "--target", PACKAGES.toString(), NEEDED[0], NEEDED[1]);
            Assumptions.assumeTrue(fetched != null, "skipped: " + Arrays.toString(NEEDED) + " cannot be fetched by python3 -m pip");
        }
        String printed = run("python3", "-c", program, file.toString());
        assertTrue(printed != null, "Python failed");
        return printed;
    }

    @Test
    void pythonReadsWhatIsSaved(@TempDir Path folder) throws IOException, InterruptedException {
        Path model = folder.resolve("model.safetensors");
        Path training = folder.resolve("training.safetensors");
        layer.weights().named("Gewichte \"\u00e4\"");
        try (ComputeGraph cg = graph.compile()) {
            cg.set(layer.weights(), FloatTensorData.of(new float[] {1, -2.5f, 3, 4, 5, .1f}, 2, 3));
            cg.save(model);
            SGD descent = SGD.of(cg).momentum(.5).rate(0);
            descent.step(Minibatch.inOrder(Collections.singletonList(new float[] {0, 0, 0}), 1));
            descent.save(training);
        }
        List<String> lines = Arrays.asList(python(READ, model).split("\\R"));
        assertEquals("[('t1', 'Gewichte \"\u00e4\"')]", lines.get(0));
        assertEquals("t1 float32 (2, 3) [1.0, -2.5, 3.0, 4.0, 5.0, " + (double) .1f + "]", lines.get(1));
        assertEquals("t2 float32 (2,) [0.0, 0.0]", lines.get(2));
        String all = python(READ, training);
        assertTrue(all.contains("('steps', '1')"), all);
        assertTrue(all.contains("t1.v float32 (2, 3) [0.0, "), all);
        assertTrue(all.contains("t2.v float32 (2,) "), all);
    }

    @Test
    void whatPythonWritesIsLoaded(@TempDir Path folder) throws IOException, InterruptedException {
        Path model = folder.resolve("model.safetensors");
        python(WRITE, model);
        try (ComputeGraph cg = graph.compile()) {
            cg.load(model);
            try (Tensor<?> weights = cg.get(layer.weights()); Tensor<?> bias = cg.get(layer.bias())) {
                assertEquals("FLOAT[6] [0., 1., 2., 3., 4., 5.]", weights.floatData().flatten().toString());
                assertEquals("FLOAT[2] [7., 8.]", bias.floatData().toString());
            }
        }
    }
}
