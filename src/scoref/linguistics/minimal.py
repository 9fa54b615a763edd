"""Minimal spans by MINA: the words at the highest levels in the parse of a mention.

The algorithm is that of Moosavi, Born, Poesio & Strube (2019), as their scorer, coval, implements
it. The tree of a mention is the smallest constituent that contains it, cut to the mention. If this
constituent starts before the mention, its remaining parts are put under a noun phrase. Adjacent
words of a constituent form a run, which is included or excluded as a whole. A run is eligible if
one of its words has a letter or a digit or is `%`, and has another tag than CC, DT or IN. The
minimal span consists of the first of these that exists:

1. the eligible runs that are children of the root;
2. for each phrase below the root, the eligible runs on its highest level that has any; the search
   descends only through phrases of the same kind, nominal or verbal;
3. if the root is neither nominal nor verbal, the same for the phrases on the highest level of the
   tree that has nominal or verbal phrases;
4. the whole mention. A mention without a tree is its own minimal span as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np

from scoref.base.arrays import Ints
from scoref.corpus.corpus import Corpus
from scoref.corpus.text import Text
from scoref.exceptions import UsageError
from scoref.linguistics.trees import Node, SentenceTrees
from scoref.metrics.table import NOWHERE

MINIMAL = "minimal"
"""The attribute with the minimal span of a mention as token numbers: `3 4 7`."""

_NOMINAL, _VERBAL = ("NP", "NM", "QP", "NX"), ("VP",)
_BRACKETS = frozenset({"-LRB-", "-RRB-"})
_FUNCTION_TAGS = frozenset({"CC", "DT", "IN"})

Counts = Callable[[Node], bool]
"""Whether a run of words is eligible."""


def has_parses(text: Text | None) -> bool:
    """Whether a text has the columns that minimal spans are computed from."""
    return text is not None and "parse" in text and "word" in text


def add_minimal_spans(corpus: Corpus, text: Text | None, document: Ints) -> tuple[Corpus, set[int]]:
    """Give each mention of a corpus its minimal span; also return the sentences without a tree.

    `document` is the index of each document of the corpus in the text, or NOWHERE.
    """
    spans = corpus.as_spans()
    if spans is None:
        raise UsageError("minimal spans require mentions that are token spans")
    if text is None or not has_parses(text):
        if not len(corpus):
            return corpus, set()
        raise UsageError(
            "minimal spans cannot be computed: the files have no words with parses",
            "CoNLL-2012 has parses in column 6; --match head requires dependencies or stated heads"
            " instead, and --match overlap=0.5 requires only spans",
        )
    stated = corpus.attributes.get("nodes", np.full(len(corpus), ""))
    trees = SentenceTrees(text)
    place = document[corpus.document] if len(corpus) else corpus.document
    columns = (place, spans.start, spans.end, stated)
    found = [
        nodes
        if nodes or at == NOWHERE
        else " ".join(map(str, _minimal_tokens(text, trees, at, start, end)))
        for at, start, end, nodes in zip(*(c.tolist() for c in columns), strict=True)
    ]
    attributes = {**corpus.attributes, MINIMAL: np.array(found, dtype=str)}
    return replace(corpus, attributes=attributes), trees.broken()


def _minimal_tokens(
    text: Text, trees: SentenceTrees, document: int, start: int, end: int
) -> Iterable[int]:
    """Return the tokens in the minimal span of a mention."""
    at = int(text.first[document])
    first, last, tree = trees.sentence_of(at + start)
    if tree is None or at + end > last:
        return range(start, end + 1)
    words, tags = text.columns["word"][first : last + 1], text.columns.get("pos")
    of_words = tags[first : last + 1] if tags else [""] * len(words)
    found = minimal_span(tree, words, of_words, at + start - first, at + end - first)
    return (first - at + token for token in found)


def minimal_span(
    tree: Node, words: Sequence[str], tags: Sequence[str], start: int, end: int
) -> list[int]:
    """Return the minimal span of the tokens `start` to `end` of a sentence."""

    def counts(leaf: Node) -> bool:
        run = range(leaf.start, leaf.end + 1)
        return any(_counts(words[token], tags[token]) for token in run)

    top = _top(tree, start, end)
    found = _highest_words(top, counts) or [Node("", start, end)]
    return [token for leaf in found for token in range(leaf.start, leaf.end + 1)]


def _counts(word: str, tag: str) -> bool:
    says = any(c.isalpha() or c.isdigit() or c == "%" for c in word)
    return says and word not in _BRACKETS and tag not in _FUNCTION_TAGS


def _top(tree: Node, start: int, end: int) -> Node:
    """Return the tree of a mention; each of its leaves is a run of adjacent words."""
    node = tree
    while (node.start, node.end) != (start, end) or not node.label:
        around = (c for c in node.children if c.children and c.start <= start and end <= c.end)
        inner = next(around, None)
        if inner is None:
            break
        node = inner
    parts = _cut(node, start, end)
    if node.label and node.start == start:
        return Node(node.label, start, end, parts)
    return parts[0] if len(parts) == 1 else Node("NP", start, end, parts)


def _cut(node: Node, start: int, end: int) -> list[Node]:
    """Return the parts of a constituent inside a span.

    A part that ends after the span is cut off. A part that starts before it is replaced by its
    own parts.
    """
    kept: list[Node] = []
    follows = False
    for child in node.children:
        if child.end < start or child.start > end:
            continue
        if child.children:
            parts = _cut(child, start, end)
            whole = [Node(child.label, child.start, min(child.end, end), parts)]
            kept += whole if child.start >= start else parts
        elif follows:
            kept[-1].end = child.end
        else:
            kept.append(Node("", child.start, child.end))
        follows = not child.children
    return kept


def _highest_words(top: Node, counts: Counts) -> list[Node]:
    if not top.children:
        return [top] if counts(top) else []
    if own := _words([top], counts):
        return own
    kind = _kind_of(top)
    if phrases := _phrases([top], kind):
        return [leaf for phrase in phrases for leaf in _search([phrase], kind, counts)]
    level = [] if _kind(top.label) else _phrases([top])
    while level:
        if kind := next(filter(None, (_kind(phrase.label) for phrase in level)), ()):
            return _search([one for one in level if one.label.startswith(kind)], kind, counts)
        level = _phrases(level)
    return []


def _search(level: list[Node], kind: tuple[str, ...], counts: Counts) -> list[Node]:
    """Return the runs on the highest level that has any, descending through phrases of a kind."""
    while level:
        if found := _words(level, counts):
            return found
        level = _phrases(level, kind)
    return []


def _words(level: Iterable[Node], counts: Counts) -> list[Node]:
    return [c for node in level for c in node.children if not c.children and counts(c)]


def _phrases(level: Iterable[Node], kind: tuple[str, ...] = ("",)) -> list[Node]:
    return [c for node in level for c in node.children if c.children and c.label.startswith(kind)]


def _kind_of(top: Node) -> tuple[str, ...]:
    """Return the labels of phrases to descend into: those of the root, else of its children."""
    kinds = [_kind(child.label) for child in top.children]
    below = _NOMINAL if _NOMINAL in kinds or _VERBAL not in kinds else _VERBAL
    return _kind(top.label) or below


def _kind(label: str) -> tuple[str, ...]:
    if label.startswith("VP"):
        return _VERBAL
    return _NOMINAL if label.startswith(("NP", "NM")) else ()
