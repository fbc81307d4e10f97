"""Features of claims' words (words.ts) -> workers/verification/missing-weights.ts: which words nothing supports.

A logistic regression, WiCE and written claims weighing the same; the threshold is that of the best sum of word F1 over
both, cross-validated over pages. The figures go to stderr.
"""

import json
import sys
from pathlib import Path

import numpy
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import GroupKFold

FOLDS = 5
HEAD = """/** Written by models/training/train_missing.py: a logistic regression over `WORD_FEATURES`. */
import type { WordFeature } from './word-support.ts';

interface WordWeights {
  features: Record<WordFeature, number>;
  intercept: number;
  /** From here on a word is missing. */
  threshold: number;
}

export const WEIGHTS: WordWeights = {
  features: {"""


def main() -> None:
    rows = [json.loads(line) for line in Path(sys.argv[1]).read_text().splitlines()]
    names = rows[0]["names"]
    features = numpy.array([word for row in rows for word in row["features"]])
    missing = numpy.array([mark for row in rows for mark in row["missing"]])
    wice = numpy.array([row["source"] == "wice-tokens" for row in rows for _ in row["missing"]])
    groups = numpy.array([row["group"] for row in rows for _ in row["missing"]])
    weights = numpy.where(wice, 1.0, wice.sum() / max(1, (~wice).sum()))
    logits = cross_validate(features, missing, weights, groups)
    # as in missing.ts: what stands near the evidence, with the rest of its phrase, is never missing
    logits[(features[:, names.index("nearby")] == 0) & (features[:, names.index("phraseNearby")] == 0)] = -numpy.inf
    parts = {"WiCE": wice, "written": ~wice}
    score = lambda cut, part: f1_score(missing[part], logits[part] >= cut)
    threshold = max(numpy.arange(-1.6, 0.4, 0.05), key=lambda cut: sum(score(cut, part) for part in parts.values()))
    for name, part in parts.items():
        print(f"{name}: cross-validated word F1 {score(threshold, part):.3f}", file=sys.stderr)
    print_weights(fit(features, missing, weights), names, threshold)


def fit(features, missing, weights) -> LogisticRegression:
    return LogisticRegression(max_iter=5000).fit(features, missing, sample_weight=weights)


def cross_validate(features, missing, weights, groups) -> numpy.ndarray:
    logits = numpy.zeros(len(missing))
    for seen, unseen in GroupKFold(FOLDS).split(features, missing, groups):
        model = fit(features[seen], missing[seen], weights[seen])
        logits[unseen] = model.decision_function(features[unseen])
    return logits


def print_weights(model: LogisticRegression, names: list[str], threshold: float) -> None:
    print(HEAD)
    for name, weight in zip(names, model.coef_[0]):
        print(f"    {name}: {weight:.3f},")
    print(f"  }},\n  intercept: {model.intercept_[0]:.3f},\n  threshold: {threshold:.2f},\n}};")


if __name__ == "__main__":
    main()
