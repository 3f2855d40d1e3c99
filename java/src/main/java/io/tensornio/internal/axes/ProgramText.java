package io.tensornio.internal.axes;

import io.tensornio.Axis;

/**
 * Generates the comprehension that computes an expression: a statement for each step, in topological order, with the range of each loop. Which
 * statements share a loop nest is decided where they are planned, as for any comprehension.
 */
final class ProgramText {
    private final StringBuilder text = new StringBuilder();
    /** The number of tensors that hold the quotients of a loop. */
    private int quotients;

    private ProgramText() {
    }

    /** The text. Its inputs are the entries in memory, each named by a letter and its {@link Entry#index}. */
    static String of(Snapshot snapshot) {
        ProgramText made = new ProgramText();
        Entry last = null;
        for (int n = 0; n < snapshot.count(); n++) {
            last = snapshot.entry(n);
            if (last.step != null) {
                made.step(last);
            }
        }
        if (last.step == null) {
            made.copy(last);
        }
        return made.text.append("return t").append(last.index).toString();
    }

    /** The index of the entry that is an input. */
    static int entryOf(String input) {
        return Integer.parseInt(input.substring(1));
    }

    private static String name(Entry entry) {
        return (entry.step != null ? "t" : entry.memory instanceof Number ? "c" : "x") + entry.index;
    }

    private void copy(Entry entry) {
        String loops = brackets(Place.loops(Matching.identity(entry.node.axes().length)), null, null);
        text.append('t').append(entry.index).append(loops).append(" = ").append(name(entry)).append(loops);
        ranges(entry.node.shape());
    }

    private void step(Entry entry) {
        Step step = entry.step;
        long[] ranges = step.ranges(entry.node);
        StringBuilder right = new StringBuilder();
        int last = step.pieces.length - 1;
        for (int n = 0; n < last; n++) {
            right.append(step.pieces[n]);
            read(entry, n, ranges, right);
        }
        text.append(name(entry)).append(brackets(Place.loops(Matching.identity(entry.node.axes().length)), entry, ranges));
        text.append(' ').append(step.assign).append(' ').append(right).append(step.pieces[last]);
        ranges(ranges);
    }

    /** The ranges of loops, and the end of the statement. */
    private void ranges(long... ranges) {
        for (int loop = 0; loop < ranges.length; loop++) {
            text.append(loop == 0 ? " where i" : ", i").append(loop).append(" in 0:").append(ranges[loop]);
        }
        text.append('\n');
    }

    /** Reads an operand of a step; 0 where a guarded index is outside of its axis. */
    private void read(Entry entry, int operand, long[] ranges, StringBuilder out) {
        Place[] places = entry.step.operands[operand].places;
        Axis[] axes = entry.operands[operand].node.axes();
        String guard = "guard(";
        for (int axis = 0; axis < places.length; axis++) {
            if (places[axis].guarded) {
                out.append(guard).append("0 <= ").append(places[axis].index).append(" < ").append(axes[axis].length());
                guard = ", ";
            }
        }
        boolean guarded = guard.equals(", ");
        out.append(guarded ? ", " : "").append(name(entry.operands[operand])).append(brackets(places, entry, ranges)).append(guarded ? ")" : "");
    }

    private String brackets(Place[] places, Entry entry, long[] ranges) {
        StringBuilder out = new StringBuilder();
        for (int axis = 0; axis < places.length; axis++) {
            Place place = places[axis];
            out.append(axis == 0 ? "[" : ", ");
            if (place.list >= 0) {
                out.append(name(entry.operands[place.list])).append('[').append(place.index).append(']');
            } else if (place.divisor != 0) {
                out.append(quotient(place, ranges)).append('[').append(place.index).append(']');
            } else {
                out.append(place.index);
            }
        }
        return out.append(places.length == 0 ? "" : "]").toString();
    }

    /** Makes a tensor of the quotients of a loop, since an index is a sum or a look-up. */
    private String quotient(Place place, long... ranges) {
        String name = "q" + quotients++;
        text.append(name).append("[i0] = (i0 / ").append(place.divisor).append(") % ").append(Math.max(1, place.modulus));
        ranges(ranges[place.loop]);
        return name;
    }
}
