"""A data folder -> labelled pairs in one form, one JSON object a line.

In: the folder that README.md describes; `source:fold/folds,…` for only these. Out: `id, group (what may not be split), source, kind, label, claim, sources,
evidence (sentences, verbatim)`, and `missing` where it is known (spans of the claim that nothing supports). Nothing is judged or left out here.
"""

import json
import random
import sys
from pathlib import Path

from folds import is_held_out

SHORTENED = 0.35


def main() -> None:
    folder, folds = Path(sys.argv[1]), (sys.argv[2] if len(sys.argv) > 2 else None)
    rng = random.Random(7)
    for pair in [*written(folder, rng), *partly_supported(folder), *wice(folder), *live(folder), *short(folder)]:
        if folds is None or is_held_out(pair, folds):
            print(json.dumps(pair, ensure_ascii=False))


def rows(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf8").splitlines()]


def written(folder: Path, rng: random.Random):
    pages = {row["page"]: row for row in rows(folder / "training/written-pages.jsonl")}
    for at, row in enumerate(rows(folder / "training/written-claims.jsonl")):
        page = pages[row["page"]]
        sentences = page["sentences"]
        evidence = [sentences[number] for number in row["evidence"]]
        if rng.random() < SHORTENED:
            sentences = shorten(sentences, row["evidence"], rng)
        made = pair(f"written-{at}", row["page"], "written", row, page["title"], sentences, evidence)
        yield {**made, "missing": [span_of(row["claim"], words) for words in row["unsupported"]]}


def shorten(sentences: list[str], evidence: list[int], rng: random.Random) -> list[str]:
    """A stretch around the evidence, or any stretch where there is none: real pages are of all lengths."""
    first, last = (min(evidence), max(evidence)) if evidence else [rng.randrange(len(sentences))] * 2
    return sentences[max(0, first - rng.randrange(8)) : last + 1 + rng.randrange(8)]


def partly_supported(folder: Path):
    """WiCE's training split; those of its development split are of pages that cross-validation holds out."""
    for row in rows(folder / "training/wice-non-supported-tokens-train.jsonl"):
        evidence = [row["sentences"][number] for number in (row["supporting"] or [[]])[0]]
        claim = {**row, "label": "partially_supported", "kind": "wice"}
        made = pair(row["id"], row["id"].rsplit("-", 1)[0], "wice-tokens", claim, "", row["sentences"], evidence)
        yield {**made, "missing": marked_spans(row["claim"], row["claim_tokens"], row["non_supported_spans"])}


def span_of(claim: str, words: str) -> list[int]:
    start = claim.find(words)
    return [start, start + len(words)] if start >= 0 else [0, 0]


def marked_spans(claim: str, tokens: list[str], marks: list[bool]) -> list[list[int]]:
    spans, at = [], 0
    for token, marked in zip(tokens, marks):
        start = claim.index(token, at)
        at = start + len(token)
        if marked:
            spans.append([start, at])
    return spans


def wice(folder: Path):
    for row in rows(folder / "wice-dev.pairs.jsonl"):
        lines = row["sources"][0]["text"].split("\n")
        evidence = [lines[number] for number in (row.get("evidence") or [[]])[0] if number < len(lines)]
        yield {**row, "group": row["claim"]["title"], "source": "wice-dev", "kind": "wice", "evidence": evidence}


def live(folder: Path):
    """Live articles, labelled by editors. Where the evidence stands is unknown."""
    for row in rows(folder / "source-verifier-dev.pairs.jsonl"):
        yield {**row, "group": row["article"], "source": "live", "kind": "live", "evidence": []}


def pair(name: str, group: str, source: str, row: dict, title: str, sentences: list[str], evidence: list[str]) -> dict:
    claim = {"text": row["claim"], **{key: row[key] for key in ("title", "section", "context")}}
    page = {"url": "", "title": title, "text": "\n".join(sentences)}
    return {
        "id": name, "group": group, "source": source, "kind": row["kind"], "label": row["label"],
        "claim": claim, "sources": [page], "evidence": evidence,
    }


def short(folder: Path):
    """Claims beside one given text: what FEVER and its kin have."""
    for name in ("fever-dev", "fm2-dev", "scifact", "begin-wow"):
        for at, row in enumerate(rows(folder / f"training/{name}.jsonl")):
            claim = {"claim": row["claim"], "title": row.get("title", ""), "section": "", "context": ""}
            claim |= {"label": row["label"], "kind": row["label"]}
            yield pair(f"{name}-{at}", f"{name}-{at}", name, claim, "", [row["evidence"]], [row["evidence"]])


if __name__ == "__main__":
    main()
