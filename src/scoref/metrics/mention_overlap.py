"""MOR, the mention overlap ratio: how many tokens of key mentions are in response mentions.

The metric of CorefUD's scorer for mention detection, independent of the way to match. Key and
response mentions are aligned one to one so that they share as many tokens as possible;
mentions that are not aligned count in the denominators only.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Floats, Ints, sum_by
from scoref.corpus.spans import overlapping, shared_tokens
from scoref.metrics.assignment.solver import best_alignment
from scoref.metrics.base import About, Metric
from scoref.metrics.mention_pairs import mentions_of
from scoref.metrics.needs import SPANS
from scoref.metrics.table import MentionRows, Table


class OverlapAlignment(NamedTuple):
    """Aligned mentions and the tokens they share; all mentions of each side and their sizes."""

    key: Ints
    response: Ints
    shared: Ints
    keys: Ints
    key_sizes: Ints
    responses: Ints
    response_sizes: Ints


def align(rows: MentionRows) -> OverlapAlignment:
    """Align mentions so that they share as many tokens as possible."""
    key, response = mentions_of(rows, "key"), mentions_of(rows, "response")
    key_spans, response_spans = rows.spans("key").where(key), rows.spans("response").where(response)
    at, other = overlapping(key_spans, response_spans)
    shared = shared_tokens(key_spans.where(at), response_spans.where(other))
    chosen = best_alignment(at, other, shared.astype(np.float64))
    aligned = key[at[chosen]], response[other[chosen]], shared[chosen]
    return OverlapAlignment(*aligned, key, key_spans.length, response, response_spans.length)


def count(table: Table) -> Floats:
    """Count the tokens that aligned mentions share, and the tokens of all mentions of each side."""
    unit, units = table.mentions.unit, len(table.units)
    found = align(table.mentions)
    shared = sum_by(unit[found.key], found.shared, units)
    keys = sum_by(unit[found.keys], found.key_sizes, units)
    responses = sum_by(unit[found.responses], found.response_sizes, units)
    return np.column_stack([shared, keys, shared, responses])


MOR = Metric(
    name="mor",
    count=count,
    needs=frozenset({SPANS}),
    about=About(
        title="Mention overlap ratio",
        formula="R = shared tokens of aligned mentions / tokens of key mentions, P with those of"
        " response mentions; mentions are aligned one to one for the greatest overlap",
        paper="CorefUD's scorer 1.2",
        rewards="mentions that cover the tokens of key mentions",
        ignores="the entities of mentions, and the policy's way to match",
    ),
)
