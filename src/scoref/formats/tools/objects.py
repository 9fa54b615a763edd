"""What converters of other libraries' documents share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from scoref.exceptions import MentionError, UsageError


def with_names(documents: Iterable[Any], names: Iterable[str] | None) -> Iterator[tuple[Any, str]]:
    """Yield documents with their names; without names they are paired by their order."""
    if names is None:
        yield from ((document, "") for document in documents)
        return
    given, told = list(documents), [str(name) for name in names]
    if len(given) != len(told) or len(set(told)) < len(told) or "" in told:
        raise UsageError(
            f"there are {len(given)} documents and {len(told)} names",
            "give each document a name of its own",
        )
    yield from zip(given, told, strict=True)


def check_span(start: Any, stop: Any, length: int, where: str) -> tuple[int, int]:
    """Return a span with its end inclusive, or say that it is not in the text."""
    if type(start) is int and type(stop) is int and 0 <= start < stop <= length:
        return start, stop - 1
    raise MentionError(
        f"{where} has a mention from {start!r} to {stop!r} in a text of {length} tokens",
        "ends are exclusive, and mentions have at least one token",
    )


def texts(values: Sequence[Any]) -> list[str]:
    """Return values as texts, with nothing for None."""
    return ["" if value is None else str(value) for value in values]
