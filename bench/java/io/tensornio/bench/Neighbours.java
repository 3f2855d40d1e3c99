package io.tensornio.bench;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The order in which benchmarks are run: what is held against each other, also by way of a third, in one group. Machines that are shared are slow for
 * minutes; between those of most groups lie seconds.
 */
final class Neighbours {
    private final Map<String, Set<String>> beside = new LinkedHashMap<>();

    private Neighbours(Collection<Promise> promises) {
        for (Promise promise : promises) {
            List<String> together = new ArrayList<>(promise.benchmarks());
            together.removeIf(name -> !isOfJmh(name));
            for (String name : together) {
                beside.computeIfAbsent(name, key -> new LinkedHashSet<>()).addAll(together);
            }
        }
    }

    /** Others are measured outside of the JVM. */
    private static boolean isOfJmh(String name) {
        return Character.isUpperCase(name.charAt(0));
    }

    /** All benchmarks that promises name, each once, as {@link Results} names them. */
    static List<String> of(Collection<Promise> promises) {
        return new Neighbours(promises).order();
    }

    private List<String> order() {
        Set<String> order = new LinkedHashSet<>();
        for (String first : beside.keySet()) {
            Deque<String> next = new ArrayDeque<>();
            next.add(first);
            while (!next.isEmpty()) {
                String name = next.remove();
                if (order.add(name)) {
                    next.addAll(beside.get(name));
                }
            }
        }
        return new ArrayList<>(order);
    }
}
