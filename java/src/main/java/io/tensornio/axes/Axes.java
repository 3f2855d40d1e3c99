package io.tensornio.axes;

import java.util.Objects;
import java.util.function.Supplier;

/** How axes are matched. */
public final class Axes {
    private Axes() {
    }

    /**
     * Builds expressions strictly: an elementwise operation is refused if its operands share no axis and both have some, or if an axis that is
     * matched with none has another length than one of its class on the other side that is not matched either. Without it, both broadcast.
     *
     * <pre>{@code
     * NamedTensor sum = Axes.strict(() -> x.plus(y));
     * }</pre>
     *
     * <p>It holds for what the supplier builds on the calling thread, ends with it, and may be nested.
     *
     * @param <T> what is built
     * @param expressions builds it
     * @return what the supplier gives
     * @throws IllegalArgumentException if an operation is refused; the message names the axes
     */
    public static <T> T strict(Supplier<T> expressions) {
        return Matching.strict(Objects.requireNonNull(expressions, "expressions"));
    }
}
