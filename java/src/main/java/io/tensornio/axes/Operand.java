package io.tensornio.axes;

/** An operand of a step: a node, with a {@link Place} for each of its axes; or a number, which takes the type of its context. */
final class Operand {
    final Node node;
    final Place[] places;
    final Number number;

    private Operand(Node node, Place[] places, Number number) {
        this.node = node;
        this.places = places;
        this.number = number;
    }

    static Operand of(Node node, Place... places) {
        return new Operand(node, places, null);
    }

    /** A node whose axes are loops of the step. */
    static Operand of(Node node, int... loops) {
        return new Operand(node, Place.loops(loops), null);
    }

    static Operand of(Number number) {
        return new Operand(null, null, number);
    }
}
