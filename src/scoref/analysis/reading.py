"""Both sides joined, with all that an analysis of single mentions looks at: types, order, words."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoref.alignment.alignment import Alignment, reading_order
from scoref.alignment.document_pairing import inverse, same_documents
from scoref.base.arrays import Bools, Ints
from scoref.corpus.attributes import MENTION_TYPES
from scoref.corpus.corpus import Corpus
from scoref.corpus.text import Text
from scoref.exceptions import UsageError
from scoref.metrics.needs import HEADS
from scoref.metrics.needs import MENTION_TYPES as TYPES
from scoref.metrics.types import cell_of
from scoref.overlap.table import NOWHERE, Side, Table
from scoref.policy import Policy
from scoref.preparation.inferred_attributes import columns_for
from scoref.preparation.regrouping import DOCUMENT
from scoref.preparation.same_text import AUTO, Checks
from scoref.scoring import Aligned, Input, align, read_both, refuse_compat

GAP, ZERO = "\u2026", "\u2205"
"""What stands between the parts of a mention, and for one without words."""

COLUMNS = columns_for({TYPES, HEADS})
"""The columns of a file that an analysis reads."""


@dataclass(frozen=True, eq=False)
class Reading:
    """An alignment, and of each of its rows the type, the place in the text and the words.

    `text` has the words of both sides, if they are known, and `place` is where each document
    stands in it, or NOWHERE. `stated` says whether the input itself gives mention types.
    """

    aligned: Aligned
    policy: Policy
    text: Text | None
    place: Ints
    stated: bool = False
    notes: tuple[str, ...] = ()

    @property
    def alignment(self) -> Alignment:
        """The rows."""
        return self.aligned.alignment

    @cached_property
    def table(self) -> Table:
        """The overlaps of entities; all numbers of entities here are those of the table."""
        return self.alignment.table()

    @property
    def unit(self) -> Ints:
        """The document of each row."""
        return self.alignment.unit

    @property
    def key(self) -> Ints:
        """The key entity of each row, or NOWHERE."""
        return self.table.mentions.key

    @property
    def res(self) -> Ints:
        """The response entity of each row, or NOWHERE."""
        return self.table.mentions.res

    @cached_property
    def cell(self) -> Ints:
        """The cell of each row that both sides have, else NOWHERE."""
        cell = np.full(len(self.unit), NOWHERE, dtype=np.int64)
        both = np.flatnonzero((self.key != NOWHERE) & (self.res != NOWHERE))
        cell[both] = cell_of(self.table, self.key[both], self.res[both])
        return cell

    @cached_property
    def type(self) -> Ints:
        """NAME, NOMINAL or PRONOUN, or NOWHERE where nobody knows."""
        types = np.full(len(self.unit), NOWHERE, dtype=np.int64)
        column = self.alignment.column("type")
        if column is not None:
            for number, name in enumerate(MENTION_TYPES):
                types[column == name] = number
        return types

    @cached_property
    def order(self) -> Ints:
        """The rank of each row in its text, documents one after the other."""
        key, response = self.sides
        alignment = self.alignment
        place = reading_order(key, response, alignment.key_row, alignment.res_row)
        order = np.lexsort((place, self.unit))
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(len(order))
        return rank

    @property
    def sides(self) -> tuple[Corpus, Corpus]:
        """The two corpora."""
        key, response = self.alignment.key_corpus, self.alignment.res_corpus
        if key is None or response is None:
            raise UsageError("the mentions behind this alignment are not known")
        return key, response

    @cached_property
    def spans(self) -> tuple[Ints, Ints] | None:
        """The first and last token of each row, or None where mentions are no spans."""
        key, response = (corpus.as_spans() for corpus in self.sides)
        if key is None or response is None:
            return None
        alignment = self.alignment
        return (
            _either(key.start, response.start, alignment),
            _either(key.end, response.end, alignment),
        )

    @cached_property
    def sentence(self) -> Ints | None:
        """The sentence that each row starts in, counted through the corpus, or None."""
        if self.text is None or self.spans is None:
            return None
        number = np.cumsum(self.text.starts_sentence) - 1
        sentence = np.full(len(self.unit), NOWHERE, dtype=np.int64)
        known = np.flatnonzero(self.place[self.unit] != NOWHERE)
        first = self.text.first[self.place[self.unit[known]]]
        sentence[known] = number[first + self.spans[0][known]]
        return sentence

    def mention(self, row: int) -> Hashable:
        """Return a mention as the user knows it."""
        key, response = self.sides
        if self.alignment.key_row[row] != NOWHERE:
            return key.mention(int(self.alignment.key_row[row]))
        return response.mention(int(self.alignment.res_row[row]))

    def words(self, row: int) -> str:
        """Return the words of a mention, or nothing where they are not known."""
        if self.text is None or "word" not in self.text or self.spans is None:
            return ""
        document = int(self.place[self.unit[row]])
        if document == NOWHERE:
            return ""
        parts = self.parts(row)
        shown = f" {GAP} ".join(" ".join(self.text.words(document, *part)) for part in parts)
        return shown or ZERO

    @cached_property
    def nodes(self) -> NDArray[Any] | None:
        """The words and empty nodes of each row that is no plain span, or None if all are."""
        column = self.alignment.column("nodes")
        return None if column is None or not (column != "").any() else column

    def parts(self, row: int) -> list[tuple[int, int]]:
        """Return the runs of tokens that a mention has: none if it is an empty node."""
        nodes = "" if self.nodes is None else str(self.nodes[row])
        return runs(nodes) if nodes else [self._span(row)]

    def _span(self, row: int) -> tuple[int, int]:
        if self.spans is None:
            raise UsageError("the mentions of this input are no spans")
        start, end = self.spans
        return int(start[row]), int(end[row])

    def side_spans(self, side: Side) -> tuple[Ints, Ints]:
        """Return the first and last token of each row on a side, -1 where it has none."""
        spans = self.table.mentions.spans(side)
        return spans.start, spans.end

    def names(self, side: str) -> list[str]:
        """Return what a side calls its entities, by their numbers in the table."""
        key, response = self.sides
        corpus, entity, number = (
            (key, self.alignment.key, self.key)
            if side == "key"
            else (response, self.alignment.res, self.res)
        )
        there = np.flatnonzero(number != NOWHERE)
        known = np.full(int(number.max(initial=NOWHERE)) + 1, NOWHERE, dtype=np.int64)
        known[number[there]] = entity[there]
        return [
            corpus.entity_names[at] if at < corpus.entity_count else "" for at in known.tolist()
        ]

    def with_alignment(self, alignment: Alignment) -> Reading:
        """Return the same reading of other rows."""
        return replace(self, aligned=self.aligned._replace(alignment=alignment))

    def where(self, rows: Bools) -> Reading:
        """Keep some rows."""
        return self.with_alignment(self.alignment.where(rows))


def runs(nodes: str) -> list[tuple[int, int]]:
    """Group the words of a mention that is written as nodes, `3 4 7.1 9`, into runs."""
    found: list[tuple[int, int]] = []
    for word in (int(node) for node in nodes.split() if "." not in node):
        if found and word == found[-1][1] + 1:
            found[-1] = (found[-1][0], word)
        else:
            found.append((word, word))
    return found


def _either(key: Ints, response: Ints, alignment: Alignment) -> Ints:
    """Take the key's value where it has the mention, else the response's."""
    return np.where(
        alignment.key_row != NOWHERE,
        np.append(key, NOWHERE)[alignment.key_row],
        np.append(response, NOWHERE)[alignment.res_row],
    )


def read_sides(
    key: Input,
    response: Input,
    policy: Policy | None = None,
    format: str | None = None,  # noqa: A002  # what the command line calls it
    *,
    needs: Collection[str] = (),
    encoding: str | None = None,
    check_words: Checks = AUTO,
) -> Reading:
    """Read and join two sides, with words and mention types where they can be had."""
    policy = policy or Policy()
    refuse_compat(policy, "a closer look at mentions")
    key, response = read_both(
        key, response, format, COLUMNS, encoding, unit=policy.unit, check_words=check_words
    )
    stated = any("type" in corpus.attributes for corpus in (key, response))
    notes: tuple[str, ...] = ()
    try:
        aligned = align(key, response, policy, format, {TYPES, *needs}, check_words=check_words)
    except UsageError as error:
        if TYPES in needs:
            raise
        # Another cause is raised again.
        aligned = align(key, response, policy, format, needs, check_words=check_words)
        notes = (f"{error.message}; no mention is taken for a pronoun",)
    text, place = _text_of(key, response, policy)
    if text is None:
        place = np.full(len(aligned.alignment.units), NOWHERE, dtype=np.int64)
    return Reading(aligned, aligned.policy, text, place, stated, notes)


def _text_of(key: Corpus, response: Corpus, policy: Policy) -> tuple[Text | None, Ints]:
    """Return the text that serves both sides, if there is one, and where documents stand in it.

    Units that are not documents have no text of their own.
    """
    place = np.arange(len(key.documents))
    if policy.unit != DOCUMENT:
        return None, place
    if _has_words(key):
        return key.text, place
    place = inverse(same_documents(key, response), len(key.documents))
    return (response.text if _has_words(response) else None), place


def _has_words(corpus: Corpus) -> bool:
    return corpus.text is not None and "word" in corpus.text
