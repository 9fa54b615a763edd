"""The nodes of CoNLL-U and CoNLL-UA files: words, and between them empty nodes, which are few.

Nodes are counted through a file, words and empty nodes together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Bools, Ints
from scoref.corpus.corpus import Corpus
from scoref.corpus.spans import Spans, place_of
from scoref.corpus.text import Text
from scoref.formats.brackets.parsing import sparse_column
from scoref.formats.conllu.lines import DocumentStart

COLUMNS = {"word": 1, "lemma": 2, "pos": 3, "feats": 5, "head": 6, "deprel": 7}
"""The columns of words that are read and written."""
_UPOS, _XPOS = COLUMNS["pos"], 4
_UNIVERSAL = re.compile(
    "ADJ|ADP|ADV|AUX|CCONJ|DET|INTJ|NOUN|NUM|PART|PRON|PROPN|PUNCT|SCONJ|SYM|VERB|X"
)
"""The parts of speech of Universal Dependencies. Other tags belong in the column XPOS."""

BEFORE = 1000
"""An empty node `0.1` counts as -999 of the word after it: before it, and unlike any `4.1`."""
_NOTHING = -1

Node = tuple[int, int]
"""A word, or the word that an empty node belongs to; and 0, or the number of the empty node."""


class EmptyNode(NamedTuple):
    """An empty node: its number among the nodes, the word that it belongs to, its decimal.

    `dependencies` are its enhanced dependencies as written, if a reader keeps them.
    """

    node: int
    word: int
    decimal: int
    sentence: int = 0
    dependencies: str = ""


@dataclass(frozen=True, eq=False)
class Nodes:
    """The nodes of a file, of which only the empty ones are listed, and its documents."""

    empties: Sequence[EmptyNode]
    documents: Sequence[DocumentStart]

    @cached_property
    def _empty(self) -> Ints:
        return np.array([empty.node for empty in self.empties], dtype=np.int64)

    @cached_property
    def first_node(self) -> Ints:
        """The first node of each document."""
        return np.array([document.nodes for document in self.documents], dtype=np.int64)

    @cached_property
    def first_word(self) -> Ints:
        """The first word of each document."""
        return np.array([document.words for document in self.documents], dtype=np.int64)

    def document(self, node: Ints) -> Ints:
        """Return the document of each node."""
        return np.searchsorted(self.first_node, node, side="right") - 1

    def find_empty(self, node: Ints) -> Ints:
        """Return which empty node each node is, or -1."""
        at = np.searchsorted(self._empty, node)
        found = np.append(self._empty, _NOTHING)[at] == node
        return np.where(found, at, _NOTHING)

    def word(self, node: Ints, document: Ints) -> Ints:
        """Return the word of each node, counted in its document.

        An empty node has the word that it belongs to.
        """
        of_empty = np.array([empty.word for empty in self.empties] or [0], dtype=np.int64)
        at = self.find_empty(node)
        word = np.where(at < 0, node - np.searchsorted(self._empty, node), of_empty[at])
        return word - self.first_word[document]

    def has_empty(self, first: Ints, last: Ints) -> Bools:
        """Mark the mentions that have an empty node from their first to their last node."""
        return np.searchsorted(self._empty, last, "right") > np.searchsorted(self._empty, first)

    def spans(
        self, document: Ints, first: Ints, last: Ints, parts: Mapping[int, Sequence[int]]
    ) -> Spans:
        """Return mentions as spans of words; `parts` has the nodes of mentions in parts, by row.

        The nodes of a mention are written out if they are not the words from its start to its end.
        """
        start, end = self.word(first, document), self.word(last, document)
        unusual = self.has_empty(first, last)
        unusual[list(parts)] = True
        texts = {}
        for row in np.flatnonzero(unusual).tolist():
            nodes = parts.get(row) or range(first[row], last[row] + 1)
            shown = [self._show(node, int(self.first_word[document[row]])) for node in nodes]
            if len(nodes) != end[row] - start[row] + 1 or any("." in node for node in shown):
                texts[row] = " ".join(shown)
        return Spans(document, start, end, sparse_column(texts, len(start)) if texts else None)

    def _show(self, node: int, first_word: int) -> str:
        """Write a node so that equal nodes of two files are equal: `12`, `12.1`."""
        at = int(np.searchsorted(self._empty, node))
        if at < len(self.empties) and (empty := self.empties[at]).node == node:
            return f"{empty.word - first_word}.{empty.decimal}"
        return str(node - at - first_word)


def fill_empty(empty: Iterable[Node]) -> list[Node]:
    """Return empty nodes and those that must be before them: their numbers count from 1."""
    return [
        (word, number)
        for word, decimal in empty
        for number in range(1 if decimal > 0 else 1 - BEFORE, decimal + 1)
    ]


def mention_nodes(spans: Corpus, row: int) -> list[Node]:
    """Return the nodes of a mention of a corpus, in order."""
    nodes = spans.attributes.get("nodes")
    if nodes is None or not nodes[row]:
        return [(word, 0) for word in range(int(spans.start[row]), int(spans.end[row]) + 1)]
    return sorted(map(place_of, str(nodes[row]).split()))


def word_cells(text: Text | None, token: int, width: int = 10) -> list[str]:
    """Return the cells of a word as they are written; cells without a value are `_`."""
    cells = ["_"] * width
    if text is not None:
        for name, at in COLUMNS.items():
            if name in text:
                cells[at] = text.columns[name][token] or "_"
    if not _UNIVERSAL.fullmatch(cells[_UPOS]):  # a tag of the Penn Treebank, for example
        cells[_UPOS], cells[_XPOS] = "_", cells[_UPOS]
    return cells


def word_column(name: str, rows: Sequence[Sequence[str]]) -> list[str]:
    """Return a column of words. A word without a universal part of speech may have another tag."""
    at = COLUMNS[name]
    found = [row[at] if at < len(row) else "" for row in rows]
    if name == "pos":
        tags = zip(found, rows, strict=True)
        found = [row[_XPOS] if one == "_" and len(row) > _XPOS else one for one, row in tags]
    return found
