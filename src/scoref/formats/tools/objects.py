"""Names, spans and sentences of the documents of other libraries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from scoref.corpus.builder import CorpusBuilder
from scoref.exceptions import MentionError, UsageError


def with_names(documents: Iterable[Any], names: Iterable[str] | None) -> Iterator[tuple[Any, str]]:
    """Yield documents with their names; documents without names are paired by their order."""
    if names is None:
        yield from ((document, "") for document in documents)
        return
    listed, named = list(documents), [str(name) for name in names]
    if len(listed) != len(named):
        message = f"found {len(listed)} documents and {len(named)} names, expected as many"
        raise UsageError(message, "name each document once")
    if len(set(named)) < len(named) or "" in named:
        raise UsageError("found a name that is empty or occurs twice", "name each document once")
    yield from zip(listed, named, strict=True)


def check_span(start: Any, stop: Any, length: int, where: str) -> tuple[int, int]:
    """Return a span with an inclusive end, if it is in the text."""
    if type(start) is int and type(stop) is int and 0 <= start < stop <= length:
        return start, stop - 1
    raise MentionError(
        f"{where} has a mention from {start!r} to {stop!r} in a text of {length} tokens",
        "ends are exclusive, and mentions have at least one token",
    )


def add_sentence(builder: CorpusBuilder, tokens: Sequence[Any], **attributes: str) -> None:
    """Add a sentence to a text: its columns, and the attribute of a token that each has.

    An attribute that a token lacks, or that is None, becomes an empty string.
    """
    columns: dict[str, list[str]] = {}
    for column, attribute in attributes.items():
        values = [getattr(token, attribute, None) for token in tokens]
        columns[column] = ["" if value is None else str(value) for value in values]
    builder.sentence(**columns)
