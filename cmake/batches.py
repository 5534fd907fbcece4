"""Sorts sources into batches that compile as one file each: what several include is then read once.

    batches.py ROOT:ROOT... FOLDER SOURCE...

Writes FOLDER/batchN.cpp, and prints "batchN SOURCE" for each source that shares a batch. Two sources do if neither
declares a name for itself alone (in an unnamed namespace) that the other, or a header which it includes, declares in a
namespace as well, and both open the same namespaces: nothing can then be found in a batch that was not found before.
Sources that include the same libraries come one after the other, so that few batches read each of them.
Sources that Highway compiles once for each set of instructions share batches among themselves, which are on the include
path by their names.
A name that both declare is made two by a macro, `run` to `run_of_FILE`, where the source uses it for nothing else: not
as a member, nor as the name of what a header declares, nor for what is found by its arguments. Headers are read before
that macro, and do not see it; another text that a source includes is its own code.
Relies on .clang-format: what stands in a namespace starts in the first column. What `#include "..."` names is looked
for below each ROOT.
"""
import functools
import math
import pathlib
import re
import sys

MOST = 60  # of a batch: a compiler's memory, and work for many cores
MOST_VECTORISED = 12  # what is compiled once for each set of instructions
NO_CODE = re.compile(r'//(?! namespace$)[^\n]*|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|/\*.*?\*/', re.S | re.M)
INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)
LIBRARY = re.compile(r"^#include <(\w+/[^>]+|[^>]+\.hpp)>", re.M)
HEADER = re.compile(r'^#include (?:<[^>]+>|"[^"]+\.h")', re.M)
WORD = re.compile(r"[A-Za-z_]\w*")
# Macros and directives reach into whatever comes after them.
DEFINES = re.compile(r"^#\s*define", re.M)
REACHES = re.compile(r'^#\s*define|\bHWY_', re.M)
# Highway compiles such a source once for each set of instructions: it includes HWY_TARGET_INCLUDE anew.
VECTORISED = re.compile(r'^#include "hwy/foreach_target\.h"', re.M)
# Macros that only their source looks at: what Highway asks for, and what guards code that is not for each set.
OWN_MACRO = re.compile(r"^#\s*define (?:HWY_TARGET_INCLUDE|CUPEL_\w+_(?:CPP_|SHAPE)$)", re.M)
FOR_EACH_SET = re.compile(r"^HWY_BEFORE_NAMESPACE\(\);$(.*?)^HWY_AFTER_NAMESPACE", re.M | re.S)
OPENED = re.compile(r"^using namespace (?!std::\w*literals;).*$", re.M)  # literals are written, and not found
# Members of what a header declares can be named without saying whose they are.
HAS_MEMBERS = re.compile(r"^\S.*\w::~?\w+\(|^(?:class|struct) [^;{]*:", re.M)
CONDITION = re.compile(r"^#\s*if", re.M)
TARGETS = "cupel/base/vector_targets.h"  # which sets there are
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
        self.own = declared("\n".join(UNNAMED.findall(self.code) + STATIC.findall(self.code) +
                                      FOR_EACH_SET.findall(self.code)))
        self.opened = frozenset(OPENED.findall(self.code))
        self.renamed: dict[str, str] = {}

    def can_rename(self, name: str, headers: frozenset[pathlib.Path]) -> bool:
        if self.vectorised or name in FOUND_BY_ARGUMENTS or CONDITION.search(self.text):
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

    def private(self) -> dict[str, str]:
        return {name: line for name, line in self.own.items() if name not in self.renamed}

    @property
    def vectorised(self) -> bool:
        return VECTORISED.search(self.text) is not None

    @property
    def alone(self) -> bool:
        if self.vectorised:
            return len(DEFINES.findall(self.text)) != len(OWN_MACRO.findall(self.text))
        return REACHES.search(self.text) is not None

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
    def __init__(self, most: int):
        self.most = most
        self.sources: list[Source] = []
        self.seen: list[dict[str, str]] = []  # of each source, the names of its headers as well
        self.headers: list[frozenset[pathlib.Path]] = []

    def admits(self, one: Source, names: dict[str, str], headers: frozenset[pathlib.Path]) -> bool:
        """Adds it, and makes two of the names that it would share, where that is possible."""
        if self.sources:
            first = self.sources[0]
            if len(self.sources) == self.most or first.opened != one.opened or first.vectorised != one.vectorised:
                return False
            renames = self.renames(one, names, headers)
            if renames is None:
                return False
            for source, name, to in renames:
                source.renamed[name] = to
        self.sources.append(one)
        self.seen.append(names)
        self.headers.append(headers)
        return True

    def renames(self, one: Source, names: dict[str, str],
                headers: frozenset[pathlib.Path]) -> list[tuple[Source, str, str]] | None:
        """What calls which of its names what, so that `one` shares none. Who comes later gives way, where it can."""
        taken = set(names).union(*self.seen, *(source.renamed.values() for source in self.sources))
        out: list[tuple[Source, str, str]] = []
        for name in sorted(self.shared_with(one, names)):
            there = [(source, met) for source, met in zip(self.sources, self.headers) if name in source.private()]
            ways = [there]
            if name in one.own:
                of_headers = any(name in seen and name not in source.own for source, seen in zip(self.sources, self.seen))
                ways = [[(one, headers)]] if of_headers else [[(one, headers)], there]
            for way in ways:
                new = [f"{name}_of_{source.path.stem}" for source, _ in way]
                if (all(source.can_rename(name, met) for source, met in way)
                        and len(taken.union(new)) == len(taken) + len(new)):
                    out += [(source, name, to) for (source, _), to in zip(way, new)]
                    taken.update(new)
                    break
            else:
                return None
        return out

    def shared_with(self, one: Source, names: dict[str, str]) -> set[str]:
        out: set[str] = set()
        for source, seen in zip(self.sources, self.seen):
            theirs = {name: line for name, line in seen.items() if name not in source.renamed}
            out |= differing(one.own, theirs) | differing(source.private(), names)
        return out


