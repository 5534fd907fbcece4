"""Dumps and tables of a Wikipedia, read plainly and whole. Of the oracle of `cupel build wiki-cs`."""
from __future__ import annotations

import bz2
import dataclasses
import gzip
import html
import json
import pathlib
import re
import urllib.parse
import xml.etree.ElementTree as ET

CANONICAL = {"media": -2, "special": -1, "talk": 1, "user": 2, "user talk": 3, "project": 4, "project talk": 5,
             "file": 6, "file talk": 7, "image": 6, "image talk": 7, "mediawiki": 8, "mediawiki talk": 9,
             "template": 10, "template talk": 11, "help": 12, "help talk": 13, "category": 14, "category talk": 15}
BLANKS = re.compile("[ _\u00a0\u1680\u180e\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
DIRECTIONS = re.compile("[\u200e\u200f\u202a-\u202e]")


def content(path: pathlib.Path) -> bytes:
    data = path.read_bytes()
    if data[:2] == b"\x1f\x8b":
        return gzip.decompress(data)
    return bz2.decompress(data) if data[:3] == b"BZh" else data


# --- titles ------------------------------------------------------------------------------------------


class Names:
    """Namespaces of a wiki: its own names, those of siteinfo and the canonical ones, in any case."""

    def __init__(self, declared: dict[str, int], first_letter: bool = True, language: str = "",
                 aliases: dict[str, int] | None = None):
        self.declared = {self.plain(name): key for name, key in declared.items()}
        self.known = {**CANONICAL, **{self.plain(name): key for name, key in (aliases or {}).items()}, **self.declared}
        self.first_letter = first_letter
        self.dotted = language in ("tr", "az", "kaa")

    @staticmethod
    def plain(name: str) -> str:
        return BLANKS.sub(" ", name).strip().lower()

    def capital(self, name: str) -> str:
        if not self.first_letter:
            return name
        return ("İ" if self.dotted and name[:1] == "i" else name[:1].upper()) + name[1:]

    def of_page(self, title: str) -> tuple[int, str]:
        """A page's own title: a prefix counts if the dump declares it."""
        prefix, colon, rest = title.partition(":")
        key = self.declared.get(self.plain(prefix), 0) if colon else 0
        return (key, rest) if key else (0, title)

    @staticmethod
    def parts(typed: str) -> tuple[str, str]:
        """A link's target, and the part of the page behind '#'."""
        text = html.unescape(typed)
        if re.search("%[0-9a-fA-F]{2}", text):
            text = urllib.parse.unquote(text)
        text = BLANKS.sub(" ", DIRECTIONS.sub("", text)).strip()
        if text.startswith(":"):
            text = text[1:].strip()
        page, _, part = text.partition("#")
        return page.strip(), part.strip()

    def of_link(self, typed: str) -> tuple[int, str] | None:
        """What MediaWiki makes of a link's target; None: not a link to a page of this wiki's."""
        text, _ = self.parts(typed)
        prefix, colon, rest = text.partition(":")
        key = self.known.get(self.plain(prefix), 0) if colon else 0
        text = self.capital((rest if key else text).strip())
        if not text or re.search(r"[\[\]{}<>|\n\ufffd]", text):
            return None
        return key, text


# --- XML ---------------------------------------------------------------------------------------------


@dataclasses.dataclass
class Page:
    id: int
    title: str  # with the namespace's name
    text: str
    is_redirect: bool
    target: str | None  # of `<redirect title=...>`


def read_siteinfo(path: pathlib.Path) -> dict[str, int]:
    return {entry["*"]: entry["id"] for entry in json.loads(content(path))["query"]["namespacealiases"]}


def read_dump(paths: list[pathlib.Path], aliases: dict[str, int]) -> tuple[Names, list[Page]]:
    names, pages = None, []
    for path in paths:
        root = ET.fromstring(content(path))
        mark = root.tag[: root.tag.index("}") + 1]
        if names is None:
            spaces = {n.text: int(n.get("key")) for n in root.iter(mark + "namespace") if n.text}
            case = root.find(f"{mark}siteinfo/{mark}case")
            language = root.get("{http://www.w3.org/XML/1998/namespace}lang", "")
            names = Names(spaces, case is None or case.text == "first-letter", language, aliases)
        for page in root.iter(mark + "page"):
            redirect = page.find(mark + "redirect")
            text = "".join(element.text or "" for element in page.iter(mark + "text"))
            pages.append(Page(int(page.find(mark + "id").text), page.find(mark + "title").text, text,
                              redirect is not None, None if redirect is None else redirect.get("title")))
    return names, pages


# --- what counts as a link ---------------------------------------------------------------------------

UNREAD = re.compile(
    r"<!--.*?(?:-->|\Z)"
    r"|<(nowiki|pre|math|syntaxhighlight|source|includeonly|timeline|score|gallery)\b[^<>]*(?<!/)>.*?</\1\s*>",
    re.S | re.I)
LINK = re.compile(r"\[\[([^\[\]{}<>|\n]+)(?:\|((?:(?!\[\[|\]\]).)*))?\]\]", re.S)


def targets(text: str) -> list[str]:
    """Of all links, as typed, in the order of the text; of nested brackets the innermost."""
    return [match.group(1) for match in LINK.finditer(UNREAD.sub(" ", text))]


def categories(text: str, names: Names) -> list[str]:
    found = []
    for typed in targets(text):
        link = None if typed.lstrip(" _").startswith(":") else names.of_link(typed)
        if link and link[0] == 14:
            found.append(link[1])
    return found


def categories_as_released(text: str) -> list[str]:
    found, at = [], text.find("[[Category:")
    while at >= 0:
        end = text.find("]]", at)
        if end < 0:
            break
        name = text[at + len("[[Category:") : end].split("|")[0].strip(" \t\n\r\f\v")
        found += [name] if name else []
        at = text.find("[[Category:", end)
    return found


def article_links(page: Page, names: Names) -> set[str]:
    """Titles of articles that the article links to, each once, as `pagelinks` has them.

    MediaWiki takes the page's own title for a link only where a part of the page is named behind it.
    """
    links = ((names.of_link(typed), names.parts(typed)[1]) for typed in targets(page.text))
    return {link[1] for link, part in links if link and link[0] == 0 and (part or link[1] != page.title)}


# --- SQL ---------------------------------------------------------------------------------------------

VALUE = re.compile(r"\s*(?:'((?:[^'\\]|\\.|'')*)'|([^',()]+))\s*([,)])", re.S)
ESCAPE = re.compile(r"\\(.)|''", re.S)
LETTERS = {"n": "\n", "r": "\r", "t": "\t", "0": "\0", "Z": "\x1a", "b": "\b"}


def unescape(text: str) -> str:
    return ESCAPE.sub(lambda m: "'" if m.group(1) is None else LETTERS.get(m.group(1), m.group(1)), text)


def read_table(path: pathlib.Path, table: str) -> list[dict[str, str | None]]:
    text = content(path).decode("utf-8", "surrogateescape")
    create = re.search(r"CREATE TABLE `%s` \(\n(.*?)\n\)" % table, text, re.S)
    if not create:
        raise SystemExit(f"{path}: no CREATE TABLE of {table}")
    columns = re.findall(r"^\s*`(\w+)`", create.group(1), re.M)
    rows, start = [], f"INSERT INTO `{table}` VALUES "
    at = text.find("\n" + start)
    while at >= 0:
        at += 1 + len(start)
        while text[at] == "(":
            at, row = at + 1, []
            while True:
                match = VALUE.match(text, at)
                quoted, bare, after = match.groups()
                row.append(unescape(quoted) if quoted is not None else None if bare == "NULL" else bare)
                at = match.end()
                if after == ")":
                    break
            if len(row) != len(columns):
                raise SystemExit(f"{path}: {len(row)} values for {len(columns)} columns")
            rows.append(dict(zip(columns, row)))
            if text[at] == ",":
                at += 1
        at = text.find("\n" + start, at)
    return rows
