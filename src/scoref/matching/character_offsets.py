"""Conversion of character spans to token spans, for sides that differ in their unit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from scoref.base.arrays import Ints
from scoref.base.phrases import counted
from scoref.corpus.corpus import Corpus
from scoref.corpus.text import Text
from scoref.exceptions import DocumentError
from scoref.metrics.table import NOWHERE

_AROUND = 20


def as_tokens(
    corpus: Corpus, text: Text, document: Ints, side: str, *, widen: bool = False
) -> Corpus:
    """Convert character spans to spans of the tokens of a text.

    `document` is the index of each document of the corpus in the text, or NOWHERE. The characters
    must be the words, separated only by whitespace. A span must begin and end with a token, unless
    it is to be widened to whole tokens; then a note says how many are.
    """
    cut = 0
    start, end = corpus.start.copy(), corpus.end.copy()
    documents = list(corpus.documents)
    for number, characters in enumerate(corpus.characters):
        place = int(document[number])
        if place == NOWHERE:
            documents[number] = documents[number]._replace(length=-1)
            continue
        low, high = int(text.first[place]), int(text.first[place + 1])
        begins, ends = _places(text.columns["word"][low:high], characters, documents[number].name)
        rows = np.flatnonzero(corpus.document == number)
        if widen and len(begins):
            start[rows], end[rows] = _widened(begins, ends, start[rows], end[rows])
            changed = (start[rows] != corpus.start[rows]) | (end[rows] != corpus.end[rows])
            cut += int(np.count_nonzero(changed))
        start[rows] = _tokens(corpus, rows, start, begins, side)
        end[rows] = _tokens(corpus, rows, end, ends, side)
        documents[number] = documents[number]._replace(length=high - low)
    note = f"{counted(cut, 'mention')} of the {side} cut through tokens: changed to whole tokens"
    return replace(
        corpus,
        start=start,
        end=end,
        documents=tuple(documents),
        characters=(),
        notes=(*corpus.notes, note) if cut else corpus.notes,
    )


def _widened(begins: Ints, ends: Ints, start: Ints, end: Ints) -> tuple[Ints, Ints]:
    """Widen spans of characters to whole tokens; whitespace at their edges is left out."""
    one, other = np.searchsorted(ends, start), np.searchsorted(begins, end, side="right") - 1
    is_word = (one <= other) & (one < len(begins))
    at = np.minimum(one, len(begins) - 1)
    return np.where(is_word, begins[at], start), np.where(is_word, ends[other], end)


def _places(words: Sequence[str], characters: str, name: str) -> tuple[Ints, Ints]:
    """Return the positions of the first and the last character of each word."""
    if words and not characters:
        raise DocumentError(
            f"document {name} has character offsets on one side, where its text is not known",
            "without the text, as in APF files, character offsets fit only other character offsets",
        )
    begins, ends, at = [], [], 0
    for word in words:
        while at < len(characters) and characters[at].isspace():
            at += 1
        if not characters.startswith(word, at):
            raise DocumentError(
                f"document {name} has the word {word!r} on one side, but"
                f" {characters[at : at + _AROUND]!r} at character {at} on the other",
                "both sides must have the same text",
            )
        begins.append(at)
        at += len(word)
        ends.append(at - 1)
    if rest := characters[at:].strip():
        raise DocumentError(
            f"document {name} continues with {rest[:_AROUND]!r} on one side only",
            "both sides must have the same text",
        )
    return np.array(begins, dtype=np.int64), np.array(ends, dtype=np.int64)


def _tokens(corpus: Corpus, rows: Ints, place: Ints, edges: Ints, side: str) -> Ints:
    """Return the token that begins or ends at the edge of each mention."""
    at = np.searchsorted(edges, place[rows])
    is_edge = np.append(edges, -1)[at] == place[rows]
    if not is_edge.all():
        row = int(rows[np.argmin(is_edge)])
        name = corpus.documents[corpus.document[row]].name
        characters = corpus.characters[corpus.document[row]]
        found = characters[corpus.start[row] : corpus.end[row] + 1]
        widen = "; --positions own-tokens widens them to whole tokens" if side == "response" else ""
        raise DocumentError(
            f"the {side} has the mention {found!r} in document {name}, characters"
            f" {corpus.start[row]}-{corpus.end[row]}, which cuts through a token",
            f"mentions must begin and end at the edges of tokens{widen}",
        )
    return at
