"""ACE-Value: what a system's entities are worth, less what its mistakes cost.

The metric of the ACE evaluations, by the rules of NIST's scorers of 2005, 2007 and 2008. A
reference entity has a value. A system entity that is mapped to it earns the part of this value
for which its mentions and attributes are right, and pays for spurious mentions. A system entity
that is not mapped pays for all of its mentions. Mentions match if their heads overlap.

    Value = (reference - missed - error - false alarm) / reference

Perfect output has the value 1, empty output 0, and the value has no lower bound. Where no
reference entity counts (for example, all are generic), the value is undefined.

NIST's scorers add a tiny number to break ties; here the order of the text breaks ties.
"""

from __future__ import annotations

from functools import cache, partial

import numpy as np

from scoref.base.arrays import Floats
from scoref.exceptions import UsageError
from scoref.metrics.ace.rules import NEGLIGIBLE, YEARS, Rules, rules_of
from scoref.metrics.ace.values import evaluate
from scoref.metrics.base import About, Count, Metric, divide, only_f1
from scoref.metrics.needs import ENTITY_TYPES, HEADS, TYPES
from scoref.metrics.table import Table

__all__ = ["COLUMNS", "ace", "evaluate", "rules_of"]

COLUMNS = ("reference", "missed", "error", "false_alarm", "valued_entities")


def count(table: Table, rules: Rules) -> Floats:
    """Count the value of the reference, and what is missed, wrong and spurious."""
    valued = evaluate(table, rules)
    pairs, mapped = valued.pairs, valued.mapped
    missed, alarm = valued.key_worth.copy(), -valued.unmapped
    error = np.zeros(len(missed))
    missed[pairs.key[mapped]] = 0.0
    alarm[pairs.response[mapped]] = 0.0
    error[pairs.key[mapped]] = (valued.key_worth[pairs.key] - pairs.value)[mapped]
    of_keys = (valued.key_worth, missed, error, valued.key.value > NEGLIGIBLE)
    reference, missed, error, entities = map(table.sum_keys, of_keys)
    return np.column_stack([reference, missed, error, table.sum_responses(alarm), entities])


def score(counts: Floats, *, with_sides: bool) -> Floats:
    """Score (..., 5) counts: recall and precision of values, and the value itself."""
    reference, missed, error, alarm, valued = np.moveaxis(counts, -1, 0)
    reference = np.where(valued > 0, reference, 0.0)
    right = np.maximum(reference - missed - error, 0.0)
    value = divide(reference - missed - error - alarm, reference)
    if not with_sides:
        return only_f1(value)
    recall, precision = divide(right, reference), divide(right, reference - missed + alarm)
    return np.stack([recall, precision, value], axis=-1)


@cache
def _counting(rules: Rules) -> Count:
    return partial(count, rules=rules)


def ace(**parameters: float | str) -> Metric:
    """Return ACE-Value by the rules of a year, with changed weights or costs."""
    year = int(parameters.get("year", 2005))
    if year not in YEARS:
        raise UsageError(f"ace has no year={year}", "use one of: 2005, 2007, 2008")
    rules = rules_of(**parameters)
    return Metric(
        name="ace",
        count=_counting(rules),
        score=partial(score, with_sides=year != 2008),
        columns=COLUMNS,
        symmetric=False,
        lowest=-np.inf,
        needs=frozenset({TYPES, ENTITY_TYPES, HEADS}),
        keeps_undefined=True,
        about=About(
            title="ACE-Value",
            formula="value = (reference - missed - error - false alarm) / reference, shown as F1;"
            " R = max(reference - missed - error, 0) / reference, P = the same / (reference -"
            " missed + false alarm); a parameter with the default `year` has the value of"
            " NIST's scorer of that year",
            paper="NIST's scorers ace05-eval v14, ace07-eval v01, ace08-eval v08",
            rewards="entities with names, whose mentions and attributes are right",
            ignores="generic entities; in 2005, mentions in a wrong entity cost nothing",
        ),
    )
