package io.tensornio.op.random;

import io.tensornio.DataType;
import io.tensornio.internal.compute.Algorithm;
import io.tensornio.internal.op.Numerics;
import io.tensornio.internal.op.Scope;
import io.tensornio.internal.op.Types;
import io.tensornio.op.Operand;
import java.util.Objects;

/**
 * Random numbers, each by the seed and its number alone: the same everywhere, on any number of threads, and a shorter shape gives the first
 * elements of a longer one.
 *
 * <p>This is the field {@code random} of {@link io.tensornio.op.Ops}. Any number of threads may use it.
 *
 * <p>The generator is Philox 4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011). Its key is the seed, low
 * half first; its counter is the number of the element in row-major order, low half first, and two zeros; the bits are its first two words, the
 * first one low. It is not for secrets.
 */
public final class RandomOps {
    private final Scope scope;

    /**
     * For {@link io.tensornio.op.Ops}, whose field {@code random} this is: nobody else has a scope.
     *
     * @param scope what results belong to
     */
    public RandomOps(Scope scope) {
        this.scope = Objects.requireNonNull(scope, "scope");
    }

    /**
     * A sequence that counts on: each call takes the elements after those of the last.
     *
     * @param seed what the elements depend on
     * @return a sequence at its beginning
     */
    public RandomSequence of(long seed) {
        return new RandomSequence(this, seed);
    }

    /**
     * Numbers of FLOAT from 0, to 1 excluded: {@code (bits >>> 11) * 2^-53}, rounded down.
     *
     * @param seed what the elements depend on
     * @param shape the sizes of the result
     * @return the elements, which belong to the scope
     * @throws IllegalArgumentException if a size is negative
     * @throws OutOfMemoryError if the budget does not have the memory
     * @throws IllegalStateException if the scope is closed
     */
    public Operand<Float> uniform(long seed, long... shape) {
        return uniform(seed, 0L, shape);
    }

    /**
     * Numbers from 0, to 1 excluded: {@code (bits >>> 11) * 2^-53}, for FLOAT rounded down.
     *
     * @param <U> the type of the elements: Float or Double
     * @param type its class
     * @param seed what the elements depend on
     * @param shape the sizes of the result
     * @return the elements, which belong to the scope
     * @throws IllegalArgumentException if a size is negative, or the type is no floating-point one
     * @throws OutOfMemoryError if the budget does not have the memory
     * @throws IllegalStateException if the scope is closed
     */
    public <U> Operand<U> uniform(Class<U> type, long seed, long... shape) {
        return uniform(type, seed, 0L, shape);
    }

    /**
     * Normal numbers of FLOAT, of mean 0 and variance 1: the inverse distribution, by algorithm AS 241 (Wichura, 1988), of the uniform number in
     * DOUBLE, 0 counting as {@code 2^-54}.
     *
     * @param seed what the elements depend on
     * @param shape the sizes of the result
     * @return the elements, which belong to the scope
     * @throws IllegalArgumentException if a size is negative
     * @throws OutOfMemoryError if the budget does not have the memory
     * @throws IllegalStateException if the scope is closed
     */
    public Operand<Float> normal(long seed, long... shape) {
        return normal(seed, 0L, shape);
    }

    /**
     * Normal numbers of mean 0 and variance 1: the inverse distribution, by algorithm AS 241 (Wichura, 1988), of the uniform number in DOUBLE, 0
     * counting as {@code 2^-54}.
     *
     * @param <U> the type of the elements: Float or Double
     * @param type its class
     * @param seed what the elements depend on
     * @param shape the sizes of the result
     * @return the elements, which belong to the scope
     * @throws IllegalArgumentException if a size is negative, or the type is no floating-point one
     * @throws OutOfMemoryError if the budget does not have the memory
     * @throws IllegalStateException if the scope is closed
     */
    public <U> Operand<U> normal(Class<U> type, long seed, long... shape) {
        return normal(type, seed, 0L, shape);
    }

    /**
     * Normal numbers of FLOAT, of mean 0 and variance 1 before all beyond -2 and 2 are left out: the inverse distribution, by algorithm AS 241, of
     * the uniform number between the probabilities of both.
     *
     * @param seed what the elements depend on
     * @param shape the sizes of the result
     * @return the elements, which belong to the scope
     * @throws IllegalArgumentException if a size is negative
     * @throws OutOfMemoryError if the budget does not have the memory
     * @throws IllegalStateException if the scope is closed
     */
    public Operand<Float> truncatedNormal(long seed, long... shape) {
        return truncatedNormal(seed, 0L, shape);
    }

    /**
     * Normal numbers of mean 0 and variance 1 before all beyond -2 and 2 are left out: the inverse distribution, by algorithm AS 241, of the uniform
     * number between the probabilities of both.
     *
     * @param <U> the type of the elements: Float or Double
     * @param type its class
     * @param seed what the elements depend on
     * @param shape the sizes of the result
     * @return the elements, which belong to the scope
     * @throws IllegalArgumentException if a size is negative, or the type is no floating-point one
     * @throws OutOfMemoryError if the budget does not have the memory
     * @throws IllegalStateException if the scope is closed
     */
    public <U> Operand<U> truncatedNormal(Class<U> type, long seed, long... shape) {
        return truncatedNormal(type, seed, 0L, shape);
    }

    /**
     * Integers of INT64 from {@code lo}, to {@code hi} excluded: {@code lo} and the high half of the product of the bits and their number.
     *
     * @param seed what the elements depend on
     * @param lo the least
     * @param hi what is above the largest
     * @param shape the sizes of the result
     * @return the elements, which belong to the scope
     * @throws IllegalArgumentException if a size is negative, or {@code hi} is not above {@code lo}
     * @throws OutOfMemoryError if the budget does not have the memory
     * @throws IllegalStateException if the scope is closed
     */
    public Operand<Long> integers(long seed, long lo, long hi, long... shape) {
        return integers(seed, 0L, lo, hi, shape);
    }

