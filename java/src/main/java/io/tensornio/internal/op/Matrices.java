package io.tensornio.internal.op;

import io.tensornio.DataType;
import io.tensornio.Tensor;
import io.tensornio.internal.compute.Algorithm;
import io.tensornio.internal.compute.Numeric;
import java.util.Arrays;

/** Linear algebra that native code does: the shapes of its results, and what it refuses. The last two axes are those of each matrix of a batch. */
public final class Matrices {
    private static final long[] NONE = {};

    private Matrices() {
    }

    /** The axes before those of matrices. */
    private static long[] batch(Tensor<?> x) {
        return Arrays.copyOf(x.shape(), Math.max(0, x.rank() - 2));
    }

    private static long[] of(long[] batch, long... own) {
        long[] shape = Arrays.copyOf(batch, batch.length + own.length);
        System.arraycopy(own, 0, shape, batch.length, own.length);
        return shape;
    }

    private static long rows(String name, Tensor<?> x) {
        if (x.rank() < 2) {
            throw new IllegalArgumentException(name + " has rank " + x.rank() + ": it must be a matrix, or a batch of matrices");
        }
        return x.size(x.rank() - 2);
    }

    private static long columns(Tensor<?> x) {
        return x.size(x.rank() - 1);
    }

    private static long square(String name, Tensor<?> x) {
        long rows = rows(name, x);
        if (rows != columns(x)) {
            throw new IllegalArgumentException(name + " has matrices of " + rows + " x " + columns(x) + ": they must be square");
        }
        return rows;
    }

    /** A result of the operand's shape, for each square matrix. */
    public static Tensor<?> square(Algorithm algorithm, Tensor<?> x) {
        square("x", x);
        return Numeric.of(algorithm).gives(x.dataType(), x.shape()).one(NONE, x);
    }

    /** The determinant of each matrix. */
    public static Tensor<?> det(Tensor<?> x) {
        square("x", x);
        return Numeric.of(Algorithm.DETERMINANT).gives(x.dataType(), batch(x)).one(NONE, x);
    }

    /** The logarithm of its absolute value, and its sign. */
    public static Tensor<?>[] logDet(Tensor<?> x) {
        square("x", x);
        return Numeric.of(Algorithm.LOG_DETERMINANT).gives(x.dataType(), batch(x)).gives(x.dataType(), batch(x)).run(NONE, x);
    }

    /** Orthonormal columns, and an upper triangular matrix. */
    public static Tensor<?>[] qr(Tensor<?> x) {
        long m = rows("x", x);
        long n = columns(x);
        long size = Math.min(m, n);
        return Numeric.of(Algorithm.QR).gives(x.dataType(), of(batch(x), m, size)).gives(x.dataType(), of(batch(x), size, n)).run(NONE, x);
    }

    /** The reduced singular value decomposition. */
    public static Tensor<?>[] svd(Tensor<?> x) {
        long m = rows("x", x);
        long n = columns(x);
        long size = Math.min(m, n);
        return Numeric.of(Algorithm.SVD).gives(x.dataType(), of(batch(x), m, size)).gives(x.dataType(), of(batch(x), size))
            .gives(x.dataType(), of(batch(x), size, n)).run(NONE, x);
    }

    /** Eigenvalues and eigenvectors. */
    public static Tensor<?>[] eigh(Tensor<?> x) {
        long n = square("x", x);
        return Numeric.of(Algorithm.EIGH).gives(x.dataType(), of(batch(x), n)).gives(x.dataType(), x.shape()).run(NONE, x);
    }

    /** The pseudo-inverse of each matrix. */
    public static Tensor<?> pinv(Tensor<?> x) {
        long m = rows("x", x);
        return Numeric.of(Algorithm.PSEUDO_INVERSE).gives(x.dataType(), of(batch(x), columns(x), m)).one(NONE, x);
    }

    /** The rank of each matrix. */
    public static Tensor<?> rank(Tensor<?> x) {
        rows("x", x);
        return Numeric.of(Algorithm.RANK).gives(DataType.INT64, batch(x)).one(NONE, x);
    }

    /** Solves systems of equations by an algorithm, which has these numbers. */
    public static Tensor<?> solve(Algorithm algorithm, Tensor<?> a, Tensor<?> b, long... numbers) {
        long m = algorithm == Algorithm.LEAST_SQUARES ? rows("a", a) : square("a", a);
        boolean isVector = b.rank() == 1;
        long rows = isVector ? b.size(0) : rows("b", b);
        if (rows != m) {
            throw new IllegalArgumentException("b has " + rows + " rows, and a has " + m + ": they must be as many");
        }
        long[] shape = of(broadcast(batch(a), batch(b)), columns(a));
        return Numeric.of(algorithm).gives(a.dataType(), isVector ? shape : of(shape, columns(b))).one(numbers, a, b);
    }

    private static long[] broadcast(long[] a, long... b) {
        long[] longer = (a.length < b.length ? b : a).clone();
        long[] other = a.length < b.length ? a : b;
        for (int d = 1; d <= other.length; d++) {
            long own = longer[longer.length - d];
            long size = other[other.length - d];
            if (own != 1 && size != 1 && own != size) {
                throw new IllegalArgumentException("the batches " + Arrays.toString(a) + " and " + Arrays.toString(b) + " do not broadcast");
            }
            longer[longer.length - d] = own == 1 ? size : own;
        }
        return longer;
    }
}
