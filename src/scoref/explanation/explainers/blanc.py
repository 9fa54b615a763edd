"""The walk-through of BLANC: six counts of links, a score for either kind, and a boundary rule."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from scoref.explanation.blocks import Block, Formula
from scoref.explanation.explainer import Counted, Explainer, Scored, score_formulas, settled
from scoref.explanation.explainers.links import confusion_table, count_links, link_tables
from scoref.explanation.explainers.twinless import restrict_to_shared
from scoref.explanation.expressions import (
    ONE,
    TWO,
    ZERO,
    Expression,
    Number,
    Over,
    Product,
    Sum,
    decimal,
    evaluate,
    links,
)
from scoref.explanation.scene import Scene

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
Kind = tuple[Number, ...]
"""Recall, precision and F1 of one kind of link."""


def blanc(alpha: float = 0.5, boundary: str = "v8", mentions: str = "all") -> Explainer:
    """Explain BLANC with a weight, a boundary rule, and a choice of mentions."""
    weight = decimal(alpha)
    by_luo = boundary == "luo2014"

    def count(scene: Scene) -> Counted:
        scene, changes = restrict_to_shared(scene, mentions)
        counts = count_links(scene)
        in_key = Sum((links(counts.in_key),), (counts.ck,))
        in_response = Sum((links(counts.in_response),), (counts.cr,))
        blocks: list[Block] = [
            *(*changes, _TEXT, *link_tables(scene), _APART),
            Formula("nk", in_key, evaluate(in_key)),
            Formula("nr", in_response, evaluate(in_response)),
            counts.common_apart,
            confusion_table(counts),
        ]
        return Counted(counts[: 9 if by_luo else 6], blocks)

    def score(columns: Sequence[Number], undefined: str) -> Scored:
        coreferent, other, blocks = _kinds(columns)
        choose = _choose_by_either if by_luo else _choose_by_key
        rule, chosen = choose(columns)
        mean = _mean(coreferent, other, weight)
        if chosen == "both":
            rule += f" {_weighing(weight)}"
        formulas = {
            "coreferent": _taken(coreferent),
            "other": _taken(other),
            "both": mean,
            "right": _taken((ONE, ONE, ONE)),
            "wrong": _taken((ZERO, ZERO, ZERO)),
        }[chosen]
        reasons = _undefined_by_either if by_luo else _undefined_by_key
        formulas = [
            settled(Formula(formula.name, None, None), undefined, why) if why else formula
            for formula, why in zip(formulas, reasons(columns), strict=True)
        ]
        return score_formulas(formulas, [*blocks, f"Boundary rule {boundary}: {rule}"])

    return Explainer(count, score)


def _choose_by_key(columns: Sequence[Number]) -> tuple[str, str]:
    """Leave out a kind of link that the key lacks, as the reference scorer does."""
    ck, nk = columns[0], columns[3]
    if ck == 0:
        return "the key has no coreferent pair, so only the other kind counts.", "other"
    if nk == 0:
        why = "the key has no pair that is not coreferent, so only coreferent pairs count."
        return why, "coreferent"
    return "the key has pairs of both kinds, so both count.", "both"


def _undefined_by_key(columns: Sequence[Number]) -> tuple[str, str, str]:
    """Say why recall, precision and F1 do not exist, or nothing if they do."""
    ck, cr, _, nk, nr, _ = columns
    key = "0/0 because the key has no pairs" if ck == nk == 0 else ""
    response = "0/0 because the response has no pairs" if cr == nr == 0 else ""
    return key, response, "0/0 because neither side has pairs" if key and response else ""


def _choose_by_either(columns: Sequence[Number]) -> tuple[str, str]:
    """Leave out a kind of link that both sides lack."""
    ck, cr, _, nk, nr, _, in_key, in_response, shared = columns
    no_coreferent, no_other = ck == cr == 0, nk == nr == 0
    if no_coreferent and no_other:
        if in_key + in_response == 0:
            return "neither side has mentions.", "wrong"
        if in_key == in_response == shared:
            why = "neither side has pairs, and their mentions are the same: all is right."
            return why, "right"
        return (
            "neither side has pairs, and their mentions are not the same: nothing is right.",
            "wrong",
        )
    if no_coreferent:
        return "neither side has coreferent pairs, so only the other kind counts.", "other"
    if no_other:
        return "all pairs of both sides are coreferent, so only this kind counts.", "coreferent"
    return "the two sides together have pairs of both kinds, so both count.", "both"


def _undefined_by_either(columns: Sequence[Number]) -> tuple[str, str, str]:
    nothing = "0/0" if columns[6] + columns[7] == 0 else ""
    return nothing, nothing, nothing


def _weighing(alpha: Fraction) -> str:
    if alpha == Fraction(1, 2):
        says = "Each kind has the same weight."
    else:
        says = f"Coreferent pairs have the weight alpha = {alpha}, the others {1 - alpha}."
    return f"{says} F1 is the mean of F_c and F_n, not the harmonic mean of recall and precision."


def _kinds(columns: Sequence[Number]) -> tuple[Kind, Kind, list[Block]]:
    """Score each kind of link."""
    ck, cr, cc, nk, nr, nn = columns[:6]
    blocks: list[Block] = []
    kinds: list[Kind] = []
    for kind, common, in_key, in_response in (("c", cc, ck, cr), ("n", nn, nk, nr)):
        ratios: dict[str, Expression] = {
            f"R_{kind}": Over(common, in_key),
            f"P_{kind}": Over(common, in_response),
            f"F_{kind}": Over(Product((TWO, common)), Sum((in_key, in_response))),
        }
        values = {name: evaluate(ratio) for name, ratio in ratios.items()}
        blocks += [
            Formula(name, ratios[name], value or ZERO, "counted as 0" if value is None else "")
            for name, value in values.items()
        ]
        kinds.append(tuple(value or ZERO for value in values.values()))
    return kinds[0], kinds[1], blocks


def _taken(kind: Kind) -> list[Formula]:
    """Take the one kind of link that counts."""
    return [Formula(name, None, value) for name, value in zip(_NAMES, kind, strict=True)]


def _mean(coreferent: Kind, other: Kind, alpha: Fraction) -> list[Formula]:
    """Average the two kinds of link."""
    formulas = []
    for name, one, two in zip(_NAMES, coreferent, other, strict=True):
        mean: Expression = Sum((Product((alpha, one)), Product((1 - alpha, two))))
        if alpha == Fraction(1, 2):
            mean = Over(Sum((one, two)), TWO)
        formulas.append(Formula(name, mean, evaluate(mean)))
    return formulas
