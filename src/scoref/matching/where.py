"""Slices: scores of some mentions, as if the other mentions did not exist.

A slice is a mask over the rows of an alignment, so it has the same meaning for every metric. The
fields of a condition describe the whole corpus, before any mention is removed:

    type             type of the mention: name, nominal or pronoun
    length           length of the mention in tokens
    entity_size      size of its key entity; of its response entity if the key lacks the mention
    distance         number of mentions of its side since the previous mention of that entity;
                     the first mention of an entity fulfils no condition on the distance
    nested           yes if the mention is inside another mention of its key entity, else no; of
                     its response entity if the key lacks the mention
    genre            genre of the document, inferred from its name
    document         name of the document
    document_length  length of the document in tokens
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Bools, Ints, first_of_run, pack
from scoref.corpus.attributes import MENTION_TYPES
from scoref.corpus.document import UNKNOWN
from scoref.corpus.spans import Spans, nested
from scoref.exceptions import UsageError
from scoref.matching.aligned_rows import look_up
from scoref.matching.alignment import Alignment
from scoref.metrics.table import NOWHERE
from scoref.policy import ALL_MENTIONS

_CONDITION = re.compile(r"\s*(?P<field>\w+)\s*(?P<sign>!=|<=|>=|=|<|>)\s*(?P<value>[^|&]+?)\s*")
_SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_TEXTS = ("type", "nested", "genre", "document")
_NUMBERS = ("length", "entity_size", "distance", "document_length")


class Condition(NamedTuple):
    """A condition on mentions: a field, a sign and a value."""

    field: str
    sign: str
    value: str

    def rows(self, alignment: Alignment) -> Bools:
        """Mark the rows that fulfil the condition."""
        values = _FIELDS[self.field](alignment)
        value: Any = self.value if self.field in _TEXTS else float(self.value)
        marked: Bools = np.asarray(_SIGNS[self.sign](values, value), dtype=bool)
        return marked & (values > 0) if self.field == "distance" else marked


def parse_conditions(
    where: str, texts: Sequence[str] = _TEXTS, numbers: Sequence[str] = _NUMBERS
) -> tuple[Condition, ...]:
    """Parse the `where` of a policy, such as `type=pronoun&entity_size>5`.

    The fields are those of mentions, unless others are named.
    """
    if where in (ALL_MENTIONS, ""):
        return ()
    return tuple(_parse_condition(text, texts, numbers) for text in where.split("&"))


def _parse_condition(text: str, texts: Sequence[str], numbers: Sequence[str]) -> Condition:
    found = _CONDITION.fullmatch(text)
    known = ", ".join((*texts, *numbers))
    if found is None:
        raise UsageError(
            f"{text!r} is not a condition",
            f"write FIELD=VALUE, such as type=pronoun; fields: {known}",
        )
    field, sign, value = found["field"], found["sign"], found["value"]
    if field not in (*texts, *numbers):
        raise UsageError(f"{text!r}: unknown field {field!r}", f"one of: {known}")
    if field in texts and sign not in ("=", "!="):
        raise UsageError(f"{text!r}: {field} can only be compared with = or !=")
    if field == "type" and value not in MENTION_TYPES:
        known = ", ".join(MENTION_TYPES)
        raise UsageError(f"{text!r}: unknown mention type {value!r}", f"one of: {known}")
    if field == "nested" and value not in ("yes", "no"):
        raise UsageError(f"{text!r}: {value!r} is not yes or no", "write nested=yes or nested=no")
    if field in numbers and not re.fullmatch(r"\d+(\.\d+)?", value):
        raise UsageError(f"{text!r}: {value!r} is not a number")
    return Condition(field, sign, value)


def select_mentions(alignment: Alignment, where: str) -> Alignment:
    """Keep the mentions that fulfil all conditions."""
    conditions = parse_conditions(where)
    if not conditions:
        return alignment
    whole, row = alignment.before_cut()
    return alignment.where(np.logical_and.reduce([one.rows(whole) for one in conditions])[row])


def _type(alignment: Alignment) -> NDArray[Any]:
    names = np.array([*MENTION_TYPES, ""])
    return names[alignment.table().mentions.type]


def _length(alignment: Alignment) -> NDArray[Any]:
    rows = alignment.table().mentions
    in_key = alignment.key_row != NOWHERE
    return np.where(in_key, rows.spans("key").length, rows.spans("response").length)


def _entity_size(alignment: Alignment) -> NDArray[Any]:
    table = alignment.table()
    rows = table.mentions
    in_key = rows.key != NOWHERE
    return np.where(in_key, look_up(table.key_size, rows.key), look_up(table.res_size, rows.res))


def _distance(alignment: Alignment) -> NDArray[Any]:
    """Return how many mentions of its side a mention comes after its antecedent, or 0."""
    rows = alignment.table().mentions
    in_key, in_response = (_side_distance(rows.unit, e, rows.order) for e in (rows.key, rows.res))
    return np.where(rows.key != NOWHERE, in_key, in_response)


def _side_distance(unit: Ints, entity: Ints, order: Ints) -> Ints:
    distance = np.zeros(len(entity), dtype=np.int64)
    rows = np.flatnonzero(entity != NOWHERE)
    in_text = rows[np.lexsort((order[rows], unit[rows]))]
    by_entity = np.argsort(entity[in_text], kind="stable")  # positions in the text
    later = np.flatnonzero(~first_of_run(entity[in_text[by_entity]]))
    distance[in_text[by_entity[later]]] = by_entity[later] - by_entity[later - 1]
    return distance


def _nested(alignment: Alignment) -> NDArray[Any]:
    rows = alignment.table().mentions
    in_key = _inside_entity(rows.spans("key"), rows.key)
    in_response = _inside_entity(rows.spans("response"), rows.res)
    return np.where(np.where(rows.key != NOWHERE, in_key, in_response), "yes", "no")


def _inside_entity(spans: Spans, entity: Ints) -> Bools:
    """Mark the mentions inside another mention of their entity and document."""
    rows = np.flatnonzero(entity != NOWHERE)
    group = np.unique(pack(entity[rows], spans.document[rows]), return_inverse=True)[1]
    marked = np.zeros(len(entity), dtype=bool)
    marked[rows[nested(spans.where(rows)._replace(document=group))[0]]] = True
    return marked


def _genre(alignment: Alignment) -> NDArray[Any]:
    from scoref.corpus.document import genres  # noqa: PLC0415  # few ask for them

    found = genres(alignment.units)
    if not found:
        raise UsageError(
            "genres cannot be inferred from the names of documents",
            "the genre is the first part that differs between names such as nw/wsj_0001",
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
    "nested": _nested,
    "genre": _genre,
    "document": _document,
    "document_length": _document_length,
}
