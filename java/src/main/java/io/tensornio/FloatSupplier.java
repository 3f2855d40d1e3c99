package io.tensornio;

/** Gives one {@code float} at a time, as {@link java.util.function.DoubleSupplier} gives a {@code double}. */
@FunctionalInterface
public interface FloatSupplier {
    /**
     * Gives a value.
     *
     * @return the value
     */
    float getAsFloat();
}
