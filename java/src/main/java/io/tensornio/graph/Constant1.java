package io.tensornio.graph;

/** The elements of a constant of rank 1, see {@link TensorContext#constant1}. */
@FunctionalInterface
public interface Constant1 {
    /**
     * An element.
     *
     * @param i the position on axis 0
     * @param dimI the length of axis 0
     * @return the element
     */
    double at(int i, int dimI);
}
