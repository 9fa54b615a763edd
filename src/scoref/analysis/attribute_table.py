"""Fields of the user's own: a table with a row per document, entity or mention.

    document,entity,gender          document,start,end,quoted          document,year
    emma,Emma,female                emma,10,11,yes                     emma,1815

A row with `start` and `end` is about a mention: its first and last token, counted from 0. A row
with `entity` is about the mentions of an entity of the key. Other rows are about documents. All
other columns are fields, which prevail over those of scoref. Columns of numbers with many values
are divided at their quartiles.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from os import PathLike
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoref.base.phrases import listed
from scoref.exceptions import UsageError
from scoref.formats.io.plain_tables import parse_table, raise_problems, read_file
from scoref.formats.json.json_text import parse_json
from scoref.matching.alignment import Alignment
from scoref.matching.fields import Field, spans_of_mentions
from scoref.metrics.table import NOWHERE

_PLACES = ("document", "start", "end", "entity")
_MOST_CLASSES = 12
_QUARTILES = 4

Attributes = str | PathLike[str] | Sequence[Mapping[str, Any]] | Mapping[str, Mapping[str, Any]]
"""A file, rows as dicts, or the fields of each document."""


class AttributeRow(NamedTuple):
    """A row: its place and its fields. `where` names it in messages.

    A place is a document, or a document and an entity, or a document, a first and a last token.
    """

    where: str
    place: tuple[str | int, ...]
    fields: Mapping[str, str]


def read_attributes(source: Attributes | None) -> dict[str, Field]:
    """Read a table, and return its fields by name."""
    if source is None:
        return {}
    name = "attributes" if not isinstance(source, str | PathLike) else str(source)
    fields: dict[str, list[AttributeRow]] = {}
    seen: dict[tuple[str | int, ...], AttributeRow] = {}
    for where, cells in _read(source):
        row = _parse(name, where, cells)
        first = seen.setdefault(row.place, row)
        if first.fields != row.fields:
            raise UsageError(
                f"{name}: {first.where} and {where} are about the same place of document"
                f" {row.place[0]}, but state different values",
                "keep one of the two rows",
            )
        for field in row.fields:
            fields.setdefault(field, []).append(row)
    if not fields:
        raise UsageError(
            f"{name} has no fields", "add a column such as `gender` beside the column `document`"
        )
    return {field: _field(field, found, name) for field, found in fields.items()}


def _field(name: str, rows: Sequence[AttributeRow], source: str) -> Field:
    """Return a field; a column of numbers with many values has classes."""
    values = [row.fields[name] for row in rows if row.fields[name]]
    edges: tuple[int, ...] = ()
    if all(map(_is_whole, values)) and len(set(values)) > _MOST_CLASSES:
        shares = np.arange(_QUARTILES) / _QUARTILES
        edges = tuple(sorted({int(e) for e in np.quantile([*map(int, values)], shares)}))
    return Field(name, partial(_values, name, rows, source, is_number=bool(edges)), edges)


def _is_whole(value: str) -> bool:
    return value.isdecimal() and len(value) < 16


def _values(
    name: str, rows: Sequence[AttributeRow], source: str, alignment: Alignment, *, is_number: bool
) -> NDArray[Any]:
    """Return the value of each row of an alignment; rows about less prevail."""
    documents = dict.fromkeys(map(str, alignment.units))
    if not any(row.place[0] in documents for row in rows):
        raise UsageError(
            f"{source} has none of the documents of the key: found"
            f" {listed([*dict.fromkeys(str(row.place[0]) for row in rows)])}, expected names such"
            f" as {listed([*documents][:2])}",
            "write the names of documents as `scoref score --per-document` shows them",
        )
    found = [""] * len(alignment.unit)
    by_length: dict[int, list[AttributeRow]] = {}
    for row in rows:
        by_length.setdefault(len(row.place), []).append(row)
    for length in sorted(by_length):
        values = {row.place: row.fields[name] for row in by_length[length]}
        for at, place in enumerate(_places(alignment, length)):
            found[at] = values.get(place, found[at])
    if not any(found):
        raise UsageError(
            f"{source}: no row with {name!r} is about a mention of the key or the response",
            "a mention is `start` and `end`, its first and last token in the document from 0",
        )
    if is_number:
        return np.array([int(one) if one else NOWHERE for one in found])
    return np.array(found)


def _places(alignment: Alignment, length: int) -> Iterable[tuple[str | int, ...]]:
    """Return the document of each row of an alignment, or its entity in the key, or its span."""
    names = [*map(str, alignment.units)]
    documents = [names[unit] for unit in alignment.unit.tolist()]
    if length == 1:
        return zip(documents, strict=True)
    if length == 2:
        corpus = alignment.key_corpus
        entities = [*map(str, corpus.entity_names)] if corpus is not None else []
        numbers = alignment.corpus_entity("key").tolist()
        return zip(
            documents, (entities[at] if at != NOWHERE else -1 for at in numbers), strict=True
        )
    spans = spans_of_mentions(alignment)
    return zip(documents, spans.start.tolist(), spans.end.tolist(), strict=True)


def _read(source: Attributes) -> Iterable[tuple[str, Mapping[str, Any]]]:
    """Yield the rows of a table, each with what a message calls it."""
    content: Any = source
    if isinstance(source, str | PathLike):
        text, problems = read_file(source, None)
        if text.lstrip()[:1] not in ("[", "{"):
            rows = parse_table(text, (), problems)
            yield from ((f"line {row.line}", row.cells) for row in rows)
            return
        content, problems[:] = parse_json(text, problems.path)
        raise_problems(problems)
    if isinstance(content, Mapping):
        content = [
            {"document": document, **fields} if isinstance(fields, Mapping) else fields
            for document, fields in content.items()
        ]
    for at, row in enumerate(content, start=1):
        if not isinstance(row, Mapping):
            raise UsageError(
                f"attributes: row {at} is {row!r}, expected an object",
                'write [{"document": "emma", "gender": "female"}], or {"emma": {"year": 1815}}',
            )
        yield f"row {at}", row


def _parse(source: str, where: str, row: Mapping[str, Any]) -> AttributeRow:
    if "document" not in row:
        raise UsageError(
            f"{source}: {where} has no document: it has {listed([*map(str, row)])}",
            "add the column `document` with the names of documents",
        )
    stated = {str(name): "" if value is None else str(value) for name, value in row.items()}
    start, end, entity = (stated.get(name, "") for name in ("start", "end", "entity"))
    if (start or end) and not (_is_whole(start) and _is_whole(end)):
        raise UsageError(
            f"{source}: {where}: the mention is from {start!r} to {end!r}, expected two whole"
            " numbers",
            "write the first and the last token of the mention, counted from 0",
        )
    part = (int(start), int(end)) if start else (entity,) if entity else ()
    fields = {name: value for name, value in stated.items() if name not in _PLACES}
    return AttributeRow(where, (stated["document"], *part), fields)
