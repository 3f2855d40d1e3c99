#!/usr/bin/env python3
"""Writes numpy-print.txt, with NumPy: python3 tests/golden/numpy-print.py >tests/golden/numpy-print.txt"""
import hashlib

import numpy as np

BITS = {'float16': np.uint16, 'float32': np.uint32, 'float64': np.uint64}


def case(dtype, shape, values, precision=8, fixed=0, threshold=1000, edge=3, width=75, suppress=0):
    """Prints a case; where there are fewer values than elements, they are repeated."""
    count = int(np.prod(shape, dtype=np.int64))
    values = np.asarray(values, dtype=str if dtype == 'string' else dtype).ravel()
    data = np.resize(values, count).reshape(shape)
    text = np.array2string(data, separator=', ', precision=precision, floatmode='fixed' if fixed else 'maxprec',
                           threshold=threshold, edgeitems=edge, max_line_width=width, suppress_small=bool(suppress))
    if dtype == 'bool':
        text = text.replace('True', 'true').replace('False', 'false')
    if dtype in BITS:
        words = ['%x' % v for v in values.view(BITS[dtype])]
    elif dtype == 'string':
        words = ['x' + v.encode('utf-8').hex() for v in values.tolist()]
    else:
        words = [str(int(v)) for v in values]
    print('=== %s [%s] %d %d %d %d %d %d' % (dtype, ' '.join(map(str, shape)), precision, fixed, threshold, edge, width, suppress))
    print(' '.join(words))
    print(text)


def floats(dtype, rng):
    info = np.finfo(dtype)
    nan, inf = np.nan, np.inf
    lists = [
        [0], [1], [-0.0], [nan], [inf], [-inf], [0.1], [100], [1e-5], [1e-4], [1e8], [1e6], [999999], [123456789], [1 / 3], [-2.5e-7],
        [nan, inf], [nan, 1], [inf, 1], [-inf, 1], [nan, -inf], [nan, inf, -inf, 0.5], [inf, 1.25], [nan, -100.125], [-inf, 1e10], [nan, 1e-10],
        [0, 0, 0], [-0.0, 0.0], [-0.0, 1.5], [0, 1e-20], [0, 1e20], [nan, nan], [-inf, -inf],
        [1, 2.25], [1, -2.5, 100], [0.1, 0.2, 0.3], [1.5, 1000], [1, 1000], [1, 1000.5], [1, 1001], [0.001, 1], [0.001, 1.001], [0.0001, 0.1],
        [0.00009, 0.01], [0.0001, 0.0002], [999999, 1000], [1000000, 1000], [99999999, 1e6], [1e8, 1e6], [1e100 if dtype == 'float64' else 1e30, 1],
        [1e-100 if dtype == 'float64' else 1e-30, 1], [9.9999999, 1], [9.99999999999, 2], [0.99999999999, 2], [99999.999999, 100], [0.5, 1.5, 2.5, 3.5],
        [0.125, 0.375, 0.0625], [0.05, 0.15, 0.25, 0.35], [1.005, 2.675], [5e-9, 1], [4e-9, 1], [6e-9, 1], [-4e-9, 1], [0.012345678901234567, 0.9],
        [info.max, info.min], [info.tiny, 1], [info.smallest_subnormal], [info.smallest_subnormal, info.tiny, info.max], [info.eps, 1 + info.eps, 1 - info.epsneg],
        [np.pi, np.e], [np.pi * 1e7, np.e], [np.pi * 1e-7, np.e], [16777216, 16777217, 16777218], [9007199254740991, 9007199254740993],
        [2.0 ** n for n in range(-10, 11)], [2.0 ** n for n in range(-126, -20, 7)], [2.0 ** n for n in range(20, 127, 7)],
        [10.0 ** n for n in range(-4, 4)], [10.0 ** n for n in range(-38, 39, 5)], [5e-324, 1e-323] if dtype == 'float64' else [1e-45, 3e-45],
        [2.0 ** -1022, 2.0 ** -1021, 2.0 ** -1074, 2.0 ** 1023] if dtype == 'float64' else [2.0 ** -126, 2.0 ** -125, 2.0 ** -149, 2.0 ** 127],
        [1e23] if dtype == 'float64' else [67108896],     # halfway to a neighbour lies a shorter number, which is read as this one
        [9.5, 99.5, 999.5], [2e23, 9e22, 8.41e21, 2.0e-3, 2.2250738585072014e-308] if dtype == 'float64' else [2e23, 8.41e21, 2.0e-3, 33554432],
        [9.0608011534336e15, 4.708356024711512e18, 9.409340012568248e18, 1.2345678] if dtype == 'float64' else [8388608, 8.589973e9, 1.2345678],
    ]
    for values in lists:
        case(dtype, [len(values)], values)
        if len(values) == 1:
            case(dtype, [], values)
        for precision in (0, 3, 17):
            case(dtype, [len(values)], values, precision=precision)
        case(dtype, [len(values)], values, fixed=1)
        case(dtype, [len(values)], values, fixed=1, precision=2, suppress=1)
    for _ in range(10):                     # any bits
        bits = rng.integers(0, 1 << 32, size=6, dtype=np.uint32) if dtype == 'float32' else rng.integers(0, 1 << 63, size=6, dtype=np.uint64) * 2
        values = bits.view(dtype)
        case(dtype, [6], values)
        case(dtype, [3], values[:3], precision=40)
    for scale in (1, 1e5, 1e-3, 1e7, 1e-6):
        for precision in (0, 2, 5, 30):
            case(dtype, [2, 3], rng.normal(size=6) * scale, precision=precision)
            case(dtype, [3], rng.normal(size=3) * scale, precision=precision, fixed=1, suppress=1)
            case(dtype, [4], np.round(rng.normal(size=4), 2) * scale, precision=precision, suppress=1)
    layouts(dtype, np.round(rng.normal(size=31), 3))
    case(dtype, [40], np.arange(40) / 4, threshold=39)
    case(dtype, [6, 6], np.r_[np.arange(35) * 0.5, 0.001], threshold=35, edge=2)
    case(dtype, [9], [0, 1, 2, 3, 1e30, 5, 6, 7, 8], threshold=8)      # what is not shown does not count


