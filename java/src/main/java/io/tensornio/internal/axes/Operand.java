package io.tensornio.internal.axes;

import io.tensornio.DataType;

/** An operand of a step: a node, with a {@link Place} for each of its axes. */
final class Operand {
    private static final Place[] NO_AXES = {};

    final Node node;
    final Place[] places;

    private Operand(Node node, Place... places) {
        this.node = node;
        this.places = places;
    }

    static Operand of(Node node, Place... places) {
        return new Operand(node, places);
    }

    /** A number, which takes the type of its context. */
    static Operand of(DataType type, Number number) {
        return new Operand(Node.of(type, number), NO_AXES);
    }

    /** A node whose axes are loops of the step. */
    static Operand of(Node node, int... loops) {
        return new Operand(node, Place.loops(loops));
    }
}
