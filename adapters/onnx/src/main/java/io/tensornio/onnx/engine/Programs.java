package io.tensornio.onnx.engine;

import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.compute.Comprehension;
import io.tensornio.compute.Results;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The comprehensions that models are run by, those used last, by their texts. In a text, inputs are named `x0`, `x1` and so on, by their numbers.
 */
final class Programs {
    private static final int MOST = 1024;
    private static final Map<String, Comprehension> KNOWN = new LinkedHashMap<String, Comprehension>(16, .75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Comprehension> eldest) {
            return size() > MOST;
        }
    };

    private Programs() {
    }

    static Comprehension of(String text) {
        synchronized (KNOWN) {
            Comprehension known = KNOWN.get(text);
            if (known != null) {
                return known;
            }
        }
        Comprehension made = Comprehension.of(text);
        synchronized (KNOWN) {
            KNOWN.put(text, made);
        }
        return made;
    }

    private static Object[] inputs(Comprehension program, TensorData<?>... inputs) {
        List<String> names = program.inputs();
        Object[] ordered = new Object[names.size()];
        for (int n = 0; n < ordered.length; n++) {
            String name = names.get(n);
            ordered[n] = inputs[name.length() == 2 ? name.charAt(1) - '0' : Integer.parseInt(name.substring(1))];
        }
        return ordered;
    }

    /** Runs a text that has one output, or else the first. */
    static Item run(String text, TensorData<?>... inputs) {
        return Item.of(tensor(text, inputs));
    }

    static Item run(Plan plan, TensorData<?>... inputs) {
        return Item.of(tensor(plan.program, inputs));
    }

    static Tensor<?> tensor(String text, TensorData<?>... inputs) {
        return tensor(of(text), inputs);
    }

    private static Tensor<?> tensor(Comprehension program, TensorData<?>... inputs) {
        return program.run(inputs(program, inputs)).get(program.outputs().get(0));
    }

    /** Runs a text that returns several outputs, in their order. */
    static Item[] all(String text, TensorData<?>... inputs) {
        return all(of(text), inputs);
    }

    static Item[] all(Comprehension program, TensorData<?>... inputs) {
        Results results = program.run(inputs(program, inputs));
        return program.outputs().stream().map(name -> Item.of(results.get(name))).toArray(Item[]::new);
    }
}
