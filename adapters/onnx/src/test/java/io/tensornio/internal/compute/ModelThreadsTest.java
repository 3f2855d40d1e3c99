package io.tensornio.internal.compute;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.FloatTensorData;
import io.tensornio.TensorData;
import io.tensornio.onnx.OnnxModel;
import io.tensornio.onnx.Options;
import io.tensornio.value.Value;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** How many threads the runs of a model may take, as its input sees it while it is read. */
class ModelThreadsTest {
    private static final Path DIGITS = Paths.get("examples/data/digits.onnx");

    private static Set<Integer> most(Options options) {
        Set<Integer> seen = new TreeSet<>();
        TensorData<?> input = FloatTensorData.generate(at -> {
            seen.add(Threads.most());
            return 0;
        }, 1, 64);
        try (OnnxModel model = OnnxModel.load(DIGITS, options)) {
            String name = model.inputs().keySet().iterator().next();
            for (int n = 0; n < 2; n++) {
                try (Value out = model.run(Collections.singletonMap(name, input))) {
                    assertEquals(Value.Kind.DICT, out.kind());
                }
            }
        }
        return seen;
    }

    @Test
    void runsTakeAsManyThreadsAsTheOptionsSay() {
        assertEquals(Collections.singleton(3), most(Options.defaults().threads(3)));
        assertEquals(Collections.singleton(0), most(Options.defaults()));
        assertEquals(0, Threads.most());
    }
}
