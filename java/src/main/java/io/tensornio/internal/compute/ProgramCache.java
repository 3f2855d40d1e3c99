package io.tensornio.internal.compute;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/**
 * Programs by what they were made from: a text, a text and other outputs, the structure of an expression, an operation with its parameters. If there
 * are too many, the oldest are evicted, and made again when they are needed. Thread-safe: several threads may make the same at once, of which one is
 * kept.
 */
public final class ProgramCache {
    private static final int CAPACITY = 2048;
    private static final Map<Object, Object> VALUES = new ConcurrentHashMap<>();
    /** The keys, oldest first. */
    private static final Queue<Object> KEYS = new ConcurrentLinkedQueue<>();

    private ProgramCache() {
    }

    /**
     * The value of a key.
     *
     * @param key an immutable key, of a class whose values are all of one type
     * @param make makes the value if there is none; what it throws is passed on, and nothing is kept
     * @param <V> the type of the values for keys of that class
     * @return the value
     */
    @SuppressWarnings("unchecked")
    public static <V> V get(Object key, Supplier<V> make) {
        Object known = VALUES.get(key);
        return (V) (known == null ? kept(key, make.get()) : known);
    }

    private static Object kept(Object key, Object made) {
        Object before = VALUES.putIfAbsent(key, made);
        if (before != null) {
            return before;
        }
        KEYS.add(key);
        if (VALUES.size() > CAPACITY) {
            VALUES.remove(KEYS.remove());
        }
        return made;
    }

    /**
     * The program of a text.
     *
     * @param text the text
     * @return the program
     * @throws IllegalArgumentException if it is not a valid program
     */
    public static Program ofText(String text) {
        return get(text, () -> Program.of(text));
    }

    /** The number of values, for tests. */
    static int size() {
        return VALUES.size();
    }
}
