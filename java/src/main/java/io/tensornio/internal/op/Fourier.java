package io.tensornio.internal.op;

import io.tensornio.Tensor;
import io.tensornio.internal.compute.Algorithm;
import io.tensornio.internal.compute.Numeric;
import java.util.Arrays;

/** Fourier transforms along the last axis: the shapes of their results, and what they refuse. */
public final class Fourier {
    private Fourier() {
    }

    private static void checkLength(long n) {
        if (n < 1) {
            throw new IllegalArgumentException("x has " + n + " numbers along its last axis: there must be 1 or more");
        }
    }

    /** The number of complex numbers, whose parts are the last axis. */
    private static long complexLength(Tensor<?> x) {
        int rank = x.rank();
        if (rank < 2 || x.size(rank - 1) != 2) {
            throw new IllegalArgumentException("x has shape " + Arrays.toString(x.shape())
                + ": its last axis must have 2 elements, the parts of complex numbers, and the one before these numbers");
        }
        return x.size(rank - 2);
    }

    /** The transform of real numbers. */
    public static Tensor<?> real(Tensor<?> x) {
        int rank = x.rank();
        if (rank == 0) {
            throw new IllegalArgumentException("x has rank 0: its last axis must have 1 number or more");
        }
        long n = x.size(rank - 1);
        checkLength(n);
        long[] shape = Arrays.copyOf(x.shape(), rank + 1);
        shape[rank - 1] = n / 2 + 1;
        shape[rank] = 2;
        return Numeric.of(Algorithm.REAL_FFT).gives(x.dataType(), shape).one(new long[] {n}, x);
    }

    /** Back to real numbers. */
    public static Tensor<?> back(Tensor<?> x, long n) {
        long has = complexLength(x);
        if (n < 1 || has != n / 2 + 1) {
            throw new IllegalArgumentException("x has " + has + " complex numbers: they are those of " + Math.max(0, 2 * has - 2) + " or "
                + Math.max(0, 2 * has - 1) + " real ones, and not of " + n);
        }
        long[] shape = Arrays.copyOf(x.shape(), x.rank() - 1);
        shape[shape.length - 1] = n;
        return Numeric.of(Algorithm.REAL_FFT_BACK).gives(x.dataType(), shape).one(new long[] {n}, x);
    }

    /** A transform of complex numbers. */
    public static Tensor<?> complex(Algorithm algorithm, Tensor<?> x) {
        long n = complexLength(x);
        checkLength(n);
        return Numeric.of(algorithm).gives(x.dataType(), x.shape()).one(new long[] {n}, x);
    }
}
