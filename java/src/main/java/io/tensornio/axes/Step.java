package io.tensornio.axes;

import java.util.List;

/**
 * The computation of a node: one statement of a comprehension. Its loops are the node's axes, in order, then the reduced ones.
 */
final class Step {
    /** Its name and arguments, for messages and formulas: {@code plus}, or {@code sum over H}. */
    final String name;
    /** {@code =}, or the operator of the reduction. */
    final String assign;
    /** The text around the operands: one piece more than operands. */
    final String[] pieces;
    /** The same in a formula. */
    final String[] formula;
    final Operand[] operands;
    /** The ranges of the reduced loops. */
    final long[] reduced;
    /** Whether it looks up positions, or names loops, so that it must be a separate statement. */
    final boolean alone;
    /** Whether its operands may have fewer elements than it although each is read at most once. */
    final boolean sparse;
    private final boolean isView;
    /** Makes the result as a view, if all operands are in memory; null if it never is one. */
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

    /** An elementwise function. */
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

    /** The same elements at other indices. */
    static Step view(String name, String[] formula, Operand operand) {
        return view(name, formula, null, operand);
    }

    /** The same, as a view if the operand is in memory. */
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

    /** A concatenation. */
    static Step concat(String[] pieces, String[] formula, Placement placement, List<Operand> operands) {
        return new Step("concat", "=", pieces, formula, operands.toArray(new Operand[0]), new long[0], true, true, false, placement);
    }

    /** Whether it only reads another node at other indices, so that reading it repeatedly costs nothing. */
    boolean isFree() {
        return isView && !alone && !sparse;
    }

    /** Whether it only merges axes of its operand, in row-major order. */
    boolean merges() {
        return isView && placement != null;
    }

    /** Whether an operand is indexed by a look-up, so that it must be in memory. */
    static boolean looksUp(Operand operand) {
        for (Place place : operand.places) {
            if (place.isLookUp()) {
                return true;
            }
        }
        return false;
    }
}
