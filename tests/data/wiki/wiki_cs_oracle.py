#!/usr/bin/env python3
"""The data set of `cupel build wiki-cs`, made another way: slowly, plainly, all in memory.

    tests/data/wiki/wiki_cs_oracle.py DIR... [--from INPUT=PATH ...] [--set NAME=VALUE ...] --out FOLDER

Inputs are told by name as the recipe tells them. Writes ranked-categories.tsv, milestonetree.tsv and
page2cat.tsv and, where labels are given, data.json (no masks: those are the recipe's own draws),
metadata.json and statistics.json, for wiki_cs_compare.py. Written from the published description of
the data set and its code, not from the recipe.
"""
from __future__ import annotations

import argparse
import collections
import json
import pathlib
import re

import milestones_oracle
import wiki_cs_dump as dump
import wiki_cs_numbers as numbers
import wiki_cs_text as texts

INPUTS = {"articles": r"-pages-articles.*\.xml", "page": r"-page\.sql", "redirect": r"-redirect\.sql",
          "pagelinks": r"-pagelinks\.sql", "linktarget": r"-linktarget\.sql", "categorylinks": r"-categorylinks\.sql",
          "siteinfo": r"-siteinfo-namespaces\.json", "labels": r"labels.*\.json$",
          "vectors": r"(^glove.*|^vectors)\.txt"}
SETTINGS = {"milestones": "10000", "exclude": ",".join(milestones_oracle.EXCLUDE),
            "prune": ",".join(milestones_oracle.PRUNE), "category-tags": "mediawiki", "links": "sql",
            "categories": "text", "redirect-flag": "named", "sentences": "punkt", "tables": "drop",
            "disambiguation": "disambig,disambiguation", "repeats": "keep", "splits": "20", "seed": "42"}


def words(value: str) -> list[str]:
    return [word.strip().lower() for word in value.split(",") if word.strip()]


