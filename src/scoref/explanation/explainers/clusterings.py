"""How metrics of clusterings make scores of what they sum; `recorded` shows the sums."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from scoref.explanation.blocks import Formula
from scoref.explanation.explainer import Scored, f1, score_formulas, settled
from scoref.explanation.expressions import ONE, ZERO, Number, Over, Product, Sum, decimal

_NO_ENTROPY = "this side has one entity, so nothing is to be found out"
_EQUAL = "chance leaves no room because both sides are the same, which counts as 1"
_NO_MENTIONS = "undefined without mentions; the policy for 0/0 does not apply"


def score_vmeasure(columns: Sequence[Number], undefined: str, **_: Any) -> Scored:
    """Score completeness and homogeneity."""
    of_response, response, of_key, key, mentions = columns
    formulas = []
    sides = (("recall", of_response, response), ("precision", of_key, key))
    for name, rest, entropy in sides:
        formula = Formula.of(name, Over(Sum((entropy,), (rest,)), entropy))
        if formula.value is None and mentions:
            formula = Formula(name, None, ONE, _NO_ENTROPY)
        elif formula.value is not None:
            formula = replace(formula, value=max(formula.value, ZERO))
        formulas.append(formula)
    mean = f1(formulas[0].value, formulas[1].value, undefined)
    return score_formulas([*(settled(one, undefined) for one in formulas), mean])


def score_variation(columns: Sequence[Number], _: str, **__: Any) -> Scored:
    """Score what is unknown of both sides per mention."""
    of_key, of_response, mentions = columns
    distance = Formula.of("variation of information", Over(Sum((of_key, of_response)), mentions))
    if distance.value is None:
        distance = Formula(distance.name, None, None, _NO_MENTIONS)
    return score_formulas([distance])


def score_ami(columns: Sequence[Number], undefined: str, **_: Any) -> Scored:
    """Divide what is better than chance by the most that can be."""
    of_key, of_response, expected, mentions = columns
    ratio = Over(Sum((expected,), (of_key, of_response)), expected)
    adjusted = Formula.of("adjusted mutual information", ratio)
    if adjusted.value is None and mentions:
        adjusted = Formula(adjusted.name, ratio, ONE, _EQUAL)
    return score_formulas([settled(adjusted, undefined)])


def score_merge_distance(
    columns: Sequence[Number], _: str, split: float = 1.0, merge: float = 1.0, **__: Any
) -> Scored:
    """Add what the splits and the merges cost."""
    parts, keys, responses = columns
    splits = Formula.of("splits", Sum((parts,), (responses,)))
    merges = Formula.of("merges", Sum((parts,), (keys,)))
    costs = ((splits.value, split), (merges.value, merge))
    cost = Sum(tuple(Product((decimal(each), steps or ZERO)) for steps, each in costs))
    return score_formulas([Formula.of("cost", cost)], [splits, merges])
