"""The side of NumPy and safetensors of FilesBench: 1 GiB in the page cache. Python syncs no file, which the library does; so here, too, files are."""
import os
import tempfile

from measure import measure

try:
    import numpy as np
    from safetensors import safe_open
    from safetensors.numpy import load_file, save_file
except ImportError as e:
    print("without safetensors:", e)
    raise SystemExit

N = 1 << 28
PARTS = 1000

with tempfile.TemporaryDirectory() as folder:
    npy, one, many, written = (os.path.join(folder, name) for name in ("x.npy", "x.safetensors", "many.safetensors", "written.npy"))
    x = np.full(N, 3, np.float32)
    np.save(npy, x)
    save_file({"x": x}, one)
    save_file({f"t{n}": np.full(N // PARTS, n, np.float32) for n in range(PARTS)}, many)

    def sync():
        with open(written, "rb") as file:
            os.fsync(file.fileno())

    def one_of_many():
        with safe_open(many, "np") as file:
            file.get_tensor("t500")

    measure("numpy/load", lambda: np.load(npy), rounds=3)
    measure("numpy/save", lambda: np.save(written, x), rounds=3)
    measure("numpy/saveSynced", lambda: (np.save(written, x), sync()), rounds=3)
    measure("safetensors/load", lambda: load_file(one), rounds=3)
    measure("safetensors/save", lambda: save_file({"x": x}, written), rounds=3)
    measure("safetensors/saveSynced", lambda: (save_file({"x": x}, written), sync()), rounds=3)
    measure("safetensors/oneOfMany", one_of_many, rounds=3)
