"""Measures work of Python, and writes the times to the file that the argument names, in the part of JMH's form that bench/report.py reads."""
import json
import os
import sys
import time

results = []


def threads(n):
    """To be called before NumPy is imported."""
    for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ[name] = str(n)


def measure(name, work, parts=1, rounds=5, seconds=0.6):
    """The nanoseconds of each of the parts of some work, in several rounds after one that does not count."""
    work()
    times, start = [], time.perf_counter()
    while len(times) < rounds or time.perf_counter() - start < seconds:
        before = time.perf_counter_ns()
        work()
        times.append((time.perf_counter_ns() - before) / parts)
    results.append({"benchmark": name, "primaryMetric": {"scoreUnit": "ns/op", "rawData": [times]}})
    print(name, sorted(times)[len(times) // 2] / 1e6, "ms", flush=True)
    if len(sys.argv) > 1:
        os.makedirs(os.path.dirname(os.path.abspath(sys.argv[1])), exist_ok=True)
        with open(sys.argv[1], "w", encoding="utf-8") as file:
            json.dump(results, file)
