"""The rows of an alignment for metrics of single mentions: their types, order and spans."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Ints, pack
from scoref.base.phrases import counted
from scoref.corpus.attributes import MENTION_TYPES
from scoref.corpus.corpus import Corpus
from scoref.corpus.spans import AnySpans, Links, Spans
from scoref.exceptions import UsageError
from scoref.metrics.table import NOWHERE, SideName

if TYPE_CHECKING:
    from scoref.matching.alignment import Alignment


@dataclass(frozen=True, eq=False)
class AlignedRows:
    """The rows of an alignment, with entities numbered as in its table.

    Few metrics require rows, so the columns are computed on access.
    """

    alignment: Alignment
    key_number: Ints
    res_number: Ints

    @property
    def unit(self) -> Ints:
        """The document of each mention."""
        return self.alignment.unit

    @cached_property
    def key(self) -> Ints:
        """The key entity of each mention, or NOWHERE."""
        return look_up(self.key_number, self.alignment.key)

    @cached_property
    def res(self) -> Ints:
        """The response entity of each mention, or NOWHERE."""
        return look_up(self.res_number, self.alignment.res)

    @cached_property
    def type(self) -> Ints:
        """The type of each mention: NAME, NOMINAL or PRONOUN."""
        column = self.alignment.column("type")
        found = np.zeros(len(self.unit), dtype="U8") if column is None else column
        types = np.full(len(found), NOWHERE, dtype=np.int64)
        for number, name in enumerate(MENTION_TYPES):
            types[found == name] = number
        if unknown := int(np.count_nonzero(types == NOWHERE)):
            raise UsageError(
                f"the type (name, nominal, pronoun) of {counted(unknown, 'mention')} is not known",
                'for files, score with where="type=pronoun", which reads types; for objects, pass'
                ' types={mention: "name", ...} to Corpus.from_entities',
            )
        return types

    @cached_property
    def order(self) -> Ints:
        """The position of each mention: by start and end, or the sort order of labels."""
        alignment = self.alignment
        if alignment.key_corpus is None or alignment.res_corpus is None:
            raise UsageError("the order of mentions in the text is not known")
        return reading_order(
            alignment.key_corpus, alignment.res_corpus, alignment.key_row, alignment.res_row
        )

    def memberships(self, side: SideName) -> tuple[Ints, Ints]:
        """Return pairs of a row and an entity of the corpus that has the mention on a side."""
        return self.alignment.memberships(side)

    def spans(self, side: SideName) -> Spans:
        """Return the span of each mention on a side; start and end are -1 if it is not there."""
        corpus, row, _ = self._side(side)
        found = corpus.as_spans()
        if found is None:
            raise UsageError(
                "this metric requires the tokens of mentions, but the mentions are not spans",
                "pass mentions as (start, end)",
            )
        start, end = look_up(found.start, row), look_up(found.end, row)
        return Spans(self.unit, start, end, self.attribute(side, "nodes"))

    def attribute(self, side: SideName, name: str) -> NDArray[Any] | None:
        """Return an attribute of the mentions of a side, "" or -1 if it is unknown."""
        corpus, row, _ = self._side(side)
        values = corpus.attributes.get(name)
        return None if values is None else look_up(values, row)

    def entity_attribute(self, side: SideName, name: str) -> NDArray[Any] | None:
        """Return an attribute or the `name` of the entities of a side, numbered as in the table."""
        corpus, _, of_row = self._side(side)
        values = corpus.entity_attributes.get(name)
        if name == "name":
            values = np.array([str(one) for one in corpus.entity_names], dtype=np.str_)
        if values is None:
            return None
        number = self.key if side == "key" else self.res
        rows = np.flatnonzero(number != NOWHERE)
        found = np.full(int(number.max(initial=NOWHERE)) + 1, missing_value(values), values.dtype)
        found[number[rows]] = look_up(values, of_row[rows])
        return found

    def bridging(self, side: SideName) -> Links:
        """Return the bridging links of a side, with units as their documents."""
        return self._in_units(side, self._side(side)[0].bridging, "bridging")

    def non_referring(self, side: SideName) -> Spans:
        """Return the non-referring mentions of a side, with units as their documents."""
        return self._in_units(side, self._side(side)[0].non_referring, "non-referring mentions")

    def _in_units(self, side: SideName, spans: AnySpans | None, what: str) -> AnySpans:
        corpus, number = self._side(side)[0], self.alignment.key_document
        if number is None or corpus.grouped_by:
            raise UsageError(
                f"{what} can only be scored in whole documents",
                "leave out --unit, --where and --window, or the metric",
            )
        if spans is None:
            raise UsageError(
                f"the format of the {side} does not support {what}",
                "CoNLL-UA supports bridging and non-referring mentions, CorefUD only bridging; in"
                " Python, pass them to Corpus.from_entities",
            )
        return spans if side == "key" else spans.in_documents(number)

    def _side(self, side: SideName) -> tuple[Corpus, Ints, Ints]:
        """Return the corpus of a side, and for each row its mention and its entity."""
        alignment = self.alignment
        if side == "key":
            corpus, row = alignment.key_corpus, alignment.key_row
        else:
            corpus, row = alignment.res_corpus, alignment.res_row
        if corpus is None:
            raise UsageError("this metric requires single mentions, which are not available here")
        return corpus, row, alignment.corpus_entity(side)


def missing_value(values: NDArray[Any]) -> Any:
    """Return the value that means "unknown" in a column."""
    return NOWHERE if values.dtype.kind == "i" else ""


def reading_order(key: Corpus, response: Corpus, key_row: Ints, res_row: Ints) -> Ints:
    """Rank mentions by start and end, or labels in the order in which Python sorts them."""
    spans, response_spans = key.as_spans(), response.as_spans()
    if spans is not None and response_spans is not None:
        in_key = key_row != NOWHERE
        start = np.where(
            in_key, look_up(spans.start, key_row), look_up(response_spans.start, res_row)
        )
        end = np.where(in_key, look_up(spans.end, key_row), look_up(response_spans.end, res_row))
        return pack(start, end)
    labels = [
        key.mention(at) if at != NOWHERE else response.mention(other)
        for at, other in zip(key_row.tolist(), res_row.tolist(), strict=True)
    ]
    try:
        ranks = {label: rank for rank, label in enumerate(sorted(set(labels)))}  # type: ignore[type-var]
    except TypeError:
        raise UsageError(
            "this metric requires the order of mentions, but they cannot be sorted",
            "pass mentions as (start, end), or as labels of one type that sort in text order",
        ) from None
    return np.array([ranks[label] for label in labels], dtype=np.int64)


def look_up(values: NDArray[Any], row: Ints) -> NDArray[Any]:
    """Return the values of some rows, and the value that means "unknown" for the row NOWHERE."""
    return np.append(values, missing_value(values))[row]