def halves(rng):
    info = np.finfo('float16')
    nan, inf = np.nan, np.inf
    lists = [
        [0], [1], [-0.0], [nan], [inf], [0.1], [100], [1e-4], [1000], [999.5], [1 / 3], [-2.5e-7], [nan, inf, -inf, 0.5], [inf, 1.25], [-0.0, 1.5],
        [1, 2.25], [1, -2.5, 100], [0.1, 0.2, 0.3], [1.5, 1000], [1, 999], [0.001, 1], [0.0009995, 1], [0.0001, 0.1], [0.0001001, 0.1], [0.00009, 0.01],
        [0.5, 500], [0.4998, 500], [info.max, info.min], [info.tiny, 1], [info.smallest_subnormal], [info.smallest_subnormal, info.tiny, info.max],
        [info.eps, 1 + info.eps], [np.pi, np.e], [np.pi * 100, np.e], [2048, 2050], [2.0 ** n for n in range(-10, 10)], [2.0 ** n for n in range(-24, 16)],
        [9.5, 99.5, 999.5], [0.05, 0.15, 0.25, 0.35], [1.005, 2.675], [0.0123, 0.9],
    ]
    for values in lists:
        case('float16', [len(values)], values)
        for precision in (0, 2, 5, 17):
            case('float16', [len(values)], values, precision=precision)
        case('float16', [len(values)], values, fixed=1)
        case('float16', [len(values)], values, fixed=1, precision=2, suppress=1)
    for _ in range(20):                     # any bits
        case('float16', [6], rng.integers(0, 1 << 16, size=6, dtype=np.uint16).view('float16'))
    for scale in (1, 100, 1e-3):
        for precision in (0, 2, 5):
            case('float16', [2, 3], rng.normal(size=6) * scale, precision=precision)
            case('float16', [3], rng.normal(size=3) * scale, precision=precision, fixed=1, suppress=1)
    # Each number by itself: of 256 texts, one a line, the digest.
    for high in range(256):
        values = (np.arange(256, dtype=np.uint16) + (high << 8)).view('float16')
        texts = '\n'.join(np.array2string(values[n:n + 1]) for n in range(256))
        print('=== half %02x %s' % (high, hashlib.sha256(texts.encode()).hexdigest()[:16]))


