"""PyTorch weights of train_bi_encoder.py -> bi-encoder/model.int8.onnx, tokenizer.json, manifest.json.

Out: one ONNX graph that takes input_ids and attention_mask and gives embeddings n x 384, L2-normalised. Products are of 8 bits with
ranges that are fixed here, from texts that are given, so that an embedding does not depend on what else is in the batch.
The graph is written node by node in onnxruntime's own operators (com.microsoft): other runtimes don't read it.
"""

import argparse
import hashlib
import json
import os
import random
import shutil
from pathlib import Path

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # read when onnxruntime is imported

import numpy
import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper, numpy_helper
from transformers import AutoTokenizer

from train_bi_encoder import DIMENSIONS, MAX_TOKENS, PACKAGE, VERSION, BiEncoder

HEADS = 12
EPSILON = 1e-12
CALIBRATION_TEXTS = 128
SMOOTHING = 0.5
MICROSOFT = "com.microsoft"


def main() -> None:
    options = parse_arguments()
    options.out.mkdir(parents=True, exist_ok=True)
    encoder = BiEncoder().eval()
    if options.weights:
        encoder.load_state_dict(mix(encoder.state_dict(), torch.load(options.weights, map_location="cpu"), options.mix))
    tokenizer = AutoTokenizer.from_pretrained(PACKAGE)
    ranges = calibrate(encoder, tokenizer, calibration_texts(options.rows))
    onnx.save(Graph(encoder.model, ranges).build(), str(options.out / "model.int8.onnx"))
    shutil.copyfile(PACKAGE / "tokenizer.json", options.out / "tokenizer.json")
    write_manifest(options.out, options.version)
    print(json.dumps(fidelity(encoder, tokenizer, options.out / "model.int8.onnx"), indent=2))
    if options.exact:
        options.exact.write_text(json.dumps(exact_embeddings(encoder, tokenizer, TEXTS[:5]), indent=1) + "\n")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", type=Path, help="rows of mine_negatives.ts: some of their passages set the ranges")
    parser.add_argument("--weights", type=Path, help="state dict of train_bi_encoder.py; without, the untuned model")
    parser.add_argument("--mix", type=float, default=1.0, help="share of the tuned weights, the rest is untuned")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent.parent / "bi-encoder")
    parser.add_argument("--exact", type=Path, help="where to write what PyTorch gives for some texts, for the test")
    parser.add_argument("--version", default=VERSION, help="stored with every index")
    return parser.parse_args()


def mix(untuned: dict, tuned: dict, share: float) -> dict:
    """Tuned on one kind of pairs, a model loses some of what it could do; a mean of both weights keeps it (Wortsman et al. 2022)."""
    return {name: torch.lerp(untuned[name].float(), tuned[name].float(), share).to(untuned[name].dtype) for name in untuned}


# --- ranges ---------------------------------------------------------------------------------------------------------


def calibration_texts(path: Path) -> list[str]:
    """Passages and claims, half and half, the same in every run."""
    rows = [json.loads(line) for line in path.open(encoding="utf8")]
    rng = random.Random(5)
    some = rng.sample([row for row in rows if row["source"] in ("written", "wice-tokens")], CALIBRATION_TEXTS)
    return [f"{row['claim']['title']}. {row['claim']['text']}" if at % 4 == 0 else row["positives"][0] for at, row in enumerate(some)]


@torch.no_grad()
def calibrate(encoder: BiEncoder, tokenizer, texts: list[str]) -> dict[str, tuple[numpy.ndarray, numpy.ndarray]]:
    """Least and greatest value of each channel that enters a product, by the name of the layer of PyTorch."""
    ranges: dict[str, tuple[numpy.ndarray, numpy.ndarray]] = {}

    def watch(name: str):
        def see(_, inputs):
            values = inputs[0].reshape(-1, inputs[0].shape[-1]).numpy()
            low, high = values.min(0), values.max(0)
            known = ranges.get(name, (low, high))
            ranges[name] = numpy.minimum(known[0], low), numpy.maximum(known[1], high)

        return see

    dense = [(name, module) for name, module in encoder.model.named_modules() if isinstance(module, torch.nn.Linear)]
    hooks = [module.register_forward_pre_hook(watch(name)) for name, module in dense]
    for text in texts:
        batch = tokenizer([text], truncation=True, max_length=MAX_TOKENS, return_tensors="pt")
        encoder(batch["input_ids"], batch["attention_mask"])
    for hook in hooks:
        hook.remove()
    return ranges


# --- the graph ------------------------------------------------------------------------------------------------------


