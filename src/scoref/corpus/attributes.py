"""Attributes of mentions and entities as columns: types, heads, and what else is stated."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoref.corpus.spans import Links, Spans
from scoref.exceptions import UsageError

MENTION_TYPES = ("name", "nominal", "pronoun")
_MOST = 2**62  # what arrays hold


def is_span(label: Hashable) -> bool:
    """Whether a mention can be read as a token span: two whole numbers in order."""
    if not (isinstance(label, tuple) and len(label) == 2):
        return False
    start, end = label
    whole = isinstance(start, int | np.integer) and isinstance(end, int | np.integer)
    return whole and 0 <= start <= end < _MOST


def mention_attributes(
    labels: Sequence[Hashable], documents: Sequence[Hashable], given: Mapping[Any, Any] | None
) -> dict[str, NDArray[Any]]:
    """Make columns of the attributes of mentions: `{document: {mention: {name: value}}}`."""
    if given is None:
        return {}
    about = [
        given.get(document, {}).get(label, {})
        for label, document in zip(labels, documents, strict=True)
    ]
    columns = _attribute_columns(about)
    if "type" in columns:
        _check_types(columns["type"].tolist())
    return columns


def entity_attributes(
    places: Sequence[tuple[Hashable, str, int]], given: Mapping[Any, Any] | None
) -> dict[str, NDArray[Any]]:
    """Make columns of the attributes of entities, by their names or in their order."""
    if given is None:
        return {}
    about = []
    for document, name, order in places:
        stated = given.get(document, {})
        if isinstance(stated, Mapping):
            about.append(stated.get(name, {}))
        else:
            about.append(stated[order] if order < len(stated) else {})
    return _attribute_columns([{**one, **_members(one)} for one in about])


def _members(about: Mapping[str, Any]) -> dict[str, str]:
    """Return the names of the members of a split antecedent as one text, if they are listed."""
    members = about.get("split_antecedents", "")
    return {} if isinstance(members, str) else {"split_antecedents": ",".join(map(str, members))}


def _attribute_columns(about: Sequence[Mapping[str, Any]]) -> dict[str, NDArray[Any]]:
    """Make a column of each attribute; a span such as a head makes two, of whole numbers."""
    columns: dict[str, NDArray[Any]] = {}
    for name in dict.fromkeys(name for one in about for name in one):
        values = [one.get(name) for one in about]
        if any(isinstance(value, tuple | list) for value in values):
            if bad := [value for value in values if value is not None and not _spans(value)]:
                raise UsageError(
                    f"the {name} of a mention is {bad[0]!r}, but must be (start, end)",
                    "both are whole numbers, and the end is inclusive",
                )
            spans = np.array([(-1, -1) if v is None else tuple(v) for v in values], dtype=np.int64)
            columns[f"{name}_start"], columns[f"{name}_end"] = spans.T.copy()
        else:
            columns[name] = np.array(["" if value is None else str(value) for value in values])
    return columns


def _spans(value: Any) -> bool:
    return is_span(tuple(value) if isinstance(value, list) else value)


def concatenate_columns(
    parts: Sequence[tuple[Mapping[str, NDArray[Any]], int]],
) -> dict[str, NDArray[Any]]:
    """Put attribute columns one after the other, empty where a part has none."""
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
    """Make the column of types: `{mention: type}`, or by document."""
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
    """Read mentions by document, `{document: [mention, ...]}`."""
    _check_documents(documents, spans)
    rows = [
        (number, *_span(mention))
        for number, document in enumerate(documents)
        for mention in spans.get(document, ())
    ]
    number, start, end = np.array(rows, dtype=np.int64).reshape(-1, 3).T.copy()
    return Spans(number, start, end)


def links_by_document(documents: Iterable[Hashable], links: Mapping[Any, Any]) -> Links:
    """Read bridging by document, `{document: {anaphor: anchor}}`, or several anchors in a list."""
    _check_documents(documents, links)
    rows = [
        (number, *_span(anaphor), *_span(anchor))
        for number, document in enumerate(documents)
        for anaphor, anchors in links.get(document, {}).items()
        for anchor in ([anchors] if _spans(anchors) else anchors)
    ]
    number, start, end, to, until = np.array(rows, dtype=np.int64).reshape(-1, 5).T.copy()
    return Links(Spans(number, start, end), Spans(number, to, until))


def _span(mention: Any) -> tuple[int, int]:
    mention = tuple(mention) if isinstance(mention, list) else mention
    if not is_span(mention):
        raise UsageError(
            f"{mention!r} is not a token span, but bridging and non-referring mentions must be",
            "write (start, end): token positions in the document from 0, end inclusive",
        )
    start, end = mention
    return start, end


def _check_documents(documents: Iterable[Hashable], given: Mapping[Any, Any]) -> None:
    if unknown := [name for name in given if name not in documents]:
        raise UsageError(f"attributes are given for the unknown document {unknown[0]!r}")
