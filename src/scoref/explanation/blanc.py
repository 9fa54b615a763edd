"""The walk-through of BLANC: six counts of links, a score for either kind, and a boundary rule."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from scoref.explanation.blocks import Block, Formula
from scoref.explanation.explainer import Counted, Explainer, Scored, settled
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
    pairs,
)
from scoref.explanation.links import common_apart, confusion, count_links, link_tables
from scoref.explanation.scene import Scene
from scoref.explanation.twinless import restrict

_TEXT = (
    "Each pair of mentions is a link of one of two kinds: coreferent if both are in one entity,"
    " else not. ck, cr and cc are the coreferent pairs of the key, of the response, and of both;"
    " nk, nr and nn those that are not. An entity of n mentions has n(n - 1)/2 coreferent pairs."
)
_APART = (
    "All other pairs of a side are not coreferent. Of the pairs of mentions that both sides have,"
    " nn are coreferent on neither side: all, less those inside a key entity, less those inside a"
    " response entity, plus those that were taken away twice."
)
_NAMES = ("recall", "precision", "F1")


class Kind(NamedTuple):
    """Recall, precision and F1 of one kind of link; what cannot be divided is 0."""

    recall: Number
    precision: Number
    f1: Number


def blanc(alpha: float = 0.5, boundary: str = "v8", mentions: str = "all") -> Explainer:
    """Explain BLANC with a weight, a boundary rule, and a choice of mentions."""
    weight = decimal(alpha)

    def count(scene: Scene) -> Counted:
        scene, changes = restrict(scene) if mentions == "shared" else (scene, [])
        links = count_links(scene)
        in_key = Sum((pairs(links.in_key),), (links.ck,))
        in_response = Sum((pairs(links.in_response),), (links.cr,))
        blocks: list[Block] = [
            *changes,
            _TEXT,
            *link_tables(scene),
            _APART,
            Formula("nk", in_key, evaluate(in_key)),
            Formula("nr", in_response, evaluate(in_response)),
            common_apart(links),
            confusion(links),
        ]
        there = (links.in_key, links.in_response, links.shared)
        also = tuple(map(Fraction, there)) if boundary == "luo2014" else ()
        return Counted((*links[:6], *also), blocks)

    def score(columns: Sequence[Number], undefined: str) -> Scored:
        if boundary == "luo2014":
            return _score_luo(columns, weight, undefined)
        return _score_by_key(columns, weight, undefined, boundary)

    return Explainer(count, score)


def _score_by_key(
    columns: Sequence[Number], alpha: Fraction, undefined: str, boundary: str
) -> Scored:
    """Leave a kind of link out that the key lacks, as the reference scorer does."""
    ck, cr, _, nk, nr, _ = columns
    coreferent, other, blocks = _kinds(columns)
    rule = f"Boundary rule {boundary}: "
    if ck == 0:
        rule += "the key has no coreferent pair, so that only the other kind counts."
        formulas = _taken(other)
    elif nk == 0:
        rule += "the key has no pair that is not coreferent, so that only coreferent pairs count."
        formulas = _taken(coreferent)
    else:
        rule += "the key has pairs of both kinds, so that both count. " + _weighing(alpha)
        formulas = _mixed(coreferent, other, alpha)
    no_key, no_response = ck == nk == 0, cr == nr == 0
    undefined_here = (
        (no_key, "0/0 because the key has no pairs"),
        (no_response, "0/0 because the response has no pairs"),
        (no_key and no_response, "0/0 because neither side has pairs"),
    )
    settled_formulas = [
        settled(Formula(formula.name, None, None), undefined, why) if nothing else formula
        for formula, (nothing, why) in zip(formulas, undefined_here, strict=True)
    ]
    return Scored([*blocks, rule, *settled_formulas], *(f.value for f in settled_formulas))


def _score_luo(columns: Sequence[Number], alpha: Fraction, undefined: str) -> Scored:
    """Leave a kind of link out that both sides lack."""
    ck, cr, _, nk, nr, _, in_key, in_response, shared = columns
    coreferent, other, blocks = _kinds(columns)
    rule = "Boundary rule luo2014: "
    no_coreferent, no_other = ck == cr == 0, nk == nr == 0
    if no_coreferent and no_other and in_key + in_response == 0:
        formulas = [settled(Formula(name, None, None), undefined) for name in _NAMES]
        rule += "neither side has mentions."
    elif no_coreferent and no_other:
        same = in_key == in_response == shared
        rule += "neither side has pairs, and their mentions are " + (
            "the same: all is right." if same else "not the same: nothing is right."
        )
        formulas = [Formula(name, None, ONE if same else ZERO) for name in _NAMES]
    elif no_coreferent:
        rule += "neither side has coreferent pairs, so that only the other kind counts."
        formulas = _taken(other)
    elif no_other:
        rule += "all pairs of both sides are coreferent, so that only this kind counts."
        formulas = _taken(coreferent)
    else:
        rule += "the two sides together have pairs of both kinds, so that both count. "
        rule += _weighing(alpha)
        formulas = _mixed(coreferent, other, alpha)
    return Scored([*blocks, rule, *formulas], *(formula.value for formula in formulas))


def _weighing(alpha: Fraction) -> str:
    if alpha == Fraction(1, 2):
        says = "Each kind has the same say."
    else:
        says = f"Coreferent pairs have a say of alpha = {alpha}, the others of {1 - alpha}."
    return f"{says} F1 is the mean of F_c and F_n, not the harmonic mean of recall and precision."


def _kinds(columns: Sequence[Number]) -> tuple[Kind, Kind, list[Block]]:
    """Score each kind of link."""
    ck, cr, cc, nk, nr, nn = columns[:6]
    blocks: list[Block] = []
    kinds = []
    for kind, common, in_key, in_response in (("c", cc, ck, cr), ("n", nn, nk, nr)):
        ratios: dict[str, Expression] = {
            f"R_{kind}": Over(common, in_key),
            f"P_{kind}": Over(common, in_response),
            f"F_{kind}": Over(Product((TWO, common)), Sum((in_key, in_response))),
        }
        values = []
        for name, ratio in ratios.items():
            value = evaluate(ratio)
            remark = "" if value is not None else "which earns nothing"
            values.append(ZERO if value is None else value)
            blocks.append(Formula(name, ratio, values[-1], remark))
        kinds.append(Kind(*values))
    return kinds[0], kinds[1], blocks


def _taken(kind: Kind) -> list[Formula]:
    """Take the one kind of link that counts."""
    return [Formula(name, None, value) for name, value in zip(_NAMES, kind, strict=True)]


def _mixed(coreferent: Kind, other: Kind, alpha: Fraction) -> list[Formula]:
    """Average the two kinds of link."""
    formulas = []
    for name, one, two in zip(_NAMES, coreferent, other, strict=True):
        mean: Expression = (
            Over(Sum((one, two)), TWO)
            if alpha == Fraction(1, 2)
            else Sum((Product((alpha, one)), Product((1 - alpha, two))))
        )
        formulas.append(Formula(name, mean, evaluate(mean)))
    return formulas
