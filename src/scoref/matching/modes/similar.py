"""Matching of similar mentions: by head, by minimal span, or by overlap.

Equal mentions are matched first. Each pair of other mentions that may match has a similarity, and
the one-to-one matching with the largest total similarity is chosen; of equal totals, the matching
with earlier mentions. CorefUD's scorer matches in the same way, and its similarity is the share of
the key mention's tokens that are in the response mention.

    head     both have the same head
    partial  the response mention contains the key's head, and no token outside the key mention
    min      like `partial`, with the key's minimal span, or its head if it has no minimal span
    mina     both have the same minimal span, computed from the parse
    overlap  the shared tokens are at least this share of all tokens of both mentions

`partial-craft` compares discontinuous mentions as the CRAFT shared task of 2019 and the Universal
Anaphora scorer 2 do, and searches no best matching: the response mention has a continuous part
inside the first continuous part of the key mention. Response mentions, in the order of the text,
each choose the first key mention in that order, and no other one if it is taken.

`overlap` does not look at all pairs that overlap: a long mention overlaps with everything inside
it, but its Jaccard similarity with a short mention is small. If the similarity of two spans of
lengths a and b is at least t, then a >= t b, b >= t a, and their starts differ by at most (1 - t) a
or (1 - t) b tokens. So spans are grouped by the power of two of their length, and a search by start
finds the candidates of each group.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from scoref.base.arrays import (
    Bools,
    Floats,
    Ints,
    expand_ranges,
    first_of_run,
    pack_jointly,
    ranks,
    split,
)
from scoref.corpus.corpus import Corpus
from scoref.corpus.identity import number_texts
from scoref.corpus.spans import Spans, check_number_of_pairs, contains, overlapping, shared_tokens
from scoref.exceptions import UsageError
from scoref.matching.document_pairing import PairedCorpora
from scoref.matching.modes.exact import exact_codes, unmatched, zeros_then_equal
from scoref.metrics.assignment.solver import best_alignment
from scoref.metrics.table import NOWHERE
from scoref.policy import Policy


def match_head(sides: PairedCorpora, policy: Policy) -> Ints:
    """Match mentions with the same head."""
    sides = _as_spans(sides)
    heads = _head_codes(sides)
    # The same span with another head is another mention.
    codes = pack_jointly(*zip(exact_codes(sides), heads, strict=True))
    partner = zeros_then_equal(sides, policy, *codes)
    return _match_equal(sides, partner, *heads)


def match_partial(sides: PairedCorpora, policy: Policy) -> Ints:
    """Match response mentions inside a key mention that contain its head."""
    sides = _as_spans(sides)
    start, end = (_require_heads(sides.key, f"head_{end}") for end in ("start", "end"))
    head = Spans(sides.key.document, start, end, sides.key.attributes.get("zero"))
    return _match_inside(sides, policy, head)


def match_min(sides: PairedCorpora, policy: Policy) -> Ints:
    """Match like `partial`, with minimal spans where they are stated."""
    sides = _as_spans(sides)
    attributes = sides.key.attributes
    unknown = np.full(len(sides.key), NOWHERE, dtype=np.int64)
    start, end = (attributes.get(f"min_{end}", unknown) for end in ("start", "end"))
    by_head = start == NOWHERE
    if by_head.any():
        start = np.where(by_head, _require_heads(sides.key, "head_start", by_head), start)
        end = np.where(by_head, _require_heads(sides.key, "head_end", by_head), end)
    zero = np.where(by_head, _zero_heads(sides.key), "")
    return _match_inside(sides, policy, Spans(sides.key.document, start, end, zero))


def match_mina(sides: PairedCorpora, policy: Policy) -> Ints:
    """Match mentions with the same minimal span."""
    sides = _as_spans(sides)
    codes = _minimal_codes(sides)
    partner = zeros_then_equal(sides, policy, *exact_codes(sides))
    return _match_equal(sides, partner, *codes)


def match_partial_craft(sides: PairedCorpora, policy: Policy) -> Ints:
    """Match response mentions with a part inside the first continuous part of a key mention."""
    sides = _as_spans(sides)
    partner = zeros_then_equal(sides, policy, *exact_codes(sides))
    key, response = unmatched(partner, len(sides.response))
    one, other = _spans_of(sides, key, response)
    of_key, first = _continuous_parts(one)
    leading = np.flatnonzero(first_of_run(of_key))
    of_key, first = of_key[leading], first.where(leading)
    of_response, parts = _continuous_parts(other)
    at, to = overlapping(parts, first)
    inside = (parts.start[at] >= first.start[to]) & (parts.end[at] <= first.end[to])
    response, key = response[of_response[at[inside]]], key[of_key[to[inside]]]
    key_rank, response_rank = _text_order(sides.key)[key], _text_order(sides.response)[response]
    chosen = np.lexsort((key_rank, response_rank))
    chosen = chosen[first_of_run(response[chosen])]
    chosen = chosen[np.argsort(key[chosen], kind="stable")]
    chosen = chosen[first_of_run(key[chosen])]
    partner[key[chosen]] = response[chosen]
    return partner


def _continuous_parts(spans: Spans) -> tuple[Ints, Spans]:
    """Return the continuous parts of spans in their order; a span with an empty node has none."""
    rows = np.flatnonzero(~spans.unusual)
    found = [np.stack([rows, spans.start[rows], spans.end[rows]])]
    for row in np.flatnonzero(spans.unusual).tolist():
        tokens = spans.tokens(row)
        if not any("." in token for token in tokens):
            places = np.sort(np.array([*map(int, tokens)]))
            ends = np.flatnonzero(np.diff(places) > 1)
            start, end = places[np.append(0, ends + 1)], places[np.append(ends, len(places) - 1)]
            found.append(np.stack([np.full(len(start), row), start, end]))
    row, start, end = np.concatenate(found, axis=1)
    order = np.argsort(row, kind="stable")
    row, start, end = row[order], start[order], end[order]
    return row, Spans(spans.document[row], start, end)


def match_overlap(sides: PairedCorpora, policy: Policy) -> Ints:
    """Match mentions that share enough tokens."""
    sides = _as_spans(sides)
    threshold = float(policy.match.partition("=")[2])
    partner = zeros_then_equal(sides, policy, *exact_codes(sides))
    key, response = unmatched(partner, len(sides.response))
    at, other, similarity = similar_pairs(*_spans_of(sides, key, response), threshold)
    return _match_best(sides, partner, key[at], response[other], similarity)


def _match_inside(sides: PairedCorpora, policy: Policy, core: Spans) -> Ints:
    """Match response mentions that contain the core of a key mention and lie inside it."""
    partner, key, response = _overlapping_rows(sides, policy)
    one, other = _spans_of(sides, key, response)
    fits = contains(one, other) & contains(other, core.where(key))
    return _match_by_coverage(sides, partner, key[fits], response[fits])


def _overlapping_rows(sides: PairedCorpora, policy: Policy) -> tuple[Ints, Ints, Ints]:
    """Match equal mentions, and return their matches and all pairs of others that overlap."""
    partner = zeros_then_equal(sides, policy, *exact_codes(sides))
    key, response = unmatched(partner, len(sides.response))
    at, other = overlapping(*_spans_of(sides, key, response))
    return partner, key[at], response[other]


def _match_equal(sides: PairedCorpora, partner: Ints, key_code: Ints, response_code: Ints) -> Ints:
    """Add matches of unmatched mentions that have equal codes."""
    key, response = unmatched(partner, len(sides.response))
    order = response[np.argsort(response_code[response], kind="stable")]
    low, high = (
        np.searchsorted(response_code[order], key_code[key], side=side)
        for side in ("left", "right")
    )
    check_number_of_pairs(int((high - low).sum()), len(key) + len(response))
    at, place = expand_ranges(low, high)
    return _match_by_coverage(sides, partner, key[at], order[place])


def _match_by_coverage(sides: PairedCorpora, partner: Ints, key: Ints, response: Ints) -> Ints:
    """Match by the share of the key mention's tokens that are in the response mention."""
    one, other = _spans_of(sides, key, response)
    return _match_best(sides, partner, key, response, shared_tokens(one, other) / one.length)


