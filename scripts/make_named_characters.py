#!/usr/bin/env python3
"""Prints src/cupel/data/wiki/markup/named_characters.inc: the names of HTML's character references."""
from html.entities import html5  # the WHATWG's table

named = {name[:-1]: text for name, text in html5.items() if name.endswith(";")}
items = [name + ";" + "+".join(f"{ord(c):x}" for c in named[name]) for name in sorted(named)]

print("// Made by scripts/make_named_characters.py: name;code points, ascending.")
line = ""
for item in items:
    if len(line) + len(item) + 1 > 94:
        print(f'    "{line}"')
        line = ""
    line += item + " "
print(f'    "{line}"')
