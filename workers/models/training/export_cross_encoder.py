"""PyTorch weights of train_cross_encoder.py -> cross-encoder/model.int8.onnx, tokenizer.json, manifest.json.

Out: one ONNX graph that takes input_ids, attention_mask and token_type_ids and gives logits n x 3, with dynamic 8-bit
weights per channel. Prints how far its logits are from the exact model's. Without --weights the graph is untrained.
"""

import argparse
import hashlib
import json
import os
import shutil
import tempfile
from pathlib import Path

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # read when onnxruntime is imported

import numpy
import onnx
import onnxruntime
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from transformers import AutoTokenizer

from train_cross_encoder import HEADS, MAX_TOKENS, PACKAGE, CrossEncoder

INPUTS = ("input_ids", "attention_mask", "token_type_ids")


def main() -> None:
    options = parse_arguments()
    options.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(1)
    encoder = CrossEncoder().eval()
    # the graph of the default attention guards against rows that are all padding: 6 % slower
    encoder.model.set_attn_implementation("eager")
    if options.weights:
        encoder.load_state_dict(torch.load(options.weights, map_location="cpu"))
    tokenizer = AutoTokenizer.from_pretrained(PACKAGE)
    with tempfile.TemporaryDirectory() as scratch:
        exact = Path(scratch) / "model.onnx"
        export(encoder, tokenizer, exact)
        quantise(exact, options.out / "model.int8.onnx")
    shutil.copyfile(PACKAGE / "tokenizer.json", options.out / "tokenizer.json")
    session = onnxruntime.InferenceSession(str(options.out / "model.int8.onnx"))
    write_manifest(options.out, options.version, probe(session, tokenizer))
    print(json.dumps(fidelity(encoder, session, tokenizer), indent=2))


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--weights", type=Path, help="state dict of train_cross_encoder.py")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent.parent / "cross-encoder")
    parser.add_argument("--version", required=True, help="stored with every score")
    return parser.parse_args()


def tokenize(tokenizer, pairs: list[tuple[str, str]]):
    claims, texts = map(list, zip(*pairs))
    cut = {"truncation": "only_second", "max_length": MAX_TOKENS}
    return tokenizer(claims, texts, padding=True, return_tensors="pt", **cut)


def export(encoder: CrossEncoder, tokenizer, path: Path) -> None:
    batch = tokenize(tokenizer, [("one", "another"), ("a longer claim", "and a text that is longer still")])
    axes = {0: "batch", 1: "tokens"}
    torch.onnx.export(
        encoder,
        tuple(batch[name] for name in INPUTS),
        str(path),
        input_names=list(INPUTS),
        output_names=["logits"],
        dynamic_axes={**{name: axes for name in INPUTS}, "logits": {0: "batch"}},
        opset_version=17,
        dynamo=False,
    )


def quantise(exact: Path, path: Path) -> None:
    """7 of 8 bits, as in export_encoder.py: full signed range saturates on processors with AVX2 but without VNNI."""
    quantize_dynamic(exact, path, weight_type=QuantType.QInt8, per_channel=True, reduce_range=True)
    onnx.checker.check_model(str(path))


def probe(session: onnxruntime.InferenceSession, tokenizer) -> dict:
    """What a program that loads these files must get for one pair; if it doesn't, they don't belong together."""
    claim, text = "The mill closed in 1931.", "Its mill shut in 1930."
    batch = tokenize(tokenizer, [(claim, text)])
    logits = session.run(["logits"], {name: batch[name].numpy() for name in INPUTS})[0][0]
    ids = batch["input_ids"][0].tolist()
    return {"claim": claim, "text": text, "ids": ids, "logits": [round(float(logit), 4) for logit in logits]}


def write_manifest(out: Path, version: str, probed: dict) -> None:
    manifest = {
        "name": "all-MiniLM-L6-v2 cross-encoder",
        "version": version,
        "maxTokens": MAX_TOKENS,
        "outputs": list(HEADS),
        "probe": probed,
        "files": {name: sha256(out / name) for name in ("model.int8.onnx", "tokenizer.json")},
    }
    (out / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def fidelity(encoder: CrossEncoder, session: onnxruntime.InferenceSession, tokenizer) -> dict:
    """Differences between the shipped graph's logits and the exact model's, each pair alone and all in one batch."""
    batches = [tokenize(tokenizer, [pair]) for pair in PAIRS]
    with torch.no_grad():
        exact = torch.cat([encoder(*(batch[name] for name in INPUTS)) for batch in batches]).numpy()
    alone = numpy.concatenate([run(session, batch) for batch in batches])
    together = run(session, tokenize(tokenizer, PAIRS))
    return {
        "pairs": len(PAIRS),
        "logit_range": [float(exact.min()), float(exact.max())],
        "alone": difference(alone, exact),
        "in_one_batch": difference(together, exact),
        "batch_against_alone": difference(together, alone),
    }


def run(session: onnxruntime.InferenceSession, batch) -> numpy.ndarray:
    return session.run(["logits"], {name: batch[name].numpy() for name in INPUTS})[0]


def difference(found: numpy.ndarray, expected: numpy.ndarray) -> dict[str, float]:
    gaps = numpy.abs(found - expected)
    return {"mean": round(float(gaps.mean()), 4), "max": round(float(gaps.max()), 4)}


# written for this file
PAIRS = [
    ("The harbour lighthouse of Port Averil was lit for the first time in 1874. | Port Averil", "Port Averil light | In 1874 the light at the harbour entrance began to shine. A keeper lived in the tower until 1961."),
    ("The harbour lighthouse of Port Averil was lit for the first time in 1884. | Port Averil", "Port Averil light | In 1874 the light at the harbour entrance began to shine. A keeper lived in the tower until 1961."),
    ("The town council raised the budget for public libraries by 12 percent.", "Library funding grew by nearly an eighth, the council of Dunmore said on Tuesday."),
    ("The town council cut the budget for public libraries by 12 percent.", "Library funding grew by nearly an eighth, the council of Dunmore said on Tuesday."),
    ("Odile Marchetti was elected mayor in 2009 and reelected in 2013. | Odile Marchetti | Politics", "Odile Marchetti, mayor of Saint-Orens since 2009, opened the new market hall."),
    ("Odile Marchetti declined to run for mayor.", "Odile Marchetti, mayor of Saint-Orens since 2009, opened the new market hall."),
    ("The orchestra opened its season with a symphony by a local composer.", "Sourdough bread rises slowly because wild yeast works slowly."),
    ("Glaciers in the range have lost a third of their area since 1950.", "Between 1950 and 2015 the ice of the Karsten range shrank from 96 to 64 square kilometres."),
    ("The striker scored twice before half-time.", "Ferro put the visitors ahead after nine minutes and added a second from the spot on the stroke of half-time."),
    ("Its population was 48,213 at the last census. | Dunmore | Demographics", "Census | Town: Dunmore; population: 48,213; households: 19,870"),
    ("Its population was 41,823 at the last census. | Dunmore | Demographics", "Census | Town: Dunmore; population: 48,213; households: 19,870"),
    ("The bridge, designed by a railway engineer, spans 210 metres.", "The bridge spans 210 metres. Who designed it is not known."),
    ("Patients who slept longer reported less pain after surgery.", "In the trial, sleep had no effect on the pain that patients reported after their operation."),
    ("Voters rejected the proposal to merge the two districts.", "By 54 to 46 per cent, voters turned down the merger of Upper and Lower Kest."),
    ("The film was shot in nine weeks on a budget of two million.", "Shooting took nine weeks. " * 30),
    ("Short.", ""),
]


if __name__ == "__main__":
    main()
