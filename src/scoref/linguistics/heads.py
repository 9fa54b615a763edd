"""Heads of mentions, inferred from dependencies, from a parse by head rules, or from tags.

With dependencies, the head is the first token whose governor is outside the mention.

With a parse, the core of a noun phrase ends before the first modifier that follows its noun: a
prepositional phrase, a clause or a comma. The head is the last noun of the core. If the core
consists of noun phrases (a coordination or an apposition), the head is that of the first of them.
The head of a sentence is in its verb phrase, that of a verb phrase is its verb, that of a
prepositional phrase is in its last part, and that of any other phrase is its last word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from scoref.base.arrays import Ints
from scoref.base.phrases import counted
from scoref.corpus.corpus import Corpus
from scoref.corpus.text import Text
from scoref.exceptions import UsageError
from scoref.linguistics.trees import Node, SentenceTrees, smallest_around
from scoref.metrics.table import NOWHERE

NAME, NOUN, PRONOUN = "name", "noun", "pronoun"
DETERMINER, BREAK, OTHER = "determiner", "break", "other"

# Penn (English), universal, Penn Chinese, Penn Arabic, STTS (German), CGN (Dutch), in this
# order. A BREAK tag ends the core of a noun phrase: the words after it modify its head.
_CLASSES = {
    NAME: r"NNPS? PROPN NR (DET\+)?NOUN_PROP.* NE N[(\[]eigen.* SPEC[(\[]deeleigen.*",
    PRONOUN: r"""PRP\$? WP\$? EX PRON.* PN .*_PRON.* PPER PPOS(AT|S) PRF PDS PRELS PWS PIS
        VNW.*""",
    NOUN: r"NNS? NOUN.* CD NUM NT M (DET\+)?NOUN.* N[(\[]soort.*",
    DETERMINER: r"DT PDT WDT DET.* ART PDAT PIAT LID.*",
    BREAK: r"""IN TO VB.? MD WRB , : \. -LRB- -RRB- `` '' ADP VERB AUX SCONJ PUNCT
        P LC DEC DEG CS PU V[ACEV] PREP PUNC
        APPR(ART)? APZR PRELAT KOUS KOUI \$[,.(] V[VAM][A-Z]+ LET.* VZ.* WW.* VG[(\[]onder.*""",
}
_PATTERNS = tuple(
    (name, re.compile("|".join(patterns.split()))) for name, patterns in _CLASSES.items()
)
_NOUN_PHRASES = frozenset({"NP", "NML", "NX", "NAC", "WHNP", "NP-TMP", "QP", "CNP", "PN", "MPN"})
_MODIFIERS = frozenset({"PP", "SBAR", "S", "VP", "PRN", "RRC", "SINV", "WHPP", "CP", "IP"})
_NOMINAL = frozenset({NAME, NOUN, PRONOUN})

HeadOf = Callable[[int, int, int], int]
"""Takes a document and the first and last token of a mention; returns its head token."""


@cache
def tag_class(tag: str) -> str:
    """Return the class of a tag; OTHER if it is in no other class."""
    return next((name for name, pattern in _PATTERNS if pattern.fullmatch(tag)), OTHER)


def are_known(tags: list[str]) -> bool:
    """Whether these tags are of a known tag set: they include nouns and other classes."""
    found = {tag_class(tag) for tag in set(tags)}
    return bool(found & {NAME, NOUN, PRONOUN}) and len(found) > 1


def head_finder(text: Text | None) -> HeadOf | None:
    """Return the best way to find heads in a text, or None; tags alone do not suffice."""
    if text is None:
        return None
    if "head" in text:
        return _by_dependencies(text)
    if "parse" in text and "pos" in text:
        return _by_parses(text)
    return None


def _by_dependencies(text: Text) -> HeadOf:
    governor = _governors(text)

    def head_of(document: int, start: int, end: int) -> int:
        at = int(text.first[document])
        for token in range(at + start, at + end + 1):
            if not at + start <= governor[token] <= at + end:
                return token - at
        return end

    return head_of


def _governors(text: Text) -> list[int]:
    """Return the governor of each token, or -1; files number tokens from 1 in each sentence."""
    first, governors = 0, []
    for token, (starts, cell) in enumerate(
        zip(text.starts_sentence.tolist(), text.columns["head"], strict=True)
    ):
        first = token if starts else first
        governors.append(first + int(cell) - 1 if cell.isdecimal() and int(cell) else -1)
    return governors


def _by_parses(text: Text) -> HeadOf:
    tags, trees = text.columns["pos"], SentenceTrees(text)

    def head_of(document: int, start: int, end: int) -> int:
        at = int(text.first[document])
        low, high = at + start, at + end
        first, last, tree = trees.sentence_of(low)
        if tree is None or high > last:
            return start + head_by_tags(tags[low : high + 1])
        return first - at + head_by_parse(tree, tags[first : last + 1], low - first, high - first)

    return head_of


def states_heads(corpus: Corpus) -> bool:
    """Whether a corpus states the head of each mention."""
    heads = corpus.attributes.get("head_start")
    return not len(corpus) or (heads is not None and not (heads == NOWHERE).any())


def add_heads(
    corpus: Corpus, text: Text | None, document: Ints, side: str, least: Ints | None = None
) -> Corpus:
    """Give each mention of a corpus a head; stated heads are kept.

    `document` is the index of each document of the corpus in the text, or NOWHERE. A mention
    with a minimal span, whose start is in `least`, needs no head.
    """
    nothing = np.full(len(corpus), NOWHERE, dtype=np.int64)
    start = corpus.attributes.get("head_start", nothing).copy()
    end = corpus.attributes.get("head_end", nothing).copy()
    place = document[corpus.document] if len(corpus) else corpus.document
    needed = (start == NOWHERE) & (place != NOWHERE)
    unknown = np.flatnonzero(needed if least is None else needed & (least == NOWHERE))
    if not len(unknown):
        return corpus
    spans, head_of = corpus.as_spans(), head_finder(text)
    if spans is None or head_of is None:
        raise UsageError(
            f"the heads of {counted(len(unknown), 'mention')} of the {side} are unknown",
            "use files with heads, with dependencies, or with parses and part-of-speech tags, or"
            ' pass mentions={doc: {mention: {"head": (3, 3)}}} to Corpus.from_entities',
        )
    columns = (place[unknown], spans.start[unknown], spans.end[unknown])
    heads = [head_of(*at) for at in zip(*(c.tolist() for c in columns), strict=True)]
    start[unknown] = end[unknown] = heads
    attributes = {**corpus.attributes, "head_start": start, "head_end": end}
    return replace(corpus, attributes=attributes)


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
    """Return the head of tokens `start` to `end`; `tags` are those of the whole sentence."""
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
    """Return the head among sister nodes in a noun phrase."""
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
    """Return the sister nodes before the first modifier that follows a noun."""
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
