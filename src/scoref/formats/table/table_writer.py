"""The columns of a table to write, from a corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from scoref.base.arrays import Ints
from scoref.base.lazy_sequences import BLANKS
from scoref.base.phrases import counted
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import Document
from scoref.exceptions import UsageError
from scoref.formats.io.text import control_character
from scoref.formats.table.layout import ENTITY_ROLES, MENTION_ROLES, NO_ENTITY
from scoref.formats.written_names import NameRule, WrittenNames

SUPPORTED = frozenset(
    {
        *("mention types", "heads", "minimal spans", *MENTION_ROLES),
        *("entity type", "entity subtype", "entity class"),
    }
)
"""What a table holds in addition to mentions and entities."""

_BLANK = f"[{BLANKS}]"
# Control characters, halves of surrogate pairs, nothing but blanks, and what would be detected as a
# comment of another format at the start of a line. Cells hold all else: the writer quotes them.
_UNSAFE = rf"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]|^{_BLANK}+$|(?<=\n)#(?=\s*[a-z])"
_MISSING = "|".join(filter(None, sorted(NO_ENTITY)))
_FIRST_CELL = NameRule(rf"{_UNSAFE}|^#(?=\s*[a-z])")
NAMES = WrittenNames(
    document=_FIRST_CELL,
    entity=NameRule(_UNSAFE, f"{_BLANK}*({_MISSING}){_BLANK}*"),
    mention=_FIRST_CELL,
    attributes={
        **dict.fromkeys(("zero_deps", "role", "style", "head_text"), NameRule(_UNSAFE)),
        **{role.replace("_", " "): NameRule(_UNSAFE) for role in ENTITY_ROLES},
    },
)
"""The names that a table holds; others are renamed, or refused by the writer."""

_FARTHEST = 10**18
_NUMBERS = ("head_start", "head_end", "min_start", "min_end")
_ATTRIBUTES = ("type", *_NUMBERS, *MENTION_ROLES, *ENTITY_ROLES)


def to_columns(corpus: Corpus, *, is_file: bool = True) -> dict[str, list[Any]]:
    """Return the columns of a table to write; what the reader would not give back is refused.

    A file cannot have control characters. A table in memory can.
    """
    columns = unchecked_columns(corpus)
    if "document" in columns:
        _check_documents(corpus)
    if "mention" in columns:
        _check_labels(corpus.labels or ())
    elif (end := max((one or 0 for one in columns[_end(corpus)]), default=0)) >= _FARTHEST:
        hint = f"positions must be below {_FARTHEST:,}"
        raise UsageError(f"a mention that ends at {end:,} cannot be written in a table", hint)
    _check_entities(corpus)
    for name, cells in columns.items():
        _check_characters(name, cells, is_file=is_file)
    return columns


def _end(corpus: Corpus) -> str:
    return "end_character" if corpus.unit == "character" else "end"


def unchecked_columns(corpus: Corpus) -> dict[str, list[Any]]:
    """Return the columns of a table that need not be read again, with None for an empty cell.

    A document without mentions has a row with its name only.
    """
    has_names = corpus.labels is not None and not len(corpus)  # of mentions, of which it has none
    spans = None if has_names else corpus.as_spans()
    columns: dict[str, list[Any]] = {}
    row, document = rows_to_write(corpus)
    if not _is_one_unnamed(corpus):
        names = [_document_name(one) for one in corpus.documents]
        columns["document"] = [names[at] for at in document.tolist()]
    if spans is None:
        columns["mention"] = [str(label) for label in corpus.labels or ()]
    else:
        columns[_end(corpus).replace("end", "start")] = spans.start.tolist()
        columns[_end(corpus)] = spans.end.tolist()
    entity_names = [str(name) for name in corpus.entity_names]
    columns["entity"] = [entity_names[at] for at in corpus.entity.tolist()]
    for name in _ATTRIBUTES:
        values = corpus.attributes.get(name)
        if name.startswith("entity_"):
            of_entities = corpus.entity_attributes.get(name.removeprefix("entity_"))
            values = None if of_entities is None else of_entities[corpus.entity]
        if values is not None:
            columns[name] = [None if value in {-1, ""} else value for value in values.tolist()]
    if len(row) > len(corpus):
        for name in columns.keys() - {"document"}:
            padded = [*columns[name], None]
            columns[name] = [padded[at] for at in row.tolist()]
    return columns


def rows_to_write(corpus: Corpus) -> tuple[Ints, Ints]:
    """Return the mention of each row of a table, or -1, and its document.

    A document without mentions has a row, before the first row of the next document. Only an
    unnamed one has none.
    """
    mentions, documents = len(corpus), len(corpus.documents)
    first = np.full(documents + 1, mentions)
    np.minimum.at(first, corpus.document, np.arange(mentions))
    empty = np.flatnonzero((first[:-1] == mentions) & (not _is_one_unnamed(corpus)))
    before = np.minimum.accumulate(first[::-1])[::-1]
    order = np.argsort(np.append(2 * np.arange(mentions), 2 * before[empty] - 1), kind="stable")
    row = np.append(np.arange(mentions), np.full(len(empty), -1))
    return row[order], np.append(corpus.document, empty)[order]


def _is_one_unnamed(corpus: Corpus) -> bool:
    """Whether a table needs no column of documents."""
    return len(corpus.documents) == 1 and corpus.documents[0].is_unnamed


def _check_documents(corpus: Corpus) -> None:
    """Refuse documents whose names are empty, or are the same in a table."""
    names = [_document_name(one) for one in corpus.documents]
    if empty := [name for name in names if not name.strip(BLANKS)]:
        raise _unwritable("document", empty[0], "give each document a name")
    if len(set(names)) < len(names):
        name = next(name for name, times in Counter(names).items() if times > 1)
        hint = "give each document a name of its own"
        raise UsageError(f"two documents would be written as {name!r} in a table", hint)


def _document_name(document: Document) -> str:
    """Return the name to write: that of its identity, or `#1`, `#2` and so on without a name."""
    if document.is_unnamed:
        return f"#{document.id[1]}"  # type: ignore[index]  # the id is a pair then
    return document.id if isinstance(document.id, str) else document.name


def _check_entities(corpus: Corpus) -> None:
    """Refuse entities whose names mean no entity, or are the same within a document."""
    names = [str(name) for name in corpus.entity_names]
    used, first = np.unique(corpus.entity, return_index=True)
    seen: dict[tuple[int, str], int] = {}
    for entity, document in zip(used.tolist(), corpus.document[first].tolist(), strict=True):
        name = names[entity]
        if name.strip(BLANKS) in NO_ENTITY:
            hint = "rename it: a table uses this word for a mention without an entity"
            raise _unwritable("entity", name, hint)
        if seen.setdefault((document, name), entity) != entity:
            hint = "rename one of them"
            raise UsageError(f"two entities would be written as {name!r} in a table", hint)


def _check_labels(labels: Sequence[Hashable]) -> None:
    """Refuse labels that are not strings or whole numbers, which a reader does not give back."""
    if odd := [label for label in labels if not _is_writable(label)]:
        many = counted(len(odd), "mention")
        raise _unwritable("mention", odd[0], f"make {many} a string, a whole number or a span")
    seen: dict[str, Hashable] = {}
    for label in labels:
        if seen.setdefault(str(label), label) != label:
            hint = "make both strings, or both whole numbers"
            raise UsageError(f"two mentions would be written as `{label}` in a table", hint)


def _is_writable(label: Hashable) -> bool:
    if isinstance(label, str):
        return bool(label.strip(BLANKS))
    return isinstance(label, int) and not isinstance(label, bool)


def _check_characters(name: str, values: list[Any], *, is_file: bool) -> None:
    """Refuse texts that are not Unicode, or that have characters which the reader refuses."""
    for value in dict.fromkeys(values):
        if isinstance(value, str) and not _has_safe_characters(value, is_file=is_file):
            raise _unwritable(name, value, "remove the character that cannot be written")


def _has_safe_characters(text: str, *, is_file: bool) -> bool:
    if text.isprintable():
        return True
    try:
        data = text.encode()
    except UnicodeEncodeError:  # half of a surrogate pair, which JSON can hold
        return False
    return not is_file or control_character(data) is None


def _unwritable(what: str, name: object, hint: str) -> UsageError:
    return UsageError(f"the {what} {name!r} cannot be written in a table", hint)
