"""Which rows are held out, by group (article or page), the same in every script and run."""

import re


def is_held_out(row: dict, folds: str) -> bool:
    return any(in_fold(row, part) for part in folds.split(",") if part)


def in_fold(row: dict, part: str) -> bool:
    """`written:0/12`: of written claims those of one page in twelve, the same in every run."""
    source, fold, folds = re.fullmatch(r"([\w-]+):(\d+)/(\d+)", part).groups()
    return row["source"] == source and sum(row["group"].encode()) % int(folds) == int(fold)
