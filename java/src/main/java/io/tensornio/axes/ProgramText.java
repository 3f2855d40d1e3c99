package io.tensornio.axes;

import java.util.ArrayList;
import java.util.List;

/**
 * Generates one comprehension that computes an expression. Each step is a separate statement, unless each of its elements is read only once: then it
 * is fused into the statement that reads it. So a chain is one loop nest, and common subexpressions are computed once.
 */
final class ProgramText {
    /** The maximum depth of fused steps, since parsing is recursive. */
    private static final int DEEPEST = 32;

    /** How an entry is computed. */
    private static final class Part {
        /** The number of iterations of its statement, including reduced loops. */
        final long rounds;
        int uses;
        /** Whether an element is read more than once. */
        boolean often;
        /** Whether it is a separate statement. */
        boolean apart;
        int depth;
        /** Its name in the text, once it has one. */
        String name;

        Part(Entry entry) {
            long product = entry.node.numElements();
            for (int n = 0; entry.step != null && n < entry.step.reduced.length; n++) {
                product *= entry.step.reduced[n];       // may overflow: it only affects speed
            }
            rounds = product;
            apart = entry.step != null && entry.step.alone;
        }
    }

    private final Snapshot snapshot;
    private final Part[] parts;
    private final StringBuilder text = new StringBuilder();
    private final List<String> names = new ArrayList<>();
    private final List<Integer> sources = new ArrayList<>();
    private int statements;
    /** For the current statement: the ranges of its loops, and which of them a read determines. */
    private long[] ranges;
    private boolean[] determined;
    /** Which of them would be inferred too long from a longer axis. */
    private boolean[] shortened;
    private int guards;

    private ProgramText(Snapshot snapshot) {
        this.snapshot = snapshot;
        parts = new Part[snapshot.count()];
        for (int n = 0; n < parts.length; n++) {
            parts[n] = new Part(snapshot.entry(n));
        }
    }

    static ProgramText of(Snapshot snapshot) {
        ProgramText made = new ProgramText(snapshot);
        int last = made.parts.length - 1;
        made.parts[last].apart = true;
        made.divide();
        for (int n = 0; n <= last; n++) {
            if (made.parts[n].apart) {
                made.statement(snapshot.entry(n));
            }
        }
        made.text.append("return ").append(made.parts[last].name);
        return made;
    }

    /** Decides which steps are separate statements; views are not, but their operands are if the views are read often. */
    private void divide() {
        for (int n = parts.length - 1; n >= 0; n--) {
            Entry entry = snapshot.entry(n);
            Part part = parts[n];
            boolean isFree = entry.step != null && entry.step.isFree();
            part.apart |= entry.step != null && part.often && !isFree;
            for (int k = 0; k < entry.operands.length; k++) {
                Entry operand = entry.operands[k];
                if (operand != null) {
                    Part read = parts[operand.index];
                    read.apart |= operand.step != null && Step.looksUp(entry.step.operands[k]);
                    read.often |= ++read.uses > 1 || !entry.step.sparse && operand.node.numElements() < part.rounds || isFree && part.often;
                }
            }
        }
        for (int n = 0; n < parts.length; n++) {
            Part part = parts[n];
            for (Entry operand : snapshot.entry(n).operands) {
                if (operand != null && operand.step != null && !parts[operand.index].apart) {
                    part.depth = Math.max(part.depth, parts[operand.index].depth + 1);
                }
            }
            part.apart |= part.depth >= DEEPEST;
            part.depth = part.apart ? 0 : part.depth;
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
        Part part = parts[entry.index];
        if (entry.step == null) {
            read(entry, loops, right);
            part.name = null;
        } else {
            write(entry, loops, before, right);
        }
        text.append(before);
        part.name = "t" + statements++;
        text.append(part.name);
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

    /** Writes a step with its operands; positions that it looks up are defined in preceding statements. */
    private void write(Entry entry, Position[] loops, StringBuilder before, StringBuilder out) {
        Step step = entry.step;
        int source = entry.firstSource;
        for (int n = 0; n < step.operands.length; n++) {
            out.append(step.pieces[n]);
            Operand operand = step.operands[n];
            if (operand.number != null) {
                out.append(input("c", source++));
                continue;
            }
            Entry read = entry.operands[n];
            boolean inMemory = read.step == null || parts[read.index].apart;
            boolean guarded = guard(operand, loops, out);
            if (inMemory) {
                name(read);
            }
            Position[] positions = new Position[operand.places.length];
            for (int axis = 0; axis < positions.length; axis++) {
                Place place = operand.places[axis];
                positions[axis] = place.isLookUp() ? lookUp(place, loops, source, before) : Position.of(place, loops);
                source += place.list != null ? 1 : 0;
            }
            if (inMemory) {
                read(read, positions, out);
            } else {
                write(read, positions, before, out);
            }
            if (guarded) {
                guards--;
                out.append(')');
            }
        }
        out.append(step.pieces[step.operands.length]);
    }

    /** Opens a guard for the places that may be out of bounds. */
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

    private Position lookUp(Place place, Position[] loops, int source, StringBuilder before) {
        StringBuilder index = new StringBuilder();
        Position looked = loops[place.loops[0]];
        if (place.list != null) {
            index.append(input("x", source));
            if (guards == 0) {
                determined[looked.alone()] = true;
            }
        } else {
            index.append('q').append(statements++);
            before.append(index).append("[i0] = (i0 / ").append(Math.max(1, place.divisor)).append(") % ").append(Math.max(1, place.modulus))
                .append(" where i0 in 0:").append(ranges[looked.alone()]).append('\n');
        }
        brackets(new Position[] {looked}, 1, index);
        return Position.lookUp(index.toString());
    }

    private String name(Entry entry) {
        Part part = parts[entry.index];
        if (part.name == null) {
            part.name = input("x", entry.firstSource);
        }
        return part.name;
    }

    private void read(Entry entry, Position[] positions, StringBuilder out) {
        out.append(name(entry));
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

    private String input(String letter, int source) {
        String name = letter + names.size();
        names.add(name);
        sources.add(source);
        return name;
    }

    /** The text. */
    String text() {
        return text.toString();
    }

    /** The names of the inputs, in the order of the text. */
    List<String> inputs() {
        return names;
    }

    /** The index of each input among the snapshot's sources. */
    int[] sources() {
        int[] numbers = new int[sources.size()];
        for (int n = 0; n < numbers.length; n++) {
            numbers[n] = sources.get(n);
        }
        return numbers;
    }
}
