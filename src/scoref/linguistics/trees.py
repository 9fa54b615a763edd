"""Constituency trees from a parse column such as `(S(NP*`, `*)`, `(VP*`; and verb phrases.

The phrase of a mention is the largest constituent that starts at its first token. The mention is a
verb phrase if that constituent is a VP and does not end inside the mention, which is what coval
finds in the parse cells of the mention alone. So the verb `grew` is a verb phrase, if it starts
the VP `grew slowly`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Ints
from scoref.corpus.corpus import Corpus
from scoref.corpus.text import Text
from scoref.exceptions import UsageError
from scoref.metrics.table import NOWHERE

_PIECE = re.compile(r"\((?P<label>[^\s()*]*)|(?P<leaf>\*)|(?P<close>\))")

VERB_PHRASE = "verb_phrase"
"""The attribute that marks mentions that are verb phrases."""


@dataclass(slots=True, eq=False)
class Node:
    """A constituent: a label and its tokens, `start` to `end` inclusive; leaves have no label."""

    label: str
    start: int
    end: int = -1
    children: list[Node] = field(default_factory=list)


def read_tree(cells: list[str]) -> Node | None:
    """Parse the tree of a sentence, one cell per token; return None if brackets do not match."""
    root = Node("", 0)
    open_nodes = [root]
    for token, cell in enumerate(cells):
        for piece in _PIECE.finditer(cell):
            if piece["leaf"]:
                open_nodes[-1].children.append(Node("", token, token))
            elif piece["close"]:
                if len(open_nodes) == 1:
                    return None
                open_nodes.pop().end = token
            else:
                node = Node(piece["label"], token)
                open_nodes[-1].children.append(node)
                open_nodes.append(node)
    if len(open_nodes) > 1:
        return None
    root.end = len(cells) - 1
    return root


def smallest_around(tree: Node, start: int, end: int) -> Node:
    """Return the smallest constituent that contains the tokens `start` to `end`."""
    while True:
        inner = next((c for c in tree.children if c.start <= start and end <= c.end), None)
        if inner is None or not inner.children:
            return tree
        tree = inner


class Sentence(NamedTuple):
    """A sentence of a text: its first and last token, and its tree, or None."""

    first: int
    last: int
    tree: Node | None


class SentenceTrees:
    """The sentences of a text with their trees, which are parsed when they are first needed."""

    def __init__(self, text: Text) -> None:
        self._cells = text.columns["parse"]
        self._number = np.cumsum(text.starts_sentence) - 1
        self._bounds = [*np.flatnonzero(text.starts_sentence).tolist(), len(text)]
        self._cache: dict[int, Sentence] = {}

    def sentence_of(self, token: int) -> Sentence:
        """Return the sentence that contains a token of the text."""
        number = int(self._number[token])
        if number not in self._cache:
            first, end = self._bounds[number], self._bounds[number + 1]
            tree = read_tree(list(self._cells[first:end]))
            self._cache[number] = Sentence(first, end - 1, tree)
        return self._cache[number]

    def broken(self) -> set[int]:
        """Return the numbers of the sentences that were needed and have no tree."""
        return {number for number, sentence in self._cache.items() if sentence.tree is None}


def add_verb_phrases(corpus: Corpus, text: Text | None, document: Ints) -> Corpus:
    """Mark the mentions of a corpus that are verb phrases.

    `document` is the index of each document of the corpus in the text, or NOWHERE.
    """
    if not len(corpus):
        return corpus
    spans = corpus.as_spans()
    if spans is None or text is None or "parse" not in text:
        raise UsageError(
            "verb phrases cannot be found: the files have no words with parses",
            "CoNLL-2012 has parses in column 6; without them, leave --verb-phrases out",
        )
    trees = SentenceTrees(text)
    columns = (document[corpus.document], spans.start, spans.end)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    found = [
        at != NOWHERE and _is_verb_phrase(trees, int(text.first[at]) + start, end - start)
        for at, start, end in rows
    ]
    return replace(corpus, attributes={**corpus.attributes, VERB_PHRASE: np.array(found)})


def _is_verb_phrase(trees: SentenceTrees, token: int, more: int) -> bool:
    """Whether the phrase of the mention from `token` to `token + more` is a VP."""
    first, _, tree = trees.sentence_of(token)
    phrase = None if tree is None else largest_from(tree, token - first)
    if phrase is None or phrase.end < token - first + more:
        return False
    return "".join(filter(str.isalpha, phrase.label)) == "VP"


def largest_from(tree: Node, start: int) -> Node | None:
    """Return the largest constituent that starts at a token, or None if none starts there."""
    node: Node | None = tree
    while node is not None:
        if node.label and node.start == start:
            return node
        node = next((c for c in node.children if c.start <= start <= c.end and c.children), None)
    return None
