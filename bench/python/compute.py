"""NumPy's side of the comparisons with comprehensions: milliseconds, one thread."""

import os
import time

for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np


def measure(name, work):
    work()
    best, start, rounds = 1e9, time.perf_counter(), 0
    while rounds < 5 or time.perf_counter() - start < 0.6:
        before = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - before)
        rounds += 1
    print(f"| {name} | {best * 1e3:.3f} ms |")


def floats(*shape):
    return np.random.default_rng(1).random(shape, dtype=np.float32)


print(f"| case, numpy {np.__version__} | time |\n| --- | --- |")
for n in (512, 1024):
    a, b, c = floats(n, n), floats(n, n), np.empty((n, n), np.float32)
    measure(f"matmul {n}", lambda: np.matmul(a, b, out=c))
    measure(f"matmul {n} transposed", lambda: np.matmul(a, b.T, out=c))
a, b, c = floats(64, 64, 64), floats(64, 64, 64), np.empty((64, 64, 64), np.float32)
measure("batched 64 of 64^2", lambda: np.matmul(a, b, out=c))
x, k = floats(1 << 20), floats(9)
measure("conv1d 1M, 9 taps", lambda: np.convolve(x, k, "valid"))
table, rows = floats(1 << 20, 16), (np.arange(1 << 20) * 7919 % (1 << 20)).astype(np.int32)
out = np.empty((1 << 20, 16), np.float32)
measure("gather 1M rows of 16", lambda: np.take(table, rows, axis=0, out=out, mode="clip"))
a, b, c = floats(4096, 1), floats(4096), np.empty((4096, 4096), np.float32)
measure("outer 4096^2", lambda: np.multiply(a, b, out=c))
q = floats(8, 512, 64)


def attention():
    t = np.matmul(q, q.transpose(0, 2, 1)) * np.float32(0.125)
    e = np.exp(t - t.max(axis=2, keepdims=True))
    return np.matmul(e, q) / e.sum(axis=2, keepdims=True)


measure("attention 8 x 512 x 64", attention)
