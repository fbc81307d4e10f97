"""Pairs of title_pairs.py -> the weights of query expansion (PyTorch), with its vocabulary of titles.

Each epoch takes a few claims of each page, so that a page with many does not fill it. Loss: the negative logarithm of
each word piece's probability, made and copied together; pieces that can be neither are left out.
"""

import argparse
import json
import random
import time
from collections import defaultdict
from pathlib import Path

import torch
from transformers import AutoTokenizer

from expansion_model import END, MAX_TITLE, PACKAGE, PAD, START, ExpansionModel, greedy, source_ids

VERSION = "minilm-titles-1"
# pairs of a group that an epoch sees
SHARE = {"written": 6, "written-page": 2, "wice-tokens-train": 4, "fm2-dev": 3, "fever-dev": 1, "templates": 1000}


def main() -> None:
    options = parse_arguments()
    rng = random.Random(options.seed)
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    tokenizer = AutoTokenizer.from_pretrained(PACKAGE)
    rows = [json.loads(line) for line in options.pairs.open(encoding="utf8")]
    train = [row for row in rows if row["source"] in SHARE]
    for row in rows:
        row["ids"] = source_ids(tokenizer, row)
        row["title_ids"] = tokenizer.encode(row["target"], add_special_tokens=False)[:MAX_TITLE]
    vocabulary = sorted({END, *(piece for row in train for piece in row["title_ids"])})
    model = ExpansionModel(vocabulary)
    freeze(model)
    print(json.dumps({"pairs": len(train), "vocabulary": len(vocabulary)}), flush=True)
    held_out = [row for row in rows if row["source"] == "wice-dev"]
    run(model, train, held_out, options, rng)
    show(model, tokenizer, held_out[:40])


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=25, help="the rate falls to zero until then")
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    return parser.parse_args()


def freeze(model: ExpansionModel) -> None:
    """Embeddings and the first layer stay as all-MiniLM-L6-v2 has them."""
    model.encoder.embeddings.requires_grad_(False)
    model.encoder.encoder.layer[0].requires_grad_(False)


def run(model: ExpansionModel, train: list[dict], held_out: list[dict], options, rng: random.Random) -> None:
    groups = [{"params": fresh(model), "lr": options.rate * 2}, {"params": begun(model), "lr": options.rate / 3}]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01)
    rates = [group["lr"] for group in groups]
    start, step, recent = time.time(), 0, []
    while True:
        for rows in batches(epoch(train, rng), options.batch, rng):
            done = (time.time() - start) / (60 * options.minutes)
            if done >= 1:
                return save(model, options.out)
            for group, rate in zip(optimizer.param_groups, rates):
                group["lr"] = rate * min((step + 1) / 50, 1 - done)
            recent.append(learn(model, optimizer, rows))
            step += 1
            if step % 50 == 0:
                said = {"step": step, "done": round(done, 3), "loss": round(sum(recent) / len(recent), 3)}
                if step % 200 == 0:
                    said["held_out"] = round(evaluate(model, held_out), 3)
                    save(model, options.out)
                print(json.dumps(said), flush=True)
                recent = []


def fresh(model: ExpansionModel) -> list:
    return [part for name, part in model.named_parameters() if not name.startswith("encoder.") and part.requires_grad]


def begun(model: ExpansionModel) -> list:
    return [part for name, part in model.named_parameters() if name.startswith("encoder.") and part.requires_grad]


def epoch(train: list[dict], rng: random.Random) -> list[dict]:
    groups = defaultdict(list)
    for row in train:
        groups[row["source"], row["group"]].append(row)
    chosen = [rng.sample(rows, min(len(rows), SHARE[source])) for (source, _), rows in groups.items()]
    return [row for rows in chosen for row in rows]


def batches(rows: list[dict], size: int, rng: random.Random):
    """Of like length, in any order."""
    rng.shuffle(rows)
    rows.sort(key=lambda row: len(row["ids"]) // 12)
    starts = list(range(0, len(rows), size))
    rng.shuffle(starts)
    for at in starts:
        yield rows[at : at + size]


def pad(lists: list[list[int]], filler: int):
    most = max(map(len, lists))
    return torch.tensor([ids + [filler] * (most - len(ids)) for ids in lists])


def loss_of(model: ExpansionModel, rows: list[dict]):
    source = pad([row["ids"] for row in rows], PAD)
    mask = (source != PAD).long()
    given = pad([[START, *row["title_ids"]] for row in rows], PAD)
    target = pad([[*row["title_ids"], END] for row in rows], -1)
    chance = model.chance(source, mask, given, target)
    return -chance[(target >= 0) & (chance > 1e-12)].log().mean()


def learn(model: ExpansionModel, optimizer, rows: list[dict]) -> float:
    model.train()
    loss = loss_of(model, rows)
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return loss.item()


@torch.no_grad()
def evaluate(model: ExpansionModel, rows: list[dict]) -> float:
    model.eval()
    found = [loss_of(model, rows[at : at + 32]).item() for at in range(0, len(rows), 32)]
    return sum(found) / len(found)


def save(model: ExpansionModel, path: Path) -> None:
    torch.save({"vocabulary": model.vocabulary.tolist(), "weights": model.state_dict()}, path)


def show(model: ExpansionModel, tokenizer, rows: list[dict]) -> None:
    model.eval()
    for row in rows:
        print(json.dumps({"made": tokenizer.decode(greedy(model, tokenizer, row["ids"])), "title": row["target"]}), flush=True)


if __name__ == "__main__":
    main()
