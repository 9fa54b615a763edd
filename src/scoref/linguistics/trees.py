"""Constituency trees from a parse column such as `(S(NP*`, `*)`, `(VP*`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from scoref.corpus.text import Text

_PIECE = re.compile(r"\((?P<label>[^\s()*]*)|(?P<leaf>\*)|(?P<close>\))")


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
