"""Words, prose and wikitext for made_wiki.py: everything is drawn from the generator it is given."""
from __future__ import annotations

import random

ONSETS = ["b", "br", "c", "d", "dr", "f", "g", "gl", "h", "k", "l", "m", "n", "p", "pr", "r", "s", "st",
          "t", "tr", "v", "z"]
VOWELS = ["a", "e", "i", "o", "u", "ai", "ea", "ou"]
CODAS = ["", "l", "n", "r", "s", "t", "nd", "rk", "st", "m"]
# Among them are stop words, words that the tokenizer splits, and abbreviations of any English model.
COMMON = ["the", "of", "and", "to", "in", "is", "was", "for", "as", "on", "with", "by", "that", "it", "are",
          "from", "at", "which", "an", "be", "its", "has", "or", "also", "not", "this", "system", "network",
          "computer", "data", "program", "used", "first", "software", "language", "memory"]
ODD = ["don't", "it's", "can't", "they'll", "we've", "I'm", "cannot", "e.g. ", "i.e. ", "U.S.", "Dr. ",
       "Mr. ", "3.14", "1,000", "C++", "x86", "AT&T", "TCP/IP", "10%", "$5", "o'clock", "rock'n'roll",
       "naïve", "Zürich", "—", "–", "...", "(x)", "etc.", "#1", "a--b", "9:30", "D'Arcy", "you're",
       "state-of-the-art", "“so”", "‘so’", "user@host", "gonna", "n/a"]


def made_word(rng: random.Random, syllables: int) -> str:
    return "".join(rng.choice(ONSETS) + rng.choice(VOWELS) + rng.choice(CODAS) for _ in range(syllables))


def vocabulary(rng: random.Random, size: int) -> list[str]:
    words: dict[str, None] = dict.fromkeys(COMMON)
    while len(words) < size:
        words[made_word(rng, rng.choice([1, 2, 2, 3]))] = None
    return list(words)


class Prose:
    """Sentences; links and formatting are put between words by the caller's `decorate`."""

    def __init__(self, rng: random.Random, words: list[str]):
        self.rng, self.words = rng, words

    def word(self) -> str:
        rng, die = self.rng, self.rng.random()
        if die < 0.35:
            return rng.choice(COMMON)
        if die < 0.41:
            return rng.choice(ODD).strip()
        if die < 0.45:
            return made_word(rng, 4)  # has no vector
        word = rng.choice(self.words)
        return word.capitalize() if rng.random() < 0.06 else word

    def sentence(self, inserts: list[str]) -> str:
        rng = self.rng
        parts = [self.word() for _ in range(rng.randint(4, 16))]
        for insert in inserts:
            parts.insert(rng.randint(1, len(parts)), insert)
        parts[0] = parts[0][:1].upper() + parts[0][1:]
        for i in range(1, len(parts) - 1):
            die = rng.random()
            if die < 0.05:
                parts[i] += rng.choice([",", ";", ":"])
            elif die < 0.07:
                parts[i] = "(" + parts[i] + ")"
            elif die < 0.09:
                parts[i] = '"' + parts[i] + '"'
            elif die < 0.11:
                parts[i] = rng.choice(["''", "'''"]).join(["", parts[i], ""])
        return " ".join(parts) + rng.choice([".", ".", ".", ".", "!", "?"])


def hidden(rng: random.Random, prose: Prose, names: dict[str, str]) -> str:
    """Markup whose content nobody sees."""
    word = prose.word()
    return rng.choice([
        f"<!-- {word} [[{prose.word()}]] -->",
        f"<ref>{prose.sentence([])}</ref>",
        f'<ref name="{word}" />',
        "{{%s|a=%s|{{%s}}|b={{{1|x}}}}}" % (word.capitalize(), prose.word(), prose.word()),
        f"<math>a_{{{word}}}^2</math>",
        "__NOTOC__",
        f"[[{names['file']}:{word}.jpg|thumb|{prose.sentence([])}]]",
        f"[[{rng.choice(['File', 'Image'])}:{word}.png]]",
    ])


def block(rng: random.Random, prose: Prose) -> str:
    """A piece that stands in lines of its own."""
    word = prose.word
    return rng.choice([
        f"== {word()} {word()} ==",
        f"=== {word()} ===",
        f"* {prose.sentence([])}\n* {word()}\n** {word()} {word()}",
        f"# {word()}\n# {prose.sentence([])}",
        f"; {word()}\n: {prose.sentence([])}",
        '{| class="wikitable"\n! %s !! %s\n|-\n| %s || %s\n|-\n| {{x|y}} || 7\n|}' % (
            word(), word(), word(), word()),
        f"{{{{Infobox {word()}\n| name = {word()}\n| other = {{{{nested|{word()}}}}}\n}}}}",
        f"<gallery>\nA.jpg|{word()}\nB.jpg|{word()}\n</gallery>",
        f"<blockquote>{prose.sentence([])}</blockquote>",
        f"<nowiki>''{word()}'' [[{word()}]]</nowiki> {word()}.",
        f"See [https://example.org/{rng.randint(1, 99)} {word()} {word()}] here.",
        f"A&nbsp;{word()} &ndash; {word()} &amp; {word()} &lt;{word()}&gt; caf&eacute; &#8212; &#x3b1;.",
        f'<div style="x:y">{prose.sentence([])}</div>',
        f"H<sub>2</sub>O and x<sup>2</sup><br />{word()}",
        "----",
    ])


def article_text(rng: random.Random, prose: Prose, links: list[str], names: dict[str, str]) -> str:
    """Paragraphs that hold every one of `links`, with all kinds of markup between."""
    left, pieces = list(links), []
    rng.shuffle(left)
    for _ in range(rng.randint(1, 4)):
        sentences = []
        for _ in range(rng.randint(1, 4)):
            take = min(len(left), rng.choice([0, 1, 1, 2]))
            sentences.append(prose.sentence([left.pop() for _ in range(take)]))
            if rng.random() < 0.15:
                sentences[-1] = sentences[-1] + hidden(rng, prose, names)
        pieces.append(" ".join(sentences))
        if rng.random() < 0.5:
            pieces.append(block(rng, prose))
    while left:
        pieces.append(rng.choice(["* %s", "See also %s.", "%s"]) % left.pop())
    return rng.choice(["\n\n", "\n"]).join(pieces)
