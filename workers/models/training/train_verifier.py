"""Features of labelled pairs -> verifier/weights.json: two logistic regressions and the thresholds of the verdict.

In: what features.ts printed for the development pairs, each by a cross-encoder that saw no page of its fold, and for written
claims that were held out (--written). Out: weights.json, and on stdout the figures of MODEL_CARD.md, all by cross-validation
over articles, so that no row is judged by a regression that saw its article.
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
FAILED_PRECISION = 0.8  # of what is called low-scoring, this share must really fail
CONTRADICTED_PRECISION = 0.9  # of what is called contradicted among written claims
PARTS = {
    "cross-encoder": ("supported", "digestSupported", "secondSupported", "partly", "contradicted"),
    "meaning": ("sentenceCosine", "clauseCosine", "weakestClauseCosine"),
}


class Rows:
    def __init__(self, paths: list[Path]):
        rows = [json.loads(line) for path in paths for line in path.read_text().splitlines()]
        self.names = list(rows[0]["features"])
        self.encoder = rows[0]["encoder"]
        self.features = numpy.array([[row["features"][name] for name in self.names] for row in rows])
        self.labels = numpy.array([row["label"] for row in rows])
        self.kinds = numpy.array([row.get("kind", "") for row in rows])
        self.articles = numpy.array([row["article"] for row in rows])

    def column(self, name: str) -> numpy.ndarray:
        return self.features[:, self.names.index(name)]

    def without(self, names: tuple[str, ...]) -> "Rows":
        kept = [name for name in self.names if name not in names]
        rows = object.__new__(Rows)
        rows.__dict__ = {**self.__dict__, "names": kept, "features": numpy.stack([self.column(n) for n in kept], axis=1)}
        return rows


def main() -> None:
    options = parse_arguments()
    rows = Rows(options.features)
    strengths, scores = cross_validated(rows)
    models = [fit(rows.features, target, c) for target, c in zip(targets(rows), strengths)]
    low, failed = thresholds(rows.labels, *scores)
    contradicted = contradicted_threshold(Rows([options.written])) if options.written else None
    write_weights(options, rows, models, {"supported": low, "failed": failed, "contradicted": contradicted})
    report = {"strengths": strengths, "thresholds": [low, failed, contradicted], "all": figures(rows.labels, *scores, low, failed)}
    for kind in sorted(set(rows.kinds)):
        part = rows.kinds == kind
        report[kind] = figures(rows.labels[part], scores[0][part], scores[1][part], low, failed)
    for name, features in PARTS.items():
        without = cross_validated(rows.without(features))[1]
        report[f"without {name}"] = figures(rows.labels, *without, low, failed)
    report["precision_curve"] = precision_curve(rows.labels, scores[0])
    if options.written:
        report["written"] = written_figures(Rows([options.written]), models)
    print(json.dumps(report, indent=2))


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("features", type=Path, nargs="+")
    parser.add_argument("--written", type=Path)
    parser.add_argument("--version", required=True, help="version of the verifier, stored with every score")
    parser.add_argument("--cross-encoder", required=True, help="version of the cross-encoder that is shipped with it")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent.parent / "verifier" / "weights.json")
    return parser.parse_args()


def targets(rows: Rows) -> tuple[numpy.ndarray, numpy.ndarray]:
    return rows.labels == "supported", rows.labels == "not_supported"


def fit(features, target, strength):
    return make_pipeline(StandardScaler(), LogisticRegression(C=strength, max_iter=5000)).fit(features, target)


def cross_validated(rows: Rows) -> tuple[list[float], list[numpy.ndarray]]:
    """For each target the strength of the least log loss, which asks for calibrated probabilities, and P(target) by it."""
    strengths, scores = [], []
    for target in targets(rows):
        tried = {strength: cross_validate(rows, target, strength) for strength in STRENGTHS}
        best = min(STRENGTHS, key=lambda strength: log_loss(target, tried[strength]))
        strengths.append(best)
        scores.append(tried[best])
    return strengths, scores


def cross_validate(rows: Rows, target, strength) -> numpy.ndarray:
    """P(target) of every row by models that saw no row of its article, averaged over shufflings."""
    total = numpy.zeros(len(target))
    for seed in SEEDS:
        folds = GroupKFold(FOLDS, shuffle=True, random_state=seed)
        for seen, unseen in folds.split(rows.features, target, rows.articles):
            total[unseen] += fit(rows.features[seen], target[seen], strength).predict_proba(rows.features[unseen])[:, 1]
    return total / len(SEEDS)


def thresholds(labels, supported, failed) -> tuple[float, float]:
    """The highest score under which FAILED_PRECISION of the rows fail; then the cut of the best macro F1 over verdicts."""
    grid = numpy.arange(0.05, 0.95, 0.01)
    low = max(cut for cut in grid if precision_below(labels, supported, cut) >= FAILED_PRECISION)
    best = max(grid, key=lambda cut: f1_score(labels, verdicts(supported, failed, low, cut), average="macro"))
    return round(float(low), 2), round(float(best), 2)


def contradicted_threshold(written: Rows) -> float | None:
    """The lowest at which CONTRADICTED_PRECISION of written claims are contradictions; those that differ in a detail don't count.

    None if there is no such threshold."""
    scores = 1 / (1 + numpy.exp(-written.column("contradicted")))
    right = written.kinds == "contradiction"
    counted = right | (written.labels == "supported") | numpy.isin(written.kinds, ("absent", "extra"))
    cuts = [cut for cut in numpy.arange(0.3, 0.99, 0.01) if (counted & (scores >= cut)).any()]
    good = [cut for cut in cuts if right[counted & (scores >= cut)].mean() >= CONTRADICTED_PRECISION]
    return round(float(min(good)), 2) if good else None


def precision_below(labels, supported, cut) -> float:
    below = labels[supported < cut]
    return float((below != "supported").mean()) if len(below) else 1.0


def verdicts(supported, failed, low, cut):
    return numpy.where(supported >= low, "supported", numpy.where(failed >= cut, "not_supported", "partially_supported"))


def precision_curve(labels, supported) -> list[dict[str, float]]:
    """Of rows that score lower, the share that fails, with Wilson's 95 % interval."""
    fails = labels != "supported"
    return [curve_point(fails, supported < cut, cut) for cut in numpy.arange(0.1, 0.75, 0.05)]


