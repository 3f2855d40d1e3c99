"""What scipy needs for the work of SparseBench: prints a line `NAME NANOSECONDS` for each; nothing where there is no scipy."""
import statistics
import time

try:
    import numpy as np
    from scipy import sparse
except ImportError:
    raise SystemExit

SIDE = 8192
VALUES = 10_000_000
ROUNDS = 3


def report(name, work):
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter_ns()
        work()
        times.append(time.perf_counter_ns() - start)
    print(name, statistics.median(times))


mask = np.uint64(SIDE * SIDE - 1)
keys = (np.arange(VALUES, dtype=np.uint64) * np.uint64(40_503_821) + np.uint64(12_345)) & mask        # as in SparseBench
keys ^= keys >> np.uint64(13)
keys = (keys * np.uint64(2_654_435)) & mask
keys ^= keys >> np.uint64(13)
rows, columns = (keys // SIDE).astype(np.int64), (keys % SIDE).astype(np.int64)
values = np.arange(VALUES, dtype=np.float32)
unsorted = sparse.coo_matrix((values, (rows, columns)), shape=(SIDE, SIDE))
report("scipy.tocsr", unsorted.tocsr)
report("scipy.toarray", unsorted.tocsr().toarray)
