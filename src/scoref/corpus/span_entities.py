"""Entities as Python has them, lists of lists of (start, end), as arrays.

A resolver in a training loop gives tens of thousands of small tuples at every checkpoint. Each
is looked at by C code alone here: what all of them are is asked of all at once, and whatever
is not certainly a span is left to those who look at one mention after the other.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from scoref.base.arrays import Bools, Ints
from scoref.base.lazy_sequences import Lazy

_LISTS = frozenset({list, tuple})


@dataclass(frozen=True, slots=True, eq=False)
class SpanLabels(Lazy[Hashable]):
    """Mentions that were given as (start, end), made into tuples when asked for."""

    start: Ints
    end: Ints

    def where(self, rows: Ints | Bools) -> SpanLabels:
        """Keep some."""
        return SpanLabels(self.start[rows], self.end[rows])

    def __len__(self) -> int:
        return len(self.start)

    def __iter__(self) -> Iterator[Hashable]:
        return zip(self.start.tolist(), self.end.tolist(), strict=True)

    def make(self, at: int) -> Hashable:
        """Make one of them."""
        return int(self.start[at]), int(self.end[at])


class SpanEntities(NamedTuple):
    """All mentions of all documents: the document and the entity of each, and its span.

    Entities are numbered through; `names` are their numbers within their documents, from 1.
    """

    document: Ints
    entity: Ints
    labels: SpanLabels
    names: tuple[str, ...]


def span_entities(documents: Mapping[Any, Any]) -> SpanEntities | None:
    """Read `{"doc": [[(start, end), ...], ...]}`, or return None where that is not all there is.

    Entities may be arrays of two columns. With None, nothing has been consumed.
    """
    given = list(documents.values())
    if not _only(given, _LISTS):
        return None
    entities = _as_lists(list(chain.from_iterable(given)))
    if entities is None:
        return None
    sizes = _lengths(entities)
    mentions = list(chain.from_iterable(entities))
    if not sizes.all() or not _only(mentions, _LISTS) or set(map(len, mentions)) - {2}:
        return None
    try:  # it takes whole numbers of any kind, and nothing else
        numbers = array("q", list(chain.from_iterable(mentions)))
    except (TypeError, OverflowError):
        return None
    spans = np.frombuffer(numbers, dtype=np.int64).reshape(-1, 2)
    start, end = spans[:, 0].copy(), spans[:, 1].copy()
    if len(start) and (start.min() < 0 or (end < start).any()):
        return None
    entities_of = _lengths(given)
    document = np.repeat(np.arange(len(given)), entities_of)
    most = [str(number) for number in range(1, int(entities_of.max(initial=0)) + 1)]
    return SpanEntities(
        document=np.repeat(document, sizes),
        entity=np.repeat(np.arange(len(entities)), sizes),
        labels=SpanLabels(start, end),
        names=tuple(chain.from_iterable(most[:many] for many in entities_of.tolist())),
    )


def unboxed(value: Any) -> Any:
    """Return what an array or a tensor holds as lists and numbers, and all else as it is.

    Tensors are hashable, but by identity: two of the same value would be two mentions.
    """
    is_array = hasattr(value, "__array__") and hasattr(value, "tolist")
    return value.tolist() if is_array and not isinstance(value, np.generic) else value


def _as_lists(entities: list[Any]) -> list[Any] | None:
    """Return entities as lists or tuples, or None if there are others, such as iterators."""
    kinds = set(map(type, entities))
    if kinds <= _LISTS:
        return entities
    if not all(kind in _LISTS or hasattr(kind, "tolist") for kind in kinds):
        return None
    entities = [unboxed(entity) for entity in entities]
    return entities if _only(entities, _LISTS) else None


def _only(values: Iterable[Any], kinds: Collection[type]) -> bool:
    return set(map(type, values)) <= set(kinds)


def _lengths(lists: Sequence[Any]) -> Ints:
    return np.fromiter(map(len, lists), dtype=np.int64, count=len(lists))
