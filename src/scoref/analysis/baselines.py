"""Baseline responses: the mentions of a key, grouped into entities by a simple rule.

    all-singletons  each mention is an entity
    one-entity      all mentions of a document are one entity
    string-match    names and nominals of a document with the same words are one entity
    head-match      names and nominals of a document with the same head word are one entity
    lemma           mentions with the same head lemma are one entity, in a unit of the policy

Words and lemmas are compared without case. With string-match and head-match, each pronoun is an
entity, because equal pronouns often do not corefer. The lemma baseline is that of coreference
across documents: an entity has the same name in all documents of a unit.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from itertools import count

import numpy as np

from scoref.base.arrays import number_by_appearance, pack
from scoref.base.phrases import counted
from scoref.corpus.corpus import Corpus
from scoref.corpus.text import Text
from scoref.exceptions import UsageError
from scoref.linguistics.heads import HeadOf, head_by_tags, head_finder
from scoref.linguistics.types import add_types, core_head
from scoref.matching.regrouping import units_in_key
from scoref.matching.requirements import CORPUS
from scoref.policy import Policy


def baseline(kind: str, key: Corpus, types: str = "auto", unit: str = CORPUS) -> Corpus:
    """Make the response of a baseline; string-match and head-match require words in the corpus.

    The baseline `lemma` requires lemmas. Its entities are those of a `unit`, as in `Policy`.
    """
    if kind not in BASELINES:
        raise UsageError(f"unknown baseline {kind!r}", f"one of: {', '.join(BASELINES)}")
    if kind == LEMMA:
        return _by_lemma(key, unit)
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


def _by_lemma(key: Corpus, unit: str) -> Corpus:
    """Group mentions by the lemma of the head and the unit; documents share names of entities."""
    units = units_in_key(key, key, np.arange(len(key.documents)), Policy(unit=unit).unit)
    lemmas = _head_lemmas(key)
    if missing := sum(not lemma for lemma in lemmas):
        many = f"{counted(missing, 'mention')} of {len(key):,}"
        raise UsageError(
            f"the baseline {LEMMA} requires lemmas of heads, but {many} lack one",
            "use a file with a column of lemmas, a table with the column `head_lemma`, or a mention"
            " list with lemmas",
        )
    names: dict[tuple[int, str], int] = {}
    number = [names.setdefault(one, len(names)) for one in zip(units.tolist(), lemmas, strict=True)]
    entity, first = number_by_appearance(pack(key.document, np.array(number, dtype=np.int64)))
    return replace(
        key,
        entity=entity,
        entity_names=tuple(str(number[row]) for row in first.tolist()),
        entity_attributes={},
    )


def _head_lemmas(key: Corpus) -> list[str]:
    """Return the lemma of the head of each mention, in lower case; empty if it is not known."""
    if "head_lemma" in key.attributes:
        return [str(lemma).casefold() for lemma in key.attributes["head_lemma"].tolist()]
    spans, text = key.as_spans(), key.text
    if spans is None or text is None or "lemma" not in text:
        return [""] * len(key)
    head_of, lemmas = _head_of(text), text.columns["lemma"]
    rows = zip(spans.document.tolist(), spans.start.tolist(), spans.end.tolist(), strict=True)
    heads = [int(text.first[row[0]]) + head_of(*row) for row in rows]
    return ["" if lemmas[at] in {"_", "-"} else lemmas[at].casefold() for at in heads]


def _head_of(text: Text) -> HeadOf:
    """Return a function that finds heads by dependencies or a parse, by tags, or by words."""
    if (found := head_finder(text)) is not None:
        return found

    def head(document: int, start: int, end: int) -> int:
        at = int(text.first[document])
        if "pos" in text:
            return start + head_by_tags(text.columns["pos"][at + start : at + end + 1])
        return start + core_head(text.words(document, start, end))

    return head


def _shared_text(kind: str, text: Text) -> Callable[[int, int, int], str]:
    """Return a function that gives the text that mentions of one entity share, for their spans."""
    head_of = _head_of(text) if kind == "head-match" else None

    def shared(document: int, start: int, end: int) -> str:
        words = text.words(document, start, end)
        if head_of is None:
            return " ".join(words).casefold()
        return words[head_of(document, start, end) - start].casefold()

    return shared


LEMMA = "lemma"
BASELINES = ("all-singletons", "one-entity", "head-match", "string-match", LEMMA)
