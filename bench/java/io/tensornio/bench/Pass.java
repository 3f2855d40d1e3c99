package io.tensornio.bench;

/**
 * A pass through all elements.
 *
 * @param <T> what holds the elements
 */
interface Pass<T> {
    /**
     * Does one thing with each element.
     *
     * @param array what {@link Does#COPY} copies to
     * @return the largest, for {@link Does#MAX}
     */
    float run(Does does, T elements, float[] array);
}