class Graph:
    """The network of transformers' BertModel with mean pooling, in onnxruntime's operators."""

    def __init__(self, model, ranges):
        self.weights = {name: value.numpy() for name, value in model.state_dict().items()}
        self.layers = len(model.encoder.layer)
        self.ranges = ranges
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, numpy.ndarray] = {}

    def build(self) -> onnx.ModelProto:
        self.node("Cast", ["attention_mask"], "mask", to=TensorProto.INT32)
        hidden = self.embeddings()
        for at in range(self.layers):
            hidden = self.layer(hidden, f"encoder.layer.{at}")
        self.pool(hidden)
        tokens = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"]) for name in ("input_ids", "attention_mask")]
        rows = helper.make_tensor_value_info("embeddings", TensorProto.FLOAT, ["batch", DIMENSIONS])
        constants = [numpy_helper.from_array(value, name) for name, value in self.constants.items()]
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid(MICROSOFT, 1)]
        return helper.make_model(helper.make_graph(self.nodes, "bi-encoder", tokens, [rows], constants), opset_imports=opsets, ir_version=9)

    def embeddings(self) -> str:
        words, places = (self.weights[f"embeddings.{name}_embeddings.weight"] for name in ("word", "position"))
        places = places[:MAX_TOKENS] + self.weights["embeddings.token_type_embeddings.weight"][0]
        length = self.node("Slice", [self.node("Shape", ["input_ids"]), self.ints([1]), self.ints([2])])
        place = self.node("Slice", [self.constant("places", places), self.ints([0]), length, self.ints([0])])
        return self.normalise(self.node("Add", [self.words(words), place]), "embeddings.LayerNorm")

    def words(self, weights: numpy.ndarray) -> str:
        """Half of all weights: 8 bits and a scale a word."""
        scales = (numpy.abs(weights).max(1, keepdims=True) / 127).clip(1e-9).astype(numpy.float32)
        whole = self.constant("words", numpy.round(weights / scales).astype(numpy.int8))
        bits = self.node("Cast", [self.node("Gather", [whole, "input_ids"])], to=TensorProto.FLOAT)
        return self.node("Mul", [bits, self.node("Gather", [self.floats(scales), "input_ids"])])

    def layer(self, hidden: str, name: str) -> str:
        attention = f"{name}.attention"
        parts = [f"{attention}.self.{part}" for part in ("query", "key", "value")]
        before, factors = self.quantise(hidden, parts)
        # what enters the next product is smoothed here, where it costs nothing: attention keeps channels apart
        after = f"{attention}.output.dense"
        evened = self.smoothing([after])
        columns = [None, None, 1 / evened]
        asked, keys, values = (self.product(before, part, factors, column) for part, column in zip(parts, columns))
        found = self.node("MultiHeadAttention", [asked, keys, values, "", "mask"], domain=MICROSOFT, num_heads=HEADS)
        low, high = self.ranges[after]
        mixed = self.product(self.to_bits(found, low / evened, high / evened), after, evened)
        hidden = self.add_and_normalise(mixed, hidden, f"{attention}.output.LayerNorm")
        wide, factors = self.quantise(hidden, [f"{name}.intermediate.dense"])
        active = self.node("Gelu", [self.product(wide, f"{name}.intermediate.dense", factors)], domain=MICROSOFT)
        narrow, factors = self.quantise(active, [f"{name}.output.dense"], smooth=False)
        return self.add_and_normalise(self.product(narrow, f"{name}.output.dense", factors), hidden, f"{name}.output.LayerNorm")

    def pool(self, hidden: str) -> None:
        mask = self.node("Unsqueeze", [self.node("Cast", ["attention_mask"], to=TensorProto.FLOAT), self.ints([1])])
        # a sum over tokens; its length is normalised away, so that it needn't be divided by their number
        total = self.node("Squeeze", [self.node("MatMul", [mask, hidden]), self.ints([1])])
        length = self.node("Clip", [self.node("ReduceL2", [total], axes=[1], keepdims=1), self.floats(1e-9)])
        self.node("Div", [total, length], "embeddings")

    def quantise(self, values: str, names: list[str], smooth: bool = True):
        """8-bit values, and by how much each channel was divided first: outliers move into the weights (Xiao et al. 2023)."""
        low, high = self.ranges[names[0]]
        if not smooth:
            return self.to_bits(values, low, high), numpy.ones_like(low)
        factors = self.smoothing(names)
        return self.to_bits(self.node("Mul", [values, self.floats(1 / factors)]), low / factors, high / factors), factors

    def smoothing(self, names: list[str]) -> numpy.ndarray:
        low, high = self.ranges[names[0]]
        weights = numpy.max([numpy.abs(self.weights[f"{name}.weight"]).max(0) for name in names], axis=0)
        values = numpy.maximum(numpy.abs(low), numpy.abs(high))
        factors = numpy.maximum(values, 1e-4) ** SMOOTHING / numpy.maximum(weights, 1e-4) ** (1 - SMOOTHING)
        return (factors / numpy.exp(numpy.log(factors).mean())).astype(numpy.float32)

    def to_bits(self, values: str, low: numpy.ndarray, high: numpy.ndarray) -> tuple[str, str, str]:
        least, most = min(0.0, float(low.min())), max(0.0, float(high.max()))
        scale = (most - least) / 255
        zero = numpy.uint8(round(-least / scale))
        scale, zero = self.floats(scale), self.constant(f"zero{len(self.constants)}", numpy.array(zero))
        return self.node("QuantizeLinear", [values, scale, zero]), scale, zero

    def product(self, values: tuple[str, str, str], name: str, factors: numpy.ndarray, columns: numpy.ndarray | None = None) -> str:
        """7 of 8 bits: full signed range saturates on processors with AVX2 but without VNNI."""
        bits, scale, zero = values
        columns = numpy.ones(1, numpy.float32) if columns is None else columns
        weight = (self.weights[f"{name}.weight"].T * factors[:, None] * columns).astype(numpy.float32)
        bias = (self.weights[f"{name}.bias"] * columns).astype(numpy.float32)
        scales = (numpy.abs(weight).max(0) / 63).astype(numpy.float32)
        whole = self.constant(f"{name}.weight", numpy.round(weight / scales).astype(numpy.int8))
        inputs = [bits, whole, scale, self.floats(scales), zero, "", self.floats(bias)]
        return self.node("MatMulIntegerToFloat", inputs, domain=MICROSOFT)

    def add_and_normalise(self, values: str, skipped: str, name: str) -> str:
        inputs = [values, skipped, *(self.floats(self.weights[f"{name}.{part}"]) for part in ("weight", "bias"))]
        return self.node("SkipLayerNormalization", inputs, domain=MICROSOFT, epsilon=EPSILON)

    def normalise(self, values: str, name: str) -> str:
        inputs = [values, *(self.floats(self.weights[f"{name}.{part}"]) for part in ("weight", "bias"))]
        return self.node("LayerNormalization", inputs, axis=-1, epsilon=EPSILON)

    def node(self, kind: str, inputs: list[str], output: str = "", **attributes) -> str:
        output = output or f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def constant(self, name: str, value: numpy.ndarray) -> str:
        self.constants[name] = value
        return name

    def floats(self, value) -> str:
        return self.constant(f"c{len(self.constants)}", numpy.array(value, numpy.float32))

    def ints(self, value: list[int]) -> str:
        return self.constant(f"c{len(self.constants)}", numpy.array(value, numpy.int64))


