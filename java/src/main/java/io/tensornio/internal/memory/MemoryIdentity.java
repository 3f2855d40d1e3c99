package io.tensornio.internal.memory;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;

/**
 * The identity of a memory, which does not keep it reachable: one instance for each object during its lifetime,
 * compared by reference, whatever the object's {@code equals} says. Specs of data hold these.
 */
public final class MemoryIdentity {
    private static final Map<Key, MemoryIdentity> ALL = new HashMap<>();
    private static final ReferenceQueue<Object> GONE = new ReferenceQueue<>();

    /** A new identity, of memory that does not exist yet. */
    public MemoryIdentity() {
    }

    /**
     * The identity of a memory.
     *
     * @param memory any object
     * @return the same for the same object
     */
    public static MemoryIdentity of(Object memory) {
        synchronized (ALL) {
            for (Object gone = GONE.poll(); gone != null; gone = GONE.poll()) {
                ALL.remove(gone);
            }
            return ALL.computeIfAbsent(new Key(memory), key -> new MemoryIdentity());
        }
    }

    private static final class Key extends WeakReference<Object> {
        private final int hash;

        Key(Object memory) {
            super(memory, GONE);
            hash = System.identityHashCode(memory);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(Object other) {
            Object memory = get();
            return this == other || other instanceof Key && memory != null && memory == ((Key) other).get();
        }
    }
}
