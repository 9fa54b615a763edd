"""Slices: some mentions scored as if the others had never been there.

A slice is a mask over the rows of an alignment, so it means the same to every measure. What a
condition looks at is that of the whole corpus, before anything is left out:

    type             of the mention: name, nominal, pronoun
    length           of the mention in tokens
    entity_size      of its key entity; of its response entity where the key lacks the mention
    distance         in mentions of its side, from the nearest earlier mention of that entity;
                     a first mention has none, and no condition on it holds
    genre            of the document, as its name tells it
    document         its name
    document_length  in tokens
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoref.alignment.alignment import Alignment
from scoref.base.arrays import Bools, Ints, first_of_run
from scoref.corpus.attributes import MENTION_TYPES
from scoref.corpus.document import UNKNOWN
from scoref.corpus.genres import genres
from scoref.exceptions import UsageError
from scoref.overlap.table import NOWHERE

ALL = "all"
_CONDITION = re.compile(r"\s*(?P<field>\w+)\s*(?P<sign>!=|<=|>=|=|<|>)\s*(?P<value>[^|&]+?)\s*")
_SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
WORDS = ("type", "genre", "document")
NUMBERS = ("length", "entity_size", "distance", "document_length")


class Condition(NamedTuple):
    """What a slice asks of a mention: a field, a sign, and a value."""

    field: str
    sign: str
    value: str

    def holds(self, found: NDArray[Any]) -> Bools:
        """Mark the rows for which it is true."""
        value: Any = self.value if self.field in WORDS else float(self.value)
        marked: Bools = np.asarray(_SIGNS[self.sign](found, value), dtype=bool)
        return marked


def conditions(where: str) -> tuple[Condition, ...]:
    """Read the conditions of a policy, such as `type=pronoun&entity_size>5`."""
    if where == ALL:
        return ()
    return tuple(_condition(part) for part in where.split("&"))


def _condition(text: str) -> Condition:
    found = _CONDITION.fullmatch(text)
    if found is None:
        raise UsageError(
            f"{text!r} is no condition on mentions",
            "write type=pronoun, genre=nw, entity_size>5 or distance<3",
        )
    field, sign, value = found["field"], found["sign"], found["value"]
    if field not in (*WORDS, *NUMBERS):
        known = ", ".join((*WORDS, *NUMBERS))
        raise UsageError(f"mentions have no {field!r} to choose them by", f"one of: {known}")
    if field in WORDS and sign not in ("=", "!="):
        raise UsageError(f"{text!r}: a {field} is equal to another or not", f"write {field}=...")
    if field == "type" and value not in MENTION_TYPES:
        raise UsageError(f"there is no type {value!r}", f"one of: {', '.join(MENTION_TYPES)}")
    if field in NUMBERS and not re.fullmatch(r"\d+(\.\d+)?", value):
        raise UsageError(f"{text!r}: {value!r} is no number")
    return Condition(field, sign, value)


def sliced(alignment: Alignment, where: str) -> Alignment:
    """Keep the mentions that all conditions hold for."""
    chosen = conditions(where)
    if not chosen:
        return alignment
    keep = np.ones(len(alignment.unit), dtype=bool)
    for condition in chosen:
        keep &= condition.holds(_FIELDS[condition.field](alignment))
        if condition.field == "distance":
            keep &= _distance(alignment) > 0
    return alignment.where(keep)


def _type(alignment: Alignment) -> NDArray[Any]:
    names = np.array([*MENTION_TYPES, ""])
    return names[alignment.table().mentions.type]


def _length(alignment: Alignment) -> NDArray[Any]:
    rows = alignment.table().mentions
    here = alignment.key_row != NOWHERE
    return np.where(here, rows.spans("key").length, rows.spans("response").length)


def _entity_size(alignment: Alignment) -> NDArray[Any]:
    table = alignment.table()
    rows = table.mentions
    ours, theirs = np.append(table.key_size, 0)[rows.key], np.append(table.res_size, 0)[rows.res]
    return np.where(rows.key != NOWHERE, ours, theirs)


def _distance(alignment: Alignment) -> NDArray[Any]:
    """Return how many mentions of its side a mention comes after its antecedent, or 0."""
    rows = alignment.table().mentions
    ours = _distance_in(rows.unit, rows.key, rows.order)
    return np.where(rows.key != NOWHERE, ours, _distance_in(rows.unit, rows.res, rows.order))


def _distance_in(unit: Ints, entity: Ints, order: Ints) -> Ints:
    distance = np.zeros(len(entity), dtype=np.int64)
    there = np.flatnonzero(entity != NOWHERE)
    there = there[np.lexsort((order[there], unit[there]))]
    rank = np.empty(len(entity), dtype=np.int64)
    rank[there] = np.arange(len(there))
    together = there[np.lexsort((rank[there], entity[there]))]
    later = np.flatnonzero(~first_of_run(entity[together]))
    distance[together[later]] = rank[together[later]] - rank[together[later - 1]]
    return distance


def _genre(alignment: Alignment) -> NDArray[Any]:
    found = genres(alignment.units)
    if not found:
        raise UsageError(
            "the names of documents tell no genre",
            "genres are the first part of names such as nw/wsj_0001 that differs",
        )
    return np.array(found)[alignment.unit]


def _document(alignment: Alignment) -> NDArray[Any]:
    return np.array([str(name) for name in alignment.units])[alignment.unit]


def _document_length(alignment: Alignment) -> NDArray[Any]:
    corpus = alignment.key_corpus
    lengths = [document.length for document in corpus.documents] if corpus is not None else []
    if not lengths or UNKNOWN in lengths:
        raise UsageError("the lengths of documents are not known")
    return np.array(lengths)[alignment.unit]


_FIELDS: dict[str, Callable[[Alignment], NDArray[Any]]] = {
    "type": _type,
    "length": _length,
    "entity_size": _entity_size,
    "distance": _distance,
    "genre": _genre,
    "document": _document,
    "document_length": _document_length,
}
