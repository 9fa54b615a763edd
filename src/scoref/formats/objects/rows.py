"""Rows: documents as dicts with the fields of JSON lines, such as `doc_key` and `clusters`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from scoref.base.phrases import type_of
from scoref.corpus.corpus import Corpus
from scoref.corpus.from_entities import unboxed
from scoref.corpus.text import COLUMNS
from scoref.exceptions import FormatError, UsageError
from scoref.formats.format import Wanted
from scoref.formats.io.problems import Problems
from scoref.formats.json.json_text import JsonLine
from scoref.formats.json.jsonl import JsonlReader
from scoref.formats.json.jsonl_document import (
    GOLD,
    NAMES,
    PREDICTED,
    TEXTS,
    document_name,
    entity_field,
)
from scoref.formats.objects.lists import corpus_of_documents

ENTITY_FIELDS = (*GOLD, *PREDICTED)
_READ = frozenset(
    {*NAMES, *TEXTS, *ENTITY_FIELDS, "offsets", "subtoken_map", "speakers", "speaker", "pos"}
    | {"sent_id"}
)
_NO_LIMIT = 1 << 60
_SIMPLE = frozenset({str, int})


def is_row(value: Mapping[Any, Any]) -> bool:
    """Whether a dict is one row, not entities by document: it has a field with entities.

    If it has other fields, and all of them are lists, they can also be the entities of documents
    that have these names.
    """
    field = next((name for name in ENTITY_FIELDS if name in value), None)
    if field is None:
        return False
    other = next((name for name in value if name not in _READ), None)
    if other is None or any(isinstance(value.get(name), str | int) for name in (*NAMES, "text")):
        return True
    raise UsageError(
        f"found a dict with {field!r} and {other!r}, which can be a row or entities by document",
        'pass a row in a list, [row], or add its "doc_key"; for documents of these names, use'
        " scoref.Corpus.from_entities",
    )


def read_rows(
    rows: Iterable[Any], side: str, end: str | None = None, *, predicted: bool = False
) -> Corpus:
    """Return the corpus of rows; with words if rows have a text.

    Rows with a text are read as JSON lines are. Without a text, mentions can be any values.
    """
    problems = Problems(side)
    known = [_known(row, number, side) for number, row in enumerate(rows, 1)]
    if any(name in row for row in known for name in TEXTS):
        wanted = Wanted(frozenset(COLUMNS), predicted)
        lines = (JsonLine(at, _plain_row(row), _NO_LIMIT) for at, row in enumerate(known, 1))
        corpus = JsonlReader(problems, wanted, end).read(lines)
    else:
        corpus = _without_text(known, problems, predicted=predicted)
    if problems:
        raise FormatError(problems, None)
    return corpus


def _known(row: Any, number: int, side: str) -> dict[str, Any]:
    """Return the fields of a row that have a value."""
    if not isinstance(row, Mapping):
        raise UsageError(
            f"item {number} of the {side} is {type_of(row)}, but others are rows",
            'pass rows such as {"doc_key": "doc", "clusters": [[[0, 1], [3, 3]]]}',
        )
    return {str(name): value for name, value in row.items() if not _is_missing(value)}


def _is_missing(value: Any) -> bool:
    """Whether a table has no value here: None, or NaN."""
    return value is None or (isinstance(value, float) and np.isnan(value))


def _without_text(rows: list[dict[str, Any]], problems: Problems, *, predicted: bool) -> Corpus:
    names, documents = [], []
    first: dict[str, int] = {}
    for number, row in enumerate(rows, 1):
        field = entity_field(row, number, problems, predicted=predicted)
        name = document_name(row, number, problems)
        if field is None or name is None:
            continue
        if name and first.setdefault(name, number) != number:
            problems.add_duplicate(number, name, first[name])
        names.append(name)
        documents.append(row[field])
    if problems:
        return Corpus.without_mentions(())
    return corpus_of_documents(documents, problems.path, names)


def _plain_row(row: dict[str, Any]) -> dict[str, Any]:
    return {name: _plain(value) if name in _READ else value for name, value in row.items()}


def _plain(value: Any) -> Any:
    """Convert tuples, arrays, sets and NumPy's numbers to what JSON has."""
    if type(value) is list and set(map(type, value)) <= _SIMPLE:
        return value
    value = unboxed(value)
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, list | tuple | set | frozenset | Iterator):
        return [_plain(one) for one in value]
    if isinstance(value, Mapping):
        return {name: _plain(one) for name, one in value.items()}
    return value
