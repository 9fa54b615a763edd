"""The levels of a cross-document corpus: its documents, subtopics, topics, and all together.

A level is a name and a unit of the policy, such as `column=3`. Levels are found in the key:

    documents    those of the key; if it has a single one, the column 3 or 2 that names documents
    subtopic     column 2, or what the format states, if it is between documents and topics
    topic        column 1, or what the format states, if it groups documents
    corpus       all documents, if there are several

A column names documents if each of its values has one run of several tokens, and belongs to one
value of the columns before it. A column that counts words has neither.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Ints
from scoref.corpus.corpus import Corpus
from scoref.matching.regrouping import stated_units
from scoref.matching.requirements import CORPUS, DOCUMENT

SUBTOPIC, TOPIC = "subtopic", "topic"
COLUMNS = ("column=1", "column=2", "column=3")
"""The columns of a file that may name topics, subtopics and documents."""


class Level(NamedTuple):
    """The name of a level, and the unit of the policy that links may not cross."""

    name: str
    unit: str


def find_levels(key: Corpus) -> list[Level]:
    """Return the levels of a key, from small to large."""
    codes = _columns(key)
    place, documents = DOCUMENT, codes[DOCUMENT]
    if len(key.documents) == 1:
        for column, before in ((COLUMNS[2], COLUMNS[:2]), (COLUMNS[1], COLUMNS[:1])):
            found = codes.get(column)
            if found is None or not _are_texts(found):
                continue
            if all(outer in codes and _is_nested(found, codes[outer]) for outer in before):
                place, documents = column, found
                break
    levels = [] if _number(documents) < 2 and place == DOCUMENT else [Level(DOCUMENT, place)]
    for name, column, outer in ((SUBTOPIC, COLUMNS[1], COLUMNS[0]), (TOPIC, COLUMNS[0], "")):
        groups = codes.get(column)
        if groups is None or column == place or not _is_nested(documents, groups):
            continue
        groups_documents = place != DOCUMENT or _number(groups) < _number(documents)
        if groups_documents and (outer not in codes or _is_nested(groups, codes[outer])):
            levels.append(Level(name, column))
    return [*levels, Level(CORPUS, CORPUS)]


def _columns(key: Corpus) -> dict[str, Ints]:
    """Return the document and the other columns, numbered, by token or by mention."""
    stated = {column: stated_units(key, column) for column in COLUMNS[:2]}
    found = {
        column: np.unique(values, return_inverse=True)[1].astype(np.int64)
        for column, values in stated.items()
        if values is not None
    }
    if found:
        return {**found, DOCUMENT: key.document}
    if key.text is None:
        return {DOCUMENT: np.arange(len(key.documents))}
    for column in COLUMNS:
        if column in key.text:
            number: dict[str, int] = {}
            values = key.text.columns[column]
            found[column] = np.array([number.setdefault(v, len(number)) for v in values])
    tokens = np.diff(key.text.first)
    return {**found, DOCUMENT: np.repeat(np.arange(len(key.documents)), tokens)}


def _number(codes: Ints) -> int:
    return len(np.unique(codes))


def _is_nested(inner: Ints, outer: Ints) -> bool:
    """Whether each value of one column is with one value of the other."""
    if len(inner) != len(outer):
        return False
    of_inner = np.zeros(int(inner.max(initial=-1)) + 1, dtype=np.int64)
    of_inner[inner] = outer
    return bool(np.array_equal(of_inner[inner], outer))


def _are_texts(codes: Ints) -> bool:
    """Whether a column has several values, each in one run, and runs of several tokens."""
    runs = 1 + int(np.count_nonzero(np.diff(codes)))
    return 1 < runs == _number(codes) and 2 * runs <= len(codes)
