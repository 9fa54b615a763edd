"""Exact matching: the same span of the same document, or the same Python object."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoref.arrays import ROOM, Ints, first_of_run, pack, pack_alike
from scoref.attributes import is_span
from scoref.corpus import Corpus, remembered
from scoref.entities import SpanLabels
from scoref.exceptions import MentionError
from scoref.matching.sides import Sides
from scoref.matching.zeros import match_zeros
from scoref.policy import Policy
from scoref.table import NOWHERE

_BLOCK = 1 << 16
"""Codes that are merged at a time: more would leave the caches, and take more memory."""


def match_exact(sides: Sides, policy: Policy) -> Ints:
    """Match equal mentions, and zeros by what they depend on if the policy says so."""
    if sides.key.memory is not None and _plain_spans(sides.key) and _plain_spans(sides.response):
        return _look_up(sides)
    return zeros_then_equal(sides, policy, *exact_codes(sides))


def zeros_then_equal(sides: Sides, policy: Policy, key_code: Ints, response_code: Ints) -> Ints:
    """Match zeros by their dependencies, if that is asked for, then what has equal codes."""
    partner = np.full(len(sides.key), NOWHERE, dtype=np.int64)
    if policy.zeros != "dependent" or not match_zeros(sides, partner):
        return partners(key_code, response_code)
    key, response = left(partner, len(sides.response))
    found = partners(key_code[key], response_code[response])
    partner[key] = np.append(response, NOWHERE)[found]
    return partner


def left(partner: Ints, responses: int) -> tuple[Ints, Ints]:
    """Return the mentions of both sides that are not matched yet."""
    free = np.ones(responses, dtype=bool)
    free[partner[partner != NOWHERE]] = False
    return np.flatnonzero(partner == NOWHERE), np.flatnonzero(free)


def partners(key_code: Ints, response_code: Ints) -> Ints:
    """Return the response mention that has the code of each key mention, or NOWHERE.

    Codes of the key are distinct and not negative; of response mentions with the same code,
    the first is taken.
    """
    ours, theirs = _order(key_code), _order(response_code)
    keys, responses = _pick(key_code, ours), _pick(response_code, theirs)
    partner = np.full(len(key_code), NOWHERE, dtype=np.int64)
    for low in range(0, len(keys), _BLOCK):
        block = keys[low : low + _BLOCK]
        first = int(np.searchsorted(responses, block[0]))
        end = int(np.searchsorted(responses, block[-1], side="right"))
        key, response = _merged(block, responses[first:end])
        partner[_at(ours, low + key)] = _at(theirs, first + response)
    return partner


def _merged(keys: Ints, responses: Ints) -> tuple[Ints, Ints]:
    """Return the places of equal codes in two columns, both sorted.

    A stable sort merges what is sorted. Looking up millions of codes in no order, one after the
    other, takes five times as long.
    """
    both = np.concatenate([keys, responses])
    order = np.argsort(both, kind="stable")
    same = np.flatnonzero(~first_of_run(both[order]))
    key, response = order[same - 1], order[same] - len(keys)
    matched = key < len(keys)  # and not two of the response
    return key[matched], response[matched]


def _order(codes: Ints) -> Ints | None:
    """Sort codes, the first of equal ones first; None if they are in order, as in many files."""
    if (codes[1:] > codes[:-1]).all():
        return None
    order = np.argsort(codes)
    in_order = codes[order]
    return np.argsort(codes, kind="stable") if (in_order[1:] == in_order[:-1]).any() else order


def _pick(codes: Ints, order: Ints | None) -> Ints:
    return codes if order is None else codes[order]


def _at(order: Ints | None, places: Ints) -> Ints:
    return places if order is None else order[places]


class Lookup(NamedTuple):
    """The mentions of a key, sorted: where a response mention is looked up.

    Codes are those of rows of document, start and length below `ranges`.
    """

    ranges: tuple[int, int, int]
    code: Ints
    row: Ints


@remembered
def _lookup(key: Corpus) -> Lookup | None:
    """Sort the mentions of a key, if their codes fit into 64 bits."""
    columns = _span_columns(key, key.document)
    documents, starts, lengths = (int(column.max(initial=0)) + 1 for column in columns)
    if documents * starts * lengths > ROOM:
        return None
    code = (columns[0] * starts + columns[1]) * lengths + columns[2]
    row = np.argsort(code)
    return Lookup((documents, starts, lengths), code[row], row)


def _look_up(sides: Sides) -> Ints:
    """Match equal spans, with the key sorted before."""
    known = _lookup(sides.key)
    if known is None or not len(sides.key):
        return partners(*exact_codes(sides))
    document, start, length = _span_columns(sides.response, sides.document)
    (_, starts, lengths), code, row = known
    # What lies beyond all mentions of the key could get the code of one of them.
    could = (start < starts) & (length < lengths)
    wanted = np.where(could, (document * starts + start) * lengths + length, NOWHERE)
    at = np.minimum(np.searchsorted(code, wanted), len(code) - 1)
    found = np.flatnonzero(code[at] == wanted)[::-1]
    partner = np.full(len(row), NOWHERE, dtype=np.int64)
    partner[row[at[found]]] = found
    return partner


def _plain_spans(corpus: Corpus) -> bool:
    """Whether mentions are spans and nothing else: no empty nodes, no parts."""
    spans = corpus.labels is None or isinstance(corpus.labels, SpanLabels)
    return spans and not {"nodes", "zero_deps"} & corpus.attributes.keys()


def _span_columns(corpus: Corpus, document: Ints) -> tuple[Ints, Ints, Ints]:
    spans = corpus.labels if isinstance(corpus.labels, SpanLabels) else corpus
    return document, spans.start, spans.end - spans.start


def exact_codes(sides: Sides) -> tuple[Ints, Ints]:
    """Give equal codes to equal mentions of the two sides."""
    key, response, document = sides
    if key.labels is None or response.labels is None or _both_spans(key, response):
        key, response = _as_spans(key, "key"), _as_spans(response, "response")
    if key.labels is not None and response.labels is not None:
        both = np.concatenate([key.document, document])
        codes = _label_codes(both, (*key.labels, *response.labels))
        return codes[: len(key)], codes[len(key) :]
    nodes = [(column[: len(key)], column[len(key) :]) for column in _nodes(key, response)]
    return pack_alike(
        [key.document, key.start, key.end - key.start, *(ours for ours, _ in nodes)],
        [document, response.start, response.end - response.start, *(theirs for _, theirs in nodes)],
    )


def mention_codes(corpus: Corpus) -> Ints:
    """Give equal codes to equal mentions of one side."""
    if isinstance(corpus.labels, SpanLabels):
        corpus = _as_spans(corpus, "corpus")
    if corpus.labels is not None:
        return _label_codes(corpus.document, corpus.labels)
    return pack(corpus.document, corpus.start, corpus.end - corpus.start, *_nodes(corpus))


def _nodes(*corpora: Corpus) -> list[Ints]:
    """Number what mentions have besides the words from their start to their end, if any has.

    A discontinuous mention, or one with an empty node, has `nodes` that say what it is.
    """
    if not any("nodes" in corpus.attributes for corpus in corpora):
        return []
    plain = [np.full(len(corpus), "") for corpus in corpora]
    columns = [c.attributes.get("nodes", p) for c, p in zip(corpora, plain, strict=True)]
    return [number_texts(np.concatenate(columns))]


def number_texts(texts: NDArray[Any]) -> Ints:
    """Give equal numbers to equal texts, 0 to empty ones; only the others, few, are sorted."""
    told = np.flatnonzero(texts != "")
    number = np.zeros(len(texts), dtype=np.int64)
    number[told] = 1 + np.unique(texts[told], return_inverse=True)[1]
    return number


def _both_spans(key: Corpus, response: Corpus) -> bool:
    """Whether labels are known to be spans, which arrays compare faster."""
    return isinstance(key.labels, SpanLabels) and isinstance(response.labels, SpanLabels)


def _label_codes(document: Ints, labels: Sequence[Hashable]) -> Ints:
    number: dict[Hashable, int] = {}
    codes = [number.setdefault(label, len(number)) for label in labels]
    return pack(document, np.array(codes, dtype=np.int64))


def _as_spans(corpus: Corpus, side: str) -> Corpus:
    spans = corpus.as_spans()
    if spans is not None:
        return spans
    odd = next(label for label in corpus.labels or () if not is_span(label))
    raise MentionError(
        f"the {side} has the mention {odd!r}, but the other side has token spans",
        "pass mentions as (start, end): token positions in the document from 0, end inclusive",
    )
