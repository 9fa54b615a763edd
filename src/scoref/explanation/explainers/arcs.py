"""The walk-through of ARCS: each anaphor, what it is linked to on either side, and the verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from scoref.base.arrays import Bools, Ints
from scoref.explanation.blocks import Block, Formula, Grid, GridColumns, Total
from scoref.explanation.entities import type_table
from scoref.explanation.explainer import (
    CountedTerms,
    Explainer,
    Scored,
    f1,
    score_formulas,
    score_sides,
)
from scoref.explanation.expressions import Number, Over, Sum, evaluate, fractions
from scoref.explanation.scene import Partition, Scene, named
from scoref.metrics.arcs import arcs as arcs_metric
from scoref.overlap.table import NOWHERE, PRONOUN

_VERDICTS = ("right", "wrong link", "missing", "spurious")
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


def arcs(kind: str = "immediate", of: str = "all") -> Explainer:
    """Explain one of Tuggener's three metrics, for all anaphors or those of a kind."""
    if kind == "anchor":
        return Explainer(_count_anchor, _score_anchor)

    def count(scene: Scene) -> CountedTerms:
        counts = scene.count_per_mention(arcs_metric(kind, of).count)
        blocks: list[Block] = [_TEXTS[kind]]
        if of != "all":
            which = _KINDS.get(of, f"mentions of one token with the tag {of}")
            blocks.append(f"Only {which} get a verdict. Any mention can be before them.")
        numbers = fractions(counts.sum(axis=0))
        blocks += [type_table(scene), _verdict_table(scene, counts.astype(bool), kind)]
        blocks.append(Grid({"verdict": _VERDICTS, "number": numbers}, "Verdicts"))
        return CountedTerms(tuple(numbers), blocks)

    return Explainer(count, _score)


def _verdict_table(scene: Scene, verdicts: Bools, kind: str) -> Block:
    rows = np.flatnonzero(verdicts.any(axis=1))
    rows = rows[np.argsort(scene.rows.order[rows], kind="stable")]
    nominal = scene.rows.type != PRONOUN
    candidate = nominal if kind == "inferred" else np.ones_like(nominal)
    (key, before), (response, other) = (
        _antecedents(scene, side, candidate) for side in scene.sides
    )
    columns: GridColumns = {
        "mention": scene.mention_cells(rows),
        "key": named(scene.key_side, key[rows]),
        "before": scene.mention_cells(before[rows]),
        "response": named(scene.response_side, response[rows]),
        "before there": scene.mention_cells(other[rows]),
        "verdict": [
            " and ".join(name for name, yes in zip(_VERDICTS, found, strict=True) if yes)
            for found in verdicts[rows].tolist()
        ],
    }
    what = "the closest nominal before them" if kind == "inferred" else "the mention before them"
    return scene.grid(columns, f"Anaphors, their entity on either side and {what} there")


def _antecedents(scene: Scene, side: Partition, candidate: Bools) -> tuple[Ints, Ints]:
    """Return the entity of each mention, and the last candidate before it; NOWHERE for none."""
    entity, antecedent = (np.full(len(scene.at), NOWHERE, dtype=np.int64) for _ in range(2))
    for at, rows in enumerate(_chains(scene, side)):
        before = NOWHERE
        for row in rows:
            entity[row], antecedent[row] = at, before
            before = row if candidate[row] else before
    return entity, antecedent


def _chains(scene: Scene, side: Partition) -> list[list[int]]:
    """Put the mentions of each entity into the order of the text; leave out singletons."""
    order = scene.rows.order.tolist()
    chains = [sorted(rows, key=lambda row: (order[row], row)) for rows in side.members]
    return [rows if len(rows) > 1 else [] for rows in chains]


def _score(columns: Sequence[Number], undefined: str) -> Scored:
    right, wrong, missing, spurious = columns
    recall = Over(right, Sum((right, wrong, missing)))
    return score_sides(recall, Over(right, Sum((right, wrong, spurious))), undefined)


def _count_anchor(scene: Scene) -> CountedTerms:
    order, nominal = scene.rows.order, scene.rows.type != PRONOUN
    keys, responses = (
        {at: rows for at, rows in enumerate(_chains(scene, side)) if rows} for side in scene.sides
    )
    entity_of = {row: entity for entity, rows in responses.items() for row in rows}
    table: list[tuple[Any, ...]] = []
    for entity, rows in sorted(keys.items(), key=lambda item: (order[item[1][0]], item[1])):
        anchor = next((row for row in rows if nominal[row]), NOWHERE)
        candidates = rows if anchor == NOWHERE else [anchor]
        taken = next((entity_of[m] for m in candidates if entity_of.get(m) in responses), NOWHERE)
        members = set(responses.pop(taken, []))
        shared = len(members & set(rows))
        numbers = (shared, len(rows) - shared, len(members) - shared)
        verdict = "missing" if taken == NOWHERE else "found"
        if anchor == NOWHERE:
            verdict = "does not count"
        numbers = numbers if verdict == "found" else (0, 0, 0)
        table.append((entity, anchor, taken, verdict, *numbers))
    table += [(NOWHERE, NOWHERE, entity, "spurious", 0, 0, 0) for entity in responses]
    key, anchors, taken_entities, verdicts, shared_mentions, only_key, only_response = (
        [row[at] for row in table] for at in range(7)
    )
    columns: GridColumns = {
        "key": named(scene.key_side, np.array(key, dtype=np.int64)),
        "anchor": scene.mention_cells(np.array(anchors, dtype=np.int64)),
        "takes": named(scene.response_side, np.array(taken_entities, dtype=np.int64)),
        "verdict": verdicts,
        "shared": Total(shared_mentions),
        "only key": Total(only_key),
        "only response": Total(only_response),
    }
    names = ("found", "missing", "spurious")
    entities = [Counter(verdicts)[name] for name in names]
    blocks: list[Block] = [
        *(_TEXTS["anchor"], type_table(scene)),
        scene.grid(columns, "Entities, then mentions"),
        Grid({"entities": names, "number": entities}, "Verdicts"),
    ]
    mentions = [sum(numbers) for numbers in (shared_mentions, only_key, only_response)]
    return CountedTerms(tuple(map(Fraction, [*entities, *mentions])), blocks)


def _score_anchor(columns: Sequence[Number], undefined: str) -> Scored:
    formulas: list[Formula] = []
    for what, (right, missing, spurious) in (("entities", columns[:3]), ("mentions", columns[3:])):
        recall, precision = Over(right, Sum((right, missing))), Over(right, Sum((right, spurious)))
        formulas += [
            Formula(f"recall of {what}", recall, evaluate(recall)),
            Formula(f"precision of {what}", precision, evaluate(precision)),
            f1(evaluate(recall), evaluate(precision), "skip", f"F1 of {what}"),
        ]
    together = f1(formulas[2].value, formulas[5].value, undefined)
    return score_formulas([together], formulas)
