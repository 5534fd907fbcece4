#!/usr/bin/env python3
"""Made Wikipedias, each built by `cupel build wiki-cs` and by the oracle, and compared.

    tests/data/wiki/wiki_cs_trials.py CUPEL [--seeds FIRST-LAST] [--pages N] [--tokens LEAST_F1] [--keep DIR]

Language, schema, settings and inputs of a trial follow from its seed. Prints each difference with the
arguments that make it again; exits with 1 if there is any.
"""
from __future__ import annotations

import argparse
import contextlib
import io
import pathlib
import random
import shlex
import shutil
import subprocess
import sys
import tempfile

import wiki_cs_compare
import wiki_cs_oracle

HERE = pathlib.Path(__file__).parent
CHOICES = {"links": ["sql", "sql", "text"], "categories": ["text", "text", "sql"], "repeats": ["keep", "drop"],
           "redirect-flag": ["named", "named", "fifth"], "sentences": ["punkt", "none"], "tables": ["drop", "keep"],
           "category-tags": ["mediawiki"] * 5 + ["as-released"], "prune": [None, "", "o,browsers"],
           "exclude": [None, None, "wiki,tr"], "disambiguation": [None, None, "", "Disambig,infobox x"]}


def trial(seed: int, pages: int, folder: pathlib.Path) -> tuple[list[str], list[str]]:
    """(arguments of made_wiki.py, arguments of both programs)"""
    rng = random.Random(f"trial {seed}")
    schema = rng.choice([2005, 2010, 2015, 2022, 2024, 2025])
    world = ["--seed", str(seed), "--schema", str(schema), "--pages", str(rng.randint(pages // 2, pages * 2)),
             "--language", rng.choice(["en", "de", "ltg", "fr", "ru"]), "--out", str(folder)]
    if seed % 6 == 0:
        world[world.index("--language") + 1] = "az"
    world += ["--gz"] if rng.random() < 0.3 else []
    world += ["--parts", "3"] if rng.random() < 0.3 else []
    settings = {name: rng.choice(values) for name, values in CHOICES.items()}
    settings["milestones"] = rng.choice(["10000", "10000", str(pages // 8)])
    if schema >= 2022:
        settings["redirect-flag"] = "named"  # number five is a random number there
    if settings["links"] == "sql" and schema < 2010:
        settings["redirect-flag"] = "named"
    both = [part for name, value in settings.items() if value is not None for part in ("--set", f"{name}={value}")]
    both += ["--from", f"text={folder / 'text' / 'wiki_00'}"] if rng.random() < 0.4 else []
    both += ["--from", f"punkt={folder / 'punkt'}"] if rng.random() < 0.4 else []
    return world, both


def oracle(folder: pathlib.Path, both: list[str], out: pathlib.Path) -> "wiki_cs_oracle.Oracle":
    pairs = list(zip(both[::2], both[1::2]))
    settings = dict(wiki_cs_oracle.SETTINGS)
    settings.update(value.split("=", 1) for flag, value in pairs if flag == "--set")
    made = wiki_cs_oracle.Oracle(
        wiki_cs_oracle.inputs_of([folder], [value for flag, value in pairs if flag == "--from"]), settings)
    with contextlib.redirect_stdout(io.StringIO()):
        made.run(out)
    return made


def run(cupel: str, seed: int, pages: int, least: float, root: pathlib.Path) -> list[str] | None:
    """Differences; None: a label of this wiki's has no articles, and cupel says so"""
    folder = root / "wiki"
    world, both = trial(seed, pages, folder)
    print(f"seed {seed}: made_wiki.py {shlex.join(world)}\n  {shlex.join(both)}")
    subprocess.run([sys.executable, str(HERE / "made_wiki.py"), *world], check=True)
    made = oracle(folder, both, root / "oracle")
    used = (made.by_title.values(), (made.candidates[page_id] for page_id in made.tokens))
    empty, bare = (len({label for _, label in pairs}) < len(made.labels) for pairs in used)
    done = subprocess.run([cupel, "build", "wiki-cs", "--from", str(folder), *both, "--out", str(root / "cupel")],
                          capture_output=True, text=True)
    if done.returncode != 0:
        said = any(part in done.stderr for part in
                   ("no article is under", "has no article of one label", "0 pages of categories", "so that none is a"))
        return None if said and (empty or bare) else [done.stderr.strip()]
    if bare:
        return ["a label has no article, and cupel does not say so"]
    # With a model of sentences, or none, nothing is left to abbreviations that everybody lists differently.
    same = "text=" in " ".join(both) and ("punkt=" in " ".join(both) or "sentences=none" in both)
    return wiki_cs_compare.compare(root / "oracle", root / "cupel", folder / "vectors.txt", 0.999 if same else least)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("cupel")
    parser.add_argument("--seeds", default="1-5")
    parser.add_argument("--pages", type=int, default=150)
    parser.add_argument("--tokens", type=float, default=0.97)
    parser.add_argument("--keep", type=pathlib.Path)
    args = parser.parse_args()
    first, _, last = args.seeds.partition("-")
    wrong, passed_over = 0, 0
    for seed in range(int(first), int(last or first) + 1):
        with tempfile.TemporaryDirectory() as temporary:
            root = args.keep / str(seed) if args.keep else pathlib.Path(temporary)
            shutil.rmtree(root, ignore_errors=True)
            root.mkdir(parents=True)
            differences = run(args.cupel, seed, args.pages, args.tokens, root)
        passed_over += differences is None
        wrong += bool(differences)
        for line in (differences or [])[:12]:
            print("  DIFFERENT:", line)
    print(f"{wrong} of the trials differ; {passed_over} have a label without articles")
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
