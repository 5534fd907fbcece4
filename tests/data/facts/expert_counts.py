#!/usr/bin/env python3
"""The counts of `cupel build expert` and `cupel stats --split`, made another way: plainly, with Python's library alone.

    tests/data/facts/expert_counts.py acl|paperlists FOLDER [--years FIRST-LAST] [--split A,B,C] [--pairs paper]
        [--filter matched] [--keywords FILE]

Written from the definitions in docs/building.md, not from the recipe: XML is read by ElementTree, a keyword is
looked for by `in`, facts are a set. Prints one JSON object: `all` has what the build counts, `years` those of
facts, `splits` what each part has.
"""
from __future__ import annotations

import argparse
import html
import itertools
import json
import pathlib
import re
import sys
import typing
import unicodedata
import xml.etree.ElementTree as ElementTree

AI = ["fair", "ethic", "translation model", "machine translation", "dialog", "genetic algorithm", "explanation",
      "transfer learning", "clustering", "adversarial", "nlg", "sentiment", "causal", "reinforcement learning",
      "transparent", "summarization", "question-answer", "interpretability", "language model", "interpretable"]
FACTS = ["collaboration", "partnership", "expertise"]
ENTITIES = ["scientists", "institutions", "capabilities"]


class Paper(typing.NamedTuple):
    year: int
    text: str  # title, abstract and keywords
    authors: list[tuple[str, list[str]]]  # names with affiliations


def compared(name: str) -> str:
    return " ".join(re.sub(r"[.,!?$]", " ", unicodedata.normalize("NFC", name).lower()).split())


def has_letter(text: str) -> bool:
    return any(unicodedata.category(character).startswith("L") for character in text)


# --- the ACL Anthology -----------------------------------------------------------------------------


def text_of(element: ElementTree.Element | None) -> str:
    return "" if element is None else " ".join("".join(element.itertext()).split())


def acl_papers(folder: pathlib.Path) -> typing.Iterator[Paper]:
    for file in sorted(folder.rglob("*.xml")):
        for volume in ElementTree.parse(file).getroot().findall("volume"):
            year = text_of(volume.find("meta/year"))
            if not re.fullmatch(r"\d{4}", year):
                continue
            for paper in volume.findall("paper"):
                authors = []
                for author in paper.findall("author"):
                    name = f"{text_of(author.find('first'))} {text_of(author.find('last'))}"
                    places = [text_of(place) for place in author.findall("affiliation")]
                    authors.append((name, places))
                yield Paper(int(year), f"{text_of(paper.find('title'))} {text_of(paper.find('abstract'))}", authors)


# --- lists of conferences --------------------------------------------------------------------------

