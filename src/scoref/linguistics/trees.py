"""Constituency trees from a parse column such as `(S(NP*`, `*)`, `(VP*`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_PIECE = re.compile(r"\((?P<label>[^\s()*]*)|(?P<leaf>\*)|(?P<close>\))")


@dataclass(slots=True, eq=False)
class Node:
    """A constituent: a label and its tokens, `start` to `end` inclusive; leaves have no label."""

    label: str
    start: int
    end: int = -1
    children: list[Node] = field(default_factory=list)


def read_tree(cells: list[str]) -> Node | None:
    """Read the tree of a sentence, one cell per token, or None if its brackets do not fit."""
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
    """Return the smallest constituent that has all of some tokens."""
    while True:
        inner = next((c for c in tree.children if c.start <= start and end <= c.end), None)
        if inner is None or not inner.children:
            return tree
        tree = inner
