"""Weights of train_expansion.py -> expansion/encoder.int8.onnx, decoder.int8.onnx, tokenizer.json, manifest.json.

The encoder takes input_ids 1 x n and gives memory 1 x n x 2304; the decoder takes memory, input_ids and the titles so far
(title_ids, b x t) and gives the best word pieces to come next (pieces and chances, b x 8). Dynamic 8-bit weights.
Prints how often the shipped graphs write what the exact model writes.
"""

import argparse
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

from export_encoder import sha256
from expansion_model import END, MAX_TITLE, NEXT, PACKAGE, PARTS, START, ExpansionModel, Rules, greedy, source_ids, write_greedily

FILES = ("encoder.int8.onnx", "decoder.int8.onnx", "tokenizer.json")


class Reader(torch.nn.Module):
    def __init__(self, model: ExpansionModel):
        super().__init__()
        self.model = model

    def forward(self, input_ids):
        return self.model.read(input_ids, torch.ones_like(input_ids))


class Writer(torch.nn.Module):
    def __init__(self, model: ExpansionModel):
        super().__init__()
        self.model = model

    def forward(self, memory, input_ids, title_ids):
        chances = self.model.write(memory, input_ids, torch.ones_like(input_ids), title_ids)
        best = torch.topk(chances, NEXT)
        return best.indices, best.values


def main() -> None:
    options = parse_arguments()
    options.out.mkdir(parents=True, exist_ok=True)
    model = load(options.weights)
    tokenizer = AutoTokenizer.from_pretrained(PACKAGE)
    with tempfile.TemporaryDirectory() as scratch:
        for name, export in (("encoder", export_reader), ("decoder", export_writer)):
            exact = Path(scratch) / f"{name}.onnx"
            export(model, exact)
            quantise(exact, options.out / f"{name}.int8.onnx")
    shutil.copyfile(PACKAGE / "tokenizer.json", options.out / "tokenizer.json")
    shipped = Shipped(options.out)
    write_manifest(options.out, options.version, tokenizer, shipped)
    print(json.dumps(fidelity(model, shipped, tokenizer), indent=2))


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--weights", type=Path, required=True, help="what train_expansion.py wrote")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent.parent / "expansion")
    parser.add_argument("--version", required=True, help="named in measurements")
    return parser.parse_args()


def load(path: Path) -> ExpansionModel:
    saved = torch.load(path, map_location="cpu")
    model = ExpansionModel(saved["vocabulary"])
    model.load_state_dict(saved["weights"])
    model.encoder.set_attn_implementation("eager")
    return model.eval()


def export_reader(model: ExpansionModel, path: Path) -> None:
    names = {"input_names": ["input_ids"], "output_names": ["memory"]}
    axes = {"input_ids": {1: "tokens"}, "memory": {1: "tokens"}}
    source = torch.tensor([[START, 104, 105, END]])
    torch.onnx.export(Reader(model).eval(), (source,), str(path), **names, dynamic_axes=axes, opset_version=17, dynamo=False)


def export_writer(model: ExpansionModel, path: Path) -> None:
    source, titles = torch.tensor([[START, 104, 105, END]]), torch.tensor([[START, 104], [START, 105]])
    memory = Reader(model)(source)
    names = {"input_names": ["memory", "input_ids", "title_ids"], "output_names": ["pieces", "chances"]}
    axes = {"memory": {1: "tokens"}, "input_ids": {1: "tokens"}, "title_ids": {0: "titles", 1: "pieces"}}
    axes |= {"pieces": {0: "titles"}, "chances": {0: "titles"}}
    given = (memory, source, titles)
    torch.onnx.export(Writer(model).eval(), given, str(path), **names, dynamic_axes=axes, opset_version=17, dynamo=False)


def quantise(exact: Path, path: Path) -> None:
    """7 of 8 bits, as in export_encoder.py: full signed range saturates on processors with AVX2 but without VNNI."""
    quantize_dynamic(exact, path, weight_type=QuantType.QInt8, per_channel=True, reduce_range=True)
    onnx.checker.check_model(str(path))


class Shipped:
    """The graphs as they are shipped."""

    def __init__(self, folder: Path):
        self.reader = onnxruntime.InferenceSession(str(folder / "encoder.int8.onnx"))
        self.writer = onnxruntime.InferenceSession(str(folder / "decoder.int8.onnx"))

    def greedy(self, tokenizer, source: list[int]) -> list[int]:
        given = numpy.array([source])
        memory = self.reader.run(None, {"input_ids": given})[0]
        fed = {"memory": memory, "input_ids": given}
        best = lambda ids: self.writer.run(["pieces"], {**fed, "title_ids": numpy.array([ids])})[0][0].tolist()
        return write_greedily(best, Rules(tokenizer, source))


def write_manifest(out: Path, version: str, tokenizer, shipped: Shipped) -> None:
    """With a probe: the pieces that a program must read of a claim, and the title that these graphs write for it."""
    source = source_ids(tokenizer, CLAIMS[0])
    text = tokenizer.decode(shipped.greedy(tokenizer, source), skip_special_tokens=True)
    manifest = {
        "name": "all-MiniLM-L6-v2 to page titles",
        "version": version,
        "parts": PARTS,
        "maxTitle": MAX_TITLE,
        "probe": {"claim": CLAIMS[0], "ids": source, "text": text},
        "files": {name: sha256(out / name) for name in FILES},
    }
    (out / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")


def fidelity(model: ExpansionModel, shipped: Shipped, tokenizer) -> dict:
    sources = [source_ids(tokenizer, row) for row in CLAIMS]
    pairs = [(greedy(model, tokenizer, source), shipped.greedy(tokenizer, source)) for source in sources]
    shared = [len(set(one) & set(other)) / max(1, len(set(one) | set(other))) for one, other in pairs]
    return {
        "claims": len(CLAIMS),
        "same_title": sum(one == other for one, other in pairs),
        "pieces_in_both": round(sum(shared) / len(shared), 3),
        "titles": [tokenizer.decode(other) for _, other in pairs],
    }


def claim(title: str, section: str, text: str, context: str = "") -> dict:
    return {"title": title, "section": section, "claim": text, "context": context}


# written for this file
CLAIMS = [
    claim("Port Averil", "Harbour", "The harbour lighthouse was lit for the first time in 1874."),
    claim("Odile Marchetti", "Politics", "She was elected mayor of Saint-Orens in 2009 and re-elected in 2013."),
    claim("Dunmore", "Libraries", "The council raised the budget for public libraries by 12 percent."),
    claim("Karsten Range", "Climate", "Glaciers in the range have lost a third of their area since 1950."),
    claim("Ferro Alvane", "Career", "He scored twice before half-time.", "Alvane joined Kest United in 2011."),
    claim("", "", "The film was shot in nine weeks on a budget of two million."),
    claim("Tova Lindqvist", "Death", "Lindqvist died of a stroke at her home in Brennhaven, aged 81."),
    claim("Lower Kest", "Demographics", "Its population was 48,213 at the last census."),
]


if __name__ == "__main__":
    main()
