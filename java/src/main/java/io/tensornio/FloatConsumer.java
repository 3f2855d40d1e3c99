package io.tensornio;

/** Takes one {@code float} at a time, as {@link java.util.function.DoubleConsumer} takes a {@code double}. */
@FunctionalInterface
public interface FloatConsumer {
    /**
     * Takes a value.
     *
     * @param value the value
     */
    void accept(float value);
}
