"""MOR, the mention overlap ratio: how many tokens of mentions were found in mentions.

The measure of CorefUD's scorer for mention detection, whatever the way to match. Key and
response mentions are aligned one to one so that they share as many tokens as possible;
mentions left over count in the denominators alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoref.arrays import Floats, Ints, sum_by
from scoref.assignment import best_alignment
from scoref.metrics.base import SPANS, About, Metric
from scoref.spans import Spans, overlapping, shared_tokens
from scoref.table import NOWHERE, Rows, Side, Table


class Overlap(NamedTuple):
    """Aligned mentions and the tokens they share; all mentions of each side and their sizes."""

    key: Ints
    response: Ints
    shared: Ints
    keys: Ints
    key_sizes: Ints
    responses: Ints
    response_sizes: Ints


def align(rows: Rows) -> Overlap:
    """Align mentions so that they share as many tokens as possible."""
    ours, key, key_nodes = _mentions(rows, "key")
    theirs, response, response_nodes = _mentions(rows, "response")
    at, other = overlapping(ours, theirs)
    shared = shared_tokens(ours.where(at), theirs.where(other))
    for pair in np.flatnonzero((key_nodes[at] != "") | (response_nodes[other] != "")).tolist():
        one = _tokens(ours, key_nodes, int(at[pair]))
        shared[pair] = len(one & _tokens(theirs, response_nodes, int(other[pair])))
    chosen = best_alignment(at, other, shared.astype(np.float64))
    return Overlap(
        key[at[chosen]],
        response[other[chosen]],
        shared[chosen],
        key,
        _sizes(ours, key_nodes),
        response,
        _sizes(theirs, response_nodes),
    )


def count(table: Table) -> Floats:
    """Count the tokens that aligned mentions share, and those of all mentions of each side."""
    unit, units = table.mentions.unit, len(table.units)
    found = align(table.mentions)
    shared = sum_by(unit[found.key], found.shared, units)
    keys = sum_by(unit[found.keys], found.key_sizes, units)
    responses = sum_by(unit[found.responses], found.response_sizes, units)
    return np.stack([shared, keys, shared, responses], axis=-1)


def _mentions(rows: Rows, side: Side) -> tuple[Spans, Ints, NDArray[np.str_]]:
    """Return the spans of a side's mentions, their rows, and what is unusual about them."""
    entity = rows.key if side == "key" else rows.res
    there = np.flatnonzero(entity != NOWHERE)
    nodes = rows.attribute(side, "nodes")
    told = np.full(len(there), "") if nodes is None else nodes[there]
    return Spans(rows.unit, *rows.span(side)).where(there), there, told


def _tokens(spans: Spans, nodes: NDArray[np.str_], row: int) -> frozenset[str]:
    if nodes[row]:
        return frozenset(str(nodes[row]).split())
    return frozenset(map(str, range(int(spans.start[row]), int(spans.end[row]) + 1)))


def _sizes(spans: Spans, nodes: NDArray[np.str_]) -> Ints:
    size = spans.length
    for row in np.flatnonzero(nodes != "").tolist():
        size[row] = len(str(nodes[row]).split())
    return size


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
        ignores="which entity a mention was put into, and the policy's way to match",
    ),
)
