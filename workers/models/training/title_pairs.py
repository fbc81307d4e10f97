"""A data folder -> (claim, title of the page it cites), one JSON object a line.

In: the folder that README.md describes. Out: `source, group (what may not be split), title, section, context, claim, target`.
A page's title loses its site's name ("… | Daily Post"): what site a claim cites is no word to look for.
"""

import html
import json
import random
import re
import sys
from pathlib import Path

SENTENCES_A_PAGE = 6


def main() -> None:
    folder, rng = Path(sys.argv[1]), random.Random(7)
    short = [*fool_me_twice(folder), *fever(folder)]
    for made in [*written(folder, rng), *wice(folder, rng), *short, *templates(folder)]:
        made["target"] = headline(made["target"])
        if made["target"] and made["claim"]:
            print(json.dumps(made, ensure_ascii=False))


def rows(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf8").splitlines()]


def pair(source: str, group: str, claim: dict, target: str) -> dict:
    return {"source": source, "group": group, **claim, "target": target}


def written(folder: Path, rng: random.Random):
    pages = {row["page"]: row for row in rows(folder / "training/written-pages.jsonl") if row["title"]}
    for row in rows(folder / "training/written-claims.jsonl"):
        if row["page"] in pages:
            claim = {key: row[key] for key in ("title", "section", "context", "claim")}
            yield pair("written", row["page"], claim, pages[row["page"]]["title"])
    for page in pages.values():
        yield from of_page("written-page", page["page"], page["title"], page["sentences"], rng)


def wice(folder: Path, rng: random.Random):
    for part in ("train", "dev"):
        for row in rows(folder / f"training/wice-non-supported-tokens-{part}.jsonl"):
            target = title_of("\n".join(row["sentences"]))
            claim = {key: row[key] for key in ("title", "section", "context", "claim")}
            yield pair(f"wice-tokens-{part}", row["title"], claim, target)
            yield from of_page(f"wice-tokens-{part}", row["title"], target, row["sentences"], rng)
    for row in rows(folder / "wice-dev.pairs.jsonl"):
        yield pair("wice-dev", row["claim"]["title"], claim_of(row["claim"]), title_of(row["sources"][0]["text"]))


def fool_me_twice(folder: Path):
    """The page is the article itself: its title stands on one side only."""
    for row in rows(folder / "training/fm2-dev.jsonl"):
        yield pair("fm2-dev", row["title"], {"title": "", "section": "", "context": "", "claim": row["claim"]}, row["title"])


def fever(folder: Path):
    """A page's first sentence names it: "Port Averil (founded 1702) is a …". One claim a page."""
    seen = set()
    for row in rows(folder / "training/fever-dev.jsonl"):
        named = re.match(r"([A-Z].{2,50}?)(?: -?\(| -LRB-|,| (?:is|was|are|were) (?:an?|the|one) )", row["evidence"])
        name = named.group(1) if named else ""
        if name not in seen and len(name.split()) <= 6 and name and name.split()[-1] in row["claim"]:
            seen.add(name)
            claim = {"title": "", "section": "", "context": "", "claim": row["claim"]}
            yield pair("fever-dev", name, claim, name)


def claim_of(claim: dict) -> dict:
    section = claim["section"] if isinstance(claim["section"], str) else " ".join(claim["section"])
    return {"title": claim["title"], "section": section, "context": claim["context"], "claim": claim["text"]}


def of_page(source: str, group: str, title: str, sentences: list[str], rng: random.Random):
    """A page's own sentences lead to its title too: there are far more of them than of claims."""
    own = [text for text in sentences if 8 <= len(text.split()) <= 45 and "(meta data)" not in text]
    for claim in rng.sample(own, min(len(own), SENTENCES_A_PAGE)):
        yield pair(source, group, {"title": "", "section": "", "context": "", "claim": claim}, title)


def title_of(text: str) -> str:
    """The title that the crawl recorded, else the page's first line if that is short enough for one."""
    named = re.search(r"\(meta data\) TITLE: (.+)", text[:600])
    first = text.strip().split("\n")[0]
    return named.group(1) if named else first if len(first.split()) <= 20 and "(meta data)" not in first else ""


def headline(title: str) -> str:
    """The longest part of what separators divide: "Bridge opens | News | Daily Post" -> "Bridge opens"."""
    plain = html.unescape(title).strip()
    return max(re.split(r"\s+[|»·–—-]+\s+|\s*[|»]\s*", plain), key=len).strip()


# --- citation templates of articles ---------------------------------------------------------------------------------

REFERENCE = re.compile(r"<ref[^>/]*>\s*\{\{\s*(?:cite|citation)[^{}]*\}\}\s*</ref>", re.I)
TITLE = re.compile(r"\|\s*title\s*=\s*((?:\[\[[^\]]*\]\]|[^|{}])+)")


def templates(folder: Path):
    for path in sorted((folder / "articles").glob("*.wikitext")):
        article = path.stem.replace("_", " ").replace("-", " ").capitalize()
        yield from cited(article, path.read_text(encoding="utf8"))


def cited(article: str, wikitext: str):
    section = ""
    for line in wikitext.split("\n"):
        heading = re.match(r"=+\s*(.+?)\s*=+\s*$", line)
        section = heading.group(1) if heading else section
        for reference in REFERENCE.finditer(line):
            before = [part for part in re.split(r"(?<=[.!?])\s+", plain_text(line[: reference.start()])) if part]
            named = TITLE.search(reference.group())
            if named and before and len(before[-1].split()) >= 5:
                claim = {"title": article, "section": section, "context": " ".join(before[:-1]), "claim": before[-1]}
                yield pair("templates", article, claim, plain_text(named.group(1)))


def plain_text(wikitext: str) -> str:
    text = re.sub(r"<ref[^>]*/>|<ref.*?</ref>|<[^>]+>|\{\{[^{}]*\}\}", " ", wikitext)
    text = re.sub(r"\[\[(?:[^|\]]*\|)?([^\]]*)\]\]", r"\1", text).replace("'''", "").replace("''", "")
    return re.sub(r"\s+([,.;:])", r"\1", " ".join(html.unescape(text).split()))


if __name__ == "__main__":
    main()
