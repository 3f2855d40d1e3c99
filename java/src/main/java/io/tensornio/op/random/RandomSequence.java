package io.tensornio.op.random;

import io.tensornio.op.Operand;

/**
 * A sequence of random numbers that counts on: each call takes the elements after those of the last, by the formulas of {@link RandomOps}. Made by
 * {@link RandomOps#of}. Thread-safe; which thread gets which elements depends on who comes first.
 */
public final class RandomSequence {
    private final RandomOps ops;
    private final long seed;
    private long position;

    RandomSequence(RandomOps ops, long seed) {
        this.ops = ops;
        this.seed = seed;
    }

    /**
     * The number of the next element.
     *
     * @return how many were taken
     */
    public synchronized long position() {
        return position;
    }

    /**
     * Numbers of FLOAT from 0, to 1 excluded: {@code (bits >>> 11) * 2^-53}, rounded down.
     *
     * @param shape the sizes of the result
     * @return the elements, which belong to the scope
     * @throws IllegalArgumentException if a size is negative
     * @throws OutOfMemoryError if the budget does not have the memory
     * @throws IllegalStateException if the scope is closed
     */
    public synchronized Operand<Float> uniform(long... shape) {
        return taken(ops.uniform(seed, position, shape));
    }

    /**
     * Numbers from 0, to 1 excluded: {@code (bits >>> 11) * 2^-53}, for FLOAT rounded down.
     *
     * @param <U> the type of the elements: Float or Double
     * @param type its class
     * @param shape the sizes of the result
     * @return the elements, which belong to the scope
     * @throws IllegalArgumentException if a size is negative, or the type is no floating-point one
     * @throws OutOfMemoryError if the budget does not have the memory
     * @throws IllegalStateException if the scope is closed
     */
    public synchronized <U> Operand<U> uniform(Class<U> type, long... shape) {
        return taken(ops.uniform(type, seed, position, shape));
    }

    /**
     * Normal numbers of FLOAT, of mean 0 and variance 1: the inverse distribution, by algorithm AS 241 (Wichura, 1988), of the uniform number in
     * DOUBLE, 0 counting as {@code 2^-54}.
     *
     * @param shape the sizes of the result
     * @return the elements, which belong to the scope
     * @throws IllegalArgumentException if a size is negative
     * @throws OutOfMemoryError if the budget does not have the memory
     * @throws IllegalStateException if the scope is closed
     */
    public synchronized Operand<Float> normal(long... shape) {
        return taken(ops.normal(seed, position, shape));
    }

    /**
     * Normal numbers of mean 0 and variance 1: the inverse distribution, by algorithm AS 241 (Wichura, 1988), of the uniform number in DOUBLE, 0
     * counting as {@code 2^-54}.
     *
     * @param <U> the type of the elements: Float or Double
     * @param type its class
     * @param shape the sizes of the result
     * @return the elements, which belong to the scope
     * @throws IllegalArgumentException if a size is negative, or the type is no floating-point one
     * @throws OutOfMemoryError if the budget does not have the memory
     * @throws IllegalStateException if the scope is closed
     */
    public synchronized <U> Operand<U> normal(Class<U> type, long... shape) {
        return taken(ops.normal(type, seed, position, shape));
    }

    /**
     * Normal numbers of FLOAT, of mean 0 and variance 1 before all beyond -2 and 2 are left out: the inverse distribution, by algorithm AS 241, of
     * the uniform number between the probabilities of both.
     *
     * @param shape the sizes of the result
     * @return the elements, which belong to the scope
     * @throws IllegalArgumentException if a size is negative
     * @throws OutOfMemoryError if the budget does not have the memory
     * @throws IllegalStateException if the scope is closed
     */
    public synchronized Operand<Float> truncatedNormal(long... shape) {
        return taken(ops.truncatedNormal(seed, position, shape));
    }

    /**
     * Normal numbers of mean 0 and variance 1 before all beyond -2 and 2 are left out: the inverse distribution, by algorithm AS 241, of the uniform
     * number between the probabilities of both.
     *
     * @param <U> the type of the elements: Float or Double
     * @param type its class
     * @param shape the sizes of the result
     * @return the elements, which belong to the scope
     * @throws IllegalArgumentException if a size is negative, or the type is no floating-point one
     * @throws OutOfMemoryError if the budget does not have the memory
     * @throws IllegalStateException if the scope is closed
     */
    public synchronized <U> Operand<U> truncatedNormal(Class<U> type, long... shape) {
        return taken(ops.truncatedNormal(type, seed, position, shape));
    }

    /**
     * Integers of INT64 from {@code lo}, to {@code hi} excluded: {@code lo} and the high half of the product of the bits and their number.
     *
     * @param lo the least
     * @param hi what is above the largest
     * @param shape the sizes of the result
     * @return the elements, which belong to the scope
     * @throws IllegalArgumentException if a size is negative, or {@code hi} is not above {@code lo}
     * @throws OutOfMemoryError if the budget does not have the memory
     * @throws IllegalStateException if the scope is closed
     */
    public synchronized Operand<Long> integers(long lo, long hi, long... shape) {
        return taken(ops.integers(seed, position, lo, hi, shape));
    }

    /**
     * Truth values that are true with a probability: where the uniform number is below it.
     *
     * @param p the probability
     * @param shape the sizes of the result
     * @return the elements, which belong to the scope
     * @throws IllegalArgumentException if a size is negative, or the probability is not 0 to 1
     * @throws OutOfMemoryError if the budget does not have the memory
     * @throws IllegalStateException if the scope is closed
     */
    public synchronized Operand<Boolean> bernoulli(double p, long... shape) {
        return taken(ops.bernoulli(seed, position, p, shape));
    }

    /**
     * The numbers from 0, to {@code n} excluded, in random order: from the front on each is exchanged with one of those from it on, which the high
     * half of the product of the bits and their number chooses (Fisher and Yates).
     *
     * @param n how many
     * @return the elements, which belong to the scope
     * @throws IllegalArgumentException if a size is negative
     * @throws OutOfMemoryError if the budget does not have the memory
     * @throws IllegalStateException if the scope is closed
     */
    public synchronized Operand<Long> permutation(long n) {
        return taken(ops.permutation(seed, position, n));
    }

    /**
     * Positions among {@code n}: those of {@code integers}, or the first ones of {@code permutation}, which are distinct.
     *
     * @param n how many there are to choose from
     * @param count how many are chosen
     * @param replace whether a position may be chosen again
     * @return the elements, which belong to the scope
     * @throws IllegalArgumentException if a size is negative, or {@code count} are not there
     * @throws OutOfMemoryError if the budget does not have the memory
     * @throws IllegalStateException if the scope is closed
     */
    public synchronized Operand<Long> choice(long n, long count, boolean replace) {
        return taken(ops.choice(seed, position, n, count, replace));
    }

    /** Counts on, once the elements are made. */
    private <T> Operand<T> taken(Operand<T> made) {
        position += made.asTensor().numElements();
        return made;
    }
}
