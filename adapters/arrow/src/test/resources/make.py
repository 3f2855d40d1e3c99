"""Writes pyarrow.arrow, an IPC file of two batches with a column of every kind: python3 make.py, with pyarrow 18 and NumPy."""
import os

import numpy as np
import pyarrow as pa

ROWS = 4
numbers = {name: pa.array(np.arange(ROWS).astype(name)) for name in
           ["float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]}
highest = {"uint16": 2 ** 16 - 1, "uint32": 2 ** 32 - 1, "uint64": 2 ** 64 - 1}
for name, value in highest.items():
    numbers[name] = pa.array([0, 1, 2, value], pa.type_for_alias(name))
columns = dict(numbers)
columns["bool"] = pa.array([True, False, False, True])
columns["utf8"] = pa.array(["", "a", "\u00e9", "bc"])
columns["large_utf8"] = pa.array(["", "a", "\u00e9", "bc"], pa.large_utf8())
columns["fixed"] = pa.array([[n, n + 0.5] for n in range(ROWS)], pa.list_(pa.float32(), 2))
columns["list"] = pa.array([[1], [], [2, 3], [4]], pa.list_(pa.int32()))
columns["large_list"] = pa.array([["a"], [], ["b", ""], ["c"]], pa.large_list(pa.utf8()))
cells = pa.array([list(range(6 * n, 6 * n + 6)) for n in range(ROWS)], pa.list_(pa.int64(), 6))
columns["tensor"] = pa.ExtensionArray.from_storage(pa.fixed_shape_tensor(pa.int64(), (2, 3)), cells)
columns["permuted"] = pa.ExtensionArray.from_storage(pa.fixed_shape_tensor(pa.int64(), (2, 3), permutation=[1, 0]), cells)
columns["nulls"] = pa.array([1, None, 3, None], pa.int32())
columns["day"] = pa.array([0, 1, 2, 3], pa.date32())
columns["dictionary"] = pa.array(["a", "b", "a", "b"]).dictionary_encode()
table = pa.table(columns)
with pa.OSFile(os.path.join(os.path.dirname(os.path.abspath(__file__)), "pyarrow.arrow"), "wb") as out:
    with pa.ipc.new_file(out, table.schema) as writer:
        for batch in table.to_batches():
            writer.write_batch(batch)
            writer.write_batch(batch.slice(1, 3))       # a part, whose lists begin in the middle of their values
