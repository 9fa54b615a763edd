"""Near misses: a response that hardly matches, but would if its positions counted otherwise.

Such a response has a valid format and a very low score, or is refused because its positions or
words do not fit the key. Every conversion of `positions` is tried on it. The one that fits best is
reported with the numbers of mentions that match before and after. It is never applied unless the
policy names it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Ints, pack_jointly
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import UNKNOWN
from scoref.exceptions import MentionError, ScorefError
from scoref.matching.document_pairing import find_key_documents
from scoref.matching.positions import (
    CONVERSIONS,
    OWN_TOKENS,
    SENTENCE_RELATIVE,
    as_positions,
)
from scoref.metrics.table import NOWHERE

_FEW = 0.2  # of the mentions of the smaller side: a real response has more
_MOST = 0.5  # of the mentions of the response
_LEAST = 5  # mentions of a side
_DEVIATIONS = 2.2  # by which more mentions match after a conversion; fewer can match by chance

_ENDS = (
    "in JSON lines, `scoref convert FILE -o fixed.jsonl --format jsonl-exclusive` corrects them; a"
    " table has exclusive ends in a column `stop`"
)

WithWords = Callable[[], tuple[Corpus, Corpus]]
"""Returns both sides with their words, which may have to be read for this."""


class NearMiss(NamedTuple):
    """A conversion after which most response mentions match, and how many match before it.

    `impossible` is the number of mentions that it cannot convert.
    """

    name: str
    mentions: int
    before: int
    after: int
    impossible: int

    def __str__(self) -> str:
        conversion = CONVERSIONS[self.name]
        only = f"only {self.before:,}" if self.before else "none"
        only += " matches" if self.before < 2 else " match"
        if self.impossible:
            how = f"{self.impossible:,} cannot be converted, so correct them in the file"
        else:
            how = f"if so, score them with --positions {self.name}"
        if self.name in ("exclusive-ends", "inclusive-ends"):
            how += f" ({_ENDS})"
        return (
            f"{self.after:,} of {self.mentions:,} response mentions would match the key if"
            f" {conversion.condition}, but {only} as they are: {conversion.meaning}; {how}"
        )


def near_miss_notes(
    key: Corpus, response: Corpus, key_document: Ints, matched: int, with_words: WithWords
) -> list[str]:
    """Note that most response mentions would match after a conversion, if few of them match."""
    if not is_low(len(key), len(response), matched):
        return []
    found = _find(key, response, key_document, matched, with_words)
    return [str(found)] if found else []


def useless_conversion_notes(
    key: Corpus, original: Corpus, key_document: Ints, matched: int, name: str
) -> list[str]:
    """Note that more mentions match without the conversion of the policy."""
    before = _count_matches(key, original, key_document)
    if before <= matched:
        return []
    note = (
        f"{matched:,} of {len(original):,} response mentions match the key, but {before:,} match"
        f" without --positions {name}: leave it out"
    )
    return [note]


def with_near_miss(
    error: ScorefError, key: Corpus, response: Corpus, with_words: WithWords
) -> ScorefError:
    """Return a refusal of two sides with a hint at the conversion that makes them fit, if any."""
    spans = response.as_spans()
    if isinstance(error, MentionError) and spans is not None:
        return error
    place = find_key_documents(key, response)
    hint = _other_tokens(response, with_words)
    if not hint and len(response):
        matched = 0 if spans is None else _count_matches(key, spans, place)
        hint = "".join(near_miss_notes(key, response, place, matched, with_words))
    return type(error)(error.message, hint) if hint else error


def is_low(key: int, response: int, matched: int) -> bool:
    """Whether few of the mentions of both sides match, and there are enough to say so."""
    smaller = min(key, response)
    return smaller >= _LEAST and matched <= _FEW * smaller


def _find(
    key: Corpus, response: Corpus, key_document: Ints, matched: int, with_words: WithWords
) -> NearMiss | None:
    """Return the conversion after which most mentions match, unless they may by chance."""
    tried = []
    for name, conversion in CONVERSIONS.items():
        positions = as_positions(response, name)
        if name == OWN_TOKENS or positions is None or "nodes" in positions.attributes:
            continue
        if conversion.columns:
            if name != SENTENCE_RELATIVE and not _exceeds_tokens(key, positions, key_document):
                continue
            try:
                key, _ = with_words()
            except ScorefError:
                continue
            if key.text is None or "word" not in key.text:
                continue
        tried.append(_try(name, key, positions, key_document, matched))
    best = max(tried, key=lambda one: one.after, default=None)
    if best is None or best.after <= max(_MOST * len(response), 2 * matched):
        return None
    by_chance = _DEVIATIONS * math.sqrt(best.after + matched)
    return best if best.after - matched >= by_chance else None


def _exceeds_tokens(key: Corpus, response: Corpus, key_document: Ints) -> bool:
    """Whether positions are larger than those of tokens, as positions of characters are."""
    place = key_document[response.document]
    length = np.array([*(d.length for d in key.documents), UNKNOWN], dtype=np.int64)[place]
    return bool(np.any((length != UNKNOWN) & (response.end >= length)))


def _try(name: str, key: Corpus, response: Corpus, key_document: Ints, matched: int) -> NearMiss:
    """Count the response mentions that are key mentions after a conversion."""
    rows = np.flatnonzero(key_document[response.document] != NOWHERE)
    document = response.document[rows]
    convert = CONVERSIONS[name].make(key, response, key_document)
    found = convert(document, response.start[rows], response.end[rows])
    ok = found.possible
    after = _count(key, key_document[document[ok]], found.start[ok], found.end[ok])
    return NearMiss(name, len(response), matched, after, int(np.count_nonzero(~ok)))


def _count_matches(key: Corpus, response: Corpus, key_document: Ints) -> int:
    """Count the response mentions that are key mentions as they are."""
    spans = response.as_spans()
    if spans is None or not len(spans):
        return 0
    rows = np.flatnonzero(key_document[spans.document] != NOWHERE)
    return _count(key, key_document[spans.document[rows]], spans.start[rows], spans.end[rows])


def _count(key: Corpus, document: Ints, start: Ints, end: Ints) -> int:
    spans = key.as_spans()
    if spans is None:
        return 0
    codes = pack_jointly([spans.document, spans.start, spans.end], [document, start, end])
    return int(np.isin(codes[1], codes[0]).sum())


def _other_tokens(response: Corpus, with_words: WithWords) -> str:
    """Say that both sides have other tokens of the same characters, if they have."""
    if response.labels is not None or response.characters:
        return ""
    try:
        key, response = with_words()
        place = find_key_documents(key, response)
        CONVERSIONS[OWN_TOKENS].make(key, response, place)
    except ScorefError:
        return ""
    if not any(
        document.length != key.documents[at].length or _words(key, at) != _words(response, number)
        for number, (document, at) in enumerate(zip(response.documents, place, strict=True))
        if at != NOWHERE
    ):
        return ""
    return (
        "both sides have the same characters, but other tokens; to score mentions through their"
        f" characters, use --positions {OWN_TOKENS}"
    )


def _words(corpus: Corpus, document: int) -> list[str]:
    length = corpus.documents[document].length
    return corpus.text.words(document, 0, length - 1) if corpus.text is not None else []
