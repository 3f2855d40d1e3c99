package io.tensornio.axes;

import io.tensornio.internal.axes.Matching;
import java.util.Objects;
import java.util.function.Supplier;

/** Settings of the matching of axes. */
public final class Axes {
    private Axes() {
    }

    /**
     * Builds expressions in strict mode: an elementwise operation is refused if its operands both have axes but share
     * none, or if unmatched axes of the same class differ in length. Otherwise, both broadcast.
     *
     * <pre>{@code
     * NamedTensor sum = Axes.strict(() -> x.plus(y));
     * }</pre>
     *
     * <p>It applies to expressions that the supplier builds on the calling thread, and may be nested.
     *
     * @param <T> the type of the result
     * @param expressions builds it
     * @return the result of the supplier
     * @throws IllegalArgumentException if an operation is refused; the message names the axes
     */
    public static <T> T strict(Supplier<T> expressions) {
        return Matching.strict(Objects.requireNonNull(expressions, "expressions"));
    }
}
