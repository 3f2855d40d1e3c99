"""Writes pandas.parquet and pyspark.parquet, as each writes arrays: python3 make.py, with pandas 3, PySpark 3.5, which wants Java 17, and NumPy."""
import glob
import os
import shutil
import tempfile

import numpy as np
import pandas as pd
from pyspark.ml.linalg import Vectors, VectorUDT
from pyspark.sql import SparkSession
from pyspark.sql.types import ArrayType, BinaryType, ByteType, FloatType, LongType, ShortType, StringType, StructType

HERE = os.path.dirname(os.path.abspath(__file__))
ROWS = range(5)

pd.DataFrame({
    "id": np.arange(5),
    "features": [np.arange(n, n + 4, dtype=np.float32) for n in ROWS],
    "doubles": [np.arange(3) * float(n) for n in ROWS],
    "name": ["a", "bb", "ccc", "dddd", "\u00e9"],
    "bytes": [bytes([n, 200]) for n in ROWS],
    "tokens": [np.arange(n) for n in ROWS],
    "score": np.arange(5, dtype=np.float32) / 2,
}).to_parquet(os.path.join(HERE, "pandas.parquet"), index=False)

schema = (StructType()
          .add("id", LongType(), False)
          .add("features", ArrayType(FloatType()))
          .add("image", ArrayType(ArrayType(ShortType(), False), False))
          .add("vector", VectorUDT())
          .add("vectors", ArrayType(VectorUDT()))
          .add("tokens", ArrayType(ByteType()))
          .add("pixels", BinaryType())
          .add("name", StringType())
          .add("weight", FloatType()))
rows = [(n,
         [n + 0.5, -float(n), 0.25],
         [[n, -n, 7], [1, 2, -300 * n]],
         Vectors.dense(n, n + 1) if n % 2 else Vectors.sparse(2, {1: n + 0.25}),
         [Vectors.dense(k, n) for k in range(n)],
         list(range(-n, n)),
         bytes([n, 255 - n]),
         "r\u00f6w %d" % n,
         None if n == 3 else n / 4) for n in ROWS]
spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", False).getOrCreate()
folder = os.path.join(tempfile.mkdtemp(), "rows")
spark.createDataFrame(rows, schema).coalesce(1).write.parquet(folder)
spark.stop()
shutil.copyfile(glob.glob(folder + "/part-*.parquet")[0], os.path.join(HERE, "pyspark.parquet"))
