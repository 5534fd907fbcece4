#!/usr/bin/env python3
"""A made Wikipedia: a dump of pages with its tables, full of what dumps have in store.

    tests/data/wiki/made_wiki.py --seed N --schema 2005|2015|2022|2024|2025 --pages N --out DIR
                                 [--language en|de|ltg|fr|ru|az] [--gz] [--parts N]

Writes madewiki-pages-articles.xml and madewiki-{page,redirect,pagelinks,linktarget,categorylinks}.sql
as that year's dumps have them, siteinfo where the language has aliases of namespaces, labels.json,
vectors.txt, settings.json (settings that fit its size),
text/wiki_00 (ready texts, JSON lines) and punkt/ (a small sentence model). Same arguments, same bytes.
"""
from __future__ import annotations

import argparse
import dataclasses
import json
import pathlib
import random

import made_wiki_files as files
import made_wiki_text as prose_of
from made_wiki_names import ALIASES, AROUND, REDIRECT, SPACES, TITLES, UNLIKELY, WORDS, capital, small


@dataclasses.dataclass
class Page:
    id: int
    ns: int
    title: str
    text: str = ""
    redirect: tuple[int, str, str, str] | None = None  # namespace, title, interwiki, fragment
    links: set[tuple[int, str]] = dataclasses.field(default_factory=set)  # as pagelinks has them
    cats: set[str] = dataclasses.field(default_factory=set)  # as categorylinks has them
    ready: str = ""  # its text as an extractor would give it
    is_new: bool = False
    target_row: bool = True  # it has a row in `redirect`
    in_dump: bool = True  # tables and dump of one day differ by some pages
    in_table: bool = True


