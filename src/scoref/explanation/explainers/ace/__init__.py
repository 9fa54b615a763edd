"""The walk-through of ACE-Value: values of entities, pairs that can be mapped, their costs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from scoref.base.arrays import Bools, Ints
from scoref.explanation.blocks import Formula, GridColumns, Total
from scoref.explanation.explainer import Columns, Scored, Steps, score_formulas
from scoref.explanation.explainers.ace.rules_in_words import COSTS, state_rules
from scoref.explanation.explainers.ace.values import ValuedPairs, find_matches, value_pairs, weigh
from scoref.explanation.explainers.alignment import chosen_first, show_chosen
from scoref.explanation.expressions import ZERO, Fractions, Number, Over, Sum, choose
from scoref.explanation.scene import Partition
from scoref.metrics.ace import evaluate as evaluate_as_metric
from scoref.metrics.ace import rules_of
from scoref.metrics.ace.rules import NEGLIGIBLE
from scoref.metrics.ace.sides import AceEntities
from scoref.overlap.table import NOWHERE


def ace(steps: Steps, **parameters: float | str) -> Columns:
    """Explain ACE-Value in fractions, with the mapping that the metric chooses.

    Mappings that are worth the same differ in what is missed and what is spurious.
    """
    rules = rules_of(**parameters)
    entities, matches, pairs, mapping = state_rules(rules)
    scene = steps.scene
    key, response = (weigh(scene, side, rules) for side in scene.sides)
    found = find_matches(key, response, rules)
    chosen = evaluate_as_metric(scene.table, rules)
    mapped, twice = chosen.mapped, rules.map_by_mentions and not rules.by_mentions
    first = last = value_pairs(key, response, found, rules, by_mentions=rules.by_mentions or twice)
    if twice:
        last = value_pairs(key, response, found, rules, by_mentions=False)
    taken = last.matched & mapped[last.pair]
    in_key, in_response = (np.flatnonzero(side != NOWHERE) for side in (scene.key, scene.res))
    worth = key.entities.worth(by_mentions=rules.by_mentions)
    steps.show(entities)
    _show_entities(steps, scene.key_side, key.entities, {"worth": Total(worth)})
    costs = {"if not mapped": Total(-last.unmapped)}
    _show_entities(steps, scene.response_side, response.entities, costs)
    steps.show(matches)
    columns: GridColumns = {
        **scene.mention_pairs(in_key[found.key], in_response[found.response]),
        "overlap": found.overlap,
        "wrong": found.wrong,
        "earns": found.score,
        "taken": choose(taken, found.score, None),
    }
    steps.table("Mentions that can match", columns, chosen_first(found.score, taken))
    steps.show(pairs)
    what = "Pairs that can be mapped, for the mapping"
    every = np.arange(len(mapped))
    _show_pairs(steps, what if twice else "Pairs of entities that can be mapped", first, every)
    steps.show(mapping)
    unmapped = first.unmapped[first.response]
    gains = first.value - unmapped
    columns = {
        **scene.pair_columns(first.key, first.response),
        "value": first.value,
        "if not mapped": unmapped,
        "gain": gains,
    }
    show_chosen(steps, "The mapping", columns, gains, mapped, title="mapped")
    if twice:
        _show_pairs(steps, "Mapped pairs, by levels", last, np.flatnonzero(mapped))
    steps.show(COSTS)
    valued = Fraction(int((chosen.key.value > NEGLIGIBLE).sum()))
    return (*_show_costs(steps, worth, last, mapped), valued)


def _show_entities(
    steps: Steps, side: Partition, about: AceEntities, worth: dict[str, Total]
) -> None:
    """Show the weights of the entities of a side, and what each is worth or costs."""
    attributes = zip(about.kind, about.subtype, about.kind_class, strict=True)
    columns: GridColumns = {
        "entity": side.names,
        "type and class": [" ".join(filter(None, found)) for found in attributes],
        "weight": about.value,
        "level": about.level,
        "sum": about.total,
        **worth,
    }
    (total,) = worth.values()
    steps.table(f"Entities of the {side.side}", columns, total.cells)


def _show_pairs(steps: Steps, caption: str, pairs: ValuedPairs, at: Ints) -> None:
    """Show what some pairs are worth."""
    columns: GridColumns = {
        **steps.scene.pair_columns(pairs.key[at], pairs.response[at]),
        "weight": pairs.weight[at],
        "wrong": [pairs.wrong[one] for one in at],
        "errors": pairs.factor[at],
        "share": pairs.share[at],
        "matches": pairs.matches[at],
        "alarms": -pairs.alarms[at],
        "value": pairs.value[at],
    }
    steps.table(caption, columns, pairs.value[at])


def _show_costs(steps: Steps, worth: Fractions, pairs: ValuedPairs, mapped: Bools) -> Columns:
    """Show what was missed, wrong and spurious; return the sums, that of the worth first."""
    key, response = pairs.key[mapped], pairs.response[mapped]
    partner = np.full(len(worth), NOWHERE)
    earned = np.full(len(worth), None, dtype=np.object_)
    partner[key], earned[key] = response, pairs.value[mapped]
    lost = worth - choose(partner == NOWHERE, ZERO, earned)
    spurious = np.setdiff1d(np.arange(len(pairs.unmapped)), response)
    alarms = -pairs.unmapped[spurious]
    blank, dashes = [None] * len(spurious), np.full(len(spurious), NOWHERE)
    entities = np.append(np.arange(len(worth)), dashes), np.append(partner, spurious)
    columns: GridColumns = {
        **steps.scene.pair_columns(*entities),
        "worth": Total([*worth, *blank]),
        "earned": Total([*earned, *blank]),
        "missed": Total([*choose((partner == NOWHERE) & (lost != 0), lost, None), *blank]),
        "error": Total([*choose((partner != NOWHERE) & (lost != 0), lost, None), *blank]),
        "false alarm": Total([*[None] * len(worth), *(cost or None for cost in alarms)]),
    }
    weights = np.abs(np.append(lost, alarms))
    reference, _, *costs = steps.table("What is lost", columns, weights)
    return (reference, *costs)


_BELOW = "what is below zero counts as zero"
_NOTHING = "no entity of the key counts; the policy for 0/0 does not apply"
_UNDEFINED = "undefined; the policy for 0/0 does not apply"


def score_ace(columns: Sequence[Number], _: str, **parameters: float | str) -> Scored:
    """Explain the value, and recall and precision where the rules have them."""
    reference, missed, error, alarm, valued = columns
    reference = reference if valued else ZERO
    right = Sum((reference,), (missed, error))
    ratios = {"value": Over(Sum((reference,), (missed, error, alarm)), reference)}
    if not rules_of(**parameters).map_by_mentions:
        found = Sum((reference, alarm), (missed,))
        ratios = {"recall": Over(right, reference), "precision": Over(right, found)} | ratios
    formulas = []
    for name, ratio in ratios.items():
        formula = Formula.of(name, ratio)
        if formula.value is None:  # no policy gives it a value
            remark = _UNDEFINED if valued else _NOTHING
            formula = Formula(name, ratio if valued else None, None, remark)
        elif formula.value < 0 and name != "value":
            formula = Formula(name, ratio, ZERO, _BELOW)
        formulas.append(formula)
    return score_formulas(formulas)