def _match_best(
    sides: PairedCorpora, partner: Ints, key: Ints, response: Ints, similarity: Floats
) -> Ints:
    """Add the one-to-one matching of candidate pairs with the largest total similarity."""
    key_rank, response_rank = _text_order(sides.key)[key], _text_order(sides.response)[response]
    order = np.lexsort((response_rank, key_rank))
    chosen = order[best_alignment(key_rank[order], response_rank[order], similarity[order])]
    partner[key[chosen]] = response[chosen]
    return partner


def _spans_of(sides: PairedCorpora, key: Ints, response: Ints) -> tuple[Spans, Spans]:
    return (
        _tokens(sides.key, sides.key.document).where(key),
        _tokens(sides.response, sides.document).where(response),
    )


def _tokens(corpus: Corpus, document: Ints) -> Spans:
    return Spans(document, corpus.start, corpus.end, corpus.attributes.get("nodes"))


def _zero_heads(corpus: Corpus) -> np.ndarray:
    return corpus.attributes.get("zero", np.full(len(corpus), ""))


def _head_codes(sides: PairedCorpora) -> list[Ints]:
    """Give equal codes to equal heads; an empty node is a head of its own."""
    key, response, document = sides
    zeros = number_texts(np.concatenate([_zero_heads(key), _zero_heads(response)]))
    key_head, response_head = (
        np.maximum(_require_heads(side, "head_start"), 0) for side in (key, response)
    )
    key_zero, response_zero = split(zeros, [len(key), len(response)])
    return pack_jointly(
        [key.document, key_head, key_zero], [document, response_head, response_zero]
    )


