package io.tensornio.internal.axes;

import java.util.Arrays;
import java.util.List;

/**
 * The computation of a node: one statement of a comprehension. Its loops are the node's axes, in order, then the reduced ones.
 */
final class Step {
    private static final String[] ALONE = {"", ""};
    private static final String[] PRODUCT = {"", " * ", ""};
    private static final long[] NONE = {};

    /** Its name and arguments, for messages and formulas: {@code plus}, or {@code sum over H}. */
    final String name;
    /** {@code =}, or the operator of the reduction. */
    final String assign;
    /** The text around the operands: one piece more than the operands that it shows; those after them are looked up in. */
    final String[] pieces;
    /** The same in a formula. */
    final String[] formula;
    final Read[] operands;
    /** The ranges of the reduced loops. */
    final long[] reduced;
    /** Makes the result as a view, if all operands are in memory; null if it never is one. */
    final Placement placement;

    private Step(String name, String assign, String[] pieces, String[] formula, Placement placement, long[] reduced, Read... operands) {
        this.name = name;
        this.assign = assign;
        this.pieces = pieces;
        this.formula = formula;
        this.placement = placement;
        this.reduced = reduced;
        this.operands = operands;
    }

    /** An elementwise function. */
    static Step map(String name, String[] pieces, Read... operands) {
        return new Step(name, "=", pieces, pieces, null, NONE, operands);
    }

    /** A reduction of a node's elements. */
    static Step reduce(String name, String assign, String[] formula, Read operand, long... reduced) {
        return new Step(name, assign, ALONE, formula, null, reduced, operand);
    }

    /** The sum of products of the elements of two nodes. */
    static Step contract(String name, String with, Read left, Read right, long... reduced) {
        return new Step(name, "+=", PRODUCT, new String[] {name + "(", ", ", with + ")"}, null, reduced, left, right);
    }

    /** The elements of the first operand at other indices, as a view if it is in memory and there is a placement; more operands are looked up in. */
    static Step view(String name, String[] formula, Placement placement, Read... operands) {
        return new Step(name, "=", ALONE, formula, placement, NONE, operands);
    }

    /** A concatenation. */
    static Step concat(String[] pieces, String[] formula, Placement placement, List<Read> operands) {
        return new Step("concat", "=", pieces, formula, placement, NONE, operands.toArray(new Read[0]));
    }

    /** Whether it only merges axes of its operand, in row-major order. */
    boolean merges() {
        return pieces == ALONE && placement != null;
    }

    /** The ranges of the loops, of which the first are the axes of the node. */
    long[] ranges(Node node) {
        long[] shape = node.shape();
        long[] ranges = Arrays.copyOf(shape, shape.length + reduced.length);
        System.arraycopy(reduced, 0, ranges, shape.length, reduced.length);
        return ranges;
    }
}
