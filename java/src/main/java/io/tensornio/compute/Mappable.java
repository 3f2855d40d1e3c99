package io.tensornio.compute;

import java.util.List;

/**
 * A value to which the functions of {@link F} apply element by element, beside {@link Expr}: a symbolic tensor of a graph. It is used through
 * {@link F}: {@code F.relu(x)}, {@code F.max(x, y)}.
 *
 * @param <R> the type of results
 */
public interface Mappable<R extends Mappable<R>> {
    /**
     * A function of the elements of values.
     *
     * @param function the name of a function in the language of {@link Comprehension}, whose first argument is this
     * @param others the other arguments, of the same shape or of rank 0, or of any shape if the rest is of rank 0
     * @return a new value
     * @throws IllegalArgumentException if there is no such function of so many arguments, or the values do not fit
     */
    R map(String function, List<Mappable<R>> others);
}
