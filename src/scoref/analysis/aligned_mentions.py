"""The mentions of key and response, aligned: their types, order and words."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoref.analysis.entity_numbers import EntityNumbers
from scoref.base.arrays import Bools, Ints
from scoref.corpus.attributes import MENTION_TYPES
from scoref.corpus.corpus import Corpus
from scoref.corpus.text import Text
from scoref.exceptions import UsageError
from scoref.matching.alignment import Alignment
from scoref.matching.both_sides import align_response, read_both
from scoref.matching.document_pairing import find_key_documents, invert_pairing
from scoref.matching.inputs import Input, ReadOptions
from scoref.matching.pipeline import Prepared, prepare
from scoref.matching.requirements import DOCUMENT, Requirements
from scoref.metrics.needs import TYPES
from scoref.metrics.single_mentions import cell_of
from scoref.metrics.table import NOWHERE, PRONOUN, SideName, Table
from scoref.policy import Policy, PolicyLike
from scoref.policy.capabilities import ANALYSIS, require

SIDES: tuple[SideName, SideName] = ("key", "response")

GAP, ZERO = "\u2026", "\u2205"
"""Shown between the parts of a mention, and in place of a mention without words."""

COLUMNS = frozenset({"word", "pos", "parse", "head"})
"""The columns that an analysis reads from a file."""


@dataclass(frozen=True, eq=False)
class AlignedMentions:
    """One row per mention that either side has, with its type, its position and its words.

    `text` holds the words of both sides, or is None. `place` is the index of each unit in `text`,
    or NOWHERE. `stated` says whether the input itself states mention types.
    """

    aligned: Prepared
    policy: Policy
    text: Text | None
    place: Ints
    stated: bool = False
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, aligned: Prepared, *, words: bool = True) -> AlignedMentions:
        """Return the mentions of inputs that are aligned already, with words if they have them."""
        alignment, policy = aligned.alignment, aligned.policy
        text, place = None, np.full(len(alignment.units), NOWHERE, dtype=np.int64)
        if words and alignment.key_corpus is not None and alignment.res_corpus is not None:
            sides = alignment.key_corpus, alignment.res_corpus
            text, place = _text_of(*sides, policy, len(alignment.units))
        return cls(aligned, policy, text, place)

    @property
    def alignment(self) -> Alignment:
        """The alignment that the rows come from."""
        return self.aligned.alignment

    @cached_property
    def table(self) -> Table:
        """The overlap table, which numbers the entities."""
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
        """The table cell of each row that both sides have, else NOWHERE."""
        cell = np.full(len(self.unit), NOWHERE, dtype=np.int64)
        both = np.flatnonzero((self.key != NOWHERE) & (self.res != NOWHERE))
        cell[both] = cell_of(self.table, self.key[both], self.res[both])
        return cell

    @cached_property
    def type(self) -> Ints:
        """NAME, NOMINAL or PRONOUN for each row, or NOWHERE if the type is unknown."""
        column = self.alignment.column("type")
        if column is None:
            return np.full(len(self.unit), NOWHERE, dtype=np.int64)
        numbers = list(range(len(MENTION_TYPES)))
        return np.select([column == name for name in MENTION_TYPES], numbers, NOWHERE)

    @cached_property
    def order(self) -> Ints:
        """The rank of each row in the order of the text, document after document.

        Labels that cannot be sorted are in the order of their input.
        """
        try:
            place = self.table.mentions.order
        except UsageError:
            place = np.arange(len(self.unit))
        return np.argsort(np.lexsort((place, self.unit)))

    @cached_property
    def numbers(self) -> EntityNumbers:
        """The numbers and letters by which all views name entities."""
        return EntityNumbers(self)

    @property
    def sides(self) -> tuple[Corpus, Corpus]:
        """The key corpus and the response corpus."""
        key, response = self.alignment.key_corpus, self.alignment.res_corpus
        if key is None or response is None:
            raise UsageError("this alignment has no mentions, only entities")
        return key, response

    @cached_property
    def spans(self) -> tuple[Ints, Ints] | None:
        """The first and last token of each row, or None if mentions are not spans."""
        if any(corpus.as_spans() is None for corpus in self.sides):
            return None
        key, response = self.side_spans("key"), self.side_spans("response")
        in_key = self.alignment.key_row != NOWHERE
        return np.where(in_key, key[0], response[0]), np.where(in_key, key[1], response[1])

    @cached_property
    def token(self) -> Ints | None:
        """The first token of each row, numbered through the text, or NOWHERE; None without text."""
        if self.text is None or self.spans is None:
            return None
        place = self.place[self.unit]
        return np.where(place == NOWHERE, NOWHERE, self.text.first[place] + self.spans[0])

    @property
    def sentence(self) -> Ints | None:
        """The sentence in which each row starts, numbered through the text, or None."""
        if self.text is None or self.token is None:
            return None
        number: Ints = np.append(np.cumsum(self.text.starts_sentence) - 1, NOWHERE)
        return number[self.token]

    def mention(self, row: int) -> Hashable:
        """Return the mention of a row as its input states it."""
        key, response = self.sides
        if self.alignment.key_row[row] != NOWHERE:
            return key.mention(int(self.alignment.key_row[row]))
        return response.mention(int(self.alignment.res_row[row]))

    def words(self, row: int) -> str:
        """Return the words of a row, or an empty string if they are unknown."""
        if self.spans is None:
            return ""
        start, end = (int(column[row]) for column in self.spans)
        nodes = "" if self._nodes is None else str(self._nodes[row])
        return self.words_between(int(self.unit[row]), runs(nodes) if nodes else [(start, end)])

    def words_between(self, unit: int, parts: Sequence[tuple[int, int]]) -> str:
        """Return the words of some parts of a document, or nothing if they are unknown."""
        document = int(self.place[unit])
        if self.text is None or document == NOWHERE:
            return ""
        shown = f" {GAP} ".join(" ".join(self.text.words(document, *part)) for part in parts)
        return shown or ZERO

    @cached_property
    def _nodes(self) -> NDArray[Any] | None:
        """The words and empty nodes of each row that is not a plain span, or None."""
        return self.alignment.column("nodes")

    def side_spans(self, side: SideName) -> tuple[Ints, Ints]:
        """Return the first and last token of each row on one side, -1 if it is not there."""
        spans = self.table.mentions.spans(side)
        return spans.start, spans.end

    @cached_property
    def names(self) -> dict[SideName, list[str]]:
        """The names that each side gives its entities, by their numbers in the table."""
        rows = self.table.mentions
        found = {side: rows.entity_attribute(side, "name") for side in SIDES}
        return {side: [] if names is None else names.tolist() for side, names in found.items()}

    def entities(self, side: SideName) -> tuple[Ints, Ints]:
        """Return the entity of each row on one side, and the sizes of that side's entities."""
        if side == "key":
            return self.key, self.table.key_size
        return self.res, self.table.res_size

    def with_alignment(self, alignment: Alignment) -> AlignedMentions:
        """Return the same mentions with another alignment."""
        return replace(self, aligned=self.aligned._replace(alignment=alignment))

    def first_rows(self, entity: Ints, among: Bools, entities: int) -> Ints:
        """Return the first row of each entity in the text, among some rows, or NOWHERE."""
        rows = np.flatnonzero(among & (entity != NOWHERE))
        rows = rows[np.argsort(self.order[rows])]
        found = np.full(entities, NOWHERE, dtype=np.int64)
        found[entity[rows][::-1]] = rows[::-1]  # the first row is written last and stays
        return found

    def anchors(self, entity: Ints, among: Bools, pronoun: Bools, entities: int) -> Ints:
        """Return the first row of each entity that is not a pronoun, else its first row."""
        anchor = self.first_rows(entity, among & ~pronoun, entities)
        return np.where(anchor == NOWHERE, self.first_rows(entity, among, entities), anchor)

    def representatives(self, side: SideName) -> Ints:
        """Return the row that represents each entity of a side: its first, but no pronoun."""
        entity, size = self.entities(side)
        return self.anchors(entity, entity != NOWHERE, self.type == PRONOUN, len(size))


