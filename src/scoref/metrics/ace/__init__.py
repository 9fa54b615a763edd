"""ACE-Value: what a system's entities are worth, less what its mistakes cost.

The measure of the ACE evaluations, by the rules of NIST's scorers of 2005, 2007 and 2008. A
reference entity has a value; a system entity that is mapped to it earns as much of that value
as its mentions and attributes are right, and pays for spurious mentions; one that is mapped
to nothing pays for all of its mentions. Mentions match if their heads overlap.

    Value = (reference - missed - error - false alarm) / reference

Perfect output has the value 1, no output 0, and there is no lower bound. Where no reference
entity counts (all are generic, say), the value is undefined.

NIST's scorers add a tiny number to break ties; here ties are broken by the order of the text.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

import numpy as np

from scoref.base.arrays import Floats
from scoref.exceptions import UsageError
from scoref.metrics.ace.rules import NEGLIGIBLE, PARAMETERS, YEARS, Rules, rules_of
from scoref.metrics.ace.values import evaluate
from scoref.metrics.base import About, Metric, divide
from scoref.metrics.needs import ENTITY_TYPES, HEADS, MENTION_TYPES
from scoref.overlap.table import Table

__all__ = ["COLUMNS", "PARAMETERS", "ace", "evaluate", "rules_of"]

COLUMNS = ("reference", "missed", "error", "false_alarm", "valued_entities")


def count(table: Table, rules: Rules) -> Floats:
    """Count the value of the reference, and what was missed, wrong and spurious."""
    valued = evaluate(table, rules)
    pairs, mapped = valued.pairs, valued.mapped
    missed, alarm = valued.key_worth.copy(), -valued.unmapped
    error = np.zeros(len(missed))
    missed[pairs.key[mapped]] = 0.0
    alarm[pairs.response[mapped]] = 0.0
    error[pairs.key[mapped]] = (valued.key_worth[pairs.key] - pairs.value)[mapped]
    columns = [
        table.sum_keys(valued.key_worth),
        table.sum_keys(missed),
        table.sum_keys(error),
        table.sum_responses(alarm),
        table.sum_keys(valued.key.value > NEGLIGIBLE),
    ]
    return np.stack(columns, axis=-1)


def score(counts: Floats, *, with_sides: bool) -> Floats:
    """Score (..., 5) counts: recall and precision of values, and the value itself."""
    reference, missed, error, alarm, valued = np.moveaxis(counts, -1, 0)
    reference = np.where(valued > 0, reference, 0.0)
    right = np.maximum(reference - missed - error, 0.0)
    value = divide(reference - missed - error - alarm, reference)
    nothing = np.full_like(value, np.nan)
    recall = divide(right, reference) if with_sides else nothing
    precision = divide(right, reference - missed + alarm) if with_sides else nothing
    return np.stack([recall, precision, value], axis=-1)


@cache
def _counting(rules: Rules) -> Callable[[Table], Floats]:
    return lambda table: count(table, rules)


def ace(**given: float | str) -> Metric:
    """Make ACE-Value by the rules of a year, with any weight or cost changed."""
    year = int(given.get("year", 2005))
    if year not in YEARS:
        raise UsageError(f"ace has no year={year}", "one of: 2005, 2007, 2008")
    rules = rules_of(**given)
    return Metric(
        name="ace",
        count=_counting(rules),
        score=partial(score, with_sides=year != 2008),
        columns=COLUMNS,
        symmetric=False,
        lowest=-np.inf,
        needs=frozenset({MENTION_TYPES, ENTITY_TYPES, HEADS}),
        keeps_undefined=True,
        about=About(
            title="ACE-Value",
            formula="value = (reference - missed - error - false alarm) / reference, shown as F1;"
            " R = max(reference - missed - error, 0) / reference, P = the same / (reference -"
            " missed + false alarm); parameters that say `year` are those of NIST's scorer of"
            " the year",
            paper="NIST's scorers ace05-eval v14, ace07-eval v01, ace08-eval v08",
            rewards="entities with names, whose mentions and attributes are right",
            ignores="generic entities; in 2005, mentions put into a wrong entity cost nothing",
        ),
    )
