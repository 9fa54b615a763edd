"""Baseline responses: the mentions of a key, grouped into entities by a simple rule.

    all-singletons  each mention is an entity
    one-entity      all mentions of a document are one entity
    string-match    names and nominals of a document with the same words are one entity
    head-match      names and nominals of a document with the same head word are one entity

Words are compared without case. With string-match and head-match, each pronoun is an entity,
because equal pronouns often do not corefer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from itertools import count

import numpy as np

from scoref.corpus.corpus import Corpus
from scoref.corpus.text import Text
from scoref.exceptions import UsageError
from scoref.linguistics.heads import head_by_tags, head_finder
from scoref.linguistics.types import add_types, core_head


def baseline(kind: str, key: Corpus, types: str = "auto") -> Corpus:
    """Make the response of a baseline; string-match and head-match require words in the corpus."""
    if kind not in BASELINES:
        raise UsageError(f"unknown baseline {kind!r}", f"one of: {', '.join(BASELINES)}")
    if kind == "all-singletons":
        groups: list[Hashable] = list(range(len(key)))
    elif kind == "one-entity":
        groups = key.document.tolist()
    else:
        groups = _by_words(kind, key, types)
    documents = dict(zip(groups, key.document.tolist(), strict=True))
    numbers = {group: number for number, group in enumerate(dict.fromkeys(groups))}
    next_name: defaultdict[int, Iterator[int]] = defaultdict(count)
    return replace(
        key,
        entity=np.array([numbers[group] for group in groups], dtype=np.int64),
        entity_names=tuple(str(next(next_name[documents[group]])) for group in numbers),
        entity_attributes={},
    )


def _by_words(kind: str, key: Corpus, types: str) -> list[Hashable]:
    spans, text = key.as_spans(), key.text
    if spans is None or text is None or "word" not in text:
        raise UsageError(
            f"the baseline {kind} requires words, and the key has none",
            "use a file with a word column, which follows the column of token numbers",
        )
    typed, _ = add_types(key, text, np.arange(len(key.documents)), types, "key")
    shared_text = _shared_text(kind, text)
    rows = zip(spans.document.tolist(), spans.start.tolist(), spans.end.tolist(), strict=True)
    return [
        row if typed.attributes["type"][row] == "pronoun" else (span[0], shared_text(*span))
        for row, span in enumerate(rows)
    ]


def _shared_text(kind: str, text: Text) -> Callable[[int, int, int], str]:
    """Return a function that gives the text that mentions of one entity share, for their spans.

    Head words are found by dependencies or a parse, else by tags, else by English words.
    """
    head_of = head_finder(text) if kind == "head-match" else None

    def shared(document: int, start: int, end: int) -> str:
        at, words = int(text.first[document]), text.words(document, start, end)
        if kind == "string-match":
            return " ".join(words).casefold()
        if head_of is not None:
            head = head_of(document, start, end) - start
        elif "pos" in text:
            head = head_by_tags(text.columns["pos"][at + start : at + end + 1])
        else:
            head = core_head(words)
        return words[head].casefold()

    return shared


BASELINES = ("all-singletons", "one-entity", "head-match", "string-match")
