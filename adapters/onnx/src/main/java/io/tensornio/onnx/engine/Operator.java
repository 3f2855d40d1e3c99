package io.tensornio.onnx.engine;

/** A row of the table of operators: what a node of this name computes, from a version of the operator set on. */
public final class Operator {
    /** What computes the outputs of a node. */
    interface Kernel {
        /** Gives a value for each output that the node names; null for those that are left out. */
        Item[] run(Call call);
    }

    final String domain;
    final String name;
    final int since;
    final Kernel kernel;
    /** The text of a comprehension's right side, or what the operator is made of. */
    final String text;
    /** Whether equal inputs give equal outputs, of a size like theirs, so that a node of constants is one. */
    boolean folds = true;

    Operator(String domain, String name, int since, String text, Kernel kernel) {
        this.domain = domain;
        this.name = name;
        this.since = since;
        this.text = text;
        this.kernel = kernel;
    }

    /** Not to be computed while a model is loaded: what it gives is larger than what it takes, or random. */
    Operator late() {
        folds = false;
        return this;
    }

    String fullName() {
        return domain.isEmpty() ? name : domain + "." + name;
    }
}
