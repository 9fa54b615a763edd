"""The walk-through of ARCS: each anaphor, what it is linked to on either side, and the verdict."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from scoref.base.arrays import Bools, Ints
from scoref.explanation.blocks import Formula, Grid, GridColumns, Total
from scoref.explanation.entities import show_types
from scoref.explanation.explainer import Columns, Scored, Steps, f1, score_formulas, score_sides
from scoref.explanation.explainers.anaphora import show_verdicts
from scoref.explanation.expressions import Number, Over, Sum
from scoref.explanation.scene import Partition, Scene
from scoref.metrics.arcs import arcs as arcs_metric
from scoref.overlap.table import NOWHERE, PRONOUN

_NOMINAL = "A name or a nominal is called nominal here; singletons are left out. "
_ANAPHOR = _NOMINAL + (
    "An anaphor is a mention of a key entity that is not its first. The entity must have a"
    " nominal, and a pronoun must have a nominal before it. "
)
_TEXTS = {
    "immediate": _ANAPHOR + "An anaphor is right if the mention before it is the same in its key"
    " entity and in its response entity, a wrong link if it is another one, and missing if there"
    " is none in the response. A mention that has one before it only in the response is spurious.",
    "inferred": _ANAPHOR + "An anaphor is right if the closest nominal before it in its response"
    " entity is in its key entity, and a wrong link if it is not. It is missing if it is linked to"
    " nothing there, or to no nominal although the key has one. A mention is spurious if the"
    " response links it and the key does not have it, or if only the response has a nominal before"
    " it.",
    "anchor": _NOMINAL + "Key entities are taken in the order of the text. A key entity is found"
    " if its anchor, its first nominal, is in a response entity that is not taken yet; it takes"
    " this response entity, and their mentions are compared. A key entity without a nominal does"
    " not count, but takes the first response entity that shares a mention with it. Response"
    " entities that are not taken are spurious.",
}
_KINDS = {
    "noun": "names and nominals",
    "name": "names",
    "nominal": "nominals",
    "pronoun": "pronouns",
}


def arcs(steps: Steps, kind: str = "immediate", of: str = "all") -> Columns:
    """Explain one of Tuggener's three metrics, for all anaphors or those of a kind."""
    steps.show(_TEXTS[kind])
    if of != "all":
        which = _KINDS.get(of, f"mentions of one token with the tag {of}")
        steps.show(f"Only {which} get a verdict. Any mention can be before them.")
    show_types(steps)
    return _count_anchors(steps) if kind == "anchor" else _count_anaphors(steps, kind, of)


def _count_anaphors(steps: Steps, kind: str, of: str) -> Columns:
    scene = steps.scene
    verdicts = scene.count_per_mention(arcs_metric(kind, of).count).astype(bool)
    rows = np.flatnonzero(verdicts.any(axis=1))
    rows = rows[np.argsort(scene.rows.order[rows], kind="stable")]
    nominal = scene.rows.type != PRONOUN
    candidate = nominal if kind == "inferred" else np.ones_like(nominal)
    (key, before), (response, other) = (
        _antecedents(scene, side, candidate) for side in scene.sides
    )
    columns: GridColumns = {
        "mention": scene.mention_cells(rows),
        "key": scene.key_side.named(key[rows]),
        "before": scene.mention_cells(before[rows]),
        "response": scene.response_side.named(response[rows]),
        "before there": scene.mention_cells(other[rows]),
    }
    what = "the closest nominal before them" if kind == "inferred" else "the mention before them"
    caption = f"Anaphors, their entity on either side and {what} there"
    found = zip(("right", "wrong link", "missing", "spurious"), verdicts[rows].T, strict=True)
    return show_verdicts(steps, caption, columns, dict(found))


def _antecedents(scene: Scene, side: Partition, candidate: Bools) -> tuple[Ints, Ints]:
    """Return the entity of each mention, and the last candidate before it; NOWHERE for none."""
    entity, antecedent = (np.full(len(scene.at), NOWHERE, dtype=np.int64) for _ in range(2))
    for at, rows in _chains(scene, side).items():
        before = NOWHERE
        for row in rows:
            entity[row], antecedent[row] = at, before
            before = row if candidate[row] else before
    return entity, antecedent


def _chains(scene: Scene, side: Partition) -> dict[int, list[int]]:
    """Put the mentions of each entity into the order of the text; leave out singletons."""
    order = scene.rows.order.tolist()
    chains = {at: rows for at, rows in enumerate(side.members) if len(rows) > 1}
    return {at: sorted(rows, key=lambda row: (order[row], row)) for at, rows in chains.items()}


def _count_anchors(steps: Steps) -> Columns:
    scene = steps.scene
    order, nominal = scene.rows.order, scene.rows.type != PRONOUN
    keys, responses = (_chains(scene, side) for side in scene.sides)
    entity_of = {row: entity for entity, rows in responses.items() for row in rows}
    table: list[tuple[int, int, int, str, int, int, int]] = []
    for entity, rows in sorted(keys.items(), key=lambda item: (order[item[1][0]], item[1])):
        anchor = next((row for row in rows if nominal[row]), NOWHERE)
        candidates = rows if anchor == NOWHERE else [anchor]
        taken = next((entity_of[m] for m in candidates if entity_of.get(m) in responses), NOWHERE)
        members = set(responses.pop(taken, []))
        verdict, numbers = "found" if taken != NOWHERE else "missing", (0, 0, 0)
        if anchor == NOWHERE:
            verdict = "does not count"
        elif taken != NOWHERE:
            shared = len(members & set(rows))
            numbers = shared, len(rows) - shared, len(members) - shared
        table.append((entity, anchor, taken, verdict, *numbers))
    table += [(NOWHERE, NOWHERE, entity, "spurious", 0, 0, 0) for entity in responses]
    columns = list(zip(*table, strict=True)) or [()] * 7
    key, anchors, taken_entities = (np.array(column, dtype=np.int64) for column in columns[:3])
    mentions = steps.table(
        "Entities, then mentions",
        {
            "key": scene.key_side.named(key),
            "anchor": scene.mention_cells(anchors),
            "takes": scene.response_side.named(taken_entities),
            "verdict": columns[3],
            "shared": Total(columns[4]),
            "only key": Total(columns[5]),
            "only response": Total(columns[6]),
        },
    )
    names = ("found", "missing", "spurious")
    entities = [Fraction(columns[3].count(name)) for name in names]
    steps.show(Grid({"entities": names, "number": entities}, "Verdicts"))
    return (*entities, *mentions)


def score_arcs(
    columns: Sequence[Number], undefined: str, kind: str = "immediate", **_: str
) -> Scored:
    """Score anaphors, or entities and their mentions."""
    if kind != "anchor":
        right, wrong, missing, spurious = columns
        recall = Over(right, Sum((right, wrong, missing)))
        return score_sides(recall, Over(right, Sum((right, wrong, spurious))), undefined)
    formulas: list[Formula] = []
    for what, (right, missing, spurious) in (("entities", columns[:3]), ("mentions", columns[3:])):
        ratios = [
            Formula.of(f"recall of {what}", Over(right, Sum((right, missing)))),
            Formula.of(f"precision of {what}", Over(right, Sum((right, spurious)))),
        ]
        formulas += [*ratios, f1(ratios[0].value, ratios[1].value, "skip", f"F1 of {what}")]
    together = f1(formulas[2].value, formulas[5].value, undefined)
    return score_formulas([together], formulas)
