"""Minimal spans by MINA: the words that stand highest in the parse of a mention.

Moosavi, Born, Poesio & Strube (2019), as the authors' scorer, coval, computes them. The tree of
a mention is the smallest constituent around it, cut to the mention; what a constituent that
starts before the mention leaves is put under a noun phrase. Words that follow each other in one
constituent are taken or left together, and taken if one of them counts: if it has a letter or a
digit or is `%`, and its tag is not CC, DT or IN. Of these, the minimal span has

1. those right below the top of the tree;
2. else, of each phrase right below the top, those on its highest level that has any, going down
   through phrases of the same kind, nominal or verbal, alone;
3. else, where the top is neither nominal nor verbal itself, the same of the phrases on the
   highest level of the tree that has nominal or verbal ones;
4. else the whole mention. A mention without a tree is its own minimal span, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Ints
from scoref.corpus.corpus import Corpus
from scoref.corpus.text import Text
from scoref.exceptions import UsageError
from scoref.linguistics.trees import Node, read_tree
from scoref.overlap.table import NOWHERE

NEEDED = frozenset({"word", "pos", "parse"})
"""The columns to read where minimal spans are computed."""

MINIMAL = "minimal"
"""The attribute of a mention that has its minimal span: its tokens, as in `3 4 7`."""

_NOMINAL, _VERBAL = ("NP", "NM", "QP", "NX"), ("VP",)
_BRACKETS = frozenset({"-LRB-", "-RRB-"})
_FUNCTION_TAGS = frozenset({"CC", "DT", "IN"})

Counts = Callable[[Node], bool]
"""Whether words that follow each other count."""


class Sentence(NamedTuple):
    """A sentence of a text: its first and last token, and its tree, or None."""

    first: int
    last: int
    tree: Node | None


def has_parses(text: Text | None) -> bool:
    """Whether a text has what minimal spans are computed from."""
    return text is not None and "parse" in text and "word" in text


def add_minimal_spans(corpus: Corpus, text: Text | None, document: Ints) -> tuple[Corpus, set[int]]:
    """Give each mention of a corpus its minimal span; say in which sentences there was no tree.

    `document` is where each document of the corpus stands in the text, or NOWHERE.
    """
    spans = corpus.as_spans()
    if spans is None:
        raise UsageError("mentions that are no spans have no minimal spans")
    if text is None or not has_parses(text):
        if not len(corpus):
            return corpus, set()
        raise UsageError(
            "minimal spans cannot be computed: no column of the files has parses of words",
            "the parse stands in column 6 of CoNLL-2012; --match head needs dependencies or"
            " stated heads instead, --match overlap=0.5 nothing",
        )
    nodes = corpus.attributes.get("nodes", np.full(len(corpus), ""))
    sentences = _Sentences(text)
    place = document[corpus.document] if len(corpus) else corpus.document
    columns = (place, spans.start, spans.end, nodes)
    found = [
        parts if parts or at == NOWHERE else " ".join(map(str, sentences.minimal(at, start, end)))
        for at, start, end, parts in zip(*(c.tolist() for c in columns), strict=True)
    ]
    attributes = {**corpus.attributes, MINIMAL: np.array(found, dtype=str)}
    return replace(corpus, attributes=attributes), sentences.broken()


class _Sentences:
    """Finds minimal spans in a text; reads the tree of a sentence when a mention needs it."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.words = text.columns["word"]
        self.tags = text.columns.get("pos") or [""] * len(text)
        self.number = np.cumsum(text.starts_sentence) - 1
        self.bounds = [*np.flatnonzero(text.starts_sentence).tolist(), len(text)]
        self.trees: dict[int, Sentence] = {}

    def minimal(self, document: int, start: int, end: int) -> list[int]:
        """Return the tokens of a mention that make its minimal span."""
        at = int(self.text.first[document])
        sentence = self.sentence(int(self.number[at + start]))
        first, last, tree = sentence
        if tree is None or at + end > last:
            return list(range(start, end + 1))
        words, tags = self.words[first : last + 1], self.tags[first : last + 1]
        found = minimal_span(tree, words, tags, at + start - first, at + end - first)
        return [first - at + token for token in found]

    def broken(self) -> set[int]:
        """Return the sentences that were looked at and have no tree."""
        return {number for number, sentence in self.trees.items() if sentence.tree is None}

    def sentence(self, number: int) -> Sentence:
        """Return a sentence."""
        if number not in self.trees:
            first, end = self.bounds[number], self.bounds[number + 1]
            tree = read_tree(list(self.text.columns["parse"][first:end]))
            self.trees[number] = Sentence(first, end - 1, tree)
        return self.trees[number]


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
    """Return the tree of a mention; a leaf of it stands for words that follow each other."""
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
    """Return what a constituent has inside a span.

    A part that ends behind the span is cut short; of one that starts before, its parts are left.
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
    """Return the words on the highest level that has any, going down through phrases of a kind."""
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
    """Return the labels of phrases to look into: by the top, else by what stands below it."""
    kinds = [_kind(child.label) for child in top.children]
    below = _NOMINAL if _NOMINAL in kinds or _VERBAL not in kinds else _VERBAL
    return _kind(top.label) or below


def _kind(label: str) -> tuple[str, ...]:
    if label.startswith("VP"):
        return _VERBAL
    return _NOMINAL if label.startswith(("NP", "NM")) else ()
