#!/usr/bin/env python3
"""Counts of `cupel build expert` and `cupel stats --split` beside those of expert_counts.py.

    tests/data/facts/expert_trials.py CUPEL [--seeds FIRST-LAST]            # of made collections
    tests/data/facts/expert_trials.py CUPEL --real acl|paperlists FOLDER    # of files that are there

Papers and settings of a made collection follow from its seed. Prints each difference; exits with 1 if there is any.
"""
from __future__ import annotations

import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import typing
import unicodedata
import xml.sax.saxutils as saxutils

import expert_counts

BUILD = {"scientists": "scientists", "institutions": "institutions", "capabilities": "capabilities",
         "collaboration": "collaborations", "partnership": "partnerships", "expertise": "facts of expertise"}
FIRST = ["Ann", "Jos\u00e9", "\u00c9lodie", "J.-P.", "\u674e", "Bo?", "Zo\u00eb", ""]
LAST = ["Lee", "O'Neil", "Garc\u00eda, Jr.", "\u738b", "M\u00fcller$", "Smith-Jones"]
PLACES = ["MIT", "M.I.T", "Univ. of X", "univ of x!", "\u00c9cole", "***"]
WORDS = ["fair", "Ethics", "Dialogue", "machine", "translation", "of", "NLG", "Question-Answering", "trees", "causal",
         "transfer", "learning", "\u0130", "cafe\u0301", "x<b>y</b>"]


def printed(rng: random.Random, text: str) -> str:
    """The same name otherwise, or another one."""
    turn = rng.randrange(6)
    text = unicodedata.normalize("NFD", text) if turn == 0 else text.upper() if turn == 1 else text
    return text.replace(" ", "  ") if turn == 2 else text + "." if turn == 3 else text


def made_paper(rng: random.Random, number: int) -> str:
    out = [f'<paper id="{number}"><title>{" ".join(rng.choices(WORDS, k=6))}</title>']
    if rng.random() < 0.5:
        out.append(f'<abstract>{" ".join(rng.choices(WORDS, k=20))}</abstract>')
    for _ in range(rng.choice([0, 1, 1, 2, 3, 5, 30])):
        first, last = (saxutils.escape(printed(rng, rng.choice(names))) for names in (FIRST, LAST))
        places = "".join(f"<affiliation>{printed(rng, place)}</affiliation>"
                         for place in rng.sample(PLACES, rng.randrange(3)))
        out.append(f"<author><first>{first}</first><last>{last}</last>{places}</author>")
    return "".join(out) + "</paper>"


def make_collection(rng: random.Random, folder: pathlib.Path) -> None:
    for name in ("P18", "2020.acl", "old"):
        volumes = []
        for volume in range(1, rng.randint(2, 9)):
            year = rng.choice(["1964", "1965", *map(str, range(2012, 2023)), "none"])
            papers = "".join(made_paper(rng, number) for number in range(1, rng.randint(2, 12)))
            editor = "<frontmatter><editor><first>No</first><last>Body</last></editor></frontmatter>"
            volumes.append(f'<volume id="{volume}"><meta><year>{year}</year></meta>{editor}{papers}</volume>')
        text = f"<?xml version='1.0' encoding='UTF-8'?>\n<collection id=\"{name}\">{''.join(volumes)}</collection>\n"
        (folder / f"{name}.xml").write_text(text, encoding="utf-8")


def run(*command: str | pathlib.Path) -> dict[str, typing.Any]:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def differences(cupel: str, source: str, folder: pathlib.Path, settings: dict[str, str], split: str = "") -> list[str]:
    """`split`: empty for years of the facts."""
    count = [source, str(folder), *(f"--{name}={value}" for name, value in settings.items())]
    if not split:
        years = expert_counts.main(count)["years"]
        split = ",".join(str(years[len(years) * k // 4]) for k in (1, 2, 3))
    expected = expert_counts.main([*count, "--split", split])
    with tempfile.TemporaryDirectory() as place:
        out = pathlib.Path(place) / "out"
        given = [part for name, value in settings.items() for part in ("--set", f"{name}={value}")]
        built = run(cupel, "build", "expert", "--from", f"{source}={folder}", "--out", out, *given, "--json")["counts"]
        parts = run(cupel, "stats", out, "--split", split, "--json")["splits"]
    pairs = [("all", expected["all"], {kind: built[name] for kind, name in BUILD.items()})]
    pairs += [(part["part"], part, told) for part, told in zip(expected["splits"], parts)]
    return [f"{source} {settings} {where}: {kind} {told[kind]}, not {counts[kind]}"
            for where, counts, told in pairs for kind in BUILD if told[kind] != counts[kind]]


def made(cupel: str, seed: int) -> list[str]:
    rng = random.Random(f"collection {seed}")
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        make_collection(rng, folder)
        settings = {"pairs": rng.choice(["year", "paper"]), "filter": rng.choice(["all", "matched"]),
                    "years": rng.choice(["1965-2021", "2013-2022"])}
        if rng.random() < 0.3:
            settings["keywords"] = str(folder / "mine.txt")
            (folder / "mine.txt").write_text("trees\nmachine tr\nethics\n", encoding="utf-8")
        return differences(cupel, "acl", folder, settings)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cupel")
    parser.add_argument("--seeds", default="1-10")
    parser.add_argument("--real", nargs=2, metavar=("SOURCE", "FOLDER"))
    given = parser.parse_args()
    if given.real:
        found = differences(given.cupel, given.real[0], pathlib.Path(given.real[1]), {}, "2018,2019,2021")
    else:
        first, last = map(int, given.seeds.split("-"))
        found = [f"seed {seed}: {line}" for seed in range(first, last + 1) for line in made(given.cupel, seed)]
    print("\n".join(found))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
