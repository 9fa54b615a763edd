"""Alignment: key and response joined, one row per mention that either side has."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, TypedDict

import numpy as np
from numpy.typing import NDArray

from scoref.alignment.document_pairing import ABSENT
from scoref.alignment.matching import match
from scoref.alignment.matching.sides import Sides
from scoref.base.arrays import Bools, Ints, first_of_run, pack
from scoref.base.phrases import counted
from scoref.corpus.attributes import MENTION_TYPES
from scoref.corpus.corpus import Besides, Corpus
from scoref.corpus.spans import Links, Spans
from scoref.exceptions import UsageError
from scoref.overlap.table import NOWHERE, Side, Table
from scoref.policy import Policy


@dataclass(frozen=True, slots=True, eq=False)
class Alignment:
    """A full outer join: `key` and `res` are a mention's entity on each side, or NOWHERE.

    `unit` is the mention's document. `key_row` and `res_row` are its rows in the two
    corpora, or NOWHERE, for whoever needs its span, its type or its words. `key_document` is
    the key document of each response document, as long as no rows were left out: what is said
    besides entities has no rows.
    """

    units: tuple[str, ...]
    unit: Ints
    key: Ints
    res: Ints
    key_row: Ints
    res_row: Ints
    key_corpus: Corpus | None = None
    res_corpus: Corpus | None = None
    notes: tuple[str, ...] = ()
    key_document: Ints | None = None

    @property
    def has_matches(self) -> bool:
        """Whether any mention of one side is one of the other."""
        return bool(np.any((self.key != NOWHERE) & (self.res != NOWHERE)))

    def where(self, rows: Bools) -> Alignment:
        """Keep some rows: pronouns only, one genre, the first half of each document."""
        columns = ("unit", "key", "res", "key_row", "res_row")
        kept = {name: getattr(self, name)[rows] for name in columns}
        return replace(self, **kept, key_document=None)

    def table(self) -> Table:
        """Count the mentions that each pair of entities shares."""
        key, res = (Numbering.of(entity, self.unit) for entity in (self.key, self.res))
        matched = (self.key != NOWHERE) & (self.res != NOWHERE)
        shared = key.number[self.key[matched]], res.number[self.res[matched]]
        return Table(
            units=self.units,
            key_unit=key.unit,
            key_size=key.size,
            res_unit=res.unit,
            res_size=res.size,
            **count_cells(*shared, len(res.size)),
            rows=AlignedRows(self, key.number, res.number),
        )

    def column(self, name: str) -> NDArray[Any] | None:
        """Return an attribute of each mention, the key's where both sides have it, or None."""
        sides = ((self.key_corpus, self.key_row), (self.res_corpus, self.res_row))
        told = [
            np.append(corpus.attributes[name], _nothing(corpus.attributes[name]))[row]
            for corpus, row in sides
            if corpus is not None and name in corpus.attributes
        ]
        if len(told) < 2:
            return told[0] if told else None
        key, response = told
        return np.where(key == _nothing(key), response, key)


@dataclass(frozen=True, eq=False)
class AlignedRows:
    """The rows of an alignment with the numbers that its table gives to entities.

    Few measures look at rows, so their entities are looked up when one does.
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
        return _look_up(self.key_number, self.alignment.key)

    @cached_property
    def res(self) -> Ints:
        """The response entity of each mention, or NOWHERE."""
        return _look_up(self.res_number, self.alignment.res)

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
                'pass types={mention: "name", ...} to Corpus.from_entities',
            )
        return types

    @cached_property
    def order(self) -> Ints:
        """The place of each mention: by start, then by end; labels in their own order."""
        alignment = self.alignment
        if alignment.key_corpus is None or alignment.res_corpus is None:
            raise UsageError("the order of mentions in the text is not known")
        return reading_order(
            alignment.key_corpus, alignment.res_corpus, alignment.key_row, alignment.res_row
        )

    def spans(self, side: Side) -> Spans:
        """Return the tokens of each mention on a side; -1 where it has none."""
        corpus, row, _ = self._side(side)
        found = corpus.as_spans()
        if found is None:
            raise UsageError(
                "this measure looks at the tokens of mentions, but they are not spans",
                "pass mentions as (start, end)",
            )
        start, end = np.append(found.start, NOWHERE)[row], np.append(found.end, NOWHERE)[row]
        return Spans(self.unit, start, end, self.attribute(side, "nodes"))

    def attribute(self, side: Side, name: str) -> NDArray[Any] | None:
        """Return what a side says of its mentions, and "" or -1 for the others."""
        corpus, row, _ = self._side(side)
        values = corpus.attributes.get(name)
        if values is None:
            return None
        return np.append(values, _nothing(values))[row]

    def entity_attribute(self, side: Side, name: str) -> NDArray[Any] | None:
        """Return what a side says of its entities, by their numbers in the table; or their name."""
        corpus, _, of_row = self._side(side)
        values = corpus.entity_attributes.get(name)
        if name == "name":
            values = np.array([str(one) for one in corpus.entity_names], dtype=np.str_)
        if values is None:
            return None
        number = self.key if side == "key" else self.res
        there = np.flatnonzero(number != NOWHERE)
        found = np.full(int(number.max(initial=NOWHERE)) + 1, _nothing(values), values.dtype)
        found[number[there]] = np.append(values, _nothing(values))[of_row[there]]
        return found

    def bridging(self, side: Side) -> Links:
        """Return the bridging links of a side; their documents are numbered as units are."""
        return self._in_units(side, self._side(side)[0].bridging, "bridging")

    def non_referring(self, side: Side) -> Spans:
        """Return the mentions of a side that refer to nothing; documents are those of units."""
        return self._in_units(side, self._side(side)[0].non_referring, "non-referring mentions")

    def _in_units(self, side: Side, told: Besides | None, what: str) -> Besides:
        corpus, number = self._side(side)[0], self.alignment.key_document
        if number is None or corpus.grouped_by:
            raise UsageError(
                f"{what} can be scored in whole documents alone",
                "leave --unit and --where out, or the measure",
            )
        if told is None:
            raise UsageError(
                f"the {side} has no place for {what}",
                "CoNLL-UA files have one, CorefUD files for bridging alone; in Python, it is an"
                " argument of Corpus.from_entities",
            )
        return told if side == "key" else told.in_documents(number)

    def _side(self, side: Side) -> tuple[Corpus, Ints, Ints]:
        """Return a side's corpus, and of each row its mention and its entity there."""
        alignment = self.alignment
        if side == "key":
            corpus, row, entity = alignment.key_corpus, alignment.key_row, alignment.key
        else:
            corpus, row, entity = alignment.res_corpus, alignment.res_row, alignment.res
        if corpus is None:
            raise UsageError("this measure looks at mentions, which are not known here")
        return corpus, row, entity


