"""Nested lists: whether they are the entities of one document, or the documents of a corpus."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from numbers import Number
from typing import Any

from scoref.corpus.corpus import Corpus, Entities
from scoref.corpus.from_entities import span_rows, unboxed
from scoref.exceptions import UsageError

_BY_NAME = 'name the documents to make it clear: {"doc": [[mention, ...], ...]}'
_LISTS = (list, tuple, set, frozenset)


class UnnamedId(tuple[str, int]):
    """The identity of a document without a name: an empty name, and its place, from 1."""

    __slots__ = ()

    def __str__(self) -> str:
        return f"#{self[1]}"


def corpus_of_documents(
    documents: Sequence[Entities], source: str, names: Sequence[str] = ()
) -> Corpus:
    """Make a corpus of the entities of documents; those without a name are counted."""
    ids: list[Any] = list(names) or [""] * len(documents)
    unnamed = iter(range(1, len(ids) + 1))
    ids = [id_ or UnnamedId(("", next(unnamed))) for id_ in ids]
    return Corpus.from_entities(dict(zip(ids, documents, strict=True)), source=source)


def find_documents(items: list[Any], side: str) -> list[Any]:
    """Return the entities of each document.

    A list of entities is one document. Two or three numbers, or numbers and texts, in the innermost
    lists are a mention; texts in the innermost lists are mentions of an entity. Lists that can be
    understood in several ways are refused.
    """
    if not items or span_rows({"": items}) is not None:
        return [items]
    if span_rows(dict(enumerate(items))) is not None:
        return items
    items = [_as_lists(item) for item in items]
    depths = {depth for depth, _ in _leaves(items)}
    if len(depths) > 1:
        shown = " and ".join(_first(items, depth) for depth in sorted(depths)[:2])
        raise _unclear(side, f"is a list with {shown}", "nest all mentions equally deep")
    depth = max(depths, default=0)
    if depth == 0 and all(not item for item in items):
        return items  # documents without entities
    if depth <= 1:
        raise _unclear(
            side,
            f"is a list of {type(items[0]).__name__}, such as {_short(items[0])}",
            "an entity is a list of mentions: pass [[mention, ...], ...], or"
            ' {"doc": [[mention, ...], ...]}; for several files, name their directory',
        )
    compound = _has_compound_mentions(items, side) if depth > 2 else False
    level = depth - compound
    if level == 2:
        return [items]
    if level == 3:
        return items
    raise _unclear(
        side,
        f"is a list with {level} levels above its mentions",
        "a document has entities, and an entity has mentions; pass several runs of a system as"
        " [scoref.read(run), ...]",
    )


def _as_lists(item: Any) -> Any:
    """Convert arrays, sets and iterators to lists, and leave single values as they are."""
    item = unboxed(item)
    if isinstance(item, _LISTS) or (isinstance(item, Iterator) and not isinstance(item, str)):
        children = [_as_lists(child) for child in item]
        return tuple(children) if isinstance(item, tuple) else children
    return item


def _leaves(items: Iterable[Any], depth: int = 1) -> Iterator[tuple[int, Any]]:
    """Yield the single values and how deep they are; empty lists have none."""
    for item in items:
        if isinstance(item, _LISTS):
            yield from _leaves(item, depth + 1)
        else:
            yield depth, item


def _innermost(items: Any) -> Iterator[Any]:
    """Yield the lists that hold single values."""
    for item in items:
        if isinstance(item, _LISTS):
            if item and not any(isinstance(child, _LISTS) for child in item):
                yield item
            else:
                yield from _innermost(item)


def _has_compound_mentions(items: list[Any], side: str) -> bool:
    """Whether the innermost lists are mentions, such as (start, end), or else entities."""
    groups = list(_innermost(items))
    texts = all(isinstance(value, str) for group in groups for value in group)
    same_size = len({len(group) for group in groups}) == 1 and len(groups[0]) in (2, 3)
    tuples = all(isinstance(group, tuple) for group in groups)
    if texts and not (tuples and same_size):
        return False
    if not texts and same_size and all(map(_is_place, groups)):
        return True
    found = _short(groups[0])
    raise _unclear(
        side, f"is a list in which {found} can be a mention, or an entity of several", _BY_NAME
    )


def _is_place(group: Sequence[Any]) -> bool:
    """Whether values can be a place in a text: the last two are numbers, and in order."""
    *_, start, end = group
    numbers = isinstance(start, Number) and isinstance(end, Number)
    if not numbers:
        return any(isinstance(value, Number) for value in group)
    return bool(start <= end)


def _first(items: Any, wanted: int) -> str:
    found = next(value for depth, value in _leaves(items) if depth == wanted)
    return f"{_short(found)} at depth {wanted}"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _unclear(side: str, found: str, hint: str) -> UsageError:
    return UsageError(f"the {side} {found}", hint)
