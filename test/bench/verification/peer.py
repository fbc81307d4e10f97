"""The same batches through PyTorch (eager, fp32) and through Python's onnxruntime, for the benchmark that starts this.

In, a line of JSON each: first the settings with all batches, then what to run. Out: which engines there are, then milliseconds. PyTorch
runs the BERT of MiniLM's configuration with the cross-encoder's head and random weights, since speed doesn't depend on their values;
its attention is transformers' default, the faster one.
"""

import json
import os
import sys
import time

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # read when onnxruntime is imported

try:
    import numpy
except ImportError:
    sys.exit("numpy is missing")


def main() -> None:
    settings = json.loads(sys.stdin.readline())
    sets = {name: [arrays(batch) for batch in batches] for name, batches in settings["sets"].items()}
    engines, missing = {}, {}
    for name, make in {"pytorch": pytorch, "onnxruntime": runtime}.items():
        try:
            engines[name] = make(settings)
        except ImportError as absent:
            missing[name] = f"{absent.name} is missing"
    answer({"missing": missing})
    for line in sys.stdin:
        asked = json.loads(line)
        run, batches = engines[asked["engine"]], sets[asked["set"]]
        start = time.perf_counter()
        for batch in batches:
            run(batch)
        answer({"ms": (time.perf_counter() - start) * 1000})


def arrays(batch: dict) -> dict:
    """Rows of one length: nothing is padding."""
    ids = numpy.array(batch["ids"], numpy.int64)
    types = numpy.array(batch["types"], numpy.int64)
    return {"input_ids": ids, "attention_mask": numpy.ones_like(ids), "token_type_ids": types}


def pytorch(settings: dict):
    import torch
    from transformers import BertConfig, BertModel

    class CrossEncoder(torch.nn.Module):
        """As in workers/models/training/train_cross_encoder.py."""

        def __init__(self):
            super().__init__()
            shape = {"hidden_size": 384, "num_hidden_layers": 6, "num_attention_heads": 12, "intermediate_size": 1536}
            self.model = BertModel(BertConfig(**shape), add_pooling_layer=False)
            self.head = torch.nn.Sequential(torch.nn.Linear(768, 384), torch.nn.Tanh(), torch.nn.Linear(384, 3))

        def forward(self, input_ids, attention_mask, token_type_ids):
            tokens = self.model(
                input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
            ).last_hidden_state
            mask = attention_mask.unsqueeze(-1).to(tokens.dtype)
            mean = (tokens * mask).sum(1) / mask.sum(1)
            return self.head(torch.cat([tokens[:, 0], mean], dim=1))

    torch.set_num_threads(settings["threads"])
    model = CrossEncoder().eval()

    @torch.inference_mode()
    def run(batch: dict):
        return model(**{name: torch.from_numpy(array) for name, array in batch.items()}).numpy()

    return run


def runtime(settings: dict):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = settings["threads"]
    session = onnxruntime.InferenceSession(settings["model"], options, providers=["CPUExecutionProvider"])
    return lambda batch: session.run(["logits"], batch)


def answer(found: dict) -> None:
    print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
