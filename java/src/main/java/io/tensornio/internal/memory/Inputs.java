package io.tensornio.internal.memory;

import io.tensornio.TensorData;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What complex views read in the end: data that is no complex view itself. However deep views of views are, and however often they have the same
 * parts, this takes no more stack, and looks at the parts of each view once.
 */
public final class Inputs {
    private Inputs() {
    }

    /**
     * Whether any of what is read passes a test.
     *
     * @param parts data, complex views or not
     * @param among what is looked at; the parts of other views are not, either
     * @param test the test
     * @return true with the first that does
     */
    public static boolean any(TensorData<?>[] parts, Predicate<TensorData<?>> among, Predicate<TensorData<?>> test) {
        Deque<TensorData<?>[]> rest = new ArrayDeque<>(1);
        Set<TensorData<?>[]> seen = null;
        for (TensorData<?>[] next = parts; next != null; next = rest.poll()) {
            for (TensorData<?> part : next) {
                if (!among.test(part)) {
                    continue;
                }
                TensorData<?>[] read = part instanceof SharedMemory ? ((SharedMemory) part).read() : null;
                if (read == null) {
                    if (test.test(part)) {
                        return true;
                    }
                } else {
                    seen = seen == null ? Collections.newSetFromMap(new IdentityHashMap<>()) : seen;
                    if (seen.add(read)) {
                        rest.push(read);
                    }
                }
            }
        }
        return false;
    }
}
