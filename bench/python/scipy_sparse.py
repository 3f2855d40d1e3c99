"""scipy's side of SparseBench."""
from measure import measure

try:
    import numpy as np
    from scipy import sparse
except ImportError as e:
    print("without scipy:", e)
    raise SystemExit

SIDE = 8192
VALUES = 10_000_000

mask = np.uint64(SIDE * SIDE - 1)
keys = (np.arange(VALUES, dtype=np.uint64) * np.uint64(40_503_821) + np.uint64(12_345)) & mask        # as in SparseBench
keys ^= keys >> np.uint64(13)
keys = (keys * np.uint64(2_654_435)) & mask
keys ^= keys >> np.uint64(13)
rows, columns = (keys // SIDE).astype(np.int64), (keys % SIDE).astype(np.int64)
values = np.arange(VALUES, dtype=np.float32)
unsorted = sparse.coo_matrix((values, (rows, columns)), shape=(SIDE, SIDE))
measure("scipy/tocsr", unsorted.tocsr, rounds=3)
measure("scipy/toarray", unsorted.tocsr().toarray, rounds=3)
