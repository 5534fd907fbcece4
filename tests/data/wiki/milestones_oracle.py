#!/usr/bin/env python3
"""The tables of `cupel build wiki-cs`, made another way: ElementTree for the dump, regular
expressions for tags, a breadth-first search from every category. For small dumps only.

    tests/data/wiki/milestones_oracle.py DUMP.xml MILESTONES FOLDER

Writes ranked-categories.tsv, milestonetree.tsv and page2cat.tsv, for `diff -r` with what the recipe
writes with --set milestones=MILESTONES. The hashes in tests/data/build/wiki_cs_test.cpp are of them.
"""
import collections
import pathlib
import re
import sys
import xml.etree.ElementTree as ET

EXCLUDE = ["wiki", "categories", "main topic classifications", "template", "navigational box"]
PRUNE = ["msx", "x86 operating systems", "ship registration", "browsers", "cloud applications",
         "cloud computing providers"]
HIDDEN = re.compile(r"<!--.*?(?:-->|\Z)|<(nowiki|pre|includeonly)>.*?</\1>", re.S | re.I)
INVISIBLE = re.compile("[\u200e\u200f\u202a-\u202e]")


def normal(name: str) -> str:
    name = re.sub(r"[ _]+", " ", INVISIBLE.sub("", name)).strip()
    return name[:1].upper() + name[1:]


def read(path: str):
    """names by id, parents by id of a page, (title, ids) of articles"""
    root = ET.parse(path).getroot()
    ns = root.tag[: root.tag.index("}") + 1]
    spaces = {n.text: int(n.get("key")) for n in root.iter(ns + "namespace") if n.text}
    local = [name for name, key in spaces.items() if key == 14] + ["Category"]
    tag = re.compile(r"\[\[\s*(?:%s)\s*:([^\[\]|]*)(?:\|[^\]]*)?\]\]" % "|".join(map(re.escape, local)), re.I)
    ids, parents, articles = {}, {}, []

    def number(name):
        return ids.setdefault(name, len(ids))

    for page in root.iter(ns + "page"):
        if page.find(ns + "redirect") is not None:
            continue
        title = page.find(ns + "title").text
        text = "".join(r.find(ns + "text").text or "" for r in page.iter(ns + "revision"))
        tags = [normal(name) for name in tag.findall(HIDDEN.sub("", text))]
        space = title.split(":")[0] if ":" in title else ""
        if space in local:
            own = number(normal(title.split(":", 1)[1]))
            parents[own] = [number(name) for name in tags]
        elif space not in spaces:
            articles.append((title, [number(name) for name in tags]))
    return list(ids), parents, articles


def score(children, source: int) -> float:
    far, queue, total = {source: 0}, collections.deque([source]), 0.0
    while queue:
        node = queue.popleft()
        for child in sorted(children[node]):
            if child not in far:
                far[child] = far[node] + 1
                total += 1 / far[child]
                queue.append(child)
    return total


def number_text(value: float) -> str:
    if value == float("-inf"):
        return "-Infinity"
    return str(int(value)) if value == int(value) else repr(value)


def has(name: str, words) -> bool:
    return any(word in name.lower() for word in words)


def main() -> None:
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    names, parents, articles = read(sys.argv[1])
    nodes = 1 + max(list(parents) + [p for list_ in parents.values() for p in list_])
    children = collections.defaultdict(set)
    for child, list_ in parents.items():
        for parent in list_:
            children[parent].add(child)
    scores = [float("-inf") if has(names[i], EXCLUDE) else score(children, i) for i in range(nodes)]
    order = sorted(range(nodes), key=lambda i: (-scores[i], i))
    milestones = [i for i in order if scores[i] > float("-inf")][: int(sys.argv[2])]

    nearest, seen, queue = [-1] * nodes, set(), collections.deque(sorted(milestones))
    while queue:
        node = queue.popleft()
        for child in sorted(children[node]):
            if child in seen or has(names[child], PRUNE):
                continue
            seen.add(child)
            nearest[child] = node if node in set(milestones) else nearest[node]
            queue.append(child)
    above = {m: nearest[m] for m in milestones}
    for m in milestones:
        nearest[m] = m

    rank = {node: place for place, node in enumerate(order)}
    folder = pathlib.Path(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "ranked-categories.tsv").write_text(
        "".join(f"{names[i]}\t{number_text(scores[i])}\n" for i in order))
    (folder / "milestonetree.tsv").write_text(
        "".join(f"{names[m]}\t{names[above[m]] if above[m] >= 0 else 'null'}\n" for m in milestones))
    with open(folder / "page2cat.tsv", "w") as out:
        for title, tags in articles:
            found = {nearest[t] for t in tags if t < nodes and nearest[t] >= 0}
            out.write(title + "\t" + "".join(names[m] + "\t" for m in sorted(found, key=rank.get)) + "\n")


if __name__ == "__main__":
    main()
