"""Exact matching: the same span of the same document, or the same Python object."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scoref.alignment.matching.sides import Sides
from scoref.alignment.matching.zeros import match_zeros
from scoref.base.arrays import CODE_LIMIT, Ints, first_of_run
from scoref.corpus.cache import cached
from scoref.corpus.corpus import Corpus
from scoref.corpus.identity import shared_codes
from scoref.corpus.span_rows import SpanLabels
from scoref.overlap.table import NOWHERE
from scoref.policy import Policy

_BLOCK = 1 << 16
"""Codes that are merged at a time: more would leave the caches, and take more memory."""


def match_exact(sides: Sides, policy: Policy) -> Ints:
    """Match equal mentions, and zeros by what they depend on if the policy says so."""
    if sides.key.cache is not None and _plain_spans(sides.key) and _plain_spans(sides.response):
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


@cached
def _lookup(key: Corpus) -> Lookup | None:
    """Sort the mentions of a key, if their codes fit into 64 bits."""
    columns = _span_columns(key, key.document)
    documents, starts, lengths = (int(column.max(initial=0)) + 1 for column in columns)
    if documents * starts * lengths > CODE_LIMIT:
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
    ours, theirs = shared_codes({"key": key, "response": response}, [key.document, document])
    return ours, theirs
