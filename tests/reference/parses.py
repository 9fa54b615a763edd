"""Random sentences with their parses, for programs that read them in CoNLL columns."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.reference.documents import Files

Span = tuple[int, int]
Tree = tuple[str, "str | list[Tree]"]
"""A label and what is below it; of a word, the word and its tag."""

_NOUNS: list[Tree] = [("dog", "NN"), ("Anna", "NNP"), ("cats", "NNS"), ("5", "CD"), ("U.S.", "NNP")]
_HEAD = "d 0 {} {} {} {} - - - - * {}"


class Phrase(NamedTuple):
    """A constituent; phrases of the same `core` have the same minimal span."""

    start: int
    end: int
    label: str
    core: int


@dataclass
class Sentence:
    """Words with tags, a parse cell for each, and the constituents."""

    words: list[tuple[str, str]] = field(default_factory=list)
    cells: list[str] = field(default_factory=list)
    phrases: list[Phrase] = field(default_factory=list)

    def lines(self, marks: dict[int, list[str]] | None = None) -> list[str]:
        """Return the lines of a file, with brackets in the last column."""
        told = marks or {}
        return [
            _HEAD.format(at, word, tag, cell, "|".join(told.get(at, ["-"])))
            for at, ((word, tag), cell) in enumerate(zip(self.words, self.cells, strict=True))
        ]

    def own_cells(self, phrase: Phrase) -> list[str]:
        """Return the cells of a phrase without brackets that larger ones open at its start."""
        larger = sum(p.start == phrase.start and p.end > phrase.end for p in self.phrases)
        first, *others = self.cells[phrase.start : phrase.end + 1]
        opening, star, rest = first.partition("*")
        kept = "".join(f"({label}" for label in opening.split("(")[1 + larger :])
        return [kept + star + rest, *others]


@dataclass
class Grammar:
    """Draws sentences. With `even`, both sides of a coordination are plain noun phrases."""

    rng: Random
    even: bool = False

    def sentence(self) -> Sentence:
        """Draw a sentence."""
        found = Sentence()
        self._write(("TOP", [("S", [self.noun(3), self.verb(3), (".", ".")])]), found)
        return found

    def plain(self) -> Tree:
        """Draw a noun phrase without phrases in it."""
        words: list[Tree] = []
        if self.rng.random() < 0.6:
            words.append(("the", "DT"))
        if self.rng.random() < 0.3:
            words.append(("old", "JJ"))
        return "NP", [*words, self.rng.choice(_NOUNS)]

    def noun(self, depth: int) -> Tree:
        """Draw a noun phrase."""
        flat: list[tuple[int, list[Tree]]] = [
            (2, [("the", "DT"), ("ADJP", [("very", "RB"), ("old", "JJ")]), ("man", "NN")]),
            (2, [("the", "DT"), ("NML", [("oil", "NN"), ("price", "NN")]), ("rise", "NN")]),
            (1, [("QP", [("about", "IN"), ("5", "CD")]), ("dollars", "NNS")]),
            (0 if self.even else 1, [("that", "DT")]),
        ]
        if depth <= 0 or self.rng.random() < 0.5:
            weights = [weight for weight, _ in flat]
            chosen = self.rng.choices([*flat, None], [*weights, 8])[0]
            return ("NP", chosen[1]) if chosen else self.plain()
        first, other = (self.plain() if self.even else self.noun(depth - 1) for _ in range(2))
        comma: Tree = (",", ",")
        way = self.rng.random()
        if way < 0.25:
            return "NP", [first, ("and", "CC"), other]
        if way < 0.4:
            return "NP", [first, comma, other, comma]
        if way < 0.8:
            return "NP", [self.noun(depth - 1), ("PP", [("of", "IN"), self.noun(depth - 1)])]
        return "NP", [self.noun(depth - 1), ("SBAR", [("S", [self.verb(depth - 1)])])]

    def verb(self, depth: int) -> Tree:
        """Draw a verb phrase."""
        ways: list[list[Tree]] = [[("slept", "VBD")], [("saw", "VBD"), self.noun(max(depth, 0))]]
        if depth > 0:
            ways += [[("has", "VBZ"), self.verb(depth - 1)]]
            ways += [[self.verb(0), ("and", "CC"), self.verb(0)]]
        return "VP", self.rng.choice(ways)

    def _write(self, tree: Tree, sentence: Sentence) -> int:
        """Add a tree to a sentence, and return its core."""
        label, below = tree
        if isinstance(below, str):
            sentence.words.append((label, below))
            sentence.cells.append("*")
            return -1
        start = len(sentence.words)
        cores = [self._write(child, sentence) for child in below]
        sentence.cells[start] = f"({label}{sentence.cells[start]}"
        sentence.cells[-1] += ")"
        passes_on = len(below) == 2 and below[1][0] in ("PP", "SBAR")
        core = cores[0] if passes_on else len(sentence.phrases)
        sentence.phrases.append(Phrase(start, len(sentence.words) - 1, label, core))
        return core


def write_parsed_files(folder: Path, seed: int, documents: int) -> Files:
    """Write a key and a response whose mentions often differ in what follows their core.

    No two mentions of a side have the same minimal span.
    """
    rng = Random(seed)  # noqa: S311  # not a secret
    grammar = Grammar(rng, even=True)
    marked = [
        [(one, _marks(rng, one)) for one in _sentences(rng, grammar)] for _ in range(documents)
    ]
    return _write_sides(folder, marked)


def _write_sides(
    folder: Path, documents: list[list[tuple[Sentence, tuple[Marks, Marks]]]]
) -> Files:
    sides: tuple[list[str], list[str]] = ([], [])
    for number, marked in enumerate(documents):
        for at, side in enumerate(sides):
            side.append(f"#begin document (text_{number}); part 000")
            side.extend(line for one, marks in marked for line in [*one.lines(marks[at]), ""])
            side.append("#end document")
    files = Files(folder / "key.conll", folder / "response.conll")
    for path, lines in zip(files, sides, strict=True):
        path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return files


def write_nested_files(folder: Path, seed: int, documents: int) -> Files:
    """Write a key and a response with noun phrases, verb phrases and verbs, often nested."""
    return write_nested_documents(folder, seed, documents)[0]


def write_nested_documents(
    folder: Path, seed: int, documents: int
) -> tuple[Files, list[list[Sentence]]]:
    """Write the files of `write_nested_files`, and return the sentences of each document too."""
    rng = Random(seed)  # noqa: S311  # not a secret
    grammar = Grammar(rng)
    marked = [
        [(one, _nested_marks(rng, one)) for one in _sentences(rng, grammar)]
        for _ in range(documents)
    ]
    sentences = [[sentence for sentence, _ in document] for document in marked]
    return _write_sides(folder, marked), sentences


def _sentences(rng: Random, grammar: Grammar) -> list[Sentence]:
    return [grammar.sentence() for _ in range(rng.randint(1, 6))]


def _nested_marks(rng: Random, sentence: Sentence) -> tuple[Marks, Marks]:
    """Draw the mentions of both sides, in few entities; no span is drawn twice."""
    verbs = {(at, at) for at, (_, tag) in enumerate(sentence.words) if tag.startswith("V")}
    phrases = {(one.start, one.end) for one in sentence.phrases if one.label in ("NP", "VP", "S")}
    sides: tuple[Marks, Marks] = ({}, {})
    for start, end in sorted(verbs | phrases):
        for marks in sides:
            if rng.random() < 0.5:
                _mark(marks, Phrase(start, end, "", 0), rng.randrange(6))
    return sides


Marks = dict[int, list[str]]
"""The brackets on each token."""


def _marks(rng: Random, sentence: Sentence) -> tuple[Marks, Marks]:
    """Draw the mentions of both sides, at most one of each core."""
    key: Marks = {}
    response: Marks = {}
    cores: dict[int, list[Phrase]] = {}
    for phrase in sentence.phrases:
        if phrase.label == "NP":
            cores.setdefault(phrase.core, []).append(phrase)
    for phrases in cores.values():
        entity = rng.randrange(8)
        _mark(key, rng.choice(phrases), entity)
        if rng.random() < 0.85:
            other = entity if rng.random() < 0.7 else rng.randrange(8)
            _mark(response, rng.choice(phrases), other)
    return key, response


def _mark(marks: Marks, phrase: Phrase, entity: int) -> None:
    if phrase.start == phrase.end:
        marks.setdefault(phrase.start, []).append(f"({entity})")
    else:
        marks.setdefault(phrase.start, []).append(f"({entity}")
        marks.setdefault(phrase.end, []).insert(0, f"{entity})")
