package io.tensornio.onnx.engine;

import io.tensornio.compute.Comprehension;

/** How a node runs for inputs of certain types and shapes: its program, and what is made of the shapes before and behind it. */
final class Plan {
    final Comprehension program;
    /** Whether the program does what follows the node, too. */
    final boolean follows;
    /** Shapes that the kernel asks for, by number; null for as they are. */
    private final long[][] shapes;

    Plan(String text, boolean follows, long[]... shapes) {
        this.program = Programs.of(text);
        this.follows = follows;
        this.shapes = shapes;
    }

    Plan(String text) {
        this(text, false);
    }

    long[] shape(int n) {
        return shapes[n];
    }
}