def curve_point(fails, below, cut) -> dict[str, float]:
    n, share = int(below.sum()), float(fails[below].mean()) if below.any() else 0.0
    low, high = wilson(share, n)
    point = {"below": cut, "precision": share, "low": low, "high": high, "recall": (fails & below).sum() / fails.sum()}
    return {**{name: round(float(value), 3) for name, value in point.items()}, "n": n}


def wilson(share: float, n: int, z: float = 1.96) -> tuple[float, float]:
    if n == 0:
        return 0.0, 1.0
    middle, spread = share + z * z / (2 * n), z * numpy.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return (middle - spread) / (1 + z * z / n), (middle + spread) / (1 + z * z / n)


def written_figures(written: Rows, models) -> dict:
    """Claims about pages that neither model saw: of each kind, how often true claims of the same pages score higher."""
    supported = models[0].predict_proba(written.features)[:, 1]
    right = written.labels == "supported"
    report = {"n": len(right), "auroc_supported": round(float(roc_auc_score(right, supported)), 3)}
    for kind in sorted(set(written.kinds[~right])):
        part = right | (written.kinds == kind)
        report[kind] = [int((written.kinds == kind).sum()), round(float(roc_auc_score(right[part], supported[part])), 3)]
    return report


def figures(labels, supported, failed, low, cut) -> dict[str, float]:
    decided = verdicts(supported, failed, low, cut)
    fails = labels != "supported"
    values = {
        "n": len(labels),
        "auroc_supported": roc_auc_score(~fails, supported),
        "auroc_not_supported": roc_auc_score(labels == "not_supported", failed),
        "ap_not_supported": average_precision_score(labels == "not_supported", failed),
        "ap_failed": average_precision_score(fails, 1 - supported),
        "precision_at_15_recall": precision_at_recall(fails, 1 - supported, 0.15),
        "accuracy_supported": ((supported >= low) == ~fails).mean(),
        "accuracy_verdict": (decided == labels).mean(),
        "macro_f1_verdict": f1_score(labels, decided, average="macro"),
        "failed_precision": precision_below(labels, supported, low),
        "failed_recall": (supported < low)[fails].mean(),
        "ece": calibration_error(~fails, supported),
        "ece_failed": calibration_error(labels == "not_supported", failed),
    }
    return {name: round(float(value), 3) for name, value in values.items()}


def precision_at_recall(target, scores, recall) -> float:
    found = numpy.cumsum(target[numpy.argsort(-scores, kind="stable")])
    at = int(numpy.argmax(found >= recall * target.sum()))
    return found[at] / (at + 1)


def calibration_error(target, scores) -> float:
    """Expected calibration error over ten bins of equal width."""
    bins = numpy.minimum((scores * 10).astype(int), 9)
    parts = [(bins == b) for b in range(10) if (bins == b).any()]
    return sum(abs(scores[part].mean() - target[part].mean()) * part.mean() for part in parts)


def write_weights(options, rows: Rows, models, cuts: dict[str, float]) -> None:
    scaler = models[0][0]
    weights = {
        "version": options.version,
        "crossEncoder": options.cross_encoder,
        "encoder": rows.encoder,
        "features": rows.names,
        "means": rounded(scaler.mean_),
        "scales": rounded(scaler.scale_),
        "supported": regression(models[0][1]),
        "failed": regression(models[1][1]),
        "thresholds": cuts,
    }
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps(weights, indent=2) + "\n")


def regression(model: LogisticRegression) -> dict:
    return {"intercept": rounded(model.intercept_)[0], "coefficients": rounded(model.coef_[0])}


def rounded(values) -> list[float]:
    return [round(float(value), 6) for value in values]


if __name__ == "__main__":
    main()
