package io.tensornio.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.Axis;
import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.Python;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoints by the package that defined their form, Python's {@code safetensors}; skipped where there is no Python. */
@ExtendWith(MemoryBalance.class)
class PythonTest {
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
        List<String> lines = Arrays.asList(Python.run(READ, model).split("\\R"));
        assertEquals("[('t1', 'Gewichte \"\u00e4\"')]", lines.get(0));
        assertEquals("t1 float32 (2, 3) [1.0, -2.5, 3.0, 4.0, 5.0, " + (double) .1f + "]", lines.get(1));
        assertEquals("t2 float32 (2,) [0.0, 0.0]", lines.get(2));
        String all = Python.run(READ, training);
        assertTrue(all.contains("('steps', '1')"), all);
        assertTrue(all.contains("t1.v float32 (2, 3) [0.0, "), all);
        assertTrue(all.contains("t2.v float32 (2,) "), all);
    }

    @Test
    void whatPythonWritesIsLoaded(@TempDir Path folder) throws IOException, InterruptedException {
        Path model = folder.resolve("model.safetensors");
        Python.run(WRITE, model);
        try (ComputeGraph cg = graph.compile()) {
            cg.load(model);
            try (Tensor<?> weights = cg.get(layer.weights()); Tensor<?> bias = cg.get(layer.bias())) {
                assertEquals("FLOAT[6] [0., 1., 2., 3., 4., 5.]", weights.floatData().flatten().toString());
                assertEquals("FLOAT[2] [7., 8.]", bias.floatData().toString());
            }
        }
    }
}