ACCENTS = {"'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "c": "\u0327", "v": "\u030c"}


def decoded(text: str) -> str:
    """Without HTML's character references, encoded once or twice, and what nobody sees."""
    text = html.unescape(html.unescape(text))
    return "".join(character for character in text if unicodedata.category(character) not in ("Cc", "Cf"))


def letters(name: str) -> str:
    """Accents of LaTeX as letters."""
    name = re.sub(r"\{?\\i(?![A-Za-z])\}?", "\u0131", name)
    name = re.sub(r"""\\(['`^"~]|[cv](?=\{))\{?([A-Za-z])\}?""", lambda m: m[2] + ACCENTS[m[1]], name)
    return unicodedata.normalize("NFC", name)


def plain(text: str) -> str:
    return " ".join(re.sub(r"<[/A-Za-z][^<>]*>", "", decoded(text)).split())


def parts(text: str, mark: str) -> list[str]:
    return [part.strip() for part in text.split(mark)] if text.strip() else []


def paperlists_papers(folder: pathlib.Path) -> typing.Iterator[Paper]:
    for file in sorted(folder.rglob("*.json")):
        year = int(re.findall(r"(?<!\d)(?:19|20)\d\d(?!\d)", file.name)[-1])
        for paper in json.loads(file.read_text(encoding="utf-8")):
            given = {key: decoded(value) for key, value in paper.items() if isinstance(value, str)}
            if re.search(r"reject|withdraw|workshop|journal|\bactive", given.get("status", ""), re.I):
                continue
            names = parts(given.get("author", ""), ";" if ";" in given.get("author", "") else ",")
            places = parts(given.get("aff", ""), ";")
            known = len(places) == len(names)
            names = names[:1] + [re.sub("^(and|&) ", "", name) for name in names[1:]]
            authors = [(letters(name), [one.strip() for one in places[k].split("+")] if known else [])
                       for k, name in enumerate(names)]
            text = [plain(paper.get(key) or "") for key in ("title", "abstract")]
            text += dict.fromkeys(plain(one) for one in parts(given.get("keywords", ""), ";"))
            yield Paper(year, " ".join(text), authors)


# --- the graph -------------------------------------------------------------------------------------


class Graph:
    def __init__(self, papers: typing.Iterable[Paper], keywords: list[str], years: tuple[int, int], each_paper: bool,
                 matched: bool):
        self.seen: dict[str, set[str]] = {kind: set() for kind in ENTITIES}
        self.facts: list[tuple[str, int, str, str]] = []  # kind, year, both ends; a pair's smaller name first
        once = set()
        for paper in papers:
            low = unicodedata.normalize("NFC", paper.text).lower()
            found = [keyword for keyword in keywords if keyword in low]
            people: dict[str, set[str]] = {}
            for name, places in paper.authors:
                if has_letter(name):
                    people.setdefault(compared(name), set()).update(map(compared, filter(has_letter, places)))
            if not people or not years[0] <= paper.year <= years[1] or (matched and not found):
                continue
            self.seen["scientists"].update(people)
            self.seen["institutions"].update(*people.values())
            self.seen["capabilities"].update(found)
            pairs = [("collaboration", paper.year, *sorted(pair)) for pair in itertools.combinations(people, 2)]
            if each_paper:
                self.facts += pairs
            else:
                once.update(pairs)
            for name, places in people.items():
                once.update(("partnership", paper.year, name, place) for place in places)
                once.update(("expertise", paper.year, name, keyword) for keyword in found)
        self.facts += once

    def counts(self) -> dict[str, int]:
        out = {kind: len(names) for kind, names in self.seen.items()}
        return out | {kind: sum(fact[0] == kind for fact in self.facts) for kind in FACTS}

    def part(self, name: str, after: int, last: int) -> dict[str, typing.Any]:
        """What the facts of the years have, their ends among it."""
        facts = [fact for fact in self.facts if after < fact[1] <= last]
        ends: dict[str, set[str]] = {kind: set() for kind in ENTITIES}
        for kind, _, one, other in facts:
            ends["scientists"].add(one)
            ends[ENTITIES[FACTS.index(kind)]].add(other)
        return {"part": name} | {kind: len(ends[kind]) for kind in ENTITIES} | {
            kind: sum(fact[0] == kind for fact in facts) for kind in FACTS}

    def splits(self, cuts: list[int]) -> list[dict[str, typing.Any]]:
        spans = zip(["train", "valid", "test"], [-1, *cuts], cuts)
        return [self.part(*span) for span in spans]


def main(arguments: list[str]) -> dict[str, typing.Any]:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", choices=["acl", "paperlists"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--years", default="1965-2021")
    parser.add_argument("--split", default="2018,2019,2021")
    parser.add_argument("--pairs", choices=["year", "paper"], default="year")
    parser.add_argument("--filter", choices=["all", "matched"], default="all")
    parser.add_argument("--keywords", type=pathlib.Path)
    given = parser.parse_args(arguments)
    keywords = AI if given.keywords is None else given.keywords.read_text(encoding="utf-8").split("\n")
    first, last = given.years.split("-")
    papers = (acl_papers if given.source == "acl" else paperlists_papers)(given.folder)
    graph = Graph(papers, [word for word in keywords if word], (int(first), int(last)), given.pairs == "paper",
                  given.filter == "matched")
    years = sorted({fact[1] for fact in graph.facts})
    return {"all": graph.counts(), "years": years, "splits": graph.splits([int(cut) for cut in given.split.split(",")])}


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1:]), indent=1))