def _nothing(values: NDArray[Any]) -> Any:
    """Return what stands for nothing in a column."""
    return NOWHERE if values.dtype.kind == "i" else ""


def reading_order(key: Corpus, response: Corpus, key_row: Ints, res_row: Ints) -> Ints:
    """Rank mentions by start and end; labels as Python sorts them, where it can."""
    ours, theirs = key.as_spans(), response.as_spans()
    if ours is not None and theirs is not None:
        start, end = (
            np.where(
                key_row != NOWHERE,
                np.append(getattr(ours, name), 0)[key_row],
                np.append(getattr(theirs, name), 0)[res_row],
            )
            for name in ("start", "end")
        )
        return pack(start, end)
    labels = [
        key.mention(at) if at != NOWHERE else response.mention(other)
        for at, other in zip(key_row.tolist(), res_row.tolist(), strict=True)
    ]
    try:
        ranks = {label: rank for rank, label in enumerate(sorted(set(labels)))}  # type: ignore[type-var]
    except TypeError:
        raise UsageError(
            "this measure needs the order of mentions, but they cannot be sorted",
            "pass mentions as (start, end), or as labels of one kind that sort as in the text",
        ) from None
    return np.array([ranks[label] for label in labels], dtype=np.int64)


def join(
    key: Corpus, response: Corpus, key_document: Ints, policy: Policy | None = None
) -> Alignment:
    """Join two corpora without repeated mentions.

    `key_document` is the key document of each response document; the mentions of those
    that have none are left out.
    """
    document = key_document[response.document] if len(response) else response.document
    if np.any(document == ABSENT):
        response = response.where(document != ABSENT)
        document = document[document != ABSENT]
    partner = match(Sides(key, response, document), policy or Policy())
    found = np.zeros(len(response), dtype=bool)
    found[partner[partner != NOWHERE]] = True
    alone = np.flatnonzero(~found)
    nowhere = np.full(len(alone), NOWHERE, dtype=np.int64)
    key_row = np.concatenate([np.arange(len(key)), nowhere])
    res_row = np.concatenate([partner, alone])
    return Alignment(
        units=tuple(d.name for d in key.documents),
        unit=np.concatenate([key.document, document[alone]]),
        key=_look_up(key.entity, key_row),
        res=_look_up(response.entity, res_row),
        key_row=key_row,
        res_row=res_row,
        key_corpus=key,
        res_corpus=response,
        key_document=key_document,
    )


def _look_up(values: Ints, row: Ints) -> Ints:
    """Return the values of some rows, where NOWHERE has none."""
    return np.append(values, NOWHERE)[row]


class Numbering(NamedTuple):
    """The entities that occur, numbered document by document: their units and their sizes.

    `number` is the number of each entity, NOWHERE for those that do not occur.
    """

    number: Ints
    unit: Ints
    size: Ints

    @classmethod
    def of(cls, entity: Ints, unit: Ints) -> Numbering:
        """Number the entities of some rows. An entity is in one unit only."""
        rows = entity != NOWHERE
        size = np.bincount(entity[rows])
        of_entity = np.zeros(len(size), dtype=np.int64)
        of_entity[entity[rows]] = unit[rows]
        there = np.flatnonzero(size)
        there = there[np.argsort(of_entity[there], kind="stable")]
        number = np.full(len(size), NOWHERE, dtype=np.int64)
        number[there] = np.arange(len(there))
        return cls(number, of_entity[there], size[there])


class _Cells(TypedDict):
    """Columns of a table."""

    cell_key: Ints
    cell_res: Ints
    count: Ints


def count_cells(key: Ints, res: Ints, responses: int) -> _Cells:
    """Count the mentions of each pair of entities, given the two entities of each mention."""
    width = max(responses, 1)
    codes = key * width
    codes += res
    codes.sort()
    first = np.flatnonzero(first_of_run(codes))
    cell_key, cell_res = np.divmod(codes[first], width)
    return _Cells(cell_key=cell_key, cell_res=cell_res, count=np.diff(first, append=len(codes)))