def layouts(dtype, values):
    """Shapes, thresholds, line widths."""
    for shape in ([], [1], [0], [0, 3], [2, 0, 4], [4], [30], [2, 3], [3, 1], [2, 3, 4], [2, 1, 1, 2], [1, 2, 3, 2, 2], [2, 2, 25]):
        for width in (75, 20, 9, 1) if dtype in ('float32', 'int32') else (75, 20):
            case(dtype, shape, values, width=width)
        case(dtype, shape, values, threshold=5, edge=1)
        case(dtype, shape, values, threshold=0, edge=2, width=30)
        case(dtype, shape, values, threshold=20)
    case(dtype, [6], values, threshold=5)           # above the threshold, but with short axes
    case(dtype, [7], values, threshold=5)
    case(dtype, [1001], values)
    case(dtype, [1, 1001], values)
    case(dtype, [1001, 1], values)
    case(dtype, [500, 3], values)
    case(dtype, [7, 2, 100], values)
    if dtype == 'int32':
        case(dtype, [1000], values)
        case(dtype, [10, 10, 11], values, width=30)
        case(dtype, [7, 7, 7, 7], values, edge=1)
        case(dtype, [60, 60], values, edge=10)
        case(dtype, [2000], values, edge=200, width=200)
        case(dtype, [1200], values, threshold=1200, width=300)


def main():
    rng = np.random.default_rng(20240229)
    print('# What NumPy %s prints, for PrintGoldenTest. Made by numpy-print.py, which is beside it; never edited.' % np.__version__)
    print("# === TYPE [SHAPE] PRECISION FIXED THRESHOLD EDGEITEMS LINEWIDTH SUPPRESS; the values (of floating types their bits, of strings x and their UTF-8), which are")
    print("# repeated to fill the shape; what numpy.array2string(separator=', ') made of it, with `true` for `True`.")
    floats('float32', rng)
    floats('float64', rng)
    for dtype in ('int32', 'int64', 'uint8'):
        info = np.iinfo(dtype)
        for values in ([0], [info.max], [info.min], [info.min, info.max], [7, info.max // 3, 0], [1, 255, 127]):
            case(dtype, [len(values)], values)
            case(dtype, [], values[:1])
        layouts(dtype, np.arange(31) * 97 % 251 - (100 if info.min < 0 else 0))
    for values in ([0], [1], [1, 1], [0, 0], [1, 0]):
        case('bool', [len(values)], values)
        case('bool', [], values[:1])
    layouts('bool', np.arange(31) * 7 % 5 < 2)
    for values in ([''], ['a'], ['a', 'bc'], ["it's", 'say "x"', "'\""], ['\t\n\r\\', '\x00\x01\x1f\x7f!', ' '], ['\xe9', '\u20ac', '\U0001f600', '\xa0', '\xad'],
                   ['\u2028\u2029', '\ufeff', '\ue000', '\U000f0000', '\u200d', '\ufffd', '\u3000'], ['a b', 'x' * 100, 'y'], ['\U0001f600' * 30, '\u00e9' * 30, 'z']):
        case('string', [len(values)], values)
        case('string', [], values[:1])
        case('string', [2, len(values)], values)
    layouts('string', ['v%s' % ('\xe9' * (n % 4) + str(n * n)) for n in range(31)])
    halves(np.random.default_rng(20240229))


main()
