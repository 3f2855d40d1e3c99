#!/usr/bin/env python3
"""Writes numpy-numeric.txt, with NumPy: python3 tests/golden/numpy-numeric.py >tests/golden/numpy-numeric.txt"""
import numpy as np

NAN = float('nan')


def case(algorithm, numbers, inputs, results):
    """Prints a case: an algorithm, its integers or bits of doubles, and arrays of INT64 or DOUBLE in hexadecimal digits."""
    words = [str(n) if isinstance(n, int) else str(int(np.array(n, dtype=np.float64).view(np.int64))) for n in numbers]
    print('===', algorithm, *words)
    for sign, arrays in (('<', inputs), ('>', results)):
        for array in arrays:
            a = np.ascontiguousarray(array)
            a = a.astype(np.int64 if a.dtype.kind in 'iu' else np.float64).reshape(np.shape(array))
            print(sign, 'i' if a.dtype.kind == 'i' else 'd', 'x'.join(map(str, a.shape)) or '-',
                  *['%x' % v for v in a.ravel().view(np.uint64)])


def order(rng):
    x = np.array([[3, -1.5, 3, 0, NAN, 7, -0.0], [2, 2, 1, -np.inf, np.inf, 1, 2]])
    whole = rng.integers(-4, 5, (2, 5, 3))
    for axis in range(2):
        case('Sort', [axis, 0], [x], [np.sort(x, axis, kind='stable')])
        case('ArgSort', [axis, 0], [x], [np.argsort(x, axis, kind='stable')])
    for axis in range(3):
        case('Sort', [axis, 0], [whole], [np.sort(whole, axis)])
        case('ArgSort', [axis, 0], [whole], [np.argsort(whole, axis, kind='stable')])
        case('CumSum', [axis, 0, 0], [whole], [np.cumsum(whole, axis)])
        case('CumProd', [axis, 0, 0], [whole], [np.cumprod(whole, axis)])
        case('CumMax', [axis, 0, 0], [whole], [np.maximum.accumulate(whole, axis)])
        case('CumSum', [axis, 0, 1], [whole], [np.flip(np.cumsum(np.flip(whole, axis), axis), axis)])
    values = rng.standard_normal((4, 6))
    for axis in range(2):
        for q in (0.0, 0.25, 0.4, 0.5, 0.9, 1.0):
            case('Quantile', [axis, q], [values], [np.quantile(values, q, axis)])
    holed = values.copy()
    holed[1, 2] = NAN
    case('Quantile', [0, 0.3], [holed], [np.quantile(holed, 0.3, 0)])
    inside = np.array([0, .5, 1, 2, 1, -3, .25, .75, .9999])
    for bins in (1, 2, 7):
        case('Histogram', [0.0, 1.0], [inside], [np.histogram(inside, bins, (0, 1))[0]])
    edges = np.array([1., 2, 2, 3])
    looked = np.array([[0., 1, 1.5], [2, 3, 4]])
    case('Search', [0], [edges, looked], [np.searchsorted(edges, looked)])
    case('Search', [1], [edges, looked], [np.searchsorted(edges, looked, 'right')])
    counts = rng.integers(0, 9, 20)
    case('Count', [], [counts], [np.bincount(counts)])


def linear(rng):
    for shape in ((1, 1), (3, 3), (2, 3, 3), (7, 7), (4, 2), (2, 5)):
        a = rng.standard_normal(shape)
        s = np.linalg.svd(a, compute_uv=False)
        case('SingularValues', [], [a], [s])
        case('PseudoInverse', [], [a], [np.linalg.pinv(a)])
        b = rng.standard_normal((shape[-2], 2))
        if a.ndim == 2:
            case('LeastSquares', [], [a, b], [np.linalg.lstsq(a, b, rcond=None)[0]])
        if shape[-1] != shape[-2]:
            continue
        symmetric = a @ np.swapaxes(a, -1, -2) + np.eye(shape[-1])
        case('Determinant', [], [a], [np.linalg.det(a)])
        sign, log = np.linalg.slogdet(a)
        case('LogDeterminant', [], [a], [log, sign])
        case('Inverse', [], [a], [np.linalg.inv(a)])
        case('Solve', [], [a, b], [np.linalg.solve(a, b)])
        case('Cholesky', [], [symmetric], [np.linalg.cholesky(symmetric)])
        case('EigenValues', [], [symmetric], [np.linalg.eigvalsh(symmetric)])
    low = np.outer([1., 2, 3], [4., 5, 6, 7])
    case('Rank', [], [low], [np.linalg.matrix_rank(low)])
    case('PseudoInverse', [], [low], [np.linalg.pinv(low)])
    case('LeastSquares', [], [low, np.eye(3)], [np.linalg.lstsq(low, np.eye(3), rcond=None)[0]])


def parts(x):
    return np.stack([x.real, x.imag], -1)


def fourier(rng):
    for n in (1, 2, 3, 8, 11, 12, 15):
        x = rng.standard_normal((2, n))
        y = np.fft.rfft(x)
        case('RealFft', [n], [x], [parts(y)])
        case('RealFftBack', [n], [parts(y)], [np.fft.irfft(y, n)])
        z = x[0] + 1j * x[1]
        case('Fft', [n], [parts(z)], [parts(np.fft.fft(z))])
        case('FftBack', [n], [parts(z)], [parts(np.fft.ifft(z))])


if __name__ == '__main__':
    print('# What NumPy %s computes, for tests/rust/numeric/golden.rs. Made by numpy-numeric.py, which is beside it; never edited.' % np.__version__)
    generator = np.random.Generator(np.random.PCG64(54))
    order(generator)
    linear(generator)
    fourier(generator)
