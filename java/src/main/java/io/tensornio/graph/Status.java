package io.tensornio.graph;

/** What a tensor is in a graph. */
public enum Status {
    /** Given from outside; training does not change it. */
    CONSTANT,
    /** Given with each example. */
    INPUT,
    /** Made by a comprehension. */
    FLOW,
    /** Learnt: every other tensor. */
    PARAMETER
}
