package io.tensornio.internal.graph;

/** An operation on sequences and dictionaries, between comprehensions. */
interface SequenceStep {
    /** Computes the result, a tensor or {@link Items}, from the values that its node reads. */
    Object of(Values known);
}
