"""The head of a mention: from a parse by head rules, or from tags alone.

In a noun phrase, the core ends before the first modifier that follows its noun: a
prepositional phrase, a clause, a comma. The head is the last noun of the core; where the core
is itself made of noun phrases (a coordination, an apposition), the head of the first of these.
Elsewhere a sentence is headed by its verb phrase, this by its verb, a prepositional phrase by
what it governs, and anything else by its last word.
"""

from __future__ import annotations

from collections.abc import Sequence

from scoref.linguistics.tags import BREAK, NAME, NOUN, PRONOUN, tag_class
from scoref.linguistics.trees import Node, smallest_around

_NOUN_PHRASES = frozenset({"NP", "NML", "NX", "NAC", "WHNP", "NP-TMP", "QP", "CNP", "PN", "MPN"})
_MODIFIERS = frozenset({"PP", "SBAR", "S", "VP", "PRN", "RRC", "SINV", "WHPP", "CP", "IP"})
_NOMINAL = frozenset({NAME, NOUN, PRONOUN})


def head_by_tags(tags: Sequence[str]) -> int:
    """Return the position of the head among the tags of a mention."""
    head = len(tags) - 1
    seen = False
    for at, tag in enumerate(tags):
        kind = tag_class(tag)
        if kind in _NOMINAL:
            head, seen = at, True
        elif kind == BREAK and seen:
            break
    return head


def head_by_parse(tree: Node, tags: Sequence[str], start: int, end: int) -> int:
    """Return the token that heads tokens `start` to `end` of a sentence; `tags` are all of it."""
    node = smallest_around(tree, start, end)
    if (node.start, node.end) == (start, end):
        return _head(node, tags)
    inside = [child for child in node.children if child.start >= start and child.end <= end]
    if not inside:  # the mention cuts through constituents
        return start + head_by_tags(tags[start : end + 1])
    return _head_among(inside, tags)


def _head(node: Node, tags: Sequence[str]) -> int:
    if not node.children:
        return node.start
    label = node.label.split("-")[0]
    if label in ("S", "SINV", "SQ", "SBAR", "VROOT", "TOP", "") and len(node.children) > 1:
        phrases = [child for child in node.children if child.label.startswith(("VP", "S"))]
        if phrases:
            return _head(phrases[-1] if label == "SBAR" else phrases[0], tags)
    if label == "VP":
        verbs = [child for child in node.children if child.label == "VP"]
        return _head(verbs[0], tags) if verbs else _head(node.children[0], tags)
    if label in ("PP", "WHPP"):
        return _head(node.children[-1], tags)
    return _head_among(node.children, tags)


def _head_among(children: Sequence[Node], tags: Sequence[str]) -> int:
    """Return the head of sisters in a noun phrase."""
    core = _core(children, tags)
    nouns = [
        child
        for child in core
        if (not child.children and tag_class(tags[child.start]) in _NOMINAL)
        or child.label in ("NML", "NX")
    ]
    phrases = [child for child in core if child.label.split("-")[0] in _NOUN_PHRASES]
    if phrases and (not nouns or not _is_possessor(phrases[0], tags)):
        first = phrases[0]
        if not nouns or first.start > nouns[-1].start:
            return _head(first, tags)
    if nouns:
        return _head(nouns[-1], tags)
    return _head(core[-1], tags)


def _core(children: Sequence[Node], tags: Sequence[str]) -> Sequence[Node]:
    """Cut sisters off before the first modifier that follows a noun."""
    seen = False
    for at, child in enumerate(children):
        label = child.label.split("-")[0]
        leaf = not child.children
        if seen and (label in _MODIFIERS or (leaf and tag_class(tags[child.start]) == BREAK)):
            return children[:at]
        seen = seen or label in _NOUN_PHRASES or (leaf and tag_class(tags[child.start]) in _NOMINAL)
    return children


def _is_possessor(node: Node, tags: Sequence[str]) -> bool:
    return tags[node.end] in ("POS", "PRP$", "PART")