class Maker:
    def __init__(self, seed: int, pages: int, language: str, schema: int):
        self.rng = random.Random(f"{seed} {schema} {language}")
        self.language, self.spaces, self.schema = language, SPACES[language], schema
        self.aliases = ALIASES.get(language, {})
        self.words = prose_of.vocabulary(self.rng, 400) + 8 * WORDS.get(language, [])
        self.prose = prose_of.Prose(self.rng, self.words)
        self.markup = {"file": self.aliases.get(6, self.spaces[6])}
        self.number = max(pages, 20)
        self.make_names()
        self.make_categories()
        self.make_labels()
        self.make_pages()

    # --- names -----------------------------------------------------------------------------------

    def title(self, words: int) -> str:
        text = " ".join(self.rng.choice(self.words) for _ in range(words))
        return capital(text, self.language)

    def make_names(self) -> None:
        rng = self.rng
        names = dict.fromkeys(rng.sample(TITLES, len(TITLES) * min(self.number, 100) // 100))
        while len(names) < self.number * 3 // 5:
            names[self.title(rng.choice([1, 2, 2, 3]))] = None
        self.names = [capital(name, self.language) for name in names]
        self.others = list(dict.fromkeys(self.title(3) for _ in range(self.number // 6 + 2)))
        self.others = [name for name in self.others if name not in names]
        self.red = [self.title(4) for _ in range(5)]

    # --- categories ------------------------------------------------------------------------------

    def make_categories(self) -> None:
        rng, count = self.rng, max(12, self.number // 5)
        names: dict[str, None] = {}
        while len(names) < count:
            name = self.title(rng.choice([1, 2, 2]))
            die = rng.random()
            if die < 0.05:
                name += rng.choice(UNLIKELY)
            elif die < 0.12:
                name += rng.choice([" & co", "'s", " (x)", ' "q"', " Ž", "\\", " of the 1980s", "–b"])
            names[name] = None
        self.cats = list(names)
        self.parents: dict[str, list[str]] = {self.cats[0]: []}
        for i in range(1, count):
            pick = [self.cats[int(i * rng.random() ** 2)] for _ in range(rng.choice([1, 1, 2, 3]))]
            if rng.random() < 0.06:
                pick.append(rng.choice(self.cats))  # may close a cycle, or be the category itself
            if rng.random() < 0.04:
                pick.append(self.title(3))  # has no page
            self.parents[self.cats[i]] = list(dict.fromkeys(pick)) if rng.random() > 0.03 else []
        self.children: dict[str, list[str]] = {}
        for child, parents in self.parents.items():
            for parent in parents:
                self.children.setdefault(parent, []).append(child)

    def make_labels(self) -> None:
        rng = self.rng
        size = sorted(self.cats, key=lambda c: -len(self.children.get(c, [])))
        if rng.random() < 0.9:  # else a label may have no article
            size = [name for name in size if not any(word in name for word in UNLIKELY)]
        heads = size[: max(6, len(size) // 4)]
        rng.shuffle(heads)
        count = rng.randint(3, min(5, len(heads) // 2))
        self.labels = {f"{self.title(1)} {i}": [heads[i]] for i in range(count)}
        for name in heads[count : count + rng.randint(0, 3)]:
            rng.choice(list(self.labels.values())).append(name)
        if rng.random() < 0.15:  # a category that its label names twice
            first, _ = rng.sample(list(self.labels.values()), 2)
            first.append(first[-1])

    def below(self, category: str) -> str:
        for _ in range(self.rng.choice([0, 0, 1, 2, 3])):
            children = self.children.get(category)
            if not children:
                break
            category = self.rng.choice(children)
        return category

    def article_categories(self) -> list[str]:
        rng, die = self.rng, self.rng.random()
        if die < 0.07:
            return []
        if die < 0.75:
            heads = rng.choice(list(self.labels.values()))
            return [self.below(rng.choice(heads)) for _ in range(rng.choice([1, 1, 2]))]
        if die < 0.85:
            return [self.below(heads[0]) for heads in rng.sample(list(self.labels.values()), 2)]
        seen_only_here = self.title(3)
        return [rng.choice(self.cats), rng.choice([seen_only_here, rng.choice(self.cats)])]

    # --- markup ----------------------------------------------------------------------------------

    def link(self, title: str) -> str:
        rng, typed = self.rng, title
        label = self.prose.word()
        die = rng.random()
        if die < 0.15:
            typed = typed.replace(" ", "_")
        elif die < 0.3:
            typed = small(typed, self.language)
        elif die < 0.35:
            typed = f" {typed.replace(' ', '  ')}_"
        elif die < 0.38 and "%" not in typed:
            typed = typed.replace(" ", "%20")
        elif die < 0.41:
            typed = typed.replace("&", "&amp;").replace("é", "&eacute;").replace("–", "&ndash;")
        elif die < 0.44:
            typed = ":" + typed
        die = rng.random()
        if die < 0.4:
            return f"[[{typed}]]"
        if die < 0.6:
            return f"[[{typed}|{label}]]"
        if die < 0.7:
            return f"[[{typed}#Sect {label}|{label} {label}]]"
        if die < 0.8:
            return f"[[{typed}]]s"
        if die < 0.85:
            return f"<ref>{label} [[{typed}]] {label}.</ref>"
        if die < 0.9:
            return f"[[{self.spaces[6]}:X.jpg|thumb|{label} [[{typed}|{label}]] {label}]]"
        return f"''[[{typed}|''{label}'']]''" if die < 0.93 else f"[[{typed}|{label}\n{label}]]"

    def decoy(self) -> str:
        """Looks like a link to an article; is none."""
        rng, title = self.rng, self.rng.choice(self.names)
        space = rng.choice([1, 2, 4, 10, 12])
        return rng.choice([f"[[{self.spaces[space]}:{title}|x]]", f"[[{self.spaces[space].lower()}:{title}]]",
                           f"[[:{self.spaces[14]}:{title}]]", f"<!-- [[{title}]] -->",
                           f"<nowiki>[[{title}]]</nowiki>", f"[[ja:{title}]]", "[[#Section|here]]",
                           f"[[{title}", f"[{title}]", f"[[:Category:{rng.choice(self.cats)}]]",
                           f"[[Help:{title}|x]]", f"[[user talk:{title}|y]]", f"[[:ja:{title}|z]]"])

    def tag(self, category: str) -> str:
        rng = self.rng
        space = rng.choice(["Category", self.spaces[14], self.spaces[14], self.spaces[14].upper(),
                            "category", f" {self.aliases.get(14, self.spaces[14])} "])
        name = rng.choice([category, category, category.replace(" ", "_"), f" {category} ",
                           small(category, self.language), category.replace("&", "&amp;"),
                           category.replace(" ", " _ ", 1)])
        tag = f"[[{space}:{name}{rng.choice(['', '', '|', '|*', '|{{PAGENAME}}', '| key, x'])}]]"
        return rng.choice(["%s"] * 12 + AROUND).replace("%s", tag)

    def hidden_tag(self) -> str:
        name, space = self.rng.choice(self.cats), self.rng.choice(["Category", self.spaces[14]])
        return self.rng.choice([f"<!-- [[{space}:{name}]] -->", f"<nowiki>[[{space}:{name}]]</nowiki>",
                                f"[[:{space}:{name}]]", f"[[:{space}:{name}|{name}]]", f"[[{space}:]]",
                                f"<NOWIKI >[[{space}:{name}]]</nowiki>", f"[{space}:{name}]",
                                f"<pre>[[{space}:{name}]]</pre>", f"<includeonly>[[{space}:{name}]]</includeonly>",
                                f'<syntaxhighlight lang="c">[[{space}:{name}]]</syntaxhighlight>',
                                f"<math>[[{space}:{name}]]</math>", f"[[{space}:{name}",
                                f"[[{space}:{name}\n]]", f"[[{space}:{{{{{name}}}}}]]", f"[[x:{space}:{name}]]"])

    # --- pages -----------------------------------------------------------------------------------

    def make_pages(self) -> None:
        rng, todo = self.rng, []
        redirects = [name for name in self.names if rng.random() < 0.2]
        self.articles = [name for name in self.names if name not in set(redirects)]
        todo += [(0, name) for name in self.names]
        todo += [(14, name) for name in self.cats if rng.random() < 0.93]
        todo += [(rng.choice([1, 2, 4, 6, 10, 12]), name) for name in self.others]
        todo += [(rng.choice([1, 10, 12]), name) for name in rng.sample(self.names, len(self.names) // 8)]
        rng.shuffle(todo)
        page_id, self.pages = rng.randint(1, 9), []
        for ns, name in todo:
            page = Page(page_id, ns, name, is_new=rng.random() < 0.4)
            page_id += rng.choice([1, 1, 1, 2, 7, 30])
            if name in redirects and ns == 0:
                self.make_redirect(page, redirects)
            else:
                self.make_article(page)
            if ns != 14 and rng.random() < 0.02:
                page.in_dump = rng.random() < 0.5
                page.in_table = not page.in_dump
            self.pages.append(page)

    def make_redirect(self, page: Page, redirects: list[str]) -> None:
        rng, die = self.rng, self.rng.random()
        target, interwiki, fragment, ns = rng.choice(self.articles), "", "", 0
        if die < 0.12:
            target = rng.choice(redirects)  # double, or to itself
        elif die < 0.18:
            target = rng.choice(self.red)
        elif die < 0.24:
            ns = rng.choice([14, 12])
        elif die < 0.30:
            interwiki = "ja"
        elif die < 0.45:
            fragment = "Section"
        elif die < 0.50:
            page.target_row = False
        page.redirect = (ns, target, interwiki, fragment)
        space = f"{interwiki}:" if interwiki else f"{self.spaces[ns]}:" if ns else ""
        tail = f"#{fragment}" if fragment else ""
        page.text = f"{rng.choice([REDIRECT[self.language], '#REDIRECT', '#redirect'])} [[{space}{target}{tail}]]"
        if not interwiki:
            page.links.add((ns, target))
        if rng.random() < 0.2:
            category = rng.choice(self.cats)
            page.text += f"\n[[{self.spaces[14]}:{category}]]"
            page.cats.add(category)

    def make_article(self, page: Page) -> None:
        rng, links = self.rng, []
        for _ in range(rng.choice([0, 1, 2, 4, 6, 10])):
            target = rng.choice(self.names if rng.random() < 0.93 else self.red)
            if rng.random() < 0.03:
                target = page.title
            links.append(self.link(target))
            page.links.add((0, target))
        links += [self.decoy() for _ in range(rng.choice([0, 0, 1, 2]))]
        if page.ns == 14:
            cats = self.parents[page.title]
        elif page.ns == 0:
            cats = self.article_categories()
        else:
            cats = [rng.choice(self.cats)] if rng.random() < 0.5 else []
        die = rng.random()
        if page.ns == 0 and die < 0.07:  # nothing to read
            body = rng.choice(["", "", "{{stub|x}}", "<!-- nothing -->", "...", "== ! =="])
            page.links = set()
        elif page.ns == 0 and die < 0.12:
            body = prose_of.article_text(rng, self.prose, links, self.markup)
            body = rng.choice(["%s\n{{disambiguation}}", "{{Disambiguation|x}}\n%s", "%s {{disambig}}"]) % body
        else:
            body = prose_of.article_text(rng, self.prose, links, self.markup)
        tags = [self.tag(c) for c in cats]
        if rng.random() < 0.15:
            tags.append(self.hidden_tag())
        if rng.random() < 0.1 and cats:
            tags.append(self.tag(rng.choice(cats)))
        if rng.random() < 0.1:
            tags.append(f"<noinclude>{tags.pop()}</noinclude>" if tags else "")
        if rng.random() < 0.15:
            tags.append("[[ja:Something]]")
        page.text = rng.choice(["%s\n%s", "%s\n\n%s"]) % (body, rng.choice(["\n", " ", ""]).join(tags))
        page.text = page.text if page.text.strip() else ""
        page.cats = set(cats)
        if rng.random() < 0.1:  # from templates: in the tables alone
            page.cats.add(rng.choice(self.cats))
            page.links.add((0, rng.choice(self.names)))
        if rng.random() < 0.15:
            page.links.add((rng.choice([1, 10, 12, 14]), rng.choice(self.names)))
        if rng.random() > 0.08:
            page.ready = rng.choice(["\n\n", "\n"]).join(
                " ".join(self.prose.sentence([]) for _ in range(rng.randint(1, 4))) for _ in range(3))

    # --- what is not pages -----------------------------------------------------------------------

    def vectors(self, width: int) -> list[tuple[str, list[float]]]:
        known = [word for word in dict.fromkeys(self.words) if self.rng.random() < 0.9] + [".", "n't", "3.14", "1,000"]
        rows = [(word, [round(self.rng.gauss(0, 1), 5) for _ in range(width)]) for word in known]
        return rows + [("The", [9.0] * width), ("Éa", [9.0] * width)]

    def sentence_model(self) -> dict[str, str]:
        words = sorted(word for word in self.words if word.isalpha())
        starters = [word for word in words if self.rng.random() < 0.02]
        context = "".join(f"{w}\t{self.rng.choice([2, 4, 6, 32, 64, 36, 46, 126])}\n" for w in words
                          if self.rng.random() < 0.7)
        return {"abbrev_types.txt": "dr\nmr\nu.s\ne.g\ni.e\netc\n", "sent_starters.txt": "\n".join(starters) + "\n",
                "collocations.tab": "dr\tsystem\n##number##\tdata\n", "ortho_context.tab": context}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--schema", type=int, choices=sorted(files.EXPORT), default=2024)
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--language", choices=sorted(SPACES), default="en")
    parser.add_argument("--gz", action="store_true")
    parser.add_argument("--parts", type=int, default=1)
    return parser.parse_args()


def main() -> None:
    args = arguments()
    maker = Maker(args.seed, args.pages, args.language, args.schema)
    args.out.mkdir(parents=True, exist_ok=True)
    files.write_dump(maker, args.out, args.schema, args.parts, args.gz)
    files.write_tables(maker, args.out, args.schema, args.gz)
    if maker.aliases:
        files.write_siteinfo(maker, args.out, args.gz)
    text = json.dumps(maker.labels, indent=2, ensure_ascii=maker.rng.random() < 0.5)
    (args.out / "labels.json").write_text(text, encoding="utf-8")
    settings = {"milestones": max(6, len(maker.cats) * 2 // 3)}
    (args.out / "settings.json").write_text(json.dumps(settings))
    rows = maker.vectors(8)
    (args.out / "vectors.txt").write_text(
        "".join(f"{word} {' '.join(map(str, row))}\n" for word, row in rows), encoding="utf-8")
    files.write_texts(maker, args.out)


if __name__ == "__main__":
    main()
