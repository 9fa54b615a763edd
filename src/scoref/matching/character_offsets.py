"""Conversion of character spans to token spans, for sides that differ in their unit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from scoref.base.arrays import Ints
from scoref.base.phrases import counted
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import UNKNOWN
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
    documents, first, origin = list(corpus.documents), [0], [0]
    edges: tuple[list[int], list[int]] = ([], [])
    for number, characters in enumerate(corpus.characters):
        place, length = int(document[number]), UNKNOWN
        if place != NOWHERE:
            begin, stop = int(text.first[place]), int(text.first[place + 1])
            words, length = text.columns["word"][begin:stop], stop - begin
            found = _places(words, characters, documents[number].name)
            for edge, places in zip(edges, found, strict=True):
                edge.extend(origin[-1] + at for at in places)
        documents[number] = documents[number]._replace(length=length)
        first.append(len(edges[0]))
        origin.append(origin[-1] + len(characters))
    rows = np.flatnonzero(document[corpus.document] != NOWHERE)
    of_row = corpus.document[rows]
    low, high = np.array(first)[of_row], np.array(first)[of_row + 1]
    begins, ends = (np.array([*edge, NOWHERE], dtype=np.int64) for edge in edges)
    start, end = (column[rows] + np.array(origin)[of_row] for column in (corpus.start, corpus.end))
    notes = corpus.notes
    if widen:  # to whole tokens; whitespace at the edges of a span is left out
        one = np.clip(np.searchsorted(ends[:-1], start), low, high)
        last = np.clip(np.searchsorted(begins[:-1], end, side="right"), low, high) - 1
        has_word = one <= last
        wide = np.where(has_word, begins[one], start), np.where(has_word, ends[last], end)
        if cut := int(np.count_nonzero((wide[0] != start) | (wide[1] != end))):
            many = counted(cut, "mention")
            notes += (f"{many} of the {side} cut through tokens: changed to whole tokens",)
        start, end = wide
    one, last = np.searchsorted(begins[:-1], start), np.searchsorted(ends[:-1], end)
    fits = (begins[one] == start) & (ends[last] == end)
    fits &= (low <= one) & (one < high) & (low <= last) & (last < high)
    if not fits.all():
        raise _cut_through(corpus, int(rows[np.argmin(fits)]), side)
    tokens = corpus.start.copy(), corpus.end.copy()
    tokens[0][rows], tokens[1][rows] = one - low, last - low
    return replace(
        corpus,
        start=tokens[0],
        end=tokens[1],
        documents=tuple(documents),
        characters=(),
        notes=notes,
    )


def _places(words: Sequence[str], characters: str, name: str) -> tuple[list[int], list[int]]:
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
    return begins, ends


def _cut_through(corpus: Corpus, row: int, side: str) -> DocumentError:
    """Return the error for a mention that does not begin and end with a token."""
    number, start, end = corpus.document[row], corpus.start[row], corpus.end[row]
    widen = "; --positions own-tokens widens them to whole tokens" if side == "response" else ""
    return DocumentError(
        f"the {side} has the mention {corpus.characters[number][start : end + 1]!r} in document"
        f" {corpus.documents[number].name}, characters {start}-{end}, which cuts through a token",
        f"mentions must begin and end at the edges of tokens{widen}",
    )
