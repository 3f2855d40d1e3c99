package io.tensornio;

/** Supplies one {@code float} at a time, as {@link java.util.function.DoubleSupplier} supplies a {@code double}. */
@FunctionalInterface
public interface FloatSupplier {
    /**
     * Supplies a value.
     *
     * @return the value
     */
    float getAsFloat();
}