class Oracle:
    def __init__(self, inputs: dict[str, list[pathlib.Path]], settings: dict[str, str]):
        self.inputs, self.set = inputs, settings
        self.left_out: collections.Counter[str] = collections.Counter()
        aliases = dump.read_siteinfo(inputs["siteinfo"][0]) if "siteinfo" in inputs else {}
        self.names, self.pages = dump.read_dump(sorted(inputs["articles"]), aliases)
        self.rows = {table: dump.read_table(inputs[table][0], table)
                     for table in ("page", "redirect", "pagelinks", "linktarget", "categorylinks") if table in inputs}
        self.by_lt = {row["lt_id"]: (int(row["lt_namespace"]), row["lt_title"]) for row in self.rows.get("linktarget", [])}

    # --- categories ------------------------------------------------------------------------------

    def is_redirect(self, page: dump.Page) -> bool:
        # The sanitiser goes by the element alone. Export 0.3 has none: there redirects are articles
        # until page ids are looked up.
        return page.is_redirect

    def says_redirect(self, page: dump.Page) -> bool:
        """By the element or, where a dump has none (export 0.3), by `#WORD [[` at the text's start."""
        elements = any(page.is_redirect for page in self.pages)
        return page.is_redirect or (not elements and bool(re.match(r"\s*#\w+\s*:?\s*\[\[", page.text)))

    def tags_of_pages(self) -> dict[int, list[str]]:
        """By page id, from `categorylinks`: in the order of the table."""
        found = collections.defaultdict(list)
        for row in self.rows["categorylinks"]:
            if "cl_to" in row:
                title = row["cl_to"]
            else:
                namespace, title = self.by_lt[row["cl_target_id"]]
                if namespace != 14:
                    continue
            found[int(row["cl_from"])].append(title.replace("_", " "))
        return found

    def tags(self, page: dump.Page, of_pages: dict[int, list[str]] | None) -> list[str]:
        if of_pages is not None:
            return of_pages.get(page.id, [])
        if self.set["category-tags"] == "as-released":
            return dump.categories_as_released(page.text)
        return dump.categories(page.text, self.names)

    def sanitise(self) -> None:
        as_released = self.set["category-tags"] == "as-released"
        of_pages = self.tags_of_pages() if self.set["categories"] == "sql" else None
        self.ids: dict[str, int] = {}
        self.parents: dict[int, list[int]] = {}
        self.articles: dict[int, tuple[dump.Page, list[int]]] = {}

        def number(name: str) -> int:
            return self.ids.setdefault(name, len(self.ids))

        for page in self.pages:
            if self.is_redirect(page):
                continue
            namespace, rest = self.names.of_page(page.title)
            if as_released:
                # The released tool knows the English name alone; other names are declared namespaces.
                is_category, own = page.title[:9].lower() == "category:", page.title[9:]
            else:
                is_category, own = namespace == 14, self.names.of_link(":" + page.title)
                own = own[1] if own else rest
            if is_category:
                node = number(own)
                self.parents[node] = [number(tag) for tag in self.tags(page, of_pages)]
            elif namespace == 0:
                self.articles[page.id] = (page, [number(tag) for tag in self.tags(page, of_pages)])

    def rank(self) -> None:
        self.cats = list(self.ids)
        size = 1 + max([-1, *self.parents, *(p for list_ in self.parents.values() for p in list_)])
        self.children: list[set[int]] = [set() for _ in range(size)]
        for child, parents in self.parents.items():
            for parent in parents:
                self.children[parent].add(child)
        exclude = words(self.set["exclude"])
        minus = float("-inf")
        self.scores = [minus if milestones_oracle.has(self.cats[i], exclude) else milestones_oracle.score(self.children, i)
                       for i in range(size)]
        self.order = sorted(range(size), key=lambda i: (-self.scores[i], i))
        self.milestones = [i for i in self.order if self.scores[i] > minus][: int(self.set["milestones"])]

    def search(self) -> None:
        prune, stones = words(self.set["prune"]), set(self.milestones)
        nearest, queue = [-1] * len(self.children), collections.deque(sorted(stones))
        while queue:
            node = queue.popleft()
            for child in sorted(self.children[node]):
                if nearest[child] == -1 and not milestones_oracle.has(self.cats[child], prune):
                    nearest[child] = node if node in stones else nearest[node]
                    queue.append(child)
        self.above = {stone: nearest[stone] for stone in self.milestones}
        for stone in stones:
            nearest[stone] = stone
        self.nearest = nearest

    def milestones_of(self, tags: list[int]) -> set[int]:
        return {self.nearest[tag] for tag in tags if tag < len(self.nearest) and self.nearest[tag] >= 0}

    # --- labels and page ids ---------------------------------------------------------------------

    def label(self) -> None:
        label_map = json.loads(self.inputs["labels"][0].read_text(encoding="utf-8"))
        self.labels = list(label_map)
        of_name = collections.defaultdict(set)
        for label, names in enumerate(label_map.values()):
            for name in names:
                of_name[self.names.capital(dump.BLANKS.sub(" ", name).strip())].add(label)
        self.by_title: dict[str, tuple[dump.Page, int]] = {}
        for page, tags in self.articles.values():
            found = set().union(*(of_name.get(self.cats[m], set()) for m in self.milestones_of(tags)))
            if len(found) == 1:
                self.by_title[page.title.replace(" ", "_")] = (page, found.pop())
            else:
                self.left_out["several labels" if found else "no label"] += 1

    def match(self) -> None:
        """Candidates by page id: what `page` says, else the dump."""
        self.candidates: dict[int, tuple[dump.Page, int]] = {}
        # Links of texts need no tables: then ids are the dump's, though `page` may be at hand.
        if "page" not in self.rows or self.set["links"] == "text":
            for page, label in self.by_title.values():
                if self.says_redirect(page):
                    self.left_out["a redirect by its text"] += 1
                else:
                    self.candidates[page.id] = (page, label)
            return
        missing = dict(self.by_title)
        for row in self.rows["page"]:
            if row["page_namespace"] != "0" or row["page_title"] not in missing:
                continue
            page, label = missing.pop(row["page_title"])
            # A title may match a redirect's row; the release had no text for it.
            if row["page_is_redirect"] == "1":
                self.left_out["a redirect in `page`"] += 1
            else:
                self.candidates[int(row["page_id"])] = (page, label)
        self.left_out["no row in `page`"] += len(missing)

    # --- links -----------------------------------------------------------------------------------

    def flagged(self, row: dict[str, str | None]) -> bool:
        value = row["page_is_redirect"] if self.set["redirect-flag"] == "named" else list(row.values())[5]
        return value == "1"

    def page_rows(self) -> list[tuple[int, str, bool, str | None]]:
        """(id, title, flagged, title of the redirect's target) of namespace 0, in the order of the table"""
        targets: dict[int, str] = {}
        for row in self.rows.get("redirect", []):
            if row.get("rd_interwiki"):
                self.left_out["redirects to other wikis"] += 1
            elif row["rd_namespace"] == "0":
                targets[int(row["rd_from"])] = row["rd_title"]
        if self.set["links"] == "text" or "page" not in self.rows:
            return self.page_rows_of_dump(targets)
        return [(int(row["page_id"]), row["page_title"], self.flagged(row), targets.get(int(row["page_id"])))
                for row in self.rows["page"] if row["page_namespace"] == "0"]

    def page_rows_of_dump(self, targets: dict[int, str]) -> list[tuple[int, str, bool, str | None]]:
        found = []
        for page in sorted(self.pages, key=lambda page: page.id):
            if self.names.of_page(page.title)[0] != 0:
                continue
            # Exports 0.4 and 0.5 have the element without a title, so that the table tells the target,
            # and without it the text's first link.
            flag = self.says_redirect(page)
            target = page.target.replace(" ", "_") if page.target else targets.get(page.id)
            if flag and target is None:
                typed = dump.targets(page.text)
                link = self.names.of_link(typed[0]) if typed else None
                target = link[1].replace(" ", "_") if link and link[0] == 0 else None
            found.append((page.id, page.title.replace(" ", "_"), flag, target))
        return found

    def sources(self) -> dict[str, set[int] | list[int]]:
        """Candidates that link to a title."""
        found = collections.defaultdict(list)
        if self.set["links"] == "text":
            for page_id, (page, _) in self.candidates.items():
                for title in dump.article_links(page, self.names):
                    found[title.replace(" ", "_")].append(page_id)
            return found
        for row in self.rows["pagelinks"]:
            if "pl_title" in row:
                namespace, title = int(row["pl_namespace"]), row["pl_title"]
            else:
                namespace, title = self.by_lt[row["pl_target_id"]]
            if namespace == 0 and row.get("pl_from_namespace", "0") == "0" and int(row["pl_from"]) in self.candidates:
                found[title].append(int(row["pl_from"]))
        return found

    def link(self) -> None:
        rows, sources = self.page_rows(), self.sources()
        plain = {title: page_id for page_id, title, flag, _ in rows if not flag}
        self.out: dict[int, list[int]] = {page_id: [] for page_id in self.candidates}
        for page_id, title, flag, target in rows:
            goal = plain.get(target) if flag else page_id
            if goal is None:
                continue
            for source in sources.get(title, []):
                self.out[source].append(goal)

    # --- texts, features, files ------------------------------------------------------------------

    def read(self) -> None:
        folder = self.inputs.get("punkt", [None])[0]
        tokens = texts.Tokens(self.set["sentences"], folder)
        self.exact = tokens.exact
        ready = None
        if "text" in self.inputs:
            rows = [json.loads(line) for path in self.inputs["text"]
                    for line in dump.content(path).decode("utf-8").splitlines() if line.strip()]
            ready = {int(row["id"]): row["text"] for row in rows}
        wanted = {self.names.capital(name.strip().replace("_", " ")) for name in self.set["disambiguation"].split(",")}
        self.tokens: dict[int, list[str]] = {}
        for page_id, (page, _) in sorted(self.candidates.items()):
            # Ready texts are an extractor's, which has its own mind about disambiguation pages.
            if ready is None and texts.has_template(page.text, wanted - {""}, self.names):
                self.left_out["disambiguation"] += 1
                continue
            # The release found texts by the id of the dump's page.
            text = ready.get(page.id, "") if ready is not None else texts.visible_text(page.text, self.names, self.set["tables"])
            found = tokens(text)
            if found:
                self.tokens[page_id] = found
            else:
                self.left_out["no tokens"] += 1

    def write_categories(self, out: pathlib.Path) -> None:
        text = milestones_oracle.number_text
        rank = {node: place for place, node in enumerate(self.order)}
        files = {
            "ranked-categories.tsv": (f"{self.cats[i]}\t{text(self.scores[i])}\n" for i in self.order),
            "milestonetree.tsv": (f"{self.cats[m]}\t{self.cats[self.above[m]] if self.above[m] >= 0 else 'null'}\n"
                                  for m in self.milestones),
            "page2cat.tsv": ("\t".join([page.title, *(self.cats[m] for m in sorted(self.milestones_of(tags), key=rank.get)), "\n"])
                             for page, tags in self.articles.values())}
        for name, lines in files.items():
            (out / name).write_text("".join(lines), encoding="utf-8")

    def write(self, out: pathlib.Path) -> None:
        ids = list(self.tokens)
        place = {page_id: index for index, page_id in enumerate(ids)}
        labels = [self.candidates[page_id][1] for page_id in ids]
        out_ids = []
        for page_id in ids:
            kept = [target for target in self.out[page_id] if target in place]
            out_ids.append(list(dict.fromkeys(kept)) if self.set["repeats"] == "drop" else kept)
        links = [[place[target] for target in targets] for targets in out_ids]
        data = {"features": numbers.features(self.inputs["vectors"][0], self.tokens.values()) if "vectors" in self.inputs else [], "labels": labels, "links": links}
        nodes = [{"id": page_id, "title": self.candidates[page_id][0].title.replace(" ", "_"), "label": self.labels[label],
                  "outlinks": targets, "tokens": self.tokens[page_id]} for page_id, label, targets in zip(ids, labels, out_ids)]
        metadata = {"labels": {str(i): name for i, name in enumerate(self.labels)}, "nodes": nodes, "exact_tokens": self.exact}
        for name, value in (("data", data), ("metadata", metadata), ("statistics", numbers.statistics(self.labels, labels, links))):
            (out / f"{name}.json").write_text(json.dumps(value), encoding="utf-8")
        print(f"{len(ids)} nodes, {sum(map(len, links))} links, labels {dict(collections.Counter(labels))}")

    def run(self, out: pathlib.Path) -> None:
        out.mkdir(parents=True, exist_ok=True)
        self.sanitise()
        self.rank()
        self.search()
        self.write_categories(out)
        print(f"{len(self.pages)} pages, {len(self.articles)} articles, {len(self.children)} categories, "
              f"{len(self.milestones)} milestones")
        if "labels" in self.inputs:
            for step in (self.label, self.match, self.link, self.read):
                step()
            self.write(out)
        print("left out:", dict(self.left_out))


def inputs_of(folders: list[pathlib.Path], named: list[str]) -> dict[str, list[pathlib.Path]]:
    found = collections.defaultdict(list)
    for folder in folders:
        for path in sorted(folder.iterdir()) if folder.is_dir() else [folder]:
            for name, pattern in INPUTS.items():
                if path.is_file() and re.search(pattern, path.name):
                    found[name].append(path)
    for item in named:
        name, _, path = item.partition("=")
        found[name].append(pathlib.Path(path))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folders", nargs="*", type=pathlib.Path)
    parser.add_argument("--from", dest="named", action="append", default=[])
    parser.add_argument("--set", dest="set", action="append", default=[])
    parser.add_argument("--out", type=pathlib.Path, required=True)
    args = parser.parse_args()
    settings = dict(SETTINGS)
    for item in args.set:
        name, _, value = item.partition("=")
        if name not in settings:
            raise SystemExit(f"no setting {name!r}: there are {', '.join(settings)}")
        settings[name] = value
    Oracle(inputs_of(args.folders, args.named), settings).run(args.out)


if __name__ == "__main__":
    main()
