#!/usr/bin/env python3
"""Writes src/cupel/data/text/normal_form_tables.inc: what NFC needs to know of characters.

Usage: scripts/make_normal_form_tables.py > src/cupel/data/text/normal_form_tables.inc
"""
import textwrap
import unicodedata

CHARACTERS = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]


def parts():
    """(character, first, second, composes): canonical decompositions by one step, second 0 where
    there is one character; Hangul's are arithmetic."""
    for c in CHARACTERS:
        text = unicodedata.decomposition(chr(c))
        if text and not text.startswith("<"):
            pair = [int(part, 16) for part in text.split()]
            composes = len(pair) == 2 and unicodedata.normalize("NFC", chr(c)) == chr(c)
            yield c, pair[0], pair[1] if len(pair) == 2 else 0, int(composes)


def classes():
    """(first, last, class): runs of characters with one combining class other than 0."""
    out = []
    for c in CHARACTERS:
        value = unicodedata.combining(chr(c))
        if value and out and out[-1][1] == c - 1 and out[-1][2] == value:
            out[-1][1] = c
        elif value:
            out.append([c, c, value])
    return out


def table(kind, name, rows):
    text = ", ".join("{%s}" % ", ".join(map(str, row)) for row in rows)
    print(f"constexpr {kind} {name}[] = {{")
    print("\n".join("    " + line for line in textwrap.wrap(text, 95)) + "};")


print(f"// Unicode {unicodedata.unidata_version}, as Python has it. Written by")
print("// scripts/make_normal_form_tables.py.")
print("// Character, its two parts (0: one part only), whether the parts become it again.")
table("Parts", "kParts", parts())
print("// First and last character of a run, and their combining class.")
table("ClassRun", "kClassRuns", classes())
