"""Names, spans and sentences of the documents of other libraries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from scoref.base.phrases import type_of
from scoref.corpus.builder import CorpusBuilder
from scoref.exceptions import MentionError, UsageError


def with_names(
    documents: Iterable[Any], names: Iterable[str] | None, attribute: str
) -> Iterator[tuple[Any, str]]:
    """Yield documents with their names; documents without names are paired by their order.

    Documents have an `attribute` with their entities.
    """
    if hasattr(documents, attribute) or not isinstance(documents, Iterable):
        message = f"found {type_of(documents)}, expected a list of documents"
        raise UsageError(message, "pass one document as [document]")
    if names is None:
        yield from ((_check(document, attribute), "") for document in documents)
        return
    if isinstance(names, str):
        raise UsageError(f"found the string {names!r}, expected a list of names", "pass [name]")
    listed, named = [_check(one, attribute) for one in documents], [str(name) for name in names]
    if len(listed) != len(named):
        message = f"found {len(listed)} documents and {len(named)} names, expected as many"
        raise UsageError(message, "name each document once")
    if len(set(named)) < len(named) or "" in named:
        raise UsageError("found a name that is empty or occurs twice", "name each document once")
    yield from zip(listed, named, strict=True)


def _check(document: Any, attribute: str) -> Any:
    if getattr(document, attribute, None) is None:
        message = f"found {type_of(document)} without `{attribute}`, expected a document"
        raise UsageError(message, "pass a list of documents that the library has processed")
    return document


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