def _minimal_codes(sides: PairedCorpora) -> list[Ints]:
    """Give equal codes to equal minimal spans."""
    key, response, document = sides
    columns = [side.attributes.get("minimal") for side in (key, response) if len(side)]
    if any(column is None for column in columns):
        raise UsageError("match mina requires the minimal span of each mention")
    texts = np.concatenate([np.zeros(0, dtype=str), *(c for c in columns if c is not None)])
    numbers = split(np.unique(texts, return_inverse=True)[1], [len(key), len(response)])
    return pack_jointly([key.document, numbers[0]], [document, numbers[1]])


def _text_order(corpus: Corpus) -> Ints:
    """Rank mentions by start, end and length, as CorefUD's scorer sorts them, and by their nodes.

    No tie is left to the order of the file, so a converted file has the same matches.
    """
    tokens = _tokens(corpus, corpus.document)
    nodes = np.zeros_like(corpus.start) if tokens.nodes is None else number_texts(tokens.nodes)
    return ranks(np.lexsort((nodes, tokens.length, corpus.end, corpus.start, corpus.document)))


def _require_heads(corpus: Corpus, name: str, rows: Bools | None = None) -> Ints:
    """Return a column of heads, which must be known for all mentions or for some rows."""
    values: Ints | None = corpus.attributes.get(name)
    if values is None and not len(corpus):
        return np.zeros(0, dtype=np.int64)
    if values is None or (values == NOWHERE).any(where=True if rows is None else rows):
        raise UsageError("this matching mode requires the head of each mention")
    return values


def _as_spans(sides: PairedCorpora) -> PairedCorpora:
    key, response = sides.key.as_spans(), sides.response.as_spans()
    if key is None or response is None:
        raise UsageError(
            "mentions that are not spans can only be matched exactly",
            "pass mentions as (start, end), or use --match exact",
        )
    return PairedCorpora(key, response, sides.document)


def jaccard(one: Spans, other: Spans) -> Floats:
    """Return the share of the tokens of both spans of a row that they have in common."""
    shared = shared_tokens(one, other)
    return np.asarray(shared / (one.length + other.length - shared))


def similar_pairs(one: Spans, other: Spans, threshold: float) -> tuple[Ints, Ints, Floats]:
    """Return all pairs whose Jaccard similarity is positive and at least a threshold, with it."""
    found = [
        (at[enough], to[enough], similarity[enough])
        for at, to in _candidates(one, other, threshold)
        for similarity in [jaccard(one.where(at), other.where(to))]
        for enough in [(similarity >= threshold) & (similarity > 0)]
    ]
    nothing = np.zeros(0, dtype=np.int64)
    parts = zip((nothing, nothing, np.zeros(0)), *found, strict=True)
    at, to, similarity = (np.concatenate(part) for part in parts)
    return at, to, similarity


def _candidates(one: Spans, other: Spans, threshold: float) -> Iterator[tuple[Ints, Ints]]:
    """Yield pairs that may be similar enough, each once."""
    plain, other_plain = (np.flatnonzero(~spans.unusual) for spans in (one, other))
    unusual, other_unusual = (np.flatnonzero(spans.unusual) for spans in (one, other))
    every = np.arange(len(other.start))
    for rows, others in ((unusual, every), (plain, other_unusual)):
        at, to = overlapping(one.where(rows), other.where(others))
        yield rows[at], others[to]
    for at, to in _plain_candidates(one.where(plain), other.where(other_plain), threshold):
        yield plain[at], other_plain[to]


def _plain_candidates(one: Spans, other: Spans, threshold: float) -> Iterator[tuple[Ints, Ints]]:
    """Yield candidates of contiguous spans, one group of lengths after the other."""
    width = int(max(one.end.max(initial=0), other.end.max(initial=0))) + 2
    length, group = one.length, np.frexp(other.length)[1]  # 2 ** (group - 1) <= length < 2 ** group
    searches = []
    for number in np.unique(group).tolist():
        rows = np.flatnonzero(group == number)
        rows = rows[np.lexsort((other.start[rows], other.document[rows]))]
        places = other.document[rows] * width + other.start[rows]
        shortest, longest = 1 << (number - 1), (1 << number) - 1
        wanted = np.flatnonzero((length >= threshold * shortest) & (length * threshold <= longest))
        before = min(math.ceil((1 - threshold) * longest), width)
        after = np.ceil((1 - threshold) * length[wanted]).astype(np.int64)
        start, line = one.start[wanted], one.document[wanted] * width
        low = np.searchsorted(places, line + np.maximum(start - before, 0))
        last = np.minimum(start + after, one.end[wanted])
        high = np.searchsorted(places, line + last, side="right")
        searches.append((wanted, rows, low, high))
    total = sum(int((high - low).sum()) for _, _, low, high in searches)
    check_number_of_pairs(total, len(length) + len(group))
    for wanted, rows, low, high in searches:
        at, place = expand_ranges(low, high)
        yield wanted[at], rows[place]
