package io.tensornio;

/** Accepts one {@code float} at a time, as {@link java.util.function.DoubleConsumer} accepts a {@code double}. */
@FunctionalInterface
public interface FloatConsumer {
    /**
     * Accepts a value.
     *
     * @param value the value
     */
    void accept(float value);
}
