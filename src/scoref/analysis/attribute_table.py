"""Fields of the user's own: a table with a row per document, entity or mention.

    document,entity,gender          document,start,end,quoted          document,year
    emma,Emma,female                emma,10,11,yes                     emma,1815

A row with `start` and `end` is about a mention: its first and last token, counted from 0. A row
with `entity` is about the mentions of an entity of the key. Other rows are about documents. All
other columns are fields, which prevail over those of scoref. Columns of numbers with many values
are divided at their quartiles.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoref.base.phrases import listed
from scoref.exceptions import UsageError
from scoref.formats.io.sources import checked_path
from scoref.matching.alignment import Alignment
from scoref.matching.fields import Field, spans_of_mentions
from scoref.metrics.table import NOWHERE

_PLACES = ("document", "start", "end", "entity")
_MOST_CLASSES = 12
_QUARTILES = 4

Attributes = str | PathLike[str] | Sequence[Mapping[str, Any]] | Mapping[str, Mapping[str, Any]]
"""A file, rows as dicts, or the fields of each document."""


class AttributeRow(NamedTuple):
    """A row: the place that it is about, and its fields. `where` names it in messages."""

    where: str
    document: str
    span: tuple[int, int] | None
    entity: str | None
    fields: Mapping[str, str]


def read_attributes(source: Attributes | None) -> dict[str, Field]:
    """Read a table, and return its fields by name."""
    if source is None:
        return {}
    name = "attributes" if not isinstance(source, str | PathLike) else str(source)
    rows = [*_parse(name, _read(source))]
    fields: dict[str, list[AttributeRow]] = {}
    _refuse_repeated(name, rows)
    for row in rows:
        for field in row.fields:
            fields.setdefault(field, []).append(row)
    if not fields:
        raise UsageError(
            f"{name} has no fields", "add a column such as `gender` beside the column `document`"
        )
    return {field: _field(field, found, name) for field, found in fields.items()}


def _refuse_repeated(source: str, rows: Sequence[AttributeRow]) -> None:
    """Refuse two rows about the same place that do not agree."""
    seen: dict[tuple[object, ...], AttributeRow] = {}
    for row in rows:
        first = seen.setdefault((row.document, row.span, row.entity), row)
        if first.fields != row.fields:
            raise UsageError(
                f"{source}: {first.where} and {row.where} are about the same place of document"
                f" {row.document}, but state different values",
                "keep one of the two rows",
            )


def _field(name: str, rows: Sequence[AttributeRow], source: str) -> Field:
    """Return a field; a column of numbers with many values has classes."""
    values = [row.fields[name] for row in rows if row.fields[name]]
    edges: tuple[int, ...] = ()
    is_number = all(map(_is_whole, values)) and len(set(values)) > _MOST_CLASSES
    if is_number:
        shares = np.arange(_QUARTILES) / _QUARTILES
        edges = tuple(sorted({int(e) for e in np.quantile([*map(int, values)], shares)}))
    find = partial(_values, name, rows, source, is_number=is_number)
    return Field(name, find, is_number, edges)


def _is_whole(value: str) -> bool:
    return value.isdecimal() and len(value) < 16


def _values(
    name: str, rows: Sequence[AttributeRow], source: str, alignment: Alignment, *, is_number: bool
) -> NDArray[Any]:
    """Return the value of each row of an alignment; rows about less prevail."""
    found: list[str] = [""] * len(alignment.unit)
    of_document: dict[str, list[int]] = {str(unit): [] for unit in alignment.units}
    names = list(of_document)
    for at, unit in enumerate(alignment.unit.tolist()):
        of_document[names[unit]].append(at)
    places = _places(alignment) if any(row.span for row in rows) else {}
    entities = _entities(alignment) if any(row.entity is not None for row in rows) else {}
    missing: list[str] = []
    for row in sorted(rows, key=lambda row: (row.span is not None, row.entity is not None)):
        if row.span is not None:
            about = places.get((row.document, *row.span), [])
        elif row.entity is not None:
            about = entities.get((row.document, row.entity), [])
        else:
            about = of_document.get(row.document, [])
        if not about and row.document not in of_document:
            missing.append(row.document)
        for one in about:
            found[one] = row.fields[name]
    if len(missing) == len(rows):
        raise UsageError(
            f"{source} has none of the documents of the key: found"
            f" {listed([*dict.fromkeys(missing)])}, expected names such as {listed(names[:2])}",
            "write the names of documents as `scoref score --per-document` shows them",
        )
    if not any(found):
        raise UsageError(
            f"{source}: no row with {name!r} is about a mention of the key or the response",
            "a mention is `start` and `end`, its first and last token in the document from 0",
        )
    if is_number:
        return np.array([int(one) if one else NOWHERE for one in found])
    return np.array(found)


def _places(alignment: Alignment) -> dict[tuple[str, int, int], list[int]]:
    spans = spans_of_mentions(alignment)
    found: dict[tuple[str, int, int], list[int]] = {}
    columns = (spans.document.tolist(), spans.start.tolist(), spans.end.tolist())
    for at, (unit, start, end) in enumerate(zip(*columns, strict=True)):
        found.setdefault((str(alignment.units[unit]), start, end), []).append(at)
    return found


def _entities(alignment: Alignment) -> dict[tuple[str, str], list[int]]:
    corpus = alignment.key_corpus
    entity = alignment.corpus_entity("key").tolist()
    found: dict[tuple[str, str], list[int]] = {}
    if corpus is not None:
        for at, (unit, number) in enumerate(zip(alignment.unit.tolist(), entity, strict=True)):
            if number != NOWHERE:
                name = str(corpus.entity_names[number])
                found.setdefault((str(alignment.units[unit]), name), []).append(at)
    return found


def _read(source: Attributes) -> Iterable[tuple[str, Mapping[str, Any]]]:
    """Yield the rows of a table, each with what a message calls it."""
    content: Any = source
    if isinstance(source, str | PathLike):
        path = checked_path(source)
        try:
            text = Path(path).read_text("utf-8-sig")
        except UnicodeDecodeError:
            raise UsageError(f"{path} is not valid UTF-8", "convert it to UTF-8") from None
        except OSError as error:
            raise UsageError(f"cannot read {path}: {error.strerror or error}") from None
        if text.lstrip()[:1] not in ("[", "{"):
            yield from _read_csv(str(path), text)
            return
        import json  # noqa: PLC0415  # only some tables are JSON

        try:
            content = json.loads(text)
        except ValueError as error:
            raise UsageError(f"{path} is not valid JSON: {error}") from None
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


def _read_csv(path: str, text: str) -> Iterable[tuple[str, Mapping[str, Any]]]:
    lines = text.splitlines()
    head = lines[0] if lines else ""
    separator = max("\t,;", key=head.count)
    reader = csv.DictReader(lines, delimiter=separator)
    names = reader.fieldnames or []
    if len(set(names)) < len(names):
        raise UsageError(f"{path}: a column is repeated in the header {head!r}")
    for row in reader:
        if None in row or None in row.values():
            raise UsageError(
                f"{path}:{reader.line_num}: found another number of cells than in the header"
                f" ({len(names)})",
                "write an empty cell where a value is not known",
            )
        yield f"line {reader.line_num}", row


def _parse(source: str, rows: Iterable[tuple[str, Mapping[str, Any]]]) -> Iterable[AttributeRow]:
    for where, row in rows:
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
        span = (int(start), int(end)) if start else None
        fields = {name: value for name, value in stated.items() if name not in _PLACES}
        yield AttributeRow(where, stated["document"], span, entity or None, fields)
