"""MOR, the mention overlap ratio: how many tokens of mentions were found in mentions.

The measure of CorefUD's scorer for mention detection, whatever the way to match. Key and
response mentions are aligned one to one so that they share as many tokens as possible;
mentions left over count in the denominators alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scoref.assignment.solver import best_alignment
from scoref.base.arrays import Floats, Ints, sum_by
from scoref.corpus.spans import overlapping, shared_tokens
from scoref.metrics.base import About, Metric
from scoref.metrics.needs import SPANS
from scoref.overlap.mention_rows import MentionRows
from scoref.overlap.table import NOWHERE, Table


class Overlap(NamedTuple):
    """Aligned mentions and the tokens they share; all mentions of each side and their sizes."""

    key: Ints
    response: Ints
    shared: Ints
    keys: Ints
    key_sizes: Ints
    responses: Ints
    response_sizes: Ints


def align(rows: MentionRows) -> Overlap:
    """Align mentions so that they share as many tokens as possible."""
    key, response = (np.flatnonzero(entity != NOWHERE) for entity in (rows.key, rows.res))
    ours, theirs = rows.spans("key").where(key), rows.spans("response").where(response)
    at, other = overlapping(ours, theirs)
    shared = shared_tokens(ours.where(at), theirs.where(other))
    chosen = best_alignment(at, other, shared.astype(np.float64))
    return Overlap(
        key[at[chosen]],
        response[other[chosen]],
        shared[chosen],
        key,
        ours.length,
        response,
        theirs.length,
    )


def count(table: Table) -> Floats:
    """Count the tokens that aligned mentions share, and those of all mentions of each side."""
    unit, units = table.mentions.unit, len(table.units)
    found = align(table.mentions)
    shared = sum_by(unit[found.key], found.shared, units)
    keys = sum_by(unit[found.keys], found.key_sizes, units)
    responses = sum_by(unit[found.responses], found.response_sizes, units)
    return np.stack([shared, keys, shared, responses], axis=-1)


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
