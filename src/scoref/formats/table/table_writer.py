"""The columns of a table to write, from a corpus."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from scoref.base.phrases import counted
from scoref.corpus.corpus import Corpus
from scoref.exceptions import UsageError
from scoref.formats.order_of_repeats import FIRST_OF_REPEATS
from scoref.formats.table.columns import NO_ENTITY
from scoref.formats.table.layout import ENTITY_ROLES, MENTION_ROLES
from scoref.formats.written_names import CONTROL, EDGES, NameRule, WrittenNames

SUPPORTED = frozenset(
    {
        FIRST_OF_REPEATS,
        *("mention types", "heads", "minimal spans", *MENTION_ROLES),
        *("entity type", "entity subtype", "entity class"),
    }
)
"""What a table holds in addition to mentions and entities."""

_UNSAFE = f"[{CONTROL}]|{EDGES}"
_MISSING = "|".join(filter(None, sorted(NO_ENTITY)))
_CELL = NameRule(_UNSAFE, _MISSING)
# At the start of a line, a comment of another format would be detected.
_FIRST_CELL = NameRule(rf"{_UNSAFE}|^#(?=\s*[a-z])", _MISSING)
NAMES = WrittenNames(
    document=_FIRST_CELL,
    entity=_CELL,
    mention=_FIRST_CELL,
    attributes={
        **dict.fromkeys(("role", "style", "head_text"), _CELL),
        **{role.replace("_", " "): _CELL for role in ENTITY_ROLES},
    },
)

_NUMBERS = ("head_start", "head_end", "min_start", "min_end")
_ATTRIBUTES = ("type", *_NUMBERS, *MENTION_ROLES, *ENTITY_ROLES)


def to_columns(corpus: Corpus) -> dict[str, list[Any]]:
    """Return the columns of a table, with None for an empty cell.

    A document without mentions has a row with its name only.
    """
    spans = corpus.as_spans()
    columns: dict[str, list[Any]] = {}
    without: list[str] = []
    if not (len(corpus.documents) == 1 and corpus.documents[0].is_unnamed):
        names = [document.name for document in corpus.documents]
        has_mentions = np.bincount(corpus.document, minlength=len(names)) > 0
        without = [names[at] for at in np.flatnonzero(~has_mentions).tolist()]
        columns["document"] = [names[at] for at in corpus.document.tolist()] + without
    if spans is None:
        columns["mention"] = _writable(corpus.labels or ())
    else:
        ending = "_character" if corpus.unit == "character" else ""
        columns[f"start{ending}"] = spans.start.tolist()
        columns[f"end{ending}"] = spans.end.tolist()
    entity_names = [str(name) for name in corpus.entity_names]
    columns["entity"] = [entity_names[at] for at in corpus.entity.tolist()]
    for name in _ATTRIBUTES:
        values = corpus.attributes.get(name)
        if name.startswith("entity_"):
            of_entities = corpus.entity_attributes.get(name.removeprefix("entity_"))
            values = None if of_entities is None else of_entities[corpus.entity]
        if values is not None:
            columns[name] = [None if value in {-1, ""} else value for value in values.tolist()]
    rows = len(corpus) + len(without)
    return {name: values + [None] * (rows - len(values)) for name, values in columns.items()}


def _writable(labels: Sequence[Hashable]) -> list[str]:
    """Return labels as strings; a reader gets back only strings and whole numbers."""
    if odd := [label for label in labels if not isinstance(label, str | int) or label == ""]:
        hint = f"make {counted(len(odd), 'mention')} a string, a whole number or a span"
        raise UsageError(f"the mention {odd[0]!r} cannot be written in a table", hint)
    if len(set(found := [str(label) for label in labels])) < len(set(labels)):
        message = "the numbers and the strings among the mentions are the same in a table"
        raise UsageError(message, "make all mentions strings, or all numbers")
    return found
