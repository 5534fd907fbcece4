#!/usr/bin/env python3
"""Compares two folders of `cupel build wiki-cs`: what the oracle made and what the recipe made.

    tests/data/wiki/wiki_cs_compare.py ORACLE RECIPE [--vectors FILE] [--tokens LEAST_F1]

Tables of categories byte for byte; nodes, labels and links exactly; tokens by F1 of their counts;
features to 1e-4; statistics to 1e-12; the recipe's masks by what must hold of them. Prints one line a
difference; exits with 1 if there is any. With --vectors the recipe's features are also those of its
own tokens, so that they are judged where the oracle's tokens are not NLTK's.
"""
from __future__ import annotations

import argparse
import collections
import json
import pathlib

TABLES = ("ranked-categories.tsv", "milestonetree.tsv", "page2cat.tsv")
SHARES = {"test": 0.5, "train": 0.05, "stopping": 0.3}


class Judge:
    def __init__(self) -> None:
        self.differences: list[str] = []

    def say(self, what: str) -> None:
        self.differences.append(what)

    def equal(self, what: str, a, b) -> bool:
        if a != b:
            self.say(f"{what}: {shorter(a)} and {shorter(b)}")
        return a == b

    def lists(self, what: str, a: list, b: list) -> bool:
        for i, (x, y) in enumerate(zip(a, b)):
            if x != y:
                self.say(f"{what}[{i}]: {shorter(x)} and {shorter(y)}")
                return False
        return self.equal(f"length of {what}", len(a), len(b))


def shorter(value) -> str:
    text = repr(value)
    return text if len(text) <= 160 else text[:157] + "..."


def tables(judge: Judge, a: pathlib.Path, b: pathlib.Path) -> None:
    for name in TABLES:
        if not (b / name).exists():
            judge.say(f"{name} is not there")
            continue
        judge.lists(name, *((folder / name).read_text(encoding="utf-8").split("\n") for folder in (a, b)))


def f1(a: collections.Counter, b: collections.Counter) -> float:
    both = sum((a & b).values())
    return 2 * both / (sum(a.values()) + sum(b.values())) if both else float(a == b)


def nodes(judge: Judge, a: dict, b: dict, least: float) -> bool:
    judge.equal("names of labels", a["labels"], b["labels"])
    x, y = a["nodes"], b["nodes"]
    only_a = sorted({node["id"] for node in x} - {node["id"] for node in y})
    only_b = sorted({node["id"] for node in y} - {node["id"] for node in x})
    if only_a or only_b:
        title = {node["id"]: node["title"] for node in x + y}
        judge.say(f"nodes of the first alone: {[(i, title[i]) for i in only_a[:5]]} ({len(only_a)}), "
                  f"of the second alone: {[(i, title[i]) for i in only_b[:5]]} ({len(only_b)})")
    by_id = {node["id"]: node for node in x}
    for node in y:
        if node["id"] in by_id:
            for part in ("title", "label", "outlinks"):
                judge.equal(f"{part} of node {node['id']} {node['title']!r}", by_id[node["id"]][part], node[part])
    judge.lists("ids of nodes", [node["id"] for node in x], [node["id"] for node in y])
    if a.get("exact_tokens", True):
        counts = [collections.Counter(), collections.Counter()]
        worst = (1.0, None)
        for node in y:
            if node["id"] not in by_id:
                continue
            pair = [collections.Counter(n["tokens"]) for n in (by_id[node["id"]], node)]
            for total, one in zip(counts, pair):
                total.update(one)
            if f1(*pair) < worst[0]:
                worst = (f1(*pair), node["id"], list((pair[0] - pair[1]))[:8], list((pair[1] - pair[0]))[:8])
        value = f1(*counts)
        print(f"tokens: F1 {value:.5f}, worst {worst}")
        if value < least:
            judge.say(f"tokens: F1 {value:.5f} < {least}; worst {worst}")
        return all(by_id.get(node["id"], {}).get("tokens") == node["tokens"] for node in y)
    return False


def features(judge: Judge, what: str, a: list, b: list) -> None:
    if not judge.equal(f"rows of {what}", len(a), len(b)):
        return
    for i, (x, y) in enumerate(zip(a, b)):
        far = max((abs(p - q) for p, q in zip(x, y)), default=0.0)
        if len(x) != len(y) or not far <= 1e-4:
            judge.say(f"{what}[{i}]: {shorter(x)} and {shorter(y)}")
            return


