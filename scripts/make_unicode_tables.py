#!/usr/bin/env python3
"""Writes src/cupel/data/text/unicode_tables.inc: what Python's re and str know of characters.

Usage: scripts/make_unicode_tables.py > src/cupel/data/text/unicode_tables.inc
"""
import re
import textwrap
import unicodedata

CHARACTERS = [chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000]


def ends_in_final_sigma(before):
    return (before + "\u03a3").lower().endswith("\u03c2")


PROPERTIES = {
    "kWordRuns": lambda c: re.fullmatch(r"\w", c),
    "kDecimalRuns": lambda c: re.fullmatch(r"\d", c),
    "kUpperRuns": str.isupper,
    "kLowerRuns": str.islower,
    # What str.lower() looks through, and what it stops at, before a capital sigma.
    "kIgnorableRuns": lambda c: ends_in_final_sigma("A" + c) and not ends_in_final_sigma("1" + c),
    "kCasedRuns": lambda c: ends_in_final_sigma("1" + c),
    "kMarkRuns": lambda c: unicodedata.category(c) in ("Mn", "Mc"),
}


def runs(has):
    """Lengths of the runs of characters without, with, without ... the property."""
    out, last, state = [], 0, False
    for c in CHARACTERS:
        if bool(has(c)) != state:
            out.append(ord(c) - last)
            last, state = ord(c), not state
    if state:
        out.append(0x110000 - last)
    return out


def lower_ranges():
    """(first, last, step, added): how single characters become lower case; of more than one
    result, as of U+0130, the tables hold nothing."""
    out = []
    for c in CHARACTERS:
        lower = c.lower()
        if lower == c or len(lower) > 1:
            continue
        code, added = ord(c), ord(lower) - ord(c)
        if out and out[-1][3] == added:
            first, last, step, _ = out[-1]
            if code - last <= 2 and (first == last or code - last == step):
                out[-1] = (first, code, code - last, added)
                continue
        out.append((code, code, 1, added))
    return out


def table(kind, name, text):
    print(f"constexpr {kind} {name}[] = {{")
    print("\n".join("    " + line for line in textwrap.wrap(text, 95, break_on_hyphens=False)))
    print("};")


print(f"// Unicode {unicodedata.unidata_version}, as Python has it. Written by")
print("// scripts/make_unicode_tables.py.")
print("// Lengths of runs of characters from U+0000: without the property, with it, without it ...")
for name, has in PROPERTIES.items():
    table("std::uint32_t", name, ", ".join(map(str, runs(has))))
print("// First, last, step, what is added.")
table("LowerRange", "kLowerRanges", ", ".join("{%d,%d,%d,%d}" % r for r in lower_ranges()))
