"""Makes published-scorer.json here and in ../feverous: random instances with what the published scorers say of them.

    pip install fever-scorer==2.0.39 feverous==0.54   # the latter with --no-deps
    python generate.py [batches] [instances a batch] [folder]

Instances are drawn so that right and wrong labels, whole and part sets, repeated and too many pieces, and no evidence occur.
"""

import copy
import json
import random
import sys
from pathlib import Path

from fever.scorer import fever_score
from feverous.evaluation.feverous_scorer import feverous_score

LABELS = ["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"]
PAGES = ["Orby", "Lime_kiln", "Tobias_Reck"]
TYPES = ["sentence", "cell", "header_cell", "item", "table_caption"]


def fever_piece(rng):
    return [rng.choice(PAGES), rng.randrange(4)]


def feverous_piece(rng):
    kind = rng.choice(TYPES)
    numbers = {"cell": 3, "header_cell": 3, "item": 2}.get(kind, 1)
    return [rng.choice(PAGES).replace("_", " "), kind, "_".join(str(rng.randrange(2)) for _ in range(numbers))]


def instance(rng, number, piece, most):
    gold = rng.choice(LABELS)
    sets = [[piece(rng) for _ in range(rng.randint(1, 3))] for _ in range(rng.randint(0, 3))]
    predicted = [piece(rng) for _ in range(rng.randint(0, most))]
    if sets and rng.random() < 0.5:
        predicted[rng.randint(0, len(predicted)) : 0] = rng.choice(sets)
    label = gold if rng.random() < 0.6 else rng.choice(LABELS)
    return {
        "id": number,
        "label": gold.lower() if rng.random() < 0.2 else gold,
        "evidence": sets,
        "predicted_label": label.lower() if rng.random() < 0.2 else label,
        "predicted_evidence": predicted,
    }


def fever_gold(rng, made):
    if made["label"].upper() == "NOT ENOUGH INFO":
        made["evidence"] = [[[None, None]]]
    made["evidence"] = [[[rng.randrange(99), None, *piece] for piece in pieces] for pieces in made["evidence"]]
    return made


def figures(scored):
    score, accuracy, precision, recall, f1 = scored
    names = ["score", "label_accuracy", "evidence_precision", "evidence_recall", "evidence_f1"]
    return dict(zip(names, [score, accuracy, precision, recall, f1]))


def batch(seed, size, piece, most, finish, scorer):
    rng = random.Random(seed)
    made = [finish(rng, instance(rng, number, piece, most)) for number in range(size)]
    return {"instances": made, "figures": figures(scorer(copy.deepcopy(made)))}


def main(batches=6, size=10, folder=Path(__file__).parent.parent):
    for name, piece, most, finish, scorer in [
        ("fever", fever_piece, 7, fever_gold, fever_score),
        ("feverous", feverous_piece, 40, lambda rng, made: made, feverous_score),
    ]:
        made = [batch(seed, size, piece, most, finish, scorer) for seed in range(batches)]
        lines = ",\n".join(json.dumps(one) for one in made)
        Path(folder, name, "published-scorer.json").write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main(*[int(number) for number in sys.argv[1:3]], *sys.argv[3:4])
