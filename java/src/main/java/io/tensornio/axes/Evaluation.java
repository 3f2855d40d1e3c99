package io.tensornio.axes;

import io.tensornio.LongTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.compute.Comprehension;
import io.tensornio.compute.Results;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One comprehension that computes a node, and what it is run on. Each step is a statement of its own, unless it is read once, and no more often than
 * it has elements: then it becomes part of the statement that reads it. So a chain is one loop, and what two steps read is computed once.
 */
final class Evaluation {
    /** So many steps, one in the other, are one statement at most: text is read by recursion. */
    private static final int DEEPEST = 32;
    /** So many programs are remembered by their text, of which native code keeps the plans. */
    private static final int PROGRAMS = 512;
    private static final Map<String, Comprehension> KNOWN = new ConcurrentHashMap<>();

    /** What is known of a node while this is made. */
    private static final class Entry {
        final Node node;
        /** The elements, or null if there is a step. */
        final Object memory;
        final Step step;
        /** How many loops its statement has with those that are reduced, as elements. */
        final long rounds;
        int uses;
        /** Whether an element of it is read more than once. */
        boolean often;
        /** Whether it has a statement of its own. */
        boolean apart;
        int depth;
        /** Its name in the text, once it has one. */
        String name;

        Entry(Node node) {
            this.node = node;
            Step maybe = node.step();
            memory = node.memory();
            step = memory == null ? maybe : null;
            long product = node.numElements();
            for (int n = 0; step != null && n < step.reduced.length; n++) {
                product *= step.reduced[n];         // may overflow: it decides nothing but what is fast
            }
            rounds = product;
            apart = step != null && step.alone;
        }
    }

    private final Map<Node, Entry> entries = new IdentityHashMap<>();
    /** Operands before what reads them. */
    private final List<Entry> order = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();
    private final List<String> names = new ArrayList<>();
    private final List<Object> inputs = new ArrayList<>();
    private String output;
    private int statements;
    /** Of the statement that is being written: the ranges of its loops, and which of them a read determines. */
    private long[] ranges;
    private boolean[] determined;
    /** Which of them a read of a longer axis would make longer. */
    private boolean[] shortened;
    private int guards;

    private Evaluation() {
    }

    static Evaluation of(Node root) {
        Evaluation made = new Evaluation();
        made.collect(root);
        made.divide();
        for (Entry entry : made.order) {
            if (entry.apart) {
                made.statement(entry);
            }
        }
        made.output = made.order.get(made.order.size() - 1).name;
        made.text.append("return ").append(made.output);
        return made;
    }

    /** Finds all nodes, without recursion: a chain may be long. */
    private void collect(Node root) {
        Deque<Entry> open = new ArrayDeque<>();
        Entry first = enter(root);
        open.push(first);
        Map<Entry, Integer> next = new IdentityHashMap<>();
        while (!open.isEmpty()) {
            Entry entry = open.peek();
            int n = next.getOrDefault(entry, 0);
            if (entry.step == null || n == entry.step.operands.length) {
                order.add(entry);
                open.pop();
                continue;
            }
            next.put(entry, n + 1);
            Node node = entry.step.operands[n].node;
            if (node != null && !entries.containsKey(node)) {
                open.push(enter(node));
            }
        }
        first.apart = true;
    }

    private Entry enter(Node node) {
        node.checkOpen();
        Entry entry = new Entry(node);
        entries.put(node, entry);
        return entry;
    }

    /** Decides which steps are statements; views are none, but what they read is, if they are read often. */
    private void divide() {
        for (int n = order.size() - 1; n >= 0; n--) {
            Entry entry = order.get(n);
            boolean isFree = entry.step != null && entry.step.isFree();
            entry.apart |= entry.step != null && entry.often && !isFree;
            for (int k = 0; entry.step != null && k < entry.step.operands.length; k++) {
                Operand operand = entry.step.operands[k];
                if (operand.node != null) {
                    Entry read = entries.get(operand.node);
                    read.apart |= read.step != null && Step.looksUp(operand);
                    read.often |= ++read.uses > 1 || !entry.step.sparse && read.node.numElements() < entry.rounds || isFree && entry.often;
                }
            }
        }
        for (Entry entry : order) {
            for (int k = 0; entry.step != null && k < entry.step.operands.length; k++) {
                Operand operand = entry.step.operands[k];
                Entry read = operand.node == null ? null : entries.get(operand.node);
                if (read != null && read.step != null && !read.apart) {
                    entry.depth = Math.max(entry.depth, read.depth + 1);
                }
            }
            entry.apart |= entry.depth >= DEEPEST;
            entry.depth = entry.apart ? 0 : entry.depth;
        }
    }

