"""The walk-through of BLANC: six counts of links, a score for either kind, and a boundary rule."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from scoref.explanation.blocks import Formula
from scoref.explanation.explainer import Columns, Scored, Steps, score_formulas, settled
from scoref.explanation.explainers.links import (
    confusion_table,
    count_links,
    restrict_to_shared,
    show_links,
)
from scoref.explanation.expressions import (
    ONE,
    TWO,
    ZERO,
    Number,
    Over,
    Product,
    Sum,
    decimal,
    links,
)

_TEXT = (
    "Each pair of mentions is a link of one of two kinds: coreferent if both are in one entity,"
    " else not. ck, cr and cc are the coreferent pairs of the key, of the response, and of both;"
    " nk, nr and nn are the pairs that are not coreferent. An entity of n mentions has n(n - 1)/2"
    " coreferent pairs."
)
_APART = (
    "All other pairs of a side are not coreferent. Of the pairs of mentions that both sides have,"
    " nn are coreferent on neither side: all pairs, less those inside a key entity, less those"
    " inside a response entity, plus those that were subtracted twice."
)
_NAMES = ("recall", "precision", "F1")
_COREFERENT, _OTHER, _BOTH, _ALL, _NONE = "coreferent", "other", "both", "all", "none"
Kind = tuple[Number, ...]
"""Recall, precision and F1 of one kind of link."""


def blanc(steps: Steps, boundary: str = "v8", mentions: str = "all", **_: float) -> Columns:
    """Explain the links that BLANC counts, of all mentions or of those that both sides have."""
    steps = restrict_to_shared(steps, mentions)
    steps.show(_TEXT)
    show_links(steps)
    counts = count_links(steps.scene)
    steps.show(
        _APART,
        Formula.of("nk", Sum((links(counts.in_key),), (counts.ck,))),
        Formula.of("nr", Sum((links(counts.in_response),), (counts.cr,))),
        counts.common_apart,
        confusion_table(counts),
    )
    return counts[: 9 if boundary == "luo2014" else 6]


def score_blanc(
    columns: Sequence[Number], undefined: str, alpha: float = 0.5, boundary: str = "v8", **_: str
) -> Scored:
    """Explain the scores of BLANC, with a weight and a boundary rule."""
    weight = decimal(alpha)
    coreferent, other, blocks = _kinds(columns)
    rule, counts, why = (_rule_luo if boundary == "luo2014" else _rule_by_key)(columns)
    formulas = _mean(coreferent, other, weight)
    if counts == _BOTH:
        rule += f" {_weighing(weight)}"
    else:
        values = {_COREFERENT: coreferent, _OTHER: other, _ALL: (ONE,) * 3, _NONE: (ZERO,) * 3}
        named = zip(_NAMES, values[counts], strict=True)
        formulas = [Formula(name, None, value) for name, value in named]
    formulas = [
        settled(Formula(formula.name, None, None), undefined, reason) if reason else formula
        for formula, reason in zip(formulas, why, strict=True)
    ]
    return score_formulas(formulas, [*blocks, f"Boundary rule {boundary}: {rule}"])


Rule = tuple[str, str, tuple[str, str, str]]
"""A rule in words, what counts by it, and why recall, precision and F1 do not exist if so."""


def _rule_by_key(columns: Sequence[Number]) -> Rule:
    """Leave out a kind of link that the key lacks, as the reference scorer does."""
    ck, cr, _, nk, nr, _ = columns
    key = "0/0 because the key has no pairs" if ck == nk == 0 else ""
    response = "0/0 because the response has no pairs" if cr == nr == 0 else ""
    why = key, response, "0/0 because neither side has pairs" if key and response else ""
    if ck == 0:
        return "the key has no coreferent pair, so only the other kind counts.", _OTHER, why
    if nk == 0:
        rule = "the key has no pair that is not coreferent, so only coreferent pairs count."
        return rule, _COREFERENT, why
    return "the key has pairs of both kinds, so both count.", _BOTH, why


def _rule_luo(columns: Sequence[Number]) -> Rule:
    """Leave out a kind of link that both sides lack."""
    ck, cr, _, nk, nr, _, in_key, in_response, shared = columns
    exists = ("", "", "")
    if in_key + in_response == 0:
        return "neither side has mentions.", _NONE, ("0/0", "0/0", "0/0")
    if ck == cr == nk == nr == 0:
        if in_key == in_response == shared:
            rule = "neither side has pairs, and their mentions are the same: all is right."
            return rule, _ALL, exists
        rule = "neither side has pairs, and their mentions are not the same: nothing is right."
        return rule, _NONE, exists
    if ck == cr == 0:
        rule = "neither side has coreferent pairs, so only the other kind counts."
        return rule, _OTHER, exists
    if nk == nr == 0:
        rule = "all pairs of both sides are coreferent, so only this kind counts."
        return rule, _COREFERENT, exists
    return "the two sides together have pairs of both kinds, so both count.", _BOTH, exists


def _weighing(alpha: Fraction) -> str:
    if alpha == Fraction(1, 2):
        says = "Each kind has the same weight."
    else:
        says = f"Coreferent pairs have the weight alpha = {alpha}, the others {1 - alpha}."
    return f"{says} F1 is the mean of F_c and F_n, not the harmonic mean of recall and precision."


def _kinds(columns: Sequence[Number]) -> tuple[Kind, Kind, list[Formula]]:
    """Score each kind of link; 0/0 counts as 0."""
    ck, cr, cc, nk, nr, nn = columns[:6]
    formulas: list[Formula] = []
    for kind, common, in_key, in_response in (("c", cc, ck, cr), ("n", nn, nk, nr)):
        formulas += [
            Formula.of(f"R_{kind}", Over(common, in_key)),
            Formula.of(f"P_{kind}", Over(common, in_response)),
            Formula.of(f"F_{kind}", Over(Product((TWO, common)), Sum((in_key, in_response)))),
        ]
    formulas = [
        one if one.value is not None else Formula(one.name, one.expression, ZERO, "counted as 0")
        for one in formulas
    ]
    values = tuple(formula.value or ZERO for formula in formulas)
    return values[:3], values[3:], formulas


def _mean(coreferent: Kind, other: Kind, alpha: Fraction) -> list[Formula]:
    """Average the two kinds of link."""
    formulas = []
    for name, one, two in zip(_NAMES, coreferent, other, strict=True):
        weighed = Sum((Product((alpha, one)), Product((1 - alpha, two))))
        mean = Over(Sum((one, two)), TWO) if alpha == Fraction(1, 2) else weighed
        formulas.append(Formula.of(name, mean))
    return formulas
