package io.tensornio.graph;

/** The role of a tensor in a graph. */
public enum Status {
    /** A given constant; training does not change it. */
    CONSTANT,
    /** An input, given with each example. */
    INPUT,
    /** Made by a comprehension. */
    FLOW,
    /** Learnt by training: every other tensor. */
    PARAMETER,
    /** Kept between steps and saved with parameters, but defined by a text of training, see {@link TensorContext#state}. */
    STATE
}
