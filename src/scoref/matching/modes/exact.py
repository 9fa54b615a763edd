"""Exact matching: the same span of the same document, or equal Python objects."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scoref.base.arrays import CODE_LIMIT, Ints, first_of_run
from scoref.corpus.cache import cached
from scoref.corpus.corpus import Corpus
from scoref.corpus.identity import shared_codes
from scoref.corpus.spans import SpanLabels
from scoref.matching.document_pairing import PairedCorpora
from scoref.matching.modes.zeros import match_zeros
from scoref.metrics.table import NOWHERE
from scoref.policy import Policy

_BLOCK = 1 << 16
"""Number of codes that are merged at a time, so that they fit into the processor's cache."""


def match_exact(sides: PairedCorpora, policy: Policy) -> Ints:
    """Match equal mentions, and zeros by their dependencies if the policy says so."""
    if sides.key.cache is not None and _plain_spans(sides.key) and _plain_spans(sides.response):
        return _match_sorted(sides)
    return zeros_then_equal(sides, policy, *exact_codes(sides))


def zeros_then_equal(
    sides: PairedCorpora, policy: Policy, key_code: Ints, response_code: Ints
) -> Ints:
    """Match zeros by their dependencies if the policy says so, then mentions with equal codes."""
    partner = np.full(len(sides.key), NOWHERE, dtype=np.int64)
    if policy.zeros != "dependent" or not match_zeros(sides, partner):
        return match_codes(key_code, response_code)
    key, response = unmatched(partner, len(sides.response))
    found = match_codes(key_code[key], response_code[response])
    partner[key] = np.append(response, NOWHERE)[found]
    return partner


def unmatched(partner: Ints, responses: int) -> tuple[Ints, Ints]:
    """Return the rows of key and response mentions that are not matched."""
    free = np.ones(responses, dtype=bool)
    free[partner[partner != NOWHERE]] = False
    return np.flatnonzero(partner == NOWHERE), np.flatnonzero(free)


def match_codes(key_code: Ints, response_code: Ints) -> Ints:
    """Return the first response mention with the code of each key mention, or NOWHERE.

    The codes of the key must be distinct and non-negative.
    """
    key_order, response_order = _sort(key_code), _sort(response_code)
    keys, responses = _pick(key_code, key_order), _pick(response_code, response_order)
    partner = np.full(len(key_code), NOWHERE, dtype=np.int64)
    for low in range(0, len(keys), _BLOCK):
        block = keys[low : low + _BLOCK]
        first = int(np.searchsorted(responses, block[0]))
        end = int(np.searchsorted(responses, block[-1], side="right"))
        key, response = _merge(block, responses[first:end])
        partner[_at(key_order, low + key)] = _at(response_order, first + response)
    return partner


def _merge(keys: Ints, responses: Ints) -> tuple[Ints, Ints]:
    """Return the positions of equal codes in two sorted columns.

    A stable sort merges two sorted columns. Binary searches for millions of unsorted codes take
    five times as long.
    """
    both = np.concatenate([keys, responses])
    order = np.argsort(both, kind="stable")
    same = np.flatnonzero(~first_of_run(both[order]))
    key, response = order[same - 1], order[same] - len(keys)
    matched = key < len(keys)  # otherwise both are codes of the response
    return key[matched], response[matched]


def _sort(codes: Ints) -> Ints | None:
    """Return the stable order of codes, or None if they are sorted, as in many files."""
    if (codes[1:] > codes[:-1]).all():
        return None
    order = np.argsort(codes)
    in_order = codes[order]
    return np.argsort(codes, kind="stable") if (in_order[1:] == in_order[:-1]).any() else order


def _pick(codes: Ints, order: Ints | None) -> Ints:
    return codes if order is None else codes[order]


def _at(order: Ints | None, places: Ints) -> Ints:
    return places if order is None else order[places]


class SortedSpans(NamedTuple):
    """The mentions of a key, sorted by code, for binary search.

    A code packs document, start and length, which are smaller than `ranges`.
    """

    ranges: tuple[int, int, int]
    code: Ints
    row: Ints


@cached
def _sorted_spans(key: Corpus) -> SortedSpans | None:
    """Sort the mentions of a key, or return None if their codes do not fit into 64 bits."""
    columns = _span_columns(key, key.document)
    documents, starts, lengths = (int(column.max(initial=0)) + 1 for column in columns)
    if documents * starts * lengths > CODE_LIMIT:
        return None
    code = (columns[0] * starts + columns[1]) * lengths + columns[2]
    row = np.argsort(code)
    return SortedSpans((documents, starts, lengths), code[row], row)


def _match_sorted(sides: PairedCorpora) -> Ints:
    """Match equal spans by search in the sorted mentions of the key, which are cached."""
    known = _sorted_spans(sides.key)
    if known is None or not len(sides.key):
        return match_codes(*exact_codes(sides))
    document, start, length = _span_columns(sides.response, sides.document)
    (_, starts, lengths), code, row = known
    # A span outside the ranges of the key could get the code of another span.
    in_range = (start < starts) & (length < lengths)
    wanted = np.where(in_range, (document * starts + start) * lengths + length, NOWHERE)
    at = np.minimum(np.searchsorted(code, wanted), len(code) - 1)
    found = np.flatnonzero(code[at] == wanted)[::-1]
    partner = np.full(len(row), NOWHERE, dtype=np.int64)
    partner[row[at[found]]] = found
    return partner


def _plain_spans(corpus: Corpus) -> bool:
    """Whether all mentions are contiguous spans without empty nodes."""
    spans = corpus.labels is None or isinstance(corpus.labels, SpanLabels)
    return spans and not {"nodes", "zero_deps"} & corpus.attributes.keys()


def _span_columns(corpus: Corpus, document: Ints) -> tuple[Ints, Ints, Ints]:
    spans = corpus.labels if isinstance(corpus.labels, SpanLabels) else corpus
    return document, spans.start, spans.end - spans.start


def exact_codes(sides: PairedCorpora) -> list[Ints]:
    """Give equal codes to equal mentions of key and response."""
    key, response, document = sides
    return shared_codes({"key": key, "response": response}, [key.document, document])
