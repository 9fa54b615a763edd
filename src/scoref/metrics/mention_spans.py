"""MOR and non-referring mentions: two metrics of spans, whatever the policy's way to match is.

MOR, the mention overlap ratio of CorefUD's scorer, says how many tokens of key mentions are in
response mentions. Key and response mentions are aligned one to one so that they share as many
tokens as possible; mentions that are not aligned count in the denominators only.

Non-referring mentions are expletives, predicates and others that refer to nothing. They are in no
entity, so no other metric counts them. A mention is right if the other side also has a
non-referring mention with the same span.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Floats, Ints, sum_by
from scoref.corpus.spans import overlapping, same_spans, shared_tokens
from scoref.metrics.assignment.solver import best_alignment
from scoref.metrics.base import About, Metric
from scoref.metrics.needs import NON_REFERRING, SPANS
from scoref.metrics.single_mentions import count_by_unit, mentions_of
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


def align_by_overlap(rows: MentionRows) -> OverlapAlignment:
    """Align mentions so that they share as many tokens as possible."""
    key, response = mentions_of(rows, "key"), mentions_of(rows, "response")
    key_spans, response_spans = rows.spans("key").where(key), rows.spans("response").where(response)
    at, other = overlapping(key_spans, response_spans)
    shared = shared_tokens(key_spans.where(at), response_spans.where(other))
    chosen = best_alignment(at, other, shared.astype(np.float64))
    aligned = key[at[chosen]], response[other[chosen]], shared[chosen]
    return OverlapAlignment(*aligned, key, key_spans.length, response, response_spans.length)


def count_overlap(table: Table) -> Floats:
    """Count the tokens that aligned mentions share, and the tokens of all mentions of each side."""
    unit, units = table.mentions.unit, len(table.units)
    found = align_by_overlap(table.mentions)
    shared = sum_by(unit[found.key], found.shared, units)
    keys = sum_by(unit[found.keys], found.key_sizes, units)
    responses = sum_by(unit[found.responses], found.response_sizes, units)
    return np.column_stack([shared, keys, shared, responses])


def count_non_referring(table: Table) -> Floats:
    """Count the non-referring mentions that both sides have, and those of each side."""
    sides = table.mentions.non_referring("key"), table.mentions.non_referring("response")
    (key, at), (response, other) = (
        np.unique(number, return_index=True) for number in same_spans(*sides)
    )
    key_unit, response_unit = sides[0].document[at], sides[1].document[other]
    shared = key_unit[np.isin(key, response, assume_unique=True)]
    return count_by_unit(len(table.units), shared, key_unit, response_unit)


MOR = Metric(
    name="mor",
    count=count_overlap,
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
NONREFERRING = Metric(
    name="nonreferring",
    count=count_non_referring,
    needs=frozenset({NON_REFERRING}),
    about=About(
        title="Non-referring mentions",
        formula="R = mentions that are non-referring on both sides / non-referring mentions of the"
        " key, P with those of the response; spans must be equal",
        paper="Yu et al. 2022 (Universal Anaphora scorer)",
        rewards="distinguishing expletives, predicates and the like from mentions of entities",
        ignores="entities, what kind of non-referring mention it is, and the policy's way to match",
    ),
)