    /**
     * Truth values that are true with a probability: where the uniform number is below it.
     *
     * @param seed what the elements depend on
     * @param p the probability
     * @param shape the sizes of the result
     * @return the elements, which belong to the scope
     * @throws IllegalArgumentException if a size is negative, or the probability is not 0 to 1
     * @throws OutOfMemoryError if the budget does not have the memory
     * @throws IllegalStateException if the scope is closed
     */
    public Operand<Boolean> bernoulli(long seed, double p, long... shape) {
        return bernoulli(seed, 0L, p, shape);
    }

    /**
     * The numbers from 0, to {@code n} excluded, in random order: from the front on each is exchanged with one of those from it on, which the high
     * half of the product of the bits and their number chooses (Fisher and Yates).
     *
     * @param seed what the elements depend on
     * @param n how many
     * @return the elements, which belong to the scope
     * @throws IllegalArgumentException if a size is negative
     * @throws OutOfMemoryError if the budget does not have the memory
     * @throws IllegalStateException if the scope is closed
     */
    public Operand<Long> permutation(long seed, long n) {
        return permutation(seed, 0L, n);
    }

    /**
     * Positions among {@code n}: those of {@code integers}, or the first ones of {@code permutation}, which are distinct.
     *
     * @param seed what the elements depend on
     * @param n how many there are to choose from
     * @param count how many are chosen
     * @param replace whether a position may be chosen again
     * @return the elements, which belong to the scope
     * @throws IllegalArgumentException if a size is negative, or {@code count} are not there
     * @throws OutOfMemoryError if the budget does not have the memory
     * @throws IllegalStateException if the scope is closed
     */
    public Operand<Long> choice(long seed, long n, long count, boolean replace) {
        return choice(seed, 0L, n, count, replace);
    }

    Operand<Float> uniform(long seed, long first, long[] shape) {
        Objects.requireNonNull(shape, "shape");
        return make(Algorithm.UNIFORM, DataType.FLOAT, new long[] {seed, first}, shape);
    }

    <U> Operand<U> uniform(Class<U> type, long seed, long first, long[] shape) {
        Objects.requireNonNull(shape, "shape");
        return make(Algorithm.UNIFORM, floating(type), new long[] {seed, first}, shape);
    }

    Operand<Float> normal(long seed, long first, long[] shape) {
        Objects.requireNonNull(shape, "shape");
        return make(Algorithm.NORMAL, DataType.FLOAT, new long[] {seed, first}, shape);
    }

    <U> Operand<U> normal(Class<U> type, long seed, long first, long[] shape) {
        Objects.requireNonNull(shape, "shape");
        return make(Algorithm.NORMAL, floating(type), new long[] {seed, first}, shape);
    }

    Operand<Float> truncatedNormal(long seed, long first, long[] shape) {
        Objects.requireNonNull(shape, "shape");
        return make(Algorithm.TRUNCATED, DataType.FLOAT, new long[] {seed, first}, shape);
    }

    <U> Operand<U> truncatedNormal(Class<U> type, long seed, long first, long[] shape) {
        Objects.requireNonNull(shape, "shape");
        return make(Algorithm.TRUNCATED, floating(type), new long[] {seed, first}, shape);
    }

    Operand<Long> integers(long seed, long first, long lo, long hi, long[] shape) {
        Objects.requireNonNull(shape, "shape");
        return make(Algorithm.INTEGERS, DataType.INT64, new long[] {seed, first, least(lo, hi), hi}, shape);
    }

    Operand<Boolean> bernoulli(long seed, long first, double p, long[] shape) {
        Objects.requireNonNull(shape, "shape");
        return make(Algorithm.BERNOULLI, DataType.BOOL, new long[] {seed, first, probability(p)}, shape);
    }

    Operand<Long> permutation(long seed, long first, long n) {
        return make(Algorithm.CHOOSE, DataType.INT64, new long[] {seed, first, count(n, n)}, new long[] {n});
    }

    Operand<Long> choice(long seed, long first, long n, long count, boolean replace) {
        if (n < 0 || count < 0 || count > 0 && n == 0) {
            throw new IllegalArgumentException("choice: " + count + " of " + n + " cannot be chosen");
        }
        if (replace) {
            return integers(seed, first, 0, Math.max(n, 1), new long[] {count});
        }
        return make(Algorithm.CHOOSE, DataType.INT64, new long[] {seed, first, count(n, count)}, count);
    }

    private <T> Operand<T> make(Algorithm algorithm, DataType type, long[] numbers, long... shape) {
        scope.check();
        return new Result<>(scope.own(Numerics.random(algorithm, type, numbers, shape)));
    }

    private static DataType floating(Class<?> type) {
        DataType own = Types.of(type);
        if (own != DataType.FLOAT && own != DataType.DOUBLE) {
            throw new IllegalArgumentException(own + " is no type of these numbers, which are FLOAT or DOUBLE");
        }
        return own;
    }

    private static long least(long lo, long hi) {
        if (lo >= hi) {
            throw new IllegalArgumentException("integers: no integer is from " + lo + ", to " + hi + " excluded");
        }
        return lo;
    }

    private static long probability(double p) {
        if (!(p >= 0 && p <= 1)) {
            throw new IllegalArgumentException("bernoulli: p is " + p + ": it must be 0 to 1");
        }
        return Double.doubleToRawLongBits(p);
    }

    private static long count(long n, long count) {
        if (n < count || n < 0 || n > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(count + " distinct positions of " + n + ": there must be as many, and at most " + Integer.MAX_VALUE);
        }
        return n;
    }
}
