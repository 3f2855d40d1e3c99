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
    /** Whether the kernel takes elements of all types as they are; others get narrow ones widened: see {@link Narrow}. */
    boolean keeps;
    /** Whether the kernel is a comprehension, which widens what it reads: then what it makes is narrowed alone. */
    boolean reads;
    /** How many outputs, from the first one, are of the type of inputs. */
    int narrows = Integer.MAX_VALUE;

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

    Operator keeps() {
        keeps = true;
        return this;
    }

    Operator reads() {
        reads = true;
        return this;
    }

    Operator narrows(int outputs) {
        narrows = outputs;
        return this;
    }

    String fullName() {
        return domain.isEmpty() ? name : domain + "." + name;
    }
}