def runs(nodes: str) -> list[tuple[int, int]]:
    """Group the words of a mention in node notation, `3 4 7.1 9`, into runs."""
    words = enumerate(int(node) for node in nodes.split() if "." not in node)
    found = [[word for _, word in run] for _, run in groupby(words, lambda pair: pair[1] - pair[0])]
    return [(run[0], run[-1]) for run in found]


def most_specific(label: Ints, types: Ints, labels: int) -> Ints:
    """Return the most specific mention type of each label, or NOWHERE if all are unknown."""
    unknown = len(MENTION_TYPES)
    best = np.full(labels, unknown, dtype=np.int64)
    np.minimum.at(best, label, np.where(types == NOWHERE, unknown, types))
    return np.where(best == unknown, NOWHERE, best)


def align_mentions(
    key: Input,
    response: Input,
    policy: PolicyLike | None = None,
    options: ReadOptions | None = None,
    needs: Collection[str] = (),
) -> AlignedMentions:
    """Read and align two sides, with words and mention types where they are available."""
    policy, options = Policy.of(policy), options or ReadOptions()
    require(policy, ANALYSIS)
    requirements = Requirements.of((), policy, options, shown=COLUMNS)
    key, response, generated = align_response(key, response, requirements)
    key, response = read_both(key, response, requirements)
    stated = any("type" in corpus.attributes for corpus in (key, response))
    notes: tuple[str, ...] = ()
    try:
        aligned = prepare(
            key, response, Requirements.of((), policy, options, needs={TYPES, *needs})
        )
    except UsageError as error:
        if TYPES in needs:
            raise
        # Another cause is raised again.
        aligned = prepare(key, response, Requirements.of((), policy, options, needs=needs))
        notes = (f"{error.message}; no mention counts as a pronoun",)
    text, place = _text_of(key, response, policy, len(aligned.alignment.units))
    aligned = aligned._replace(generated=generated)
    return AlignedMentions(aligned, aligned.policy, text, place, stated, notes)


def _text_of(key: Corpus, response: Corpus, policy: Policy, units: int) -> tuple[Text | None, Ints]:
    """Return the text of both sides, or None, and the index of each unit in it.

    Units other than documents have no text.
    """
    has_words = [corpus.text is not None and "word" in corpus.text for corpus in (key, response)]
    if policy.unit == DOCUMENT and has_words[0]:
        return key.text, np.arange(units)
    if policy.unit == DOCUMENT and has_words[1]:
        return response.text, invert_pairing(find_key_documents(key, response), units)
    return None, np.full(units, NOWHERE, dtype=np.int64)
