"""Attributes of mentions and entities as columns: types, heads, and others that users state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoref.corpus.spans import Links, Spans
from scoref.exceptions import UsageError

MENTION_TYPES = ("name", "nominal", "pronoun")
_LARGEST = 2**62


def is_span(label: Hashable) -> bool:
    """Whether a mention is a token span: a pair of integers in ascending order."""
    if not (isinstance(label, tuple) and len(label) == 2):
        return False
    start, end = label
    whole = isinstance(start, int | np.integer) and isinstance(end, int | np.integer)
    return whole and 0 <= start <= end < _LARGEST


def mention_attributes(
    labels: Sequence[Hashable], documents: Sequence[Hashable], stated: Mapping[Any, Any] | None
) -> dict[str, NDArray[Any]]:
    """Make columns of the attributes of mentions: `{document: {mention: {name: value}}}`."""
    if stated is None:
        return {}
    columns = _attribute_columns(
        [
            stated.get(document, {}).get(label, {})
            for label, document in zip(labels, documents, strict=True)
        ]
    )
    if "type" in columns:
        _check_types(columns["type"].tolist())
    return columns


def entity_attributes(
    entities: Sequence[tuple[Hashable, str]], stated: Mapping[Any, Any] | None
) -> dict[str, NDArray[Any]]:
    """Make columns of the attributes of entities, which are stated by name or in order.

    `entities` are the document and the name of each entity.
    """
    if stated is None:
        return {}
    rows = []
    order: Counter[Hashable] = Counter()
    for document, name in entities:
        of_document, at = stated.get(document, {}), order[document]
        if isinstance(of_document, Mapping):
            rows.append(of_document.get(name, {}))
        else:
            rows.append(of_document[at] if at < len(of_document) else {})
        order[document] += 1
    return _attribute_columns([{**row, **_members(row)} for row in rows])


def _members(attributes: Mapping[str, Any]) -> dict[str, str]:
    """Join the names of the members of a split antecedent, if they are a list."""
    members = attributes.get("split_antecedents", "")
    return {} if isinstance(members, str) else {"split_antecedents": ",".join(map(str, members))}


def _attribute_columns(rows: Sequence[Mapping[str, Any]]) -> dict[str, NDArray[Any]]:
    """Make a column of each attribute, or two columns if it is a span such as a head."""
    columns: dict[str, NDArray[Any]] = {}
    for name in dict.fromkeys(name for row in rows for name in row):
        values = [row.get(name) for row in rows]
        if any(isinstance(value, tuple | list) for value in values):
            if bad := [value for value in values if value is not None and not _is_span(value)]:
                raise UsageError(
                    f"the {name} of a mention is {bad[0]!r}, but must be (start, end)",
                    "both must be integers, and the end is inclusive",
                )
            spans = np.array([(-1, -1) if v is None else tuple(v) for v in values], dtype=np.int64)
            columns[f"{name}_start"], columns[f"{name}_end"] = spans.T.copy()
        else:
            columns[name] = np.array(["" if value is None else str(value) for value in values])
    return columns


def _is_span(value: Any) -> bool:
    return is_span(tuple(value) if isinstance(value, list) else value)


def concatenate_columns(
    parts: Sequence[tuple[Mapping[str, NDArray[Any]], int]],
) -> dict[str, NDArray[Any]]:
    """Concatenate attribute columns, with unknown values for a part that lacks a column."""
    kinds = {name: column.dtype for columns, _ in parts for name, column in columns.items()}

    def column(name: str, columns: Mapping[str, NDArray[Any]], size: int) -> NDArray[Any]:
        if name in columns:
            return columns[name]
        return np.full(size, -1 if kinds[name].kind == "i" else "", dtype=kinds[name])

    return {
        name: np.concatenate([column(name, columns, size) for columns, size in parts])
        for name in kinds
    }


def type_column(
    labels: Sequence[Hashable], documents: Sequence[Hashable], types: Mapping[Any, Any]
) -> NDArray[Any]:
    """Make the column of types from `{mention: type}` or `{document: {mention: type}}`."""
    by_document = any(isinstance(value, Mapping) for value in types.values())
    found = [
        (types.get(document, {}) if by_document else types).get(label, "")
        for label, document in zip(labels, documents, strict=True)
    ]
    _check_types([*found, *(() if by_document else types.values())])
    return np.array(found, dtype="U8")


def _check_types(types: Iterable[Any]) -> None:
    if unknown := sorted({str(kind) for kind in types} - {*MENTION_TYPES, ""}):
        known = ", ".join(MENTION_TYPES)
        raise UsageError(f"a mention type is {unknown[0]!r}, but must be one of: {known}")


def spans_by_document(documents: Iterable[Hashable], spans: Mapping[Any, Any]) -> Spans:
    """Convert `{document: [mention, ...]}` into spans."""
    _check_documents(documents, spans)
    rows = [
        (number, *_span(mention))
        for number, document in enumerate(documents)
        for mention in spans.get(document, ())
    ]
    number, start, end = np.array(rows, dtype=np.int64).reshape(-1, 3).T.copy()
    return Spans(number, start, end)


def links_by_document(documents: Iterable[Hashable], links: Mapping[Any, Any]) -> Links:
    """Convert `{document: {anaphor: anchor}}`, or lists of anchors, into bridging links."""
    _check_documents(documents, links)
    rows = [
        (number, *_span(anaphor), *_span(anchor))
        for number, document in enumerate(documents)
        for anaphor, anchors in links.get(document, {}).items()
        for anchor in ([anchors] if _is_span(anchors) else anchors)
    ]
    columns = np.array(rows, dtype=np.int64).reshape(-1, 5).T.copy()
    document, start, end, anchor_start, anchor_end = columns
    return Links(Spans(document, start, end), Spans(document, anchor_start, anchor_end))


def _span(mention: Any) -> tuple[int, int]:
    mention = tuple(mention) if isinstance(mention, list) else mention
    if not is_span(mention):
        raise UsageError(
            f"{mention!r} is not a token span, but bridging and non-referring mentions must be",
            "write (start, end): token positions in the document from 0, end inclusive",
        )
    start, end = mention
    return start, end


def _check_documents(documents: Iterable[Hashable], stated: Mapping[Any, Any]) -> None:
    if unknown := [name for name in stated if name not in documents]:
        raise UsageError(f"attributes are stated for the unknown document {unknown[0]!r}")
