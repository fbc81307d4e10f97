"""Writes title-models.json beside it: a tiny untrained model of query expansion as ONNX in base64, its tokenizer, and what
PyTorch writes with it for some claims. For title-writer.test.ts.

From the root: python test/workers/retrieval/expansion/title-models.py (packages: workers/models/training/requirements.txt)
"""

import base64
import json
import sys
import tempfile
from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers
from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

sys.path.insert(0, "workers/models/training")
import expansion_model
import export_expansion

WORDS = """the a of in mill mills ferry bridge harbour bay orrin ost ##s ##ing ##ed marek tove close ##d open ##ed light
##house 19 ##31 18 ##74 council town river water wheel bell tower . , ' stone built was it""".split()
CLAIMS = [
    ("Orrin Bay", "Mills", "The mill closed in 1931.", ""),
    ("", "", "A ferry was opened on the river Ost.", ""),
    ("Tove Marek", "Council; town", "Marek opened the lighthouse of Orrin Bay in 1874.", "It was built of stone. " * 30),
    ("Ost", "", "mills " * 90, "The bell tower"),
    ("", "", "", ""),
    ("zzz", "qqq", "Nothing known 🐝", ""),
]


def main() -> None:
    torch.manual_seed(3)
    shrink()
    tokenizer = make_tokenizer()
    model = expansion_model.ExpansionModel(sorted({102, *range(103, 103 + len(WORDS) // 2)})).eval()
    with torch.no_grad():
        for name, part in model.named_parameters():
            if "norm" not in name.lower():
                part.copy_(torch.randn_like(part) * 0.4)  # untrained, yet not indifferent
        model.bias[0] -= 4  # nor in a hurry to end
    made = {
        "encoder": encode(export_expansion.export_reader, model),
        "decoder": encode(export_expansion.export_writer, model),
        "tokenizer": json.loads(tokenizer.backend_tokenizer.to_str()),
        "cases": [case(model, tokenizer, *claim) for claim in CLAIMS],
    }
    Path(__file__).with_suffix(".json").write_text(json.dumps(made) + "\n")


def shrink() -> None:
    config = BertConfig(
        vocab_size=103 + len(WORDS), hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64,
        max_position_embeddings=140, attn_implementation="eager",
    )
    expansion_model.SIZE, expansion_model.HEADS = 16, 2
    expansion_model.ENCODER_LAYERS, expansion_model.DECODER_LAYERS = 1, (0, 1)
    expansion_model.AutoModel.from_pretrained = lambda *_, **__: BertModel(config)


def make_tokenizer() -> PreTrainedTokenizerFast:
    unused = [f"[unused{number}]" for number in range(99)]
    pieces = dict.fromkeys(["[PAD]", *unused, "[UNK]", "[CLS]", "[SEP]", *WORDS])
    backend = Tokenizer(models.WordPiece({piece: number for number, piece in enumerate(pieces)}, unk_token="[UNK]"))
    backend.normalizer = normalizers.BertNormalizer(lowercase=True)
    backend.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    backend.decoder = decoders.WordPiece()
    backend.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]"])
    return PreTrainedTokenizerFast(tokenizer_object=backend, unk_token="[UNK]", pad_token="[PAD]")


def encode(export, model) -> str:
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "model.onnx"
        export(model, path)
        return base64.b64encode(path.read_bytes()).decode()


def case(model, tokenizer, title: str, section: str, claim: str, context: str) -> dict:
    row = {"title": title, "section": section, "claim": claim, "context": context}
    ids = expansion_model.source_ids(tokenizer, row)
    written = expansion_model.greedy(model, tokenizer, ids)
    return {"claim": row, "ids": ids, "title": tokenizer.decode(written, skip_special_tokens=True)}


if __name__ == "__main__":
    main()
