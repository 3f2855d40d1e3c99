package io.tensornio.axes;

import java.util.List;

/**
 * How the elements of a node come about: one statement of a comprehension. Its loops are the node's axes, in order, then those that it reduces.
 */
final class Step {
    /** Its name and what it was called with, for messages and formulas: {@code plus}, or {@code sum over H}. */
    final String name;
    /** {@code =}, or the operator of the reduction. */
    final String assign;
    /** What stands around the operands in its text: one piece more than there are operands. */
    final String[] pieces;
    /** The same in a formula. */
    final String[] formula;
    final Operand[] operands;
    /** The ranges of the loops that are reduced. */
    final long[] reduced;
    /** It looks positions up, or speaks of loops by their names, so that it is a statement of its own. */
    final boolean alone;
    /** What it reads may have fewer elements than it without being read more than once. */
    final boolean sparse;
    private final boolean isView;

    private Step(String name, String assign, String[] pieces, String[] formula, Operand[] operands, long[] reduced, boolean alone, boolean sparse,
        boolean isView) {
        this.name = name;
        this.assign = assign;
        this.pieces = pieces;
        this.formula = formula;
        this.operands = operands;
        this.reduced = reduced;
        this.alone = alone;
        this.sparse = sparse;
        this.isView = isView;
    }

    /** A function of elements. */
    static Step map(String name, String[] pieces, Operand... operands) {
        return new Step(name, "=", pieces, pieces, operands, new long[0], false, false, false);
    }

    /** A reduction of a node's elements. */
    static Step reduce(String name, String assign, String[] formula, Operand operand, long... reduced) {
        return new Step(name, assign, new String[] {"", ""}, formula, new Operand[] {operand}, reduced, true, false,
            false);
    }

    /** The sum of products of the elements of two nodes. */
    static Step contract(String name, Operand left, Operand right, long... reduced) {
        return new Step(name, "+=", new String[] {"", " * ", ""}, new String[] {name + "(", ", ", ")"}, new Operand[] {left, right}, reduced, true,
            false, false);
    }

    /** The same elements at other places. */
    static Step view(String name, String[] formula, Operand operand) {
        boolean lookUp = false;
        boolean guarded = false;
        for (Place place : operand.places) {
            lookUp |= place.isLookUp();
            guarded |= place.guarded;
        }
        return new Step(name, "=", new String[] {"", ""}, formula, new Operand[] {operand}, new long[0], lookUp, guarded,
            true);
    }

    /** Parts side by side. */
    static Step concat(String[] pieces, String[] formula, List<Operand> operands) {
        return new Step("concat", "=", pieces, formula, operands.toArray(new Operand[0]), new long[0], true, true, false);
    }

    /** Whether it is the elements of another node at other places, and nothing else: it costs nothing, however often it is read. */
    boolean isFree() {
        return isView && !alone && !sparse;
    }

    /** Whether any place is looked up: what is read so must be in memory. */
    static boolean looksUp(Operand operand) {
        for (Place place : operand.places) {
            if (place.isLookUp()) {
                return true;
            }
        }
        return false;
    }
}
