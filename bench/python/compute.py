"""NumPy's side of the comparisons with comprehensions, on one thread."""
from measure import measure, threads

threads(1)

try:
    import numpy as np
except ImportError as e:
    print("without NumPy:", e)
    raise SystemExit


def floats(*shape):
    return np.random.default_rng(1).random(shape, dtype=np.float32)


for n in (512, 1024):
    a, b, c = floats(n, n), floats(n, n), np.empty((n, n), np.float32)
    measure(f"matmul-{n}/numpy", lambda: np.matmul(a, b, out=c))
    measure(f"matmul-{n}-transposed/numpy", lambda: np.matmul(a, b.T, out=c))
a, b, c = floats(64, 64, 64), floats(64, 64, 64), np.empty((64, 64, 64), np.float32)
measure("batched-matmul/numpy", lambda: np.matmul(a, b, out=c))
x, k = floats(1 << 20), floats(9)
measure("conv1d/numpy", lambda: np.convolve(x, k, "valid"))
table, rows = floats(1 << 20, 16), (np.arange(1 << 20) * 7919 % (1 << 20)).astype(np.int32)
out = np.empty((1 << 20, 16), np.float32)
measure("gather/numpy", lambda: np.take(table, rows, axis=0, out=out, mode="clip"))
a, b, c = floats(4096, 1), floats(4096), np.empty((4096, 4096), np.float32)
measure("outer-product/numpy", lambda: np.multiply(a, b, out=c))
a, c = floats(2048, 2048), np.empty((2048, 2048), np.float32)
measure("add-transposed/numpy", lambda: np.add(a, a.T, out=c))
a, c = floats(1 << 18, 16), np.empty(1 << 18, np.float32)
measure("sum-short-rows/numpy", lambda: np.sum(a, axis=1, out=c))
q = floats(8, 512, 64)


def attention():
    t = np.matmul(q, q.transpose(0, 2, 1)) * np.float32(0.125)
    e = np.exp(t - t.max(axis=2, keepdims=True))
    return np.matmul(e, q) / e.sum(axis=2, keepdims=True)


measure("attention/numpy", attention)
