"""Features of labelled pairs -> verifier/weights.json: two logistic regressions and the thresholds of the verdict.

In: what main.ts printed for the development split of WiCE. Out: weights.json, and on stdout the figures of MODEL_CARD.md,
all by cross-validation over articles, so that no row is judged by a model that saw its article. `--transfer`: features of
other labelled pairs, for reporting alone.
"""

import argparse
import json
from pathlib import Path

import numpy
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score, f1_score, log_loss, roc_auc_score
from sklearn.model_selection import GroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

STRENGTHS = (0.003, 0.01, 0.03, 0.1, 0.3)  # inverse of the L2 penalty
FOLDS = 10
SEEDS = range(5)
FAILED_PRECISION = 0.9  # of what is called low-scoring, this share must really fail


class Rows:
    def __init__(self, path: Path):
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        self.names = list(rows[0]["features"])
        self.encoder = rows[0]["encoder"]
        self.features = numpy.array([[row["features"][name] for name in self.names] for row in rows])
        self.labels = numpy.array([row["label"] for row in rows])
        self.articles = numpy.array([row["article"] for row in rows])


def main() -> None:
    arguments = parse_arguments()
    rows = Rows(arguments.features)
    supported, not_supported = rows.labels == "supported", rows.labels == "not_supported"
    strengths = [best_strength(rows, target) for target in (supported, not_supported)]
    scores = [cross_validate(rows, t, c) for t, c in zip((supported, not_supported), strengths)]
    models = [fit(rows.features, t, c) for t, c in zip((supported, not_supported), strengths)]
    low, unsupported = thresholds(rows.labels, *scores)
    write_weights(arguments, rows, models, low, unsupported)
    report = {"strengths": strengths, "cross_validated": figures(rows.labels, *scores, low, unsupported)}
    report["precision_curve"] = precision_curve(rows.labels, scores[0])
    if arguments.transfer:
        other = Rows(arguments.transfer)
        report["transfer"] = figures(other.labels, *[m.predict_proba(other.features)[:, 1] for m in models], low, unsupported)
    print(json.dumps(report, indent=2))


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("features", type=Path)
    parser.add_argument("--version", required=True, help="version of the verifier, stored with every score")
    parser.add_argument("--transfer", type=Path)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent.parent / "verifier" / "weights.json")
    return parser.parse_args()


def fit(features, target, strength):
    return make_pipeline(StandardScaler(), LogisticRegression(C=strength, max_iter=5000)).fit(features, target)


def cross_validate(rows: Rows, target, strength) -> numpy.ndarray:
    """P(target) of every row by models that saw no row of its article, averaged over shufflings."""
    total = numpy.zeros(len(target))
    for seed in SEEDS:
        folds = GroupKFold(FOLDS, shuffle=True, random_state=seed)
        for seen, unseen in folds.split(rows.features, target, rows.articles):
            total[unseen] += fit(rows.features[seen], target[seen], strength).predict_proba(rows.features[unseen])[:, 1]
    return total / len(SEEDS)


def best_strength(rows: Rows, target) -> float:
    """By log loss, which asks for calibrated probabilities, not only for the right order."""
    return min(STRENGTHS, key=lambda strength: log_loss(target, cross_validate(rows, target, strength)))


def thresholds(labels, supported, not_supported) -> tuple[float, float]:
    """The highest score under which FAILED_PRECISION of the rows fail; then the cut of the best macro F1 over verdicts."""
    grid = numpy.arange(0.05, 0.95, 0.01)
    low = max(cut for cut in grid if precision_below(labels, supported, cut) >= FAILED_PRECISION)
    best = max(grid, key=lambda cut: f1_score(labels, verdicts(supported, not_supported, low, cut), average="macro"))
    return round(float(low), 2), round(float(best), 2)


def precision_below(labels, supported, cut) -> float:
    below = labels[supported < cut]
    return float((below != "supported").mean()) if len(below) else 1.0


def verdicts(supported, not_supported, low, unsupported):
    failed = numpy.where(not_supported >= unsupported, "not_supported", "partially_supported")
    return numpy.where(supported >= low, "supported", failed)


def precision_curve(labels, supported) -> list[dict[str, float]]:
    failed = labels != "supported"
    return [
        {
            "below": round(float(cut), 2),
            "precision": round(float(failed[supported < cut].mean()), 3),
            "recall": round(float((failed & (supported < cut)).sum() / failed.sum()), 3),
        }
        for cut in numpy.arange(0.1, 0.7, 0.1)
    ]


def figures(labels, supported, not_supported, low, unsupported) -> dict[str, float]:
    decided = verdicts(supported, not_supported, low, unsupported)
    values = {
        "n": len(labels),
        "auroc_supported": roc_auc_score(labels == "supported", supported),
        "auroc_not_supported": roc_auc_score(labels == "not_supported", not_supported),
        "ap_not_supported": average_precision_score(labels == "not_supported", not_supported),
        "ap_failed": average_precision_score(labels != "supported", 1 - supported),
        "accuracy_supported": ((supported >= low) == (labels == "supported")).mean(),
        "accuracy_verdict": (decided == labels).mean(),
        "macro_f1_verdict": f1_score(labels, decided, average="macro"),
        "failed_precision": precision_below(labels, supported, low),
        "failed_recall": (supported < low)[labels != "supported"].mean(),
        "calibration_error": calibration_error(labels == "supported", supported),
    }
    return {name: round(float(value), 3) for name, value in values.items()}


def calibration_error(target, scores) -> float:
    """Expected calibration error over ten bins of equal width."""
    bins = numpy.minimum((scores * 10).astype(int), 9)
    parts = [(bins == b) for b in range(10) if (bins == b).any()]
    return sum(abs(scores[part].mean() - target[part].mean()) * part.mean() for part in parts)


def write_weights(arguments, rows: Rows, models, low: float, unsupported: float) -> None:
    scaler = models[0][0]
    weights = {
        "version": arguments.version,
        "encoder": rows.encoder,
        "features": rows.names,
        "means": rounded(scaler.mean_),
        "scales": rounded(scaler.scale_),
        "supported": regression(models[0][1]),
        "notSupported": regression(models[1][1]),
        "thresholds": {"supported": low, "notSupported": unsupported},
    }
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    arguments.out.write_text(json.dumps(weights, indent=2) + "\n")


def regression(model: LogisticRegression) -> dict:
    return {"intercept": rounded(model.intercept_)[0], "coefficients": rounded(model.coef_[0])}


def rounded(values) -> list[float]:
    return [round(float(value), 6) for value in values]


if __name__ == "__main__":
    main()
