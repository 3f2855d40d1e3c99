package io.tensornio.internal.compute;

import io.tensornio.internal.data.WritableTensor;

/** What a program that is run repeatedly reads and writes, set before each run. For one thread at a time. */
public interface Slots {
    /** Sets the location of a row-major input, {@code skipped} bytes into memory. */
    void input(int n, WritableTensor from, long skipped);

    /** Sets the value of an input that is a number. */
    void number(int n, double value);

    /** Sets the location of an output, {@code skipped} bytes into memory. */
    void output(int n, WritableTensor to, long skipped);

    /**
     * Computes. If it fails, outputs may have been written.
     *
     * @throws IllegalArgumentException if rows do not fit
     * @throws IndexOutOfBoundsException if a look-up or a guarded read is outside of its tensor
     * @throws ArithmeticException if an integer is divided by 0, or has a negative exponent
     * @throws OutOfMemoryError if there is no memory for temporaries
     */
    void run();
}
