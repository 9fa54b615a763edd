"""Random annotated texts: what the generators of all formats write down."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

WORDS = """
the a of and Anna Bob she he it ferry harbour left saw sleeps old man 's n't . , ; - -- ( ) -LRB-
-RRB- ` '' 12 3.5 1-2 (12) 7) * _ # #tag naïve 東京 Łódź I&B a|b x=y <s> "no" e\u0301 \u2014 %2C
100% C++ @home {x} [1] don't
"""
VOCABULARY = [*WORDS.split(), "x\u00a0y", "a\u3000b"]
NAMES = "bc/cctv_0001 wsj_0020 ferry/one ferry/two GUM_news x y z_1 a-b Ærø"
DOCUMENT_NAMES = NAMES.split()


@dataclass(slots=True)
class DrawnMention:
    """Parts of a sentence, from token to token of the document, end inclusive."""

    entity: int
    parts: list[tuple[int, int]]

    @property
    def span(self) -> tuple[int, int]:
        """The first and the last token."""
        return self.parts[0][0], self.parts[-1][1]


@dataclass(slots=True)
class DrawnText:
    """A document: words by sentence, and mentions."""

    name: str
    sentences: list[list[str]]
    mentions: list[DrawnMention] = field(default_factory=list)

    @property
    def words(self) -> list[str]:
        """All words."""
        return [word for sentence in self.sentences for word in sentence]

    @property
    def entities(self) -> list[list[DrawnMention]]:
        """The mentions of each entity."""
        lists: dict[int, list[DrawnMention]] = {}
        for mention in self.mentions:
            lists.setdefault(mention.entity, []).append(mention)
        return list(lists.values())


def draw_texts(rng: Random, most: int = 3, **choices: bool) -> list[DrawnText]:
    """Draw a few documents with different names."""
    names = rng.sample(DOCUMENT_NAMES, rng.randint(1, most))
    return [draw_text(rng, name, **choices) for name in names]


def draw_text(
    rng: Random,
    name: str,
    *,
    crossing: bool = True,
    gaps: bool = False,
    across: bool = False,
) -> DrawnText:
    """Draw a document: with mentions that cross, that have gaps, or that leave their sentence.

    No two mentions of an entity cross or touch, since brackets cannot express that.
    """
    sentences = [
        [rng.choice(VOCABULARY) for _ in range(rng.randint(1, 7))] for _ in range(rng.randint(1, 4))
    ]
    text = DrawnText(name, sentences)
    first, bounds = 0, []
    for sentence in sentences:
        bounds.append((first, first + len(sentence) - 1))
        first += len(sentence)
    for _ in range(rng.randint(0, 9)):
        low, high = (0, first - 1) if across and rng.random() < 0.1 else rng.choice(bounds)
        start = rng.randint(low, high)
        end = min(high, start + rng.choice((0, 0, 0, 1, 1, 2, 4)))
        parts = [(start, end)]
        if gaps and end - start >= 2 and rng.random() < 0.4:
            hole = rng.randint(start + 1, end - 1)
            parts = [(start, hole - 1), (hole + 1, end)]
        entity = rng.randint(1, 4)
        for other in text.mentions:
            a, b = other.span
            crosses = a < start <= b < end or start < a <= end < b
            if (a, b) == (start, end) or (crosses and not crossing):
                break
            if other.entity == entity and not (b < start or end < a or a < start <= end < b):
                break
        else:
            text.mentions.append(DrawnMention(entity, parts))
    # An outer bracket is written before an inner one.
    text.mentions.sort(key=lambda mention: (mention.span[0], -mention.span[1]))
    return text
