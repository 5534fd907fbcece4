"""Sorts sources into batches that compile as one file each: what several include is then read once.

    batches.py ROOT:ROOT... FOLDER SOURCE...

Writes FOLDER/batchN.cpp, and prints "batchN SOURCE" for each source that shares a batch. Two sources do if neither
declares a name for itself alone (in an unnamed namespace) that the other, or a header which it includes, declares in a
namespace as well, and both open the same namespaces: nothing can then be found in a batch that was not found before.
Sources that include the same libraries come one after the other, so that few batches read each of them.
A name that both declare is made two by a macro, `run` to `run_of_FILE`, where the source uses it for nothing else: not
as a member, nor as the name of what a header declares, nor for what is found by its arguments. Headers are read before
that macro, and do not see it; another text that a source includes is its own code.
Relies on .clang-format: what stands in a namespace starts in the first column. What `#include "..."` names is looked
for below each ROOT.
"""
import functools
import pathlib
import re
import sys

MOST = 20  # of a batch: a compiler's memory, and work for many cores
NO_CODE = re.compile(r'//(?! namespace$)[^\n]*|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|/\*.*?\*/', re.S | re.M)
INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)
LIBRARY = re.compile(r"^#include <(\w+/[^>]+|[^>]+\.hpp)>", re.M)
HEADER = re.compile(r'^#include (?:<[^>]+>|"[^"]+\.h")', re.M)
WORD = re.compile(r"[A-Za-z_]\w*")
# Macros and directives reach into whatever comes after them.
REACHES = re.compile(r'^#\s*define|\bHWY_', re.M)
OPENED = re.compile(r"^using namespace (?!std::\w*literals;).*$", re.M)  # literals are written, and not found
# Members of what a header declares can be named without saying whose they are.
HAS_MEMBERS = re.compile(r"^\S.*\w::~?\w+\(|^(?:class|struct) [^;{]*:", re.M)
CONDITION = re.compile(r"^#\s*if", re.M)
FOUND_BY_ARGUMENTS = {"PrintTo", "begin", "end", "format_as", "from_json", "operator", "swap", "to_json"}
KEYWORDS = {"alignof", "decltype", "noexcept", "requires", "sizeof", "typeid", "void"}  # of what declares nothing
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
        out.update(dict.fromkeys(WORD.findall(listed), ""))
    out.update((found[1] or found[2], found[0]) for found in ALIAS.finditer(code))
    return {name: alias for name, alias in out.items() if name not in KEYWORDS}


class Source:
    """What a file declares in namespaces, and what of it for itself alone."""

    def __init__(self, path: pathlib.Path):
        self.path, self.text = path, path.read_text()
        self.code = NO_CODE.sub(" ", INCLUDE.sub("", self.text))
        self.names = declared(self.code)
        self.own = declared("\n".join(UNNAMED.findall(self.code) + STATIC.findall(self.code)))
        self.opened = frozenset(OPENED.findall(self.code))
        self.renamed: dict[str, str] = {}

    def can_rename(self, name: str, headers: frozenset[pathlib.Path]) -> bool:
        if name in FOUND_BY_ARGUMENTS or CONDITION.search(self.text):
            return False
        if re.search(rf"(?:\.|->|::)\s*{name}\b|^TEST.*\b{name}\b", self.code, re.M):
            return False
        if len(re.findall(rf"\b{name}\b", self.code)) < 2:  # a header calls it
            return False
        if name in declared(STATIC.sub("", UNNAMED.sub("", self.code))):
            return False
        met = [source(header) for header in headers]
        if any(name in header.names for header in met):
            return False
        return not (HAS_MEMBERS.search(self.code) and any(name in header.words for header in met))

    @functools.cached_property
    def words(self) -> frozenset[str]:
        return frozenset(WORD.findall(self.code))

    def included(self, place: str) -> str:
        """What a batch says for it."""
        if not self.renamed:
            return f'#include "{place}"\n'
        lines = HEADER.findall(self.text)
        lines += [f"#define {name} {to}" for name, to in sorted(self.renamed.items())]
        lines += [f'#include "{place}"', *(f"#undef {name}" for name in sorted(self.renamed))]
        return "\n".join(lines) + "\n"


@functools.cache
def source(path: pathlib.Path) -> Source:
    return Source(path)


@functools.cache
def headers(roots: tuple[pathlib.Path, ...], path: pathlib.Path) -> frozenset[pathlib.Path]:
    direct = {root / name for root in roots for name in INCLUDE.findall(source(path).text) if (root / name).exists()}
    return frozenset(direct.union(*(headers(roots, header) for header in direct)))


def libraries(roots: tuple[pathlib.Path, ...], path: pathlib.Path) -> list[str]:
    return sorted({name for met in (path, *headers(roots, path)) for name in LIBRARY.findall(source(met).text)})


class Batch:
    def __init__(self):
        self.sources: list[Source] = []
        self.own: dict[str, str] = {}
        self.names: dict[str, str] = {}

    def renames(self, one: Source, names: dict[str, str], headers: frozenset[pathlib.Path]) -> dict[str, str] | None:
        """What `one` calls the names that it would share, where it can be added."""
        if len(self.sources) == MOST or self.sources[0].opened != one.opened:
            return None
        shared = differing(one.own, self.names) | differing(self.own, names)
        if any(name not in one.own or not one.can_rename(name, headers) for name in shared):
            return None
        new = {name: f"{name}_of_{one.path.stem}" for name in shared}
        return None if any(name in self.names or name in names for name in new.values()) else new

    def add(self, one: Source, names: dict[str, str], renamed: dict[str, str]) -> None:
        one.renamed = renamed
        self.sources.append(one)
        for to, more in (self.own, one.own), (self.names, names):
            to.update((renamed.get(name, name), line) for name, line in more.items())


def differing(own: dict[str, str], names: dict[str, str]) -> set[str]:
    return {name for name, alias in own.items() if name in names and not agree(alias, names[name])}


def agree(mine: str, theirs: str) -> bool:
    """A using-declaration may also name what a header declares in another namespace."""
    return mine != "" and (mine == theirs or (theirs == "" and "=" not in mine))


def batches_of(roots: tuple[pathlib.Path, ...], paths: list[pathlib.Path]) -> list[Batch]:
    batches: list[Batch] = []
    for path in sorted(paths, key=lambda path: (libraries(roots, path), path)):
        one = source(path)
        if REACHES.search(one.text):
            continue
        met = headers(roots, path)
        names = dict(one.names)
        for header in sorted(met):  # in one order: the last one says what a name is
            names.update(source(header).names)
        for batch in batches:
            if (renamed := batch.renames(one, names, met)) is not None:
                batch.add(one, names, renamed)
                break
        else:
            batches.append(Batch())
            batches[-1].add(one, names, {})
    return [batch for batch in batches if len(batch.sources) > 1]


def main() -> None:
    roots = tuple(map(pathlib.Path, sys.argv[1].split(":")))
    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for number, batch in enumerate(batches_of(roots, list(map(pathlib.Path, sys.argv[3:])))):
        text = ""
        for one in batch.sources:
            root = next(root for root in roots if one.path.is_relative_to(root))
            text += one.included(one.path.relative_to(root).as_posix())
            print(f"batch{number} {one.path}")
        file = folder / f"batch{number}.cpp"
        if not file.exists() or file.read_text() != text:  # what is written anew is compiled anew
            file.write_text(text)


if __name__ == "__main__":
    main()
