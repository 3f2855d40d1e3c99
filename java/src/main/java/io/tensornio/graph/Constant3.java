package io.tensornio.graph;

/** The elements of a constant of rank 3, see {@link TensorContext#constant3}. */
@FunctionalInterface
public interface Constant3 {
    /**
     * An element.
     *
     * @param i the position on axis 0
     * @param j the position on axis 1
     * @param k the position on axis 2
     * @param dimI the length of axis 0
     * @param dimJ the length of axis 1
     * @param dimK the length of axis 2
     * @return the element
     */
    double at(int i, int j, int k, int dimI, int dimJ, int dimK);
}
