#!/usr/bin/env python3
"""Time and memory of `cupel build wiki-cs` on made dumps of growing size.

scale.py --cupel build/check/cupel --dir /tmp/scale --gigabytes 0.1 1 10

Writes, for each size, pages-articles XML of that many bytes and the tables page, redirect and pagelinks (each page has
twenty links; up to 2,000 categories are under ten labels, so that there are nodes as in Wiki-CS), builds the data set, prints a
line of a table, and removes the files. An article has 8 kB of text; there is a category for every three articles, as in the
English Wikipedia (7 million articles, 2.3 million categories, 90 GB).
"""
import argparse
import os
import pathlib
import random
import shutil
import time

PAGES = 1000  # in a block, which is written again and again under other names
WORDS = "graph database kernel network compiler router index query thread cache packet server memory file".split()
HEAD = """<mediawiki version="0.11" xml:lang="en"><siteinfo><dbname>madewiki</dbname><case>first-letter</case><namespaces>
<namespace key="0" case="first-letter" /><namespace key="14" case="first-letter">Category</namespace>
</namespaces></siteinfo>
"""


def page(title: str, number: int, text: str) -> str:
    space = 14 if title.startswith("Category:") else 0
    return (f"<page><title>{title}</title><ns>{space}</ns><id>@{number:03d}</id><revision><id>1</id>"
            f"<text>{text}</text></revision></page>\n")


def block() -> bytes:
    """A thousand pages, in which @ stands for the number of the block."""
    rng = random.Random(1)
    pages = []
    for number in range(PAGES):
        if number % 4 == 0:
            parent = "Category:Top" if number == 0 else f"Category:C@{number // 12 // 4 * 4:03d}"
            pages.append(page(f"Category:C@{number:03d}", number, f"[[{parent}]]"))
            continue
        prose = " ".join(f"[[A@{rng.randrange(PAGES):03d}]]" if rng.random() < 0.02 else rng.choice(WORDS)
                         for _ in range(1000))
        prose += " {{cite|title=x|url=y}} <ref>z</ref>" .replace("<", "&lt;").replace(">", "&gt;") * 20
        tags = "".join(f"[[Category:C@{rng.randrange(250) * 4:03d}]]" for _ in range(2))
        pages.append(page(f"A@{number:03d}", number, prose + tags))
    return "".join(pages).encode()


def rows(path: pathlib.Path, table: str, columns: str, values: bytes, blocks: int) -> None:
    with path.open("wb") as out:
        out.write(f"CREATE TABLE `{table}` ({columns});\n".encode())
        for number in range(1, blocks + 1):
            out.write(b"INSERT INTO `" + table.encode() + b"` VALUES " + values.replace(b"@", b"%d" % number) + b";\n")


def write(folder: pathlib.Path, size: float) -> int:
    rng = random.Random(2)
    one = block()
    blocks = max(1, round(size / len(one)))
    with (folder / "made-pages-articles.xml").open("wb") as out:
        out.write(HEAD.encode() + page("Category:Top", 0, "").replace("@", "9999999").encode())
        for number in range(1, blocks + 1):
            out.write(one.replace(b"@", b"%d" % number))
        out.write(b"</mediawiki>\n")
    articles = [n for n in range(PAGES) if n % 4]
    rows(folder / "made-page.sql", "page",
         "`page_id` int, `page_namespace` int, `page_title` varbinary(255), `page_is_redirect` tinyint",
         ",".join(f"(@{n:03d},0,'A@{n:03d}',0)" for n in articles).encode(), blocks)
    rows(folder / "made-redirect.sql", "redirect",
         "`rd_from` int, `rd_namespace` int, `rd_title` varbinary(255), `rd_interwiki` varbinary(32)",
         b"(1,0,'Nowhere','')", 1)
    rows(folder / "made-pagelinks.sql", "pagelinks",
         "`pl_from` int, `pl_namespace` int, `pl_title` varbinary(255), `pl_from_namespace` int",
         ",".join(f"(@{n:03d},0,'A@{rng.choice(articles):03d}',0)" for n in articles for _ in range(20)).encode(), blocks)
    labels = [f"C{k}{n * 4:03d}" for k in range(1, blocks + 1) for n in range(0, 250, 20)][:2000]
    (folder / "labels.json").write_text(
        "{" + ",".join(f'"L{i}": [' + ",".join(f'"{c}"' for c in labels[i::10]) + "]" for i in range(10)) + "}")
    (folder / "vectors.txt").write_text("".join(f"{w} " + " ".join("0.5" for _ in range(300)) + "\n" for w in WORDS))
    return blocks


def measure(arguments: argparse.Namespace, folder: pathlib.Path, size: float) -> str:
    blocks = write(folder, size)
    command = [arguments.cupel, "build", "wiki-cs", "--from", str(folder), "--out", str(folder / "out"),
               "--set", f"milestones={250 * blocks + 1}", "--set", "exclude="]
    begin = time.monotonic()
    child = os.posix_spawn(command[0], command, os.environ,
                           file_actions=[(os.POSIX_SPAWN_OPEN, 1, str(folder / "log"), os.O_WRONLY | os.O_CREAT, 0o600)])
    _, status, usage = os.wait4(child, 0)
    wall = time.monotonic() - begin
    if status:
        raise SystemExit(f"cupel ended with {status}")
    lines = dict((what.strip(), count) for count, what in
                 (line.strip().split("  ", 1) for line in (folder / "log").read_text().splitlines() if "  " in line.strip()))
    tables = sum(path.stat().st_size for path in folder.glob("*.sql"))
    xml = (folder / "made-pages-articles.xml").stat().st_size
    return (f"| {xml / 1e9:.2f} | {tables / 1e9:.2f} | {lines['articles']} | {lines['categories']} | {lines['nodes']} | "
            f"{lines['links']} | {usage.ru_maxrss / 1024:.0f} | {usage.ru_utime + usage.ru_stime:.0f} | {wall:.0f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cupel", required=True)
    parser.add_argument("--dir", required=True, type=pathlib.Path)
    parser.add_argument("--gigabytes", type=float, nargs="+", default=[0.1, 1, 10])
    arguments = parser.parse_args()
    print("| XML, GB | tables, GB | articles | categories | nodes | links | peak, MiB | CPU, s | wall, s |")
    print("|---|---|---|---|---|---|---|---|---|")
    for size in arguments.gigabytes:
        folder = arguments.dir / str(size)
        folder.mkdir(parents=True)
        try:
            print(measure(arguments, folder, size * 1e9), flush=True)
        finally:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
