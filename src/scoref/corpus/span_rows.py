"""Fast conversion of entities from lists of lists of (start, end) to arrays.

A resolver in a training loop returns tens of thousands of small tuples per checkpoint. The checks
here run on all of them at once, in C code. If anything may not be a span, the input is left to the
slower conversion, which checks one mention at a time.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from scoref.base.arrays import Bools, Ints
from scoref.base.lazy_sequences import LazySequence

_LISTS = frozenset({list, tuple})


@dataclass(frozen=True, slots=True, eq=False)
class SpanLabels(LazySequence[Hashable]):
    """Mentions that were passed as (start, end), converted to tuples on access."""

    start: Ints
    end: Ints

    def pick(self, at: Ints | Bools) -> SpanLabels:
        """Return some of the mentions."""
        return SpanLabels(self.start[at], self.end[at])

    def __len__(self) -> int:
        return len(self.start)

    def __iter__(self) -> Iterator[Hashable]:
        return zip(self.start.tolist(), self.end.tolist(), strict=True)

    def make(self, at: int) -> Hashable:
        """Make one tuple."""
        return int(self.start[at]), int(self.end[at])


class EntityRows(NamedTuple):
    """All mentions of all documents, with the document and the entity of each.

    `names` are the names of entities.
    """

    document: Ints
    entity: Ints
    labels: Sequence[Hashable]
    names: tuple[str, ...]


def span_rows(documents: Mapping[Any, Any]) -> EntityRows | None:
    """Convert `{"doc": [[(start, end), ...], ...]}`, or return None for any other input.

    Entities may be arrays of two columns. If the result is None, no iterator was consumed.
    """
    lists = list(documents.values())
    if not _only(lists, _LISTS):
        return None
    entities = _as_lists(list(chain.from_iterable(lists)))
    if entities is None:
        return None
    sizes = _lengths(entities)
    mentions = list(chain.from_iterable(entities))
    if not sizes.all() or not _only(mentions, _LISTS) or set(map(len, mentions)) - {2}:
        return None
    try:  # an array takes integers of any type, and nothing else
        numbers = array("q", list(chain.from_iterable(mentions)))
    except (TypeError, OverflowError):
        return None
    spans = np.frombuffer(numbers, dtype=np.int64).reshape(-1, 2)
    start, end = spans[:, 0].copy(), spans[:, 1].copy()
    if len(start) and (start.min() < 0 or (end < start).any()):
        return None
    entity_counts = _lengths(lists)
    document = np.repeat(np.arange(len(lists)), entity_counts)
    names = [str(number) for number in range(1, int(entity_counts.max(initial=0)) + 1)]
    return EntityRows(
        document=np.repeat(document, sizes),
        entity=np.repeat(np.arange(len(entities)), sizes),
        labels=SpanLabels(start, end),
        names=tuple(chain.from_iterable(names[:count] for count in entity_counts.tolist())),
    )


def unboxed(value: Any) -> Any:
    """Convert an array or a tensor to lists and numbers, and return any other value unchanged.

    Tensors are hashed by identity, so two tensors of the same value would be two mentions.
    """
    is_array = hasattr(value, "__array__") and hasattr(value, "tolist")
    return value.tolist() if is_array and not isinstance(value, np.generic) else value


def _as_lists(entities: list[Any]) -> list[Any] | None:
    """Return entities as lists or tuples, or None if some are not, such as iterators."""
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
