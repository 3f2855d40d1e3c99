"""The side of scipy, NumPy and PyTorch of StoredBench, on one thread. An environment variable PART divides all sizes."""
import os

from measure import measure, threads

threads(1)
PART = int(os.environ.get("PART", "1"))
MILLION = 1_000_000 // PART

try:
    import numpy as np
except ImportError as e:
    print("without NumPy:", e)
    raise SystemExit
random = np.random.default_rng(1)


def floats(*shape):
    return random.random(shape, np.float32)


lengths = random.integers(0, 51, MILLION)
starts = np.concatenate(([0], np.cumsum(lengths)))
values = floats(int(starts[-1]))
# reduceat takes no empty row: those that are not give the time.
full = starts[:-1][lengths > 0]
measure("rowSums/numpy", lambda: np.add.reduceat(values, full))

try:
    from scipy import sparse

    def matrix(side, count):
        keys = np.unique(random.integers(0, side, count) * side + random.integers(0, side, count))
        return sparse.csr_matrix((floats(len(keys)), (keys // side, keys % side)), shape=(side, side))

    large, x = matrix(MILLION, 10 * MILLION), floats(MILLION)
    measure("vector/scipy", lambda: large @ x)
    measure("transposed/scipy", lambda: large.T @ x)
    columns = floats(MILLION, 64)
    measure("dense64/scipy", lambda: large @ columns)
    del large, columns
    a, b = matrix(MILLION // 10, MILLION), matrix(MILLION // 10, MILLION)
    measure("product/scipy", lambda: a @ b)
except ImportError as e:
    print("without scipy:", e)

try:
    import torch

    torch.set_num_threads(1)
    bag = torch.nn.EmbeddingBag(100_000, 64, mode="sum")
    words, offsets = torch.from_numpy(random.integers(0, 100_000, int(starts[-1]))), torch.from_numpy(starts[:-1])
    with torch.no_grad():
        measure("bag/torch", lambda: bag(words, offsets))

    def gradient():
        bag.zero_grad(set_to_none=True)
        bag(words, offsets).sum().backward()

    measure("bagGradient/torch", gradient)
    scores = torch.from_numpy(floats(MILLION, 25))
    measure("softmax/torch", lambda: torch.softmax(scores, 1))
except ImportError as e:
    print("without PyTorch:", e)
