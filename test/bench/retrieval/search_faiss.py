"""FAISS in Python on a file that was written through faiss-node. In: JSON lines. Out: a JSON line each.

{"index": PATH, "queries": PATH of float32 rows, "dimensions": N, "k": K, "threads": N} -> {"ready": true}; {} -> {"ms": M}, every
query searched by itself, as a retrieval worker does.
"""

import json
import sys
import time

import faiss
import numpy as np

settings = json.loads(sys.stdin.readline())
faiss.omp_set_num_threads(settings["threads"])
index = faiss.read_index(settings["index"])
queries = np.fromfile(settings["queries"], dtype=np.float32).reshape(-1, settings["dimensions"])
print(json.dumps({"ready": True}), flush=True)
for _ in sys.stdin:
    start = time.perf_counter()
    for row in range(len(queries)):
        index.search(queries[row : row + 1], settings["k"])
    print(json.dumps({"ms": (time.perf_counter() - start) * 1000}), flush=True)
