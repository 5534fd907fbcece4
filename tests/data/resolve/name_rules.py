#!/usr/bin/env python3
"""Simple rules of who is who, as a table of decisions, to hold `cupel resolve` against.

    tests/data/resolve/name_rules.py first-last|co-author FOLDER > rule.csv
    cupel resolve FOLDER --decisions rule.csv --no-proposals --gold name_variants.yaml

first-last   two scientists are one if first and last word of their names are equal, without accents
co-author    the same, or one first word is the other's initial; and they share a co-author, but no paper
"""
from __future__ import annotations

import collections
import csv
import itertools
import pathlib
import re
import sys
import unicodedata
import typing


def rows(file: pathlib.Path) -> typing.Iterator[dict[str, str]]:
    with open(file, encoding="utf-8", newline="") as lines:
        yield from csv.DictReader(lines)


def words(name: str) -> list[str]:
    parted = unicodedata.normalize("NFKD", re.sub(r"[.,!?$]", " ", name.lower()))
    return "".join(character for character in parted if not unicodedata.combining(character)).split()


def alike(one: str, other: str) -> bool:
    return one == other or (one[0] == other[0] and 1 in (len(one), len(other)))


def main(rule: str, folder: pathlib.Path) -> None:
    names = {row["id"]: row["name"] for row in rows(folder / "entities.csv") if row["type"] == "scientist"}
    papers: dict[str, list[str]] = collections.defaultdict(list)
    for row in rows(folder / "authorships.csv"):
        papers[row["paper"]].append(row["entity"])
    co_authors: dict[str, set[str]] = collections.defaultdict(set)
    for authors in papers.values():
        for author in authors:
            co_authors[author].update(other for other in authors if other != author)
    by_last: dict[str, list[tuple[str, str]]] = collections.defaultdict(list)
    for entity, name in names.items():
        if len(all_words := words(name)) > 1:
            by_last[all_words[-1]].append((entity, all_words[0]))
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["first_id", "first_name", "second_id", "second_name", "type", "verdict"])
    for people in by_last.values():
        for (a, first_a), (b, first_b) in itertools.combinations(people, 2):
            if rule == "co-author":
                same = alike(first_a, first_b) and b not in co_authors[a] and co_authors[a] & co_authors[b]
            else:
                same = first_a == first_b
            if same:
                table.writerow([a, names[a], b, names[b], "scientist", "accept"])


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in ("first-last", "co-author"):
        sys.exit(__doc__)
    main(sys.argv[1], pathlib.Path(sys.argv[2]))
