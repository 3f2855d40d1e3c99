package io.tensornio.internal.axes;

import io.tensornio.DataType;

/** A read (an operand) of a step: a node, with a {@link Place} for each of its axes. */
final class Read {
    private static final Place[] NO_AXES = {};

    final Node node;
    final Place[] places;

    private Read(Node node, Place... places) {
        this.node = node;
        this.places = places;
    }

    static Read of(Node node, Place... places) {
        return new Read(node, places);
    }

    /** A number, which takes the type of its context. */
    static Read of(DataType type, Number number) {
        return new Read(Node.of(type, number), NO_AXES);
    }

    /** A node whose axes are loops of the step. */
    static Read of(Node node, int... loops) {
        return new Read(node, Place.loops(loops));
    }
}
