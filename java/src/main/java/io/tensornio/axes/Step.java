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
    /** What it makes of operands that are all in memory, without a program; null if nothing. */
    final Placement placement;

    private Step(String name, String assign, String[] pieces, String[] formula, Operand[] operands, long[] reduced, boolean alone, boolean sparse,
        boolean isView, Placement placement) {
        this.name = name;
        this.assign = assign;
        this.pieces = pieces;
        this.formula = formula;
        this.operands = operands;
        this.reduced = reduced;
        this.alone = alone;
        this.sparse = sparse;
        this.isView = isView;
        this.placement = placement;
    }

    /** A function of elements. */
    static Step map(String name, String[] pieces, Operand... operands) {
        return new Step(name, "=", pieces, pieces, operands, new long[0], false, false, false, null);
    }

    /** A reduction of a node's elements. */
    static Step reduce(String name, String assign, String[] formula, Operand operand, long... reduced) {
        return new Step(name, assign, new String[] {"", ""}, formula, new Operand[] {operand}, reduced, true, false,
            false, null);
    }

    /** The sum of products of the elements of two nodes. */
    static Step contract(String name, String with, Operand left, Operand right, long... reduced) {
        return new Step(name, "+=", new String[] {"", " * ", ""}, new String[] {name + "(", ", ", with + ")"}, new Operand[] {left, right}, reduced,
            true, false, false, null);
    }

    /** The same elements at other places. */
    static Step view(String name, String[] formula, Operand operand) {
        return view(name, formula, null, operand);
    }

    /** The same, which are such data if the operand is in memory. */
    static Step view(String name, String[] formula, Placement placement, Operand operand) {
        boolean lookUp = false;
        boolean guarded = false;
        for (Place place : operand.places) {
            lookUp |= place.isLookUp();
            guarded |= place.guarded;
        }
        return new Step(name, "=", new String[] {"", ""}, formula, new Operand[] {operand}, new long[0], lookUp, guarded,
            true, placement);
    }

    /** Parts side by side. */
    static Step concat(String[] pieces, String[] formula, Placement placement, List<Operand> operands) {
        return new Step("concat", "=", pieces, formula, operands.toArray(new Operand[0]), new long[0], true, true, false, placement);
    }

    /** Whether it is the elements of another node at other places, and nothing else: it costs nothing, however often it is read. */
    boolean isFree() {
        return isView && !alone && !sparse;
    }

    /** Whether it is the elements of its operand in row-major order, under fewer axes. */
    boolean merges() {
        return isView && placement != null;
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
