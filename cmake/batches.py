"""Sorts sources into batches that compile as one file each: what several include is then read once.

    batches.py ROOT:ROOT... SOURCE...

Prints "BATCH SOURCE" for each source that shares a batch. Two sources do if neither declares a name for itself
alone (in an unnamed namespace) that the other, or a header which it includes, declares in a namespace as well:
nothing can then be found in a batch that was not found before. Relies on .clang-format: what stands in a namespace
starts in the first column. What `#include "..."` names is looked for below each ROOT.
"""
import functools
import pathlib
import re
import sys

MOST = 10  # of a batch: a compiler's memory, and work for many cores
NO_CODE = re.compile(r'//(?! namespace$)[^\n]*|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|/\*.*?\*/', re.S | re.M)
INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)
# Macros and directives reach into whatever comes after them.
REACHES = re.compile(r'^(#\s*define|using namespace)|\bHWY_', re.M)
PREFIX = r"^(?:template\s*<.*?>\s*|\[\[\w+\]\]\s*|inline |static |constexpr |extern )*"
ALIAS = re.compile(r"^(?:using|namespace) (?:(\w+) =[^;]*;|(?:\w+::)+(\w+);)", re.M)
TYPE = re.compile(PREFIX + r"(?:struct|class|enum class|enum)\s+(\w+)", re.M)
OTHER = re.compile(PREFIX + r"(?!struct|class|enum|using|namespace|[A-Z_]+\()[^\s#}/].*?\b(\w+)\s*[(={\[;]", re.M)
CONSTANTS = re.compile(r"^(?:inline |static )*const[^;]*;", re.M)
GIVEN_A_VALUE = re.compile(r"\b(\w+)\s*(?:\[[^\]]*\])?\s*=(?!=)")
ENUM = re.compile(r"^enum (?!class)[^{;]*\{([^}]*)\}", re.M)  # what it lists can be named outside of it
UNNAMED = re.compile(r"^namespace \{$(.*?)^\}  // namespace$", re.M | re.S)
STATIC = re.compile(r"^static .*$", re.M)


def declared(code: str) -> dict[str, str]:
    """Names, each with the line that says what it stands for if it is an alias."""
    out = dict.fromkeys(TYPE.findall(code) + OTHER.findall(code), "")
    for constants in CONSTANTS.findall(code):
        out.update(dict.fromkeys(GIVEN_A_VALUE.findall(constants), ""))
    for listed in ENUM.findall(code):
        out.update(dict.fromkeys(re.findall(r"[a-zA-Z_]\w*", listed), ""))
    out.update((found[1] or found[2], found[0]) for found in ALIAS.finditer(code))
    return out


class Source:
    """What a file declares in namespaces, and what of it for itself alone."""

    def __init__(self, path: pathlib.Path):
        self.path, self.text = path, path.read_text()
        code = NO_CODE.sub(" ", INCLUDE.sub("", self.text))
        self.names = declared(code)
        self.own = declared("\n".join(UNNAMED.findall(code) + STATIC.findall(code)))


@functools.cache
def source(path: pathlib.Path) -> Source:
    return Source(path)


@functools.cache
def headers(roots: tuple[pathlib.Path, ...], path: pathlib.Path) -> frozenset[pathlib.Path]:
    direct = {root / name for root in roots for name in INCLUDE.findall(source(path).text) if (root / name).exists()}
    return frozenset(direct.union(*(headers(roots, header) for header in direct)))


class Batch:
    def __init__(self):
        self.sources: list[Source] = []
        self.own: dict[str, str] = {}
        self.names: dict[str, str] = {}

    def takes(self, one: Source, names: dict[str, str]) -> bool:
        if len(self.sources) == MOST:
            return False
        return not (differ(one.own, self.names) or differ(self.own, names))

    def add(self, one: Source, names: dict[str, str]) -> None:
        self.sources.append(one)
        self.own.update(one.own)
        self.names.update(names)


def differ(own: dict[str, str], names: dict[str, str]) -> bool:
    return any(name in names and not agree(alias, names[name]) for name, alias in own.items())


def agree(mine: str, theirs: str) -> bool:
    """A using-declaration may also name what a header declares in another namespace."""
    return mine != "" and (mine == theirs or (theirs == "" and "=" not in mine))


def main() -> None:
    roots = tuple(map(pathlib.Path, sys.argv[1].split(":")))
    batches: list[Batch] = []
    for path in sorted(map(pathlib.Path, sys.argv[2:])):
        one = source(path)
        if REACHES.search(one.text):
            continue
        names = dict(one.names)
        for header in sorted(headers(roots, path)):  # in one order: the last one says what a name is
            names.update(source(header).names)
        batch = next((batch for batch in batches if batch.takes(one, names)), None)
        if batch is None:
            batches.append(batch := Batch())
        batch.add(one, names)
    for number, batch in enumerate(batches):
        for one in batch.sources if len(batch.sources) > 1 else []:
            print(f"batch{number} {one.path}")


if __name__ == "__main__":
    main()