def write_manifest(out: Path, version: str) -> None:
    manifest = {
        "name": "all-MiniLM-L6-v2 bi-encoder",
        "version": version,
        "dimensions": DIMENSIONS,
        "maxTokens": MAX_TOKENS,
        "files": {name: sha256(out / name) for name in ("model.int8.onnx", "tokenizer.json")},
    }
    (out / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


# --- how far from the exact model -----------------------------------------------------------------------------------


@torch.no_grad()
def fidelity(encoder: BiEncoder, tokenizer, path: Path) -> dict[str, object]:
    """Over sentences that set no range: shipped and exact embeddings, and shipped ones alone and in one batch."""
    session = onnxruntime.InferenceSession(str(path))
    batches = [tokenizer([text], truncation=True, max_length=MAX_TOKENS, return_tensors="pt") for text in TEXTS]
    exact = numpy.concatenate([encoder(batch["input_ids"], batch["attention_mask"]).numpy() for batch in batches])
    alone = numpy.concatenate([run(session, batch) for batch in batches])
    together = run(session, tokenizer(TEXTS, truncation=True, max_length=MAX_TOKENS, padding=True, return_tensors="pt"))
    cosines = (exact * alone).sum(1)
    pairs = numpy.abs(exact @ exact.T - alone @ alone.T)
    return {
        "cosine_mean": float(cosines.mean()),
        "cosine_min": float(cosines.min()),
        "pair_cosine_error_mean": float(pairs.mean()),
        "pair_cosine_error_max": float(pairs.max()),
        "batch_against_alone_cosine_min": float((alone * together).sum(1).min()),
    }


@torch.no_grad()
def exact_embeddings(encoder: BiEncoder, tokenizer, texts: list[str]) -> list[dict[str, object]]:
    batches = [tokenizer([text], truncation=True, max_length=MAX_TOKENS, return_tensors="pt") for text in texts]
    rows = [encoder(batch["input_ids"], batch["attention_mask"])[0].tolist() for batch in batches]
    return [{"text": text, "embedding": " ".join(f"{value:.4f}" for value in row)} for text, row in zip(texts, rows)]


def run(session: onnxruntime.InferenceSession, batch) -> numpy.ndarray:
    return session.run(["embeddings"], {name: batch[name].numpy() for name in ("input_ids", "attention_mask")})[0]


# written for this file
TEXTS = [
    "Port Averil. The harbour lighthouse was lit for the first time in 1874.",
    "Port Averil light. In 1874 the light at the harbour entrance began to shine. A keeper lived in the tower until 1961.",
    "The light at the harbour entrance was moved to the northern pier after the storm of 1911.",
    "The town council raised the budget for public libraries by 12 percent.",
    "Sourdough bread rises slowly because wild yeast works slowly.",
    "Library funding grew by nearly an eighth, the council of Dunmore said on Tuesday.",
    "The orchestra opened its season with a symphony by a local composer.",
    "Glaciers in the range have lost a third of their area since 1950.",
    "Odile Marchetti, mayor of Saint-Orens since 2009, opened the new market hall. " * 8,
    "Its population was 48,213 at the last census.",
    "Census | Town: Dunmore; population: 48,213; households: 19,870",
    "Patients who slept longer reported less pain after surgery. " * 30,
    "Short.",
    "",
]


if __name__ == "__main__":
    main()
