"""The anaphor-decomposable score of zeros: whether each zero is linked to its entity.

The metric of the CRAC shared tasks for zero anaphora. A zero is a mention whose head is an empty
node. It is an anaphor unless it is the first mention of its entity. A zero anaphor of the key is

    right    if an earlier mention of its key entity is in the response entity that it is in
    wrong    if that response entity has no such mention (a wrong link)
    missed   if the response lacks it, or has it as the first mention of an entity

A zero anaphor of the response that matches no zero anaphor of the key is spurious. Recall is
right / (right + wrong + missed), precision right / (right + wrong + spurious).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Bools, Floats, Ints, first_of_run, pack, sum_by
from scoref.corpus.spans import text_order
from scoref.metrics.base import About, Metric
from scoref.metrics.needs import SPANS, ZEROS
from scoref.metrics.table import NOWHERE, MentionRows, SideName, Table


class Anaphors(NamedTuple):
    """The outcomes of zero anaphors: rows of key mentions; `spurious`: of response mentions."""

    right: Bools
    wrong: Bools
    missed: Bools
    spurious: Bools


def count(table: Table) -> Floats:
    """Count the zero anaphors that are right, and the zero anaphors of each side."""
    return count_anaphors(table, classify(table.mentions))


def count_anaphors(table: Table, anaphors: Anaphors) -> Floats:
    """Count the outcomes of zero anaphors per document."""
    unit, units = table.mentions.unit, len(table.units)
    right, wrong, missed, spurious = (sum_by(unit, kind, units) for kind in anaphors)
    return np.column_stack([right, right + wrong + missed, right, right + wrong + spurious])


def classify(rows: MentionRows) -> Anaphors:
    """Classify each zero anaphor."""
    every = np.arange(len(rows.unit))
    both = (rows.key != NOWHERE) & (rows.res != NOWHERE)
    return classify_matches(rows, np.where(both, every, NOWHERE), every)


def classify_matches(rows: MentionRows, partner: Ints, mention: Ints) -> Anaphors:
    """Classify zeros by the response row that is the partner of each key row, or NOWHERE.

    Rows with the same number in `mention` are the same mention.
    """
    order = text_order(rows.spans("key"))
    response_first = _first(rows.res, text_order(rows.spans("response")))
    anaphor = is_zero(rows, "key") & ~_first(rows.key, order)
    matched = partner != NOWHERE
    first = np.isin(mention, mention[response_first])
    entity = np.where(matched, rows.res[partner], NOWHERE)
    found = anaphor & matched & ~first[partner]
    together = pack(rows.key + 1, entity + 1)
    linked = ~_first(np.where(matched & (rows.key != NOWHERE), together, NOWHERE), order)
    visited = np.isin(mention, mention[partner[anaphor & matched]])
    return Anaphors(
        right=found & linked,
        wrong=found & ~linked,
        missed=anaphor & ~found,
        spurious=is_zero(rows, "response") & ~first & ~visited,
    )


def is_zero(rows: MentionRows, side: SideName) -> Bools:
    """Mark the mentions of a side whose head is an empty node."""
    entity = rows.key if side == "key" else rows.res
    zero = np.zeros(len(entity), dtype=bool)
    if (head := rows.attribute(side, "zero")) is not None:
        zero |= head != ""
    if (nodes := rows.attribute(side, "nodes")) is not None:
        stated = np.flatnonzero(nodes != "")
        zero[stated] |= [text.find(".") > 0 and " " not in text for text in nodes[stated].tolist()]
    found: Bools = zero & (entity != NOWHERE)
    return found


def _first(group: Ints, order: Ints) -> Bools:
    """Mark the first row of each group; NOWHERE is not a group."""
    there = np.flatnonzero(group != NOWHERE)
    there = there[np.lexsort((order[there], group[there]))]
    first = np.zeros(len(group), dtype=bool)
    first[there[first_of_run(group[there])]] = True
    return first


ZERO = Metric(
    name="zero",
    count=count,
    symmetric=False,
    needs=frozenset({SPANS, ZEROS}),
    about=About(
        title="Zero anaphora (anaphor-decomposable score)",
        formula="R = right / (right + wrong + missed), P = right / (right + wrong + spurious), of"
        " zeros that are not the first mention of their entity; a zero is right if an earlier"
        " mention of its key entity is in its response entity, missed if the response lacks it or"
        " has it first in an entity, else wrong",
        paper="Žabokrtský et al. 2022; CorefUD's scorer 1.2",
        rewards="zeros that are found and linked to an earlier mention of their entity",
        ignores="mentions that are not zeros, except as antecedents; files without zeros have no"
        " score",
    ),
)
