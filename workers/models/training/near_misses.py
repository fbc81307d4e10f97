"""A true claim -> claims that are nearly the same and false: one number, date, name, quantifier, tense or role is changed.

In: the claim, the text that supports it, names from elsewhere. Out: (kind, changed claim) pairs. Deterministic for a given
random.Random. What a changed claim says may by bad luck be true as well; training bears that.
"""

import random
import re

MONTHS = "January February March April May June July August September October November December".split()
NUMBER = re.compile(r"(?<![\w.,])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w])|(?<![\w.,])\d+(?:\.\d+)?(?![\w])")
YEAR = re.compile(r"^(1[0-9]|20)\d\d$")
NAME = re.compile(r"(?<![.!?\"] )(?<!^)\b[A-Z][\w'’-]+(?: (?:(?:of|the|de|van|von) )?[A-Z][\w'’-]+)*")
SPELLED = "two three four five six seven eight nine ten eleven twelve".split()
SWAPS = [
    ("more than", "fewer than"), ("at least", "at most"), ("over", "under"), ("first", "second"), ("second", "third"),
    ("third", "fourth"), ("last", "first"), ("all", "some"), ("every", "one"), ("both", "neither of the"),
    ("most", "few"), ("many", "few"), ("several", "all"), ("some", "most"), ("only", "not only"), ("before", "after"),
    ("after", "before"), ("until", "since"), ("since", "until"), ("increased", "decreased"), ("rose", "fell"),
    ("fell", "rose"), ("largest", "smallest"), ("oldest", "newest"), ("younger", "older"), ("north", "south"),
    ("eastern", "western"), ("won", "lost"), ("lost", "won"), ("higher", "lower"), ("highest", "lowest"),
    ("father", "brother"), ("mother", "sister"), ("son", "nephew"), ("daughter", "niece"), ("best", "worst"),
    ("male", "female"), ("annual", "monthly"), ("weekly", "daily"), ("half", "a third"), ("never", "often"),
    ("may", "will"), ("might", "does"), ("could", "did"), ("planned to", "did"), ("alleged", "proven"),
    ("suggested", "proved"), ("partly", "wholly"), ("about", "exactly"), ("nearly", "more than"),
]
NEGATIONS = [
    (r"\b(was|were|is|are|had been|has been|can|could|would|will|did)\b(?! not\b)", r"\1 not"),
    (r"\bdid not (\w+)\b", r"did \1"),
    (r"\b(was|were|is|are) not\b", r"\1"),
]
TENSES = [(r"\bis\b", "was"), (r"\bare\b", "were"), (r"\bhas been\b", "had been"), (r"\bwill be\b", "was"), (r"\bplans to\b", "used to")]


def near_misses(claim: str, page: str, names: list[str], rng: random.Random) -> list[tuple[str, str]]:
    """At most one of each kind, in a random order; only those that differ from the claim."""
    made = [
        ("number", change_number(claim, page, rng)),
        ("date", change_date(claim, rng)),
        ("entity", change_name(claim, page, names, rng)),
        ("role", swap_roles(claim, rng)),
        ("quantifier", change_words(claim, rng)),
        ("negation", substitute(claim, NEGATIONS, rng)),
        ("time", substitute(claim, TENSES, rng)),
    ]
    rng.shuffle(made)
    return [(kind, text) for kind, text in made if text is not None and text != claim]


def change_number(claim: str, page: str, rng: random.Random) -> str | None:
    found = [m for m in NUMBER.finditer(claim) if not YEAR.match(m.group()) and not beside_month(claim, m)]
    spelled = [m for m in re.finditer(r"\b(" + "|".join(SPELLED) + r")\b", claim)]
    if not found and not spelled:
        return None
    match = rng.choice(found + spelled)
    return claim[: match.start()] + other_number(match.group(), page, rng) + claim[match.end() :]


def other_number(number: str, page: str, rng: random.Random) -> str:
    if number in SPELLED:
        return rng.choice([word for word in SPELLED if word != number])
    elsewhere = [n for n in NUMBER.findall(page) if n != number and len(n) in range(len(number) - 1, len(number) + 2)]
    if elsewhere and rng.random() < 0.4:
        return rng.choice(elsewhere)
    digits = list(number)
    places = [at for at, digit in enumerate(digits) if digit.isdigit()]
    at = rng.choice(places)
    digits[at] = rng.choice([d for d in "123456789" if d != digits[at]])
    return "".join(digits)


def beside_month(claim: str, match: re.Match) -> bool:
    around = claim[max(0, match.start() - 12) : match.end() + 12]
    return any(month in around for month in MONTHS)


def change_date(claim: str, rng: random.Random) -> str | None:
    years = [m for m in NUMBER.finditer(claim) if YEAR.match(m.group())]
    months = list(re.finditer("|".join(MONTHS), claim))
    days = [m for m in NUMBER.finditer(claim) if len(m.group()) < 3 and beside_month(claim, m)]
    if not years + months + days:
        return None
    match = rng.choice(years + months + days)
    if match in years:
        new = str(int(match.group()) + rng.choice([-10, -5, -3, -2, -1, 1, 2, 3, 5, 10]))
    elif match in months:
        new = rng.choice([month for month in MONTHS if month != match.group()])
    else:
        new = str(rng.choice([day for day in range(1, 29) if str(day) != match.group()]))
    return claim[: match.start()] + new + claim[match.end() :]


def change_name(claim: str, page: str, names: list[str], rng: random.Random) -> str | None:
    found = [m for m in NAME.finditer(claim) if m.group() not in MONTHS]
    if not found:
        return None
    match = rng.choice(found)
    words = len(match.group().split())
    there = [n for n in NAME.findall(page) if n not in match.group() and match.group() not in n and n not in MONTHS]
    pool = there if there and rng.random() < 0.6 else names
    fitting = [n for n in pool if len(n.split()) == words and n not in claim] or [n for n in pool if n not in claim]
    return claim[: match.start()] + rng.choice(fitting) + claim[match.end() :] if fitting else None


def swap_roles(claim: str, rng: random.Random) -> str | None:
    found = [m for m in NAME.finditer(claim) if m.group() not in MONTHS]
    if len(found) < 2:
        return None
    at = rng.randrange(len(found) - 1)
    a, b = found[at], found[at + 1]
    between = claim[a.end() : b.start()]
    if re.fullmatch(r"\W*(and|or)?\W*", between):
        return None
    return claim[: a.start()] + b.group() + between + a.group() + claim[b.end() :]


def change_words(claim: str, rng: random.Random) -> str | None:
    found = [(old, new) for old, new in SWAPS if re.search(rf"\b{old}\b", claim)]
    if not found:
        return None
    old, new = rng.choice(found)
    return re.sub(rf"\b{old}\b", new, claim, count=1)


def substitute(claim: str, rules: list[tuple[str, str]], rng: random.Random) -> str | None:
    found = [(old, new) for old, new in rules if re.search(old, claim)]
    if not found:
        return None
    old, new = rng.choice(found)
    return re.sub(old, new, claim, count=1)


def find_names(text: str) -> list[str]:
    return [name for name in NAME.findall(text) if name not in MONTHS]
