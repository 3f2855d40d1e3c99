package io.tensornio.internal.compute;

/**
 * An algorithm of native code that no comprehension says. The ordinals are those of the crate {@code tensornio-numeric}, which tells its operands and
 * numbers.
 */
public enum Algorithm {
    /** Uniform random numbers. */
    UNIFORM,
    /** Normal random numbers. */
    NORMAL,
    /** Normal random numbers between -2 and 2. */
    TRUNCATED,
    /** Random integers. */
    INTEGERS,
    /** Random truth values. */
    BERNOULLI,
    /** Distinct random positions. */
    CHOOSE,
    /** Sorting along an axis. */
    SORT,
    /** The positions of numbers in their order. */
    ARG_SORT,
    /** The largest numbers, and their positions. */
    TOP_K,
    /** The distinct numbers. */
    UNIQUE,
    /** Where numbers belong in a sorted list. */
    SEARCH,
    /** Counts in bins. */
    HISTOGRAM,
    /** How many counts of integers there are. */
    BINS,
    /** Counts of integers. */
    COUNT,
    /** Running sums. */
    CUM_SUM,
    /** Running products. */
    CUM_PROD,
    /** Running maxima. */
    CUM_MAX,
    /** Quantiles along an axis. */
    QUANTILE,
    /** Slices that are put, or added, where indices say. */
    SCATTER,
    /** Lower triangular factors. */
    CHOLESKY,
    /** Orthonormal columns, and upper triangular matrices. */
    QR,
    /** Singular value decompositions. */
    SVD,
    /** Eigenvalues and eigenvectors of symmetric matrices. */
    EIGH,
    /** Solutions of systems of equations. */
    SOLVE,
    /** Least solutions of least squares. */
    LEAST_SQUARES,
    /** Solutions for triangular matrices. */
    TRIANGULAR,
    /** Inverse matrices. */
    INVERSE,
    /** Pseudo-inverse matrices. */
    PSEUDO_INVERSE,
    /** Determinants. */
    DETERMINANT,
    /** Logarithms of determinants, and signs. */
    LOG_DETERMINANT,
    /** Ranks of matrices. */
    RANK,
    /** Fourier transforms of real numbers. */
    REAL_FFT,
    /** Back to real numbers. */
    REAL_FFT_BACK,
    /** Fourier transforms of complex numbers. */
    FFT,
    /** Back to complex numbers. */
    FFT_BACK
}
