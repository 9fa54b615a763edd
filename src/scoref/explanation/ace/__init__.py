"""The walk-through of ACE-Value: values of entities, pairs that can be mapped, their costs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from scoref.explanation.ace.sides import read_side
from scoref.explanation.ace.tables import (
    cost_table,
    edge_table,
    entity_table,
    inside_table,
    mapping_table,
    pair_table,
    type_table,
)
from scoref.explanation.ace.texts import texts
from scoref.explanation.ace.values import Document, find_edges, value
from scoref.explanation.blocks import Block, Formula
from scoref.explanation.explainer import Counted, Explainer, Scored
from scoref.explanation.expressions import (
    ZERO,
    Expression,
    Number,
    Over,
    Sum,
    evaluate,
    exact_sum,
)
from scoref.explanation.scene import Scene
from scoref.metrics.ace import evaluate as value_as_measured
from scoref.metrics.ace import rules_of
from scoref.metrics.ace.rules import NEGLIGIBLE, Rules


def ace(**given: float | str) -> Explainer:
    """Explain ACE-Value by the rules of a year, with any weight or cost changed."""
    rules = rules_of(**given)

    def count(scene: Scene) -> Counted:
        return _count(scene, rules)

    def score(columns: Sequence[Number], _: str) -> Scored:
        return _score(columns, with_sides=not rules.map_by_mentions)

    return Explainer(count, score)


def _count(scene: Scene, rules: Rules) -> Counted:
    key, response = (read_side(scene, side, rules) for side in ("key", "response"))
    document = Document(key, response, find_edges(key, response, rules))
    mapped, valued = _as_measured(scene, rules)
    twice = rules.map_by_mentions and not rules.by_mentions
    first = value(document, rules, by_mentions=rules.by_mentions or rules.map_by_mentions)
    last = value(document, rules, by_mentions=False) if twice else first
    worth = [entity.worth(by_mentions=rules.by_mentions) for entity in key.entities]
    say = texts(rules)
    blocks: list[Block] = [
        say.entities,
        *(type_table(scene, side, rules) for side in (key, response)),
        entity_table(scene, key, worth, rules),
        entity_table(scene, response, [-cost for cost in last.unmapped], rules),
        say.matches,
        edge_table(scene, document),
        say.pairs,
    ]
    caption = "Pairs of entities that can be mapped"
    if twice:
        blocks += pair_table(scene, document, first.pairs, mapped, f"{caption}, for the mapping")
        blocks += [say.mapping, *mapping_table(scene, document, first, mapped)]
        chosen = [pair for pair in last.pairs if pair[:2] in mapped]
        blocks += pair_table(scene, document, chosen, mapped, "Mapped pairs, by levels")
    else:
        blocks += pair_table(scene, document, last.pairs, mapped, caption)
        blocks += [say.mapping, *mapping_table(scene, document, last, mapped)]
    blocks += inside_table(scene, document, last, mapped)
    table, costs = cost_table(scene, document, last, mapped, worth)
    columns = (exact_sum(worth), *costs, Fraction(valued))
    return Counted(columns, [*blocks, say.costs, *table])


def _as_measured(scene: Scene, rules: Rules) -> tuple[set[tuple[int, int]], int]:
    """Return the pairs that the measure itself maps, and how many key entities count for it.

    Mappings that are worth the same differ in what is missed and what is spurious, so the choice
    is the measure's; what it comes to is computed here once more.
    """
    found = value_as_measured(scene.table, rules)
    key, response = found.pairs.key[found.mapped], found.pairs.response[found.mapped]
    mapped = set(zip(key.tolist(), response.tolist(), strict=True))
    return mapped, int((found.key.value > NEGLIGIBLE).sum())


_BELOW = "what is below zero counts as zero"
_NOTHING = "no entity of the key counts, whatever the policy makes of 0/0"
_UNDEFINED = "undefined, whatever the policy makes of 0/0"


def _score(columns: Sequence[Number], *, with_sides: bool) -> Scored:
    reference, missed, error, alarm, valued = columns
    reference = reference if valued else ZERO
    right = Sum((reference,), (missed, error))
    formulas = []
    if with_sides:
        bottom = Sum((reference, alarm), (missed,))
        formulas = [_share("recall", right, reference), _share("precision", right, bottom)]
    whole = Over(Sum((reference,), (missed, error, alarm)), reference)
    formulas.append(Formula("value", whole, evaluate(whole)))
    why = "" if valued else _NOTHING
    formulas = [_explained(formula, why) for formula in formulas]
    recall, precision = (f.value for f in formulas[:2]) if with_sides else (None, None)
    return Scored([*formulas], recall, precision, formulas[-1].value)


def _share(name: str, right: Expression, of: Expression) -> Formula:
    """Write what is right as a share, which is never below zero."""
    earned = evaluate(right)
    share = Over(right, of)
    if earned is not None and earned < 0 and evaluate(of):
        return Formula(name, share, ZERO, _BELOW)
    return Formula(name, share, evaluate(share))


def _explained(formula: Formula, why: str) -> Formula:
    """Say of what does not exist why that is; no policy gives it a value."""
    if formula.value is not None:
        return formula
    return Formula(formula.name, None if why else formula.expression, None, why or _UNDEFINED)
