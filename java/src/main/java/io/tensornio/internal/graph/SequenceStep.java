package io.tensornio.internal.graph;

/** What is done to sequences and dictionaries, between comprehensions. */
interface SequenceStep {
    /** Makes what its node writes, a tensor or {@link Items}, of what it reads. */
    Object of(Values known);
}
