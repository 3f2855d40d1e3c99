package io.tensornio.compute;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.AnyTensor;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Runs comprehensions on nested arrays, and says what comes out as nested arrays. */
final class Runs {
    private Runs() {
    }

    /** Runs a text on nested arrays and numbers, and checks its outputs, which are nested arrays or, of rank 0, boxed. */
    static void gives(String text, List<?> expected, Object... inputs) {
        assertEquals(shown(expected), shown(outputs(Comprehension.of(text), inputs)), text);
    }

    /** The same of one output. */
    static void one(String text, Object expected, Object... inputs) {
        gives(text, Arrays.asList(expected), inputs);
    }

    /** What a comprehension makes of nested arrays and numbers. */
    static List<Object> outputs(Comprehension comprehension, Object... inputs) {
        List<Object> tensors = new ArrayList<>();
        try {
            for (Object input : inputs) {
                tensors.add(input != null && input.getClass().isArray() ? Tensors.ofNested(input) : input);
            }
            try (Results results = comprehension.run(tensors)) {
                List<Object> found = new ArrayList<>();
                for (String name : results.names()) {
                    found.add(results.get(name).toNested());
                }
                return found;
            }
        } finally {
            for (Object tensor : tensors) {
                if (tensor instanceof Tensor) {
                    ((AnyTensor<?>) tensor).close();
                }
            }
        }
    }

    /** The elements with their types. */
    static String shown(List<?> nested) {
        StringBuilder text = new StringBuilder();
        for (Object one : nested) {
            text.append(one.getClass().getSimpleName()).append(' ').append(Arrays.deepToString(new Object[] {one})).append('\n');
        }
        return text.toString();
    }

    static float[] f(double... values) {
        float[] floats = new float[values.length];
        for (int n = 0; n < floats.length; n++) {
            floats[n] = (float) values[n];
        }
        return floats;
    }

    static float[][] ff(float[]... rows) {
        return rows;
    }

    static int[] i(int... values) {
        return values;
    }

    static long[] l(long... values) {
        return values;
    }
}
