package io.tensornio.onnx.engine;

import io.tensornio.TensorData;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** Plans by the types and shapes that come in: those of the ones used last. Threads share them. */
final class Plans {
    /** What a plan is of beside the inputs, and the types and lengths of these. */
    private static final class Key {
        private final Object of;
        private final long[] sizes;
        private final int hash;

        Key(Object of, TensorData<?>... inputs) {
            int length = 0;
            for (TensorData<?> input : inputs) {
                length += input == null ? 1 : 2 + input.rank();
            }
            sizes = new long[length];
            int at = 0;
            for (TensorData<?> input : inputs) {
                sizes[at++] = input == null ? -1 : input.dataType().ordinal();
                int rank = input == null ? 0 : input.rank();
                if (input != null) {
                    sizes[at++] = rank;
                }
                for (int d = 0; d < rank; d++) {
                    sizes[at++] = input.size(d);
                }
            }
            this.of = of;
            hash = 31 * of.hashCode() + Arrays.hashCode(sizes);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key && of.equals(((Key) other).of) && Arrays.equals(sizes, ((Key) other).sizes);
        }
    }

    private final Map<Key, Plan> known;

    /** No plan yet; later up to so many. */
    Plans(int most) {
        known = new LinkedHashMap<Key, Plan>(4, .75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Key, Plan> eldest) {
                return size() > most;
            }
        };
    }

    /** The plan for inputs, which is made if their types and shapes are new; it depends on nothing else but what it is of. */
    Plan of(Object of, Supplier<Plan> plan, TensorData<?>... inputs) {
        Key key = new Key(of, inputs);
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
