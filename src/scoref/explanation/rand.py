"""The walk-throughs of the Rand index, and of the one adjusted for chance."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from scoref.explanation.blocks import Block, Formula
from scoref.explanation.explainer import Counted, Explainer, Scored, score_alone
from scoref.explanation.expressions import (
    ONE,
    TWO,
    ZERO,
    Number,
    Over,
    Product,
    Sum,
    evaluate,
    pairs,
)
from scoref.explanation.links import (
    LINKS,
    Links,
    common_apart,
    confusion,
    count_links,
    link_tables,
)
from scoref.explanation.scene import Scene
from scoref.explanation.twinless import restrict

_CHANCE = (
    "By chance alone, with entities of these sizes, as many links are expected to be common as key"
    " links times response links over all pairs. The most there can be is taken to be the mean of"
    " both sides' links."
)


def _same_mentions(scene: Scene, mentions: str) -> tuple[Scene, list[Block]]:
    return restrict(scene) if mentions == "shared" else (scene, [])


def rand(mentions: str = "same") -> Explainer:
    """Explain the Rand index."""

    def count(scene: Scene) -> Counted:
        scene, changes = _same_mentions(scene, mentions)
        links = count_links(scene)
        blocks: list[Block] = [
            *changes,
            LINKS,
            *link_tables(scene),
            _all_pairs(links),
            common_apart(links),
            confusion(links),
            "Both sides agree on the pairs that both put together (cc) or both put apart (nn).",
        ]
        agreeing = Sum((links.cc, links.nn))
        blocks.append(Formula("agreeing pairs", agreeing, evaluate(agreeing)))
        return Counted((links.cc + links.nn, pairs(links.in_key)), blocks)

    def score(columns: Sequence[Number], undefined: str) -> Scored:
        return score_alone("Rand index", Over(*columns), undefined)

    return Explainer(count, score)


def _all_pairs(links: Links) -> Formula:
    """Count all pairs of mentions."""
    mentions = links.in_key
    if mentions < 2:
        return Formula("all pairs", None, ZERO)
    total = Over(Product((Fraction(mentions), Fraction(mentions - 1))), TWO)
    return Formula("all pairs", total, evaluate(total))


def ari(mentions: str = "same") -> Explainer:
    """Explain the adjusted Rand index."""

    def count(scene: Scene) -> Counted:
        scene, changes = _same_mentions(scene, mentions)
        links = count_links(scene)
        total = pairs(links.in_key)
        by_chance = Over(Product((links.ck, links.cr)), total)
        expected = evaluate(by_chance)
        most = Over(Sum((links.ck, links.cr)), TWO)
        blocks: list[Block] = [
            *changes,
            LINKS,
            *link_tables(scene),
            _CHANCE,
            _all_pairs(links),
            Formula("expected", by_chance, expected)
            if expected is not None
            else Formula("expected", None, ZERO, "there are no pairs"),
            Formula("most", most, evaluate(most)),
        ]
        mean = (links.ck + links.cr) / 2
        return Counted((links.cc, expected or ZERO, mean, Fraction(links.in_key)), blocks)

    def score(columns: Sequence[Number], undefined: str) -> Scored:
        common, expected, most, mentions_there = columns
        ratio = Over(Sum((common,), (expected,)), Sum((most,), (expected,)))
        if evaluate(ratio) is None and mentions_there > 0:
            why = "no room above chance because both sides are the same, which counts as 1"
            return Scored([Formula("adjusted Rand index", ratio, ONE, why)], None, None, ONE)
        return score_alone("adjusted Rand index", ratio, undefined)

    return Explainer(count, score)