def differing(own: dict[str, str], names: dict[str, str]) -> set[str]:
    return {name for name, alias in own.items() if name in names and not agree(alias, names[name])}


def agree(mine: str, theirs: str) -> bool:
    """A using-declaration may also name what a header declares in another namespace."""
    return mine != "" and (mine == theirs or (theirs == "" and "=" not in mine))


def even(count: int, most: int) -> int:
    """The size of batches of which as few as can be hold so many sources, and none more than others."""
    return math.ceil(count / max(1, math.ceil(count / most)))


def batches_of(roots: tuple[pathlib.Path, ...], paths: list[pathlib.Path]) -> list[Batch]:
    batches: list[Batch] = []
    vectorised = [path for path in paths if source(path).vectorised]
    most = (even(len(paths) - len(vectorised), MOST), even(len(vectorised), MOST_VECTORISED))
    for path in sorted(paths, key=lambda path: (libraries(roots, path), path)):
        one = source(path)
        if one.alone:
            continue
        met = headers(roots, path)
        names = dict(one.names)
        for header in sorted(met):  # in one order: the last one says what a name is
            names.update(source(header).names)
        if not any(batch.admits(one, names, met) for batch in batches):
            batches.append(Batch(most[one.vectorised]))
            batches[-1].admits(one, names, met)
    return [batch for batch in batches if len(batch.sources) > 1]


def main() -> None:
    roots = tuple(map(pathlib.Path, sys.argv[1].split(":")))
    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for number, batch in enumerate(batches_of(roots, list(map(pathlib.Path, sys.argv[3:])))):
        text = ""
        file = folder / f"batch{number}.cpp"
        for one in batch.sources:
            root = next(root for root in roots if one.path.is_relative_to(root))
            text += one.included(one.path.relative_to(root).as_posix())
            print(f"batch{number} {one.path}")
        if batch.sources[0].vectorised:  # each set of instructions includes the batch, and no source alone
            itself = f'#undef HWY_TARGET_INCLUDE\n#define HWY_TARGET_INCLUDE "{file.name}"\n'
            text = f'{itself}#include "{TARGETS}"\n#include "hwy/foreach_target.h"\n{text}{itself}'
        if not file.exists() or file.read_text() != text:  # what is written anew is compiled anew
            file.write_text(text)


if __name__ == "__main__":
    main()
