"""Wikitext to visible text, text to tokens. Of the oracle of `cupel build wiki-cs`.

Tokens need NLTK; the published ones are of 3.4.5, and other versions differ a little.
"""
from __future__ import annotations

import html
import pathlib
import re
import string

import wiki_cs_dump as dump

GONE = "ref|math|gallery|syntaxhighlight|source|timeline|score|imagemap|hiero|graph|includeonly|templatedata|style"
LANGUAGES = set("aa ar az be be-x-old bg bn ca cs da de el en es et fa fi fr he hi hu id it ja ko lt ltg lv ml nl no pl pt ro "
                "ru simple sk sl sr sv ta te th tr uk vi zh".split())
TABLE = re.compile(r"^[ \t:]*\{\|(?:(?!^[ \t:]*\{\|)(?!^[ \t]*\|\}).)*^[ \t]*\|\}", re.S | re.M)
STOP_WORDS = set("""i me my myself we our ours ourselves you you're you've you'll you'd your yours yourself
yourselves he him his himself she she's her hers herself it it's its itself they them their theirs themselves what
which who whom this that that'll these those am is are was were be been being have has had having do does did doing a
an the and but if or because as until while of at by for with about against between into through during before after
above below to from up down in out on off over under again further then once here there when where why how all any
both each few more most other some such no nor not only own same so than too very s t can will just don don't should
should've now d ll m o re ve y ain aren aren't couldn couldn't didn didn't doesn doesn't hadn hadn't hasn hasn't haven
haven't isn isn't ma mightn mightn't mustn mustn't needn needn't shan shan't shouldn shouldn't wasn wasn't weren
weren't won won't wouldn wouldn't""".split()) | {'""', "''", "``", "'s"}
ABBREVIATIONS = set("dr mr mrs ms prof st jr sr vs etc e.g i.e u.s u.k inc ltd co corp no vol fig approx dept "
                    "gen col sen rep gov a.m p.m ph.d b.c a.d jan feb mar apr jun jul aug sep sept oct nov dec".split())


# --- wikitext ----------------------------------------------------------------------------------------


def table_cells(table: str) -> str:
    lines = []
    for line in table.split("\n")[1:-1]:
        line = line.strip()
        if line.startswith("|-"):
            continue
        if line[:2] == "|+":
            line = line[2:]
        elif line[:1] in "|!" and line:
            cells = re.split(r"\|\||!!", line[1:])
            line = "\n".join(re.sub(r"^[^|\[\]]*\|(?!\|)", "", cell) for cell in cells)
        lines.append(line)
    return "\n".join(lines)


def without_braces(text: str, tables: str) -> str:
    """Templates, parameters and tables go, the innermost first."""
    before = None
    while text != before:
        before = text
        text = re.sub(r"\{\{\{[^{}]*\}\}\}", "", text)
        text = re.sub(r"\{\{(?!\{)(?:[^{}]|(?<!\{)\{(?!\{)|(?<!\})\}(?!\}))*\}\}", "", text)
        text = TABLE.sub(lambda m: table_cells(m.group()) if tables == "keep" else "", text)
    return text


def link_label(inside: str, names: dump.Names) -> str:
    target, pipe, label = inside.partition("|")
    prefix = names.plain(target.partition(":")[0]) if ":" in target.lstrip()[1:] else ""
    if not target.lstrip().startswith(":"):
        if names.known.get(prefix) in (6, 14, -2) or prefix in LANGUAGES:
            return ""
    return label if pipe else target.strip().removeprefix(":")


def visible_text(text: str, names: dump.Names, tables: str = "drop") -> str:
    literal: list[str] = []

    def keep(match: re.Match) -> str:
        literal.append(match.group(2))
        return f"\0{len(literal) - 1}\0"

    text = text.replace("\0", "")
    text = re.sub(r"<!--.*?(?:-->|\Z)", "", text, flags=re.S)
    text = re.sub(r"<nowiki\s*/>", "", text, flags=re.I)
    text = re.sub(r"<(nowiki|pre)\b[^<>]*>(.*?)</\1\s*>", keep, text, flags=re.S | re.I)
    text = re.sub(rf"<(?:{GONE})\b[^<>]*/>", "", text, flags=re.I)
    text = re.sub(rf"<({GONE})\b[^<>]*>.*?</\1\s*>", "", text, flags=re.S | re.I)
    text = without_braces(text, tables)
    text = re.sub(r"'{2,5}", "", text)
    text = re.sub(r"^-{4,}", "", text, flags=re.M)
    text = re.sub(r"^[*#:;]+[ \t]*", "", text, flags=re.M)
    before = None
    while text != before:
        before = text
        text = re.sub(r"\[\[([^\[\]]*)\]\]", lambda m: link_label(m.group(1), names), text)
    text = re.sub(r"\[(?:https?:|ftp:|mailto:)?//[^\s\]]*(?:[ \t]+([^\]\n]*))?\]", lambda m: m.group(1) or "", text)
    text = re.sub(r"__[A-Z]+__", "", text)
    text = re.sub(r"^(=+)[ \t]*(.+?)[ \t]*\1[ \t]*$", r"\2", text, flags=re.M)
    text = re.sub(r"</?(?:br|p|div|li|tr|td|th|blockquote|ul|ol|hr|table)\b[^<>]*>", "\n", text, flags=re.I)
    text = re.sub(r"</?[a-zA-Z][^<>]*>", "", text)
    text = re.sub("\0(\\d+)\0", lambda m: literal[int(m.group(1))], text)
    return html.unescape(text)


def has_template(text: str, wanted: set[str], names: dump.Names) -> bool:
    found = re.findall(r"\{\{\s*([^{}|<>\[\]\n]+?)\s*(?=[|}\n])", dump.UNREAD.sub("", text))
    return any(names.capital(dump.BLANKS.sub(" ", name).strip()) in wanted for name in found)


# --- tokens ------------------------------------------------------------------------------------------


def sentence_splitter(folder: pathlib.Path | None):
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer
    model = PunktParameters()
    if folder is None:
        model.abbrev_types = set(ABBREVIATIONS)
    else:
        def lines(name: str) -> list[str]:
            return [line for line in (folder / name).read_text(encoding="utf-8").split("\n") if line]

        model.abbrev_types = set(lines("abbrev_types.txt"))
        model.sent_starters = set(lines("sent_starters.txt"))
        model.collocations = {tuple(line.split("\t")) for line in lines("collocations.tab")}
        for line in lines("ortho_context.tab"):
            word, flags = line.rsplit("\t", 1)
            model.ortho_context[word] = int(flags)
    return PunktSentenceTokenizer(model).tokenize


class Tokens:
    """text -> tokens; `exact` is false where the NLTK that was published with is not at hand: then
    tokens are another version's, or plain words."""

    def __init__(self, sentences: str, folder: pathlib.Path | None):
        try:
            import nltk
            from nltk.tokenize import _treebank_word_tokenizer
            self.words = _treebank_word_tokenizer.tokenize
            self.split = sentence_splitter(folder) if sentences == "punkt" else lambda text: [text]
            self.exact = nltk.__version__.startswith("3.4.")
        except ImportError:
            self.words = re.compile(r"\w+(?:[-'.]\w+)*|[^\w\s]").findall
            self.split = lambda text: [text]
            self.exact = False

    def __call__(self, text: str) -> list[str]:
        raw = [word for sentence in self.split(text) for word in self.words(sentence)]
        return [word.lower() for word in raw if word not in string.punctuation and word.lower() not in STOP_WORDS]
