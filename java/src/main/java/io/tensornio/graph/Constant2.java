package io.tensornio.graph;

/** The elements of a constant of rank 2, see {@link TensorContext#constant2}. */
@FunctionalInterface
public interface Constant2 {
    /**
     * An element.
     *
     * @param i the position on axis 0
     * @param j the position on axis 1
     * @param dimI the length of axis 0
     * @param dimJ the length of axis 1
     * @return the element
     */
    double at(int i, int j, int dimI, int dimJ);
}