def features_of_tokens(metadata: dict, path: pathlib.Path) -> list[list[float]]:
    vectors = {}
    for line in path.read_text(encoding="utf-8", errors="surrogateescape").split("\n"):
        word, *numbers = line.split(" ")
        if numbers:
            vectors[word] = [float(number) for number in numbers]
    width = len(next(iter(vectors.values())))
    found = []
    for node in metadata["nodes"]:
        known = [vectors[token] for token in node["tokens"] if token in vectors]
        found.append([sum(row[i] for row in known) / len(node["tokens"]) for i in range(width)])
    return found


def statistics(judge: Judge, a: dict, b: dict) -> None:
    judge.equal("labels of the statistics", a["labels"], b["labels"])
    judge.equal("sizes", a["sizes"], b["sizes"])
    x, y = a["connectivity"], b["connectivity"]
    flat = [[part["inside_connectivity"], part["inter_connectivity"], *sum(part["connectivity_matrix"], [])] for part in (x, y)]
    if len(flat[0]) != len(flat[1]) or any(abs((p or 0) - (q or 0)) > 1e-12 for p, q in zip(*flat)):
        judge.say(f"connectivity: {shorter(flat[0])} and {shorter(flat[1])}")


def masks(judge: Judge, data: dict) -> None:
    """Shares of every class are floors of its size; a node is in one part of every split."""
    labels, sizes = data["labels"], collections.Counter(data["labels"])

    def part(mask: list) -> dict[int, int]:
        counts = collections.Counter(label for label, inside in zip(labels, mask) if inside)
        return {label: counts.get(label, 0) for label in sizes}

    floors = {name: {label: int(share * size) for label, size in sizes.items()} for name, share in SHARES.items()}
    missing = {"train_masks", "stopping_masks", "val_masks", "test_mask"} - set(data)
    if missing:
        judge.say(f"data.json has no {', '.join(sorted(missing))}")
        return
    judge.equal("test mask's classes", floors["test"], part(data["test_mask"]))
    for i, (train, stop, val) in enumerate(zip(data["train_masks"], data["stopping_masks"], data["val_masks"])):
        judge.equal(f"train mask {i}", floors["train"], part(train))
        judge.equal(f"stopping mask {i}", floors["stopping"], part(stop))
        held = [sum(map(bool, flags)) for flags in zip(train, stop, val, data["test_mask"])]
        judge.equal(f"parts that hold a node in split {i}", [1] * len(labels), held)
    lengths = {len(data[name]) for name in ("train_masks", "stopping_masks", "val_masks")}
    judge.equal("numbers of splits", 1, len(lengths))


def compare(a: pathlib.Path, b: pathlib.Path, vectors: pathlib.Path | None = None, least: float = 0.97) -> list[str]:
    judge = Judge()
    tables(judge, a, b)
    if (a / "data.json").exists():
        first, second = ({name: json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
                          for name in ("data", "metadata", "statistics")} for folder in (a, b))
        same_tokens = nodes(judge, first["metadata"], second["metadata"], least)
        judge.lists("labels", first["data"]["labels"], second["data"]["labels"])
        judge.lists("links", first["data"]["links"], second["data"]["links"])
        ids = [node["id"] for node in second["metadata"]["nodes"]]
        judge.lists("links as ids", [node["outlinks"] for node in second["metadata"]["nodes"]],
                    [[ids[target] for target in targets] for targets in second["data"]["links"]])
        if same_tokens:
            features(judge, "features", first["data"]["features"], second["data"]["features"])
        if vectors:
            features(judge, "features of its tokens", features_of_tokens(second["metadata"], vectors), second["data"]["features"])
        statistics(judge, first["statistics"], second["statistics"])
        masks(judge, second["data"])
    return judge.differences


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("oracle", type=pathlib.Path)
    parser.add_argument("recipe", type=pathlib.Path)
    parser.add_argument("--vectors", type=pathlib.Path)
    parser.add_argument("--tokens", type=float, default=0.97)
    args = parser.parse_args()
    differences = compare(args.oracle, args.recipe, args.vectors, args.tokens)
    for line in differences:
        print(line)
    raise SystemExit(1 if differences else 0)


if __name__ == "__main__":
    main()
