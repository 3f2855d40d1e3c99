package io.tensornio.onnx.engine;

import io.tensornio.TensorData;
import java.nio.LongBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** The plans of a node by the types and shapes that come in: those of the ones used last. Threads share them. */
final class Plans {
    private static final int MOST = 64;

    private final Map<LongBuffer, Plan> known = new LinkedHashMap<LongBuffer, Plan>(4, .75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<LongBuffer, Plan> eldest) {
            return size() > MOST;
        }
    };

    /** The plan for inputs, which is made if their types and shapes are new; it depends on nothing else but the node, and what follows that. */
    Plan of(boolean followed, Supplier<Plan> plan, TensorData<?>... inputs) {
        int length = 1;
        for (TensorData<?> input : inputs) {
            length += input == null ? 1 : 2 + input.rank();
        }
        LongBuffer key = LongBuffer.allocate(length);
        key.put(followed ? 1 : 0);
        for (TensorData<?> input : inputs) {
            key.put(input == null ? -1 : input.dataType().ordinal());
            int rank = input == null ? 0 : input.rank();
            if (input != null) {
                key.put(rank);
            }
            for (int d = 0; d < rank; d++) {
                key.put(input.size(d));
            }
        }
        key.flip();
        synchronized (known) {
            Plan found = known.get(key);
            if (found != null) {
                return found;
            }
        }
        Plan made = plan.get();
        synchronized (known) {
            known.put(key, made);
        }
        return made;
    }
}
