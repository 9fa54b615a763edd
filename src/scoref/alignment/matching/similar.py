"""Matching of mentions that are alike: by head, by minimal span, by overlap.

Mentions that are the same are matched first. Of the others, each pair that may match has a
likeness, and the best one-to-one total over a document is taken; of equal totals, the one with
earlier mentions. This is how CorefUD's scorer matches; its likeness is the part of the key
mention that the response mention has.

    head     the same head
    partial  the response mention has the key's head, and nothing outside the key mention
    min      the same with the key's minimal span, or its head where it has none
    mina     the same minimal span, both computed from the parse
    overlap  the shared tokens are at least so large a part of all tokens of both
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scoref.alignment.matching.exact import exact_codes, left, zeros_then_equal
from scoref.alignment.matching.sides import Sides
from scoref.assignment.solver import best_alignment
from scoref.base.arrays import Bools, Floats, Ints, pack
from scoref.corpus.corpus import Corpus
from scoref.corpus.identity import number_texts
from scoref.corpus.spans import Spans, contains, overlapping, shared_tokens
from scoref.exceptions import UsageError
from scoref.overlap.table import NOWHERE
from scoref.policy import Policy


class Pairs(NamedTuple):
    """Mentions that may match, as rows of the two sides, and how alike they are."""

    key: Ints
    response: Ints
    likeness: Floats


def match_head(sides: Sides, policy: Policy) -> Ints:
    """Match mentions with the same head."""
    sides = _spans(sides)
    key_head, response_head = _head_codes(sides)
    key_code, response_code = exact_codes(sides)
    # The same span with another head is another mention.
    both = pack(
        np.concatenate([key_code, response_code]), np.concatenate([key_head, response_head])
    )
    partner = zeros_then_equal(sides, policy, both[: len(key_head)], both[len(key_head) :])
    key, response = left(partner, len(sides.response))
    at, other = _equal(key_head[key], response_head[response])
    return _complete(sides, partner, key[at], response[other])


def match_partial(sides: Sides, policy: Policy) -> Ints:
    """Match a response mention with the key mention that it lies in and whose head it has."""
    sides = _spans(sides)
    start, end = (_needed(sides.key, f"head_{end}") for end in ("start", "end"))
    least = Spans(sides.key.document, start, end, sides.key.attributes.get("zero"))
    return _match_inside(sides, policy, least)


def match_min(sides: Sides, policy: Policy) -> Ints:
    """Match as `partial` does, with minimal spans where there are any."""
    sides = _spans(sides)
    told = sides.key.attributes
    nothing = np.full(len(sides.key), NOWHERE, dtype=np.int64)
    start, end = (told.get(f"min_{end}", nothing) for end in ("start", "end"))
    alone = start == NOWHERE
    if alone.any():
        start = np.where(alone, _needed(sides.key, "head_start", alone), start)
        end = np.where(alone, _needed(sides.key, "head_end", alone), end)
    zero = np.where(alone, told.get("zero", np.full(len(alone), "")), "")
    return _match_inside(sides, policy, Spans(sides.key.document, start, end, zero))


def match_mina(sides: Sides, policy: Policy) -> Ints:
    """Match mentions with the same minimal span; the same tokens always have the same."""
    sides = _spans(sides)
    key_code, response_code = _minimal_codes(sides)
    partner = zeros_then_equal(sides, policy, *exact_codes(sides))
    key, response = left(partner, len(sides.response))
    at, other = _equal(key_code[key], response_code[response])
    return _complete(sides, partner, key[at], response[other])


def match_overlap(sides: Sides, policy: Policy) -> Ints:
    """Match mentions that share enough tokens."""
    sides = _spans(sides)
    threshold = float(policy.match.partition("=")[2])
    partner = zeros_then_equal(sides, policy, *exact_codes(sides))
    key, response = left(partner, len(sides.response))
    ours, theirs = _both_spans(sides, key, response)
    at, other = overlapping(ours, theirs)
    one, two = ours.where(at), theirs.where(other)
    shared = shared_tokens(one, two)
    jaccard = shared / (one.length + two.length - shared)
    enough = jaccard >= threshold
    return _take(sides, partner, Pairs(key[at[enough]], response[other[enough]], jaccard[enough]))


def _match_inside(sides: Sides, policy: Policy, least: Spans) -> Ints:
    """Match response mentions that have the least and lie in the key mention."""
    partner = zeros_then_equal(sides, policy, *exact_codes(sides))
    key, response = left(partner, len(sides.response))
    ours, theirs = _both_spans(sides, key, response)
    at, other = overlapping(ours, theirs)
    one, two = ours.where(at), theirs.where(other)
    fits = contains(one, two) & contains(two, least.where(key[at]))
    return _complete(sides, partner, key[at[fits]], response[other[fits]])


def _complete(sides: Sides, partner: Ints, key: Ints, response: Ints) -> Ints:
    return _take(sides, partner, _likeness(sides, key, response))


def _take(sides: Sides, partner: Ints, pairs: Pairs) -> Ints:
    """Add the best one-to-one matches to those that there are."""
    rank, other_rank = (_text_order(side) for side in sides[:2])
    order = np.lexsort((other_rank[pairs.response], rank[pairs.key]))
    chosen = order[
        best_alignment(
            rank[pairs.key[order]], other_rank[pairs.response[order]], pairs.likeness[order]
        )
    ]
    partner[pairs.key[chosen]] = pairs.response[chosen]
    return partner


def _likeness(sides: Sides, key: Ints, response: Ints) -> Pairs:
    """Return the part of each key mention that the response mention beside it has."""
    ours, theirs = _both_spans(sides, key, response)
    return Pairs(key, response, shared_tokens(ours, theirs) / ours.length)


def _both_spans(sides: Sides, key: Ints, response: Ints) -> tuple[Spans, Spans]:
    ours, theirs, document = sides
    return (
        _tokens(ours, ours.document).where(key),
        _tokens(theirs, document).where(response),
    )


def _tokens(corpus: Corpus, document: Ints) -> Spans:
    return Spans(document, corpus.start, corpus.end, corpus.attributes.get("nodes"))


def _equal(key_code: Ints, response_code: Ints) -> tuple[Ints, Ints]:
    """Return all pairs of equal codes."""
    order = np.argsort(response_code, kind="stable")
    low = np.searchsorted(response_code[order], key_code)
    high = np.searchsorted(response_code[order], key_code, side="right")
    many = high - low
    at = np.repeat(np.arange(len(key_code)), many)
    offset = np.arange(len(at)) - np.repeat(np.cumsum(many) - many, many)
    return at, order[np.repeat(low, many) + offset]


def _head_codes(sides: Sides) -> tuple[Ints, Ints]:
    """Give equal codes to equal heads; an empty node is a head of its own."""
    key, response, document = sides
    heads = [_needed(side, "head_start") for side in (key, response)]
    zeros = [side.attributes.get("zero", np.full(len(side), "")) for side in (key, response)]
    zero = number_texts(np.concatenate(zeros))
    head = np.maximum(np.concatenate(heads), 0)
    codes = pack(np.concatenate([key.document, document]), head, zero)
    return codes[: len(key)], codes[len(key) :]


def _minimal_codes(sides: Sides) -> tuple[Ints, Ints]:
    """Give equal codes to equal minimal spans."""
    key, response, document = sides
    columns = [side.attributes.get("minimal") for side in (key, response) if len(side)]
    if any(column is None for column in columns):
        raise UsageError("this way to match needs the minimal span of each mention")
    texts = np.concatenate([np.zeros(0, dtype=str), *(c for c in columns if c is not None)])
    _, number = np.unique(texts, return_inverse=True)
    codes = pack(np.concatenate([key.document, document]), number)
    return codes[: len(key)], codes[len(key) :]


def _text_order(corpus: Corpus) -> Ints:
    """Rank mentions by start, end and length, as CorefUD's scorer sorts them."""
    size = _tokens(corpus, corpus.document).length
    order = np.lexsort((size, corpus.end, corpus.start, corpus.document))
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return rank


def _needed(corpus: Corpus, name: str, where: Bools | None = None) -> Ints:
    """Return an attribute that all mentions must have, or some."""
    values: Ints | None = corpus.attributes.get(name)
    if values is None and not len(corpus):
        return np.zeros(0, dtype=np.int64)
    if values is None or (values == NOWHERE).any(where=True if where is None else where):
        raise UsageError("this way to match needs the head of each mention")
    return values


def _spans(sides: Sides) -> Sides:
    """Return both sides as spans."""
    key, response = sides.key.as_spans(), sides.response.as_spans()
    if key is None or response is None:
        raise UsageError("mentions that are no spans can only be matched exactly")
    return Sides(key, response, sides.document)
