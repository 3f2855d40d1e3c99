"""The side of NumPy and scipy of NumericBench, on one thread."""
import os
import subprocess
import sys

from measure import measure, threads

threads(1)

try:
    import numpy as np
except ImportError as e:
    print("without NumPy:", e)
    raise SystemExit

MATRICES = ("solve", "cholesky", "qr", "svd", "eigh")
random = np.random.default_rng(1)
numbers = random.standard_normal(10_000_000, np.float32)


def sort(name):
    measure(f"{name}/numpy", lambda: np.sort(numbers))


# NumPy sorts by the widest instructions that there are; how long it takes without them is measured by a process that says so.
if "NPY_DISABLE_CPU_FEATURES" in os.environ:
    sort("sortPlain")
    raise SystemExit
sort("sort")
plain = [path.replace(".json", "-plain.json") for path in sys.argv[1:]]
environment = {**os.environ, "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR"}
subprocess.run([sys.executable, "-W", "ignore", __file__, *plain], env=environment, check=True)
rows = random.standard_normal((1000, 100_000), np.float32)
measure("topK/numpy", lambda: np.argpartition(rows, -10, axis=1)[:, -10:])
del rows
measure("cumsum/numpy", lambda: np.cumsum(numbers))
philox = np.random.Generator(np.random.Philox(1))
measure("normal/numpy", lambda: philox.standard_normal(10_000_000, np.float32))
for suffix, shape in (("", (512, 512)), ("Batch", (64, 64, 64))):
    a = random.standard_normal(shape)
    symmetric = a @ a.swapaxes(-1, -2) 
    for name in MATRICES:
        work = getattr(np.linalg, name)
        arguments = {"solve": (a, a), "cholesky": (symmetric,), "eigh": (symmetric,)}.get(name, (a,))
        more = {"full_matrices": False} if name == "svd" else {}
        measure(f"{name}{suffix}/numpy", lambda: work(*arguments, **more))
try:
    from scipy import fft
except ImportError as e:
    print("without scipy:", e)
    raise SystemExit
for name, type in (("rfft", np.float32), ("rfftDouble", np.float64)):
    signal = random.standard_normal(1 << 20).astype(type)
    measure(f"{name}/scipy", lambda: fft.rfft(signal))
