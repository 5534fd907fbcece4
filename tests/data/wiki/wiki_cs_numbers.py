"""Features and statistics of the oracle of `cupel build wiki-cs`."""
from __future__ import annotations

import pathlib
from collections.abc import Iterable

import wiki_cs_dump as dump


def features(path: pathlib.Path, texts: Iterable[list[str]]) -> list[list[float]]:
    vectors: dict[str, list[float]] = {}
    for line in dump.content(path).decode("utf-8", "surrogateescape").split("\n"):
        if line:
            word, *numbers = line.rstrip(" \r").split(" ")
            vectors[word] = [float(number) for number in numbers]
    width = len(next(iter(vectors.values())))
    found = []
    for tokens in texts:
        total = [0.0] * width
        for token in tokens:
            for i, number in enumerate(vectors.get(token, ())):
                total[i] += number
        found.append([number / len(tokens) for number in total])
    return found


def statistics(names: list[str], labels: list[int], links: list[list[int]]) -> dict:
    count, sizes = len(names), [labels.count(label) for label in range(len(names))]
    between = [[0] * count for _ in range(count)]
    for source, targets in enumerate(links):
        for target in targets:
            between[labels[source]][labels[target]] += 1

    def share(part: int, whole: int) -> float:
        return part / whole if whole else 0.0

    inside, squares = sum(between[i][i] for i in range(count)), sum(size * size for size in sizes)
    return {"labels": names,
            "sizes": {"total": len(labels), "label_sizes": dict(zip(names, sizes))},
            "connectivity": {
                "inside_connectivity": share(inside, squares),
                "inter_connectivity": share(sum(map(sum, between)) - inside, sum(sizes) ** 2 - squares),
                "connectivity_matrix": [[share(between[i][j], sizes[i] * sizes[j]) for j in range(count)]
                                        for i in range(count)]}}