    private void statement(Entry entry) {
        int rank = entry.node.axes().length;
        int reduced = entry.step == null ? 0 : entry.step.reduced.length;
        ranges = new long[rank + reduced];
        System.arraycopy(entry.node.shape(), 0, ranges, 0, rank);
        if (reduced > 0) {
            System.arraycopy(entry.step.reduced, 0, ranges, rank, reduced);
        }
        determined = new boolean[ranges.length];
        shortened = new boolean[ranges.length];
        Position[] loops = Position.loops(ranges.length);
        StringBuilder before = new StringBuilder();
        StringBuilder right = new StringBuilder();
        if (entry.step == null) {
            read(entry, loops, right);
            entry.name = null;
        } else {
            write(entry.step, loops, before, right);
        }
        text.append(before);
        entry.name = "t" + statements++;
        text.append(entry.name);
        brackets(loops, rank, text);
        text.append(' ').append(entry.step == null ? "=" : entry.step.assign).append(' ').append(right);
        String word = " where ";
        for (int loop = 0; loop < ranges.length; loop++) {
            if (!determined[loop] || shortened[loop]) {
                text.append(word).append('i').append(loop).append(" in 0:").append(ranges[loop]);
                word = ", ";
            }
        }
        text.append('\n');
    }

    private static void brackets(Position[] positions, int rank, StringBuilder out) {
        for (int n = 0; n < rank; n++) {
            out.append(n == 0 ? "[" : ", ");
            positions[n].write(out);
        }
        if (rank > 0) {
            out.append(']');
        }
    }

    /** Writes a step with its operands; positions that it looks up are defined in statements before. */
    private void write(Step step, Position[] loops, StringBuilder before, StringBuilder out) {
        for (int n = 0; n < step.operands.length; n++) {
            out.append(step.pieces[n]);
            Operand operand = step.operands[n];
            if (operand.number != null) {
                out.append(input(operand.number));
                continue;
            }
            Entry read = entries.get(operand.node);
            boolean guarded = guard(operand, loops, out);
            if (read.step == null || read.apart) {
                name(read);
            }
            Position[] positions = new Position[operand.places.length];
            for (int axis = 0; axis < positions.length; axis++) {
                positions[axis] = position(operand.places[axis], loops, before);
            }
            if (read.step == null || read.apart) {
                read(read, positions, out);
            } else {
                write(read.step, positions, before, out);
            }
            if (guarded) {
                guards--;
                out.append(')');
            }
        }
        out.append(step.pieces[step.operands.length]);
    }

    /** Opens a guard for the places that may be outside. */
    private boolean guard(Operand operand, Position[] loops, StringBuilder out) {
        boolean any = false;
        for (int axis = 0; axis < operand.places.length; axis++) {
            if (operand.places[axis].guarded) {
                out.append(any ? ", 0 <= " : "guard(0 <= ");
                Position.of(operand.places[axis], loops).write(out);
                out.append(" < ").append(operand.node.axes()[axis].length());
                any = true;
            }
        }
        if (any) {
            out.append(", ");
            guards++;
        }
        return any;
    }

    private Position position(Place place, Position[] loops, StringBuilder before) {
        if (!place.isLookUp()) {
            return Position.of(place, loops);
        }
        StringBuilder index = new StringBuilder();
        if (place.list != null) {
            index.append(input(LongTensorData.of(place.list)));
        } else {
            index.append('q').append(statements++);
            before.append(index).append("[i0] = ");
            String divisor = "i0 / " + Math.max(1, place.divisor);
            before.append('(').append(divisor).append(") % ").append(Math.max(1, place.modulus));
            before.append(" where i0 in 0:").append(ranges[loops[place.loops[0]].alone()]).append('\n');
        }
        brackets(new Position[] {loops[place.loops[0]]}, 1, index);
        if (place.list != null && guards == 0) {
            determined[loops[place.loops[0]].alone()] = true;
        }
        return Position.lookUp(index.toString());
    }

    private void name(Entry entry) {
        if (entry.name == null) {
            entry.name = input(entry.memory);
        }
    }

    private void read(Entry entry, Position[] positions, StringBuilder out) {
        name(entry);
        out.append(entry.name);
        brackets(positions, positions.length, out);
        for (int axis = 0; guards == 0 && axis < positions.length; axis++) {
            int loop = positions[axis].alone();
            if (loop >= 0) {
                boolean whole = ranges[loop] == entry.node.axes()[axis].length();
                determined[loop] |= whole;
                shortened[loop] |= !whole;
            }
        }
    }

    private String input(Object given) {
        String name = (given instanceof Number ? "c" : "x") + names.size();
        names.add(name);
        inputs.add(given);
        return name;
    }

    /** The comprehension. */
    Comprehension comprehension() {
        String key = text.toString();
        Comprehension known = KNOWN.get(key);
        if (known == null) {
            known = Comprehension.of(key);
            if (!known.inputs().equals(names)) {
                throw new IllegalStateException("inputs " + known.inputs() + " instead of " + names + " in " + key);
            }
            if (KNOWN.size() >= PROGRAMS) {
                KNOWN.clear();
            }
            KNOWN.put(key, known);
        }
        return known;
    }

    /** Computes a tensor, which the caller closes. */
    @SuppressWarnings("resource")       // the only result becomes the caller's
    Tensor<?> run() {
        Results results = comprehension().run(inputs);
        return results.get(output);
    }

    /** Computes into data of the type and shape of the node. */
    void runInto(TensorData<?> target) {
        Map<String, Object> given = new HashMap<>();
        for (int n = 0; n < names.size(); n++) {
            given.put(names.get(n), inputs.get(n));
        }
        comprehension().runInto(given, Collections.singletonMap(output, target));
    }
}
