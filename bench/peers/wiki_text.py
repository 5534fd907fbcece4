#!/usr/bin/env python3
"""Visible text by mwparserfromhell, tokens by NLTK and rows by mwsql: megabytes of input a second of processor time.

wiki_text.py DUMP.xml [--table FILE-pagelinks.sql.gz] [--megabytes 3]    (pip install mwparserfromhell nltk mwsql)
"""
import argparse
import bz2
import gzip
import json
import time
import xml.etree.ElementTree as ElementTree


def unpacked(path: str):
    opener = bz2.open if path.endswith("bz2") else gzip.open if path.endswith("gz") else open
    return opener(path, "rb")


def articles(path: str, most: int) -> list[str]:
    texts, size = [], 0
    with unpacked(path) as file:
        for _, page in ElementTree.iterparse(file):
            if not page.tag.endswith("}page"):
                continue
            space = page.tag[: -len("page")]
            text = page.findtext(f"{space}revision/{space}text") or ""
            if page.findtext(f"{space}ns") in ("0", None) and page.find(f"{space}redirect") is None:
                texts.append(text)
                size += len(text.encode())
            page.clear()
            if size >= most:
                break
    return texts


def rate(bytes_done: int, body) -> float:
    began = time.process_time()
    body()
    return round(bytes_done / 1e6 / (time.process_time() - began), 2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dump")
    parser.add_argument("--table")
    parser.add_argument("--megabytes", type=float, default=3)
    arguments = parser.parse_args()
    texts = articles(arguments.dump, int(arguments.megabytes * 1e6))
    size = sum(len(text.encode()) for text in texts)
    found: dict[str, float] = {"articles": len(texts), "wikitext_bytes": size}
    import mwparserfromhell
    visible: list[str] = []
    found["mwparserfromhell_mb_per_second"] = rate(
        size, lambda: visible.extend(mwparserfromhell.parse(text).strip_code() for text in texts))
    from nltk.tokenize import NLTKWordTokenizer, PunktSentenceTokenizer
    sentences, words = PunktSentenceTokenizer(), NLTKWordTokenizer()  # untrained: no model is downloaded
    found["nltk_mb_per_second"] = rate(
        sum(len(text.encode()) for text in visible),
        lambda: [words.tokenize(sentence) for text in visible for sentence in sentences.tokenize(text)])
    if arguments.table:
        from mwsql import Dump
        with unpacked(arguments.table) as file:
            table_size = len(file.read())
        found["mwsql_mb_per_second"] = rate(
            table_size, lambda: sum(1 for _ in Dump.from_file(arguments.table).rows(convert_dtypes=True)))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
