"""The walk-through of ACE-Value: values of entities, pairs that can be mapped, their costs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from scoref.explanation.blocks import Block, Formula
from scoref.explanation.explainer import CountedTerms, Explainer, Scored, score_formulas
from scoref.explanation.explainers.ace.rules_in_words import state_rules
from scoref.explanation.explainers.ace.tables import (
    cost_table,
    entity_table,
    mapping_table,
    match_table,
    pair_table,
)
from scoref.explanation.explainers.ace.values import find_matches, value_pairs, weigh
from scoref.explanation.expressions import ZERO, Number, Over, Sum, evaluate, exact_sum
from scoref.explanation.scene import Scene
from scoref.metrics.ace import evaluate as evaluate_as_metric
from scoref.metrics.ace import rules_of
from scoref.metrics.ace.rules import NEGLIGIBLE, Rules


def ace(**parameters: float | str) -> Explainer:
    """Explain ACE-Value by the rules of a year, with any weight or cost changed."""
    rules = rules_of(**parameters)

    def count(scene: Scene) -> CountedTerms:
        return _count(scene, rules)

    def score(columns: Sequence[Number], _: str) -> Scored:
        return _score(columns, with_sides=not rules.map_by_mentions)

    return Explainer(count, score)


def _count(scene: Scene, rules: Rules) -> CountedTerms:
    """Count in fractions, with the mapping that the metric chooses.

    Mappings that are worth the same differ in what is missed and what is spurious.
    """
    sides = weigh(scene, scene.key_side, rules), weigh(scene, scene.response_side, rules)
    key, response = sides
    found = find_matches(key, response, rules)
    chosen = evaluate_as_metric(scene.table, rules)
    mapped, every = chosen.mapped, np.ones_like(chosen.mapped)
    by_mentions = rules.by_mentions or rules.map_by_mentions
    first = last = value_pairs(sides, found, rules, by_mentions=by_mentions)
    worth = key.entities.worth(by_mentions=rules.by_mentions)
    pairs: list[Block] = [pair_table(scene, first, every, "Pairs of entities that can be mapped")]
    again: list[Block] = []
    if rules.map_by_mentions and not rules.by_mentions:
        last = value_pairs(sides, found, rules, by_mentions=False)
        pairs = [pair_table(scene, first, every, "Pairs that can be mapped, for the mapping")]
        again = [pair_table(scene, last, mapped, "Mapped pairs, by levels")]
    taken = last.matched & mapped[last.pair]
    table, costs = cost_table(scene, worth, last, mapped)
    text = state_rules(rules)
    blocks: list[Block] = [
        text.entities,
        entity_table(scene, key, "worth", worth),
        entity_table(scene, response, "if not mapped", -last.unmapped),
        *(text.matches, match_table(scene, sides, found, taken)),
        *(text.pairs, *pairs),
        *(text.mapping, mapping_table(scene, first, mapped), *again),
        *(text.costs, table),
    ]
    valued = Fraction(int((chosen.key.value > NEGLIGIBLE).sum()))
    return CountedTerms((exact_sum(worth), *costs, valued), blocks)


_BELOW = "what is below zero counts as zero"
_NOTHING = "no entity of the key counts; the policy for 0/0 does not apply"
_UNDEFINED = "undefined; the policy for 0/0 does not apply"


def _score(columns: Sequence[Number], *, with_sides: bool) -> Scored:
    reference, missed, error, alarm, valued = columns
    reference = reference if valued else ZERO
    right = Sum((reference,), (missed, error))
    ratios = {"value": Over(Sum((reference,), (missed, error, alarm)), reference)}
    if with_sides:
        found = Sum((reference, alarm), (missed,))
        ratios = {"recall": Over(right, reference), "precision": Over(right, found)} | ratios
    formulas = []
    for name, ratio in ratios.items():
        value = evaluate(ratio)
        formula = Formula(name, ratio, value)
        if value is None:  # no policy gives it a value
            remark = _UNDEFINED if valued else _NOTHING
            formula = Formula(name, ratio if valued else None, None, remark)
        elif value < 0 and name != "value":
            formula = Formula(name, ratio, ZERO, _BELOW)
        formulas.append(formula)
    return score_formulas(formulas)
