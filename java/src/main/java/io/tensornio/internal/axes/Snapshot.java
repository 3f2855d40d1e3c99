package io.tensornio.internal.axes;

import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * A snapshot of an expression: its nodes in topological order, and the {@link Structure} by which its program is cached. Made without a
 * text and, for few nodes, without a map, since it is the main overhead of a small expression.
 */
final class Snapshot {
    /** The maximum number of nodes that are searched linearly. */
    private static final int FEW = 16;

    private Entry[] entries = new Entry[FEW];
    private int count;
    /** The entries by node, if there are many. */
    private Map<Node, Entry> many;
    private final Structure structure = new Structure();

    private Snapshot() {
    }

    /**
     * Collects all nodes, without recursion, since chains may be long.
     *
     * @throws io.tensornio.TensorClosedException if a required tensor is closed
     */
    static Snapshot of(Node root) {
        Snapshot made = new Snapshot();
        try {
            made.collect(root);
            return made;
        } catch (Throwable e) {
            made.close();
            throw e;
        }
    }

    private void collect(Node root) {
        Entry open = new Entry(root, null);
        while (open != null) {
            if (open.seen == open.operands.length) {
                add(open);
                open = open.below;
                continue;
            }
            int n = open.seen++;
            Node node = open.step.operands[n].node;
            open.operands[n] = find(node);
            if (open.operands[n] == null) {
                open = open.operands[n] = new Entry(node, open);
            }
        }
    }

    /** Closes what was computed for it alone. */
    void close() {
        for (int n = 0; n < count; n++) {
            if (entries[n].computed != null) {
                entries[n].computed.close();
            }
        }
    }

    private Entry find(Node node) {
        if (many != null) {
            return many.get(node);
        }
        for (int n = 0; n < count; n++) {
            if (entries[n].node == node) {
                return entries[n];
            }
        }
        return null;
    }

    private void add(Entry entry) {
        if (count == entries.length) {
            entries = Arrays.copyOf(entries, 2 * count);
        }
        entry.index = count;
        entries[count++] = entry;
        if (many != null) {
            many.put(entry.node, entry);
        } else if (count > FEW) {
            many = new IdentityHashMap<>();
            for (int n = 0; n < count; n++) {
                many.put(entries[n].node, entries[n]);
            }
        }
        structure.add(entry);
    }

    /** An entry, by number; the last one is that of the whole expression. */
    Entry entry(int n) {
        return entries[n];
    }

    /** The number of nodes. */
    int count() {
        return count;
    }

    /** What some of the entries have in memory: tensors, data and numbers. */
    Object[] sources(int... which) {
        Object[] some = new Object[which.length];
        for (int n = 0; n < some.length; n++) {
            some[n] = entries[which[n]].memory;
        }
        return some;
    }

    /** The structure, on which the program depends. */
    Structure structure() {
        return structure;
    }
}
