"""Mentions: how many were found, regardless of their entities.

A lenient match (Recasens & Hovy 2011, section 4.2; MUC's MIN attribute) accepts a response
mention for a key mention if it contains the head, or the minimal span, of the key mention and no
token outside it. Equal mentions are matched first; the others in the order of the text, longer
mentions first, each with the key mention that shares most tokens with it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Floats, Ints, sum_by
from scoref.corpus.spans import Spans, contains, overlapping, shared_tokens
from scoref.exceptions import UsageError
from scoref.metrics.base import About, Metric, ratio_counts
from scoref.metrics.names import NO, YES, one_of
from scoref.metrics.needs import MINIMAL_SPANS_OR_HEADS, SPANS
from scoref.metrics.table import NOWHERE, MentionRows, Table

_CREDIT = {"1": 1.0, "half": 0.5}


def count(table: Table) -> Floats:
    """Count the mentions that both sides have, the key has, and the response has."""
    shared = table.sum_cells(table.count)
    return ratio_counts(table, shared, table.key_size, shared, table.res_size)


def count_leniently(table: Table, credit: float) -> Floats:
    """Count also the mentions that match leniently, with some credit."""
    key, _ = lenient_matches(table.mentions)
    found = sum_by(table.mentions.unit[key], np.ones(len(key)), len(table.units))
    return count(table) + np.outer(credit * found, [1, 0, 1, 0])


def lenient_matches(rows: MentionRows) -> tuple[Ints, Ints]:
    """Return the rows of key and response mentions that match, but are not equal."""
    in_key = np.flatnonzero((rows.key != NOWHERE) & (rows.res == NOWHERE))
    in_response = np.flatnonzero((rows.key == NOWHERE) & (rows.res != NOWHERE))
    if not len(in_key) or not len(in_response):
        return in_key[:0], in_response[:0]
    keys, responses = rows.spans("key").where(in_key), rows.spans("response").where(in_response)
    at, other = overlapping(keys, responses)
    one, two = keys.where(at), responses.where(other)
    fits = contains(one, two) & contains(two, _minimal_spans(rows, in_key).where(at))
    at, other, common = at[fits], other[fits], shared_tokens(one, two)[fits]
    # Response mentions in their order, each with the best of its key mentions first.
    order = np.lexsort((keys.end[at], keys.start[at], -common, -responses.end[other],
                        responses.start[other], responses.document[other]))  # fmt: skip
    taken, found = set(), dict[int, int]()
    for key, response in zip(at[order].tolist(), other[order].tolist(), strict=True):
        if key not in taken and response not in found:
            taken.add(key)
            found[response] = key
    matched = np.array(list(found.items()), dtype=np.int64).reshape(-1, 2)
    return in_key[matched[:, 1]], in_response[matched[:, 0]]


def _minimal_spans(rows: MentionRows, mentions: Ints) -> Spans:
    """Return what a match of key mentions must contain: their minimal span, or else their head."""

    def stated(name: str, missing: int | str = NOWHERE) -> NDArray[Any]:
        column = rows.attribute("key", name)
        return np.full(len(mentions), missing) if column is None else column[mentions]

    start, end = stated("min_start"), stated("min_end")
    by_head = start == NOWHERE
    start = np.where(by_head, stated("head_start"), start)
    end = np.where(by_head, stated("head_end"), end)
    if missing := int(np.count_nonzero(start == NOWHERE)):
        raise UsageError(
            "mentions(match=lenient) requires the head or minimal span of each key mention, but"
            f" {missing} have none"
        )
    zero = np.where(by_head, stated("zero", ""), "")
    return Spans(rows.unit[mentions], start, end, zero)


def mentions(match: str = "strict", credit: str = "1", typed: str = NO) -> Metric:
    """Return mention detection, strict, lenient or typed; a lenient match counts 1 or half."""
    one_of("mentions", "match", match, ("strict", "lenient"))
    one_of("mentions", "credit", credit, tuple(_CREDIT))
    if typed == YES:
        from scoref.metrics.typed import TYPED_MENTIONS  # noqa: PLC0415  # few ask for it

        if match == "lenient":
            raise UsageError("mentions(typed) has no match=lenient", "choose one of them")
        return TYPED_MENTIONS
    lenient = match == "lenient"
    worth = _CREDIT[credit]
    return Metric(
        name="mentions",
        count=(lambda table: count_leniently(table, worth)) if lenient else count,
        symmetric=not lenient,
        by_sums=not lenient,
        takes_several=not lenient,
        needs=frozenset({MINIMAL_SPANS_OR_HEADS, SPANS} if lenient else ()),
        about=About(
            title="Mention detection",
            formula="R = shared mentions / key mentions, P = shared mentions / response mentions;"
            " match=lenient also counts a response mention that has the head of a key mention and"
            " nothing outside it, as 1 or, with credit=half, as 1/2",
            paper="Pradhan et al. 2014; Recasens & Hovy 2011, section 4.2; half: SemEval-2010",
            rewards="finding the spans that the key annotates",
            ignores="the entities of mentions",
        ),
    )


MENTIONS = mentions()
