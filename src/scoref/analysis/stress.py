"""How measures react when a response gets better or worse for certain.

Moosavi & Strube (2016, section 2) change a response in ways whose direction is beyond doubt:

    more precise      every mention that shares its response entity with none of its key
                      entity's other mentions is taken out: only wrong links go
    less precise a    key mentions that the response lacks are added in pairs of mentions that
                      do not corefer: only wrong links come
    less precise b    they are added in large entities instead; as the paper says it
                      (`literal`), these can hold right links among their other mentions, so
                      a `strict` reading takes at most one mention of each key entity

A measure that goes down for the first, or up for `a` or strict `b`, rewards what is wrong.
Responses at the boundary are shown beside them: nothing, all singletons, one entity, the key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np

from scoref.alignment.alignment import Alignment
from scoref.base.arrays import Ints
from scoref.base.progress import progress
from scoref.counts.counts import Counts
from scoref.exceptions import UsageError
from scoref.metrics import Metric, MetricLike, find_metrics
from scoref.metrics.needs import BRIDGING, NON_REFERRING
from scoref.metrics.types import cell_of
from scoref.overlap.table import NOWHERE
from scoref.policy import Policy
from scoref.preparation.same_text import AUTO, Checks
from scoref.result import Score
from scoref.scoring import Input, align, needs_of, refuse_compat

BASE = "response"
_DETECTION = "mentions"  # it looks at no link, and rightly likes mentions that are found


@dataclass(frozen=True, slots=True)
class Reaction:
    """The scores of one changed response; `better` is None where a change is neither."""

    name: str
    better: bool | None
    scores: dict[str, Score]


@dataclass(frozen=True, slots=True)
class Stress:
    """All reactions, the response as it is first; and what a policy and a key make of them."""

    reactions: tuple[Reaction, ...]
    signature: str
    notes: tuple[str, ...]

    def verdicts(self) -> list[tuple[str, str, float]]:
        """List (change, metric, difference of F1) where a measure rewards what is wrong."""
        base = self.reactions[0].scores
        found = []
        for reaction in self.reactions:
            for metric, score in reaction.scores.items():
                difference = score.f1 - base[metric].f1
                wrong_way = difference < -1e-12 if reaction.better else difference > 1e-12
                if reaction.better is not None and wrong_way and metric != _DETECTION:
                    found.append((reaction.name, metric, difference))
        return found


def stress(
    key: Input,
    response: Input,
    metrics: Iterable[MetricLike] | None = None,
    policy: Policy | None = None,
    format: str | None = None,  # noqa: A002  # what the command line calls it
    *,
    encoding: str | None = None,
    check_words: Checks = AUTO,
) -> Stress:
    """Change a response in ways that are better or worse for certain, and score each."""
    chosen = find_metrics(metrics)
    policy = policy or Policy()
    refuse_compat(policy, "a stress test")
    if unmoved := [metric.name for metric in chosen if metric.needs & {BRIDGING, NON_REFERRING}]:
        raise UsageError(
            f"a stress test changes entities, which {unmoved[0]} does not look at",
            "leave the measure out",
        )
    aligned = align(
        key,
        response,
        policy,
        format,
        needs_of(chosen),
        encoding=encoding,
        check_words=check_words,
    )
    reactions = []
    with progress("changing the response", len(CHANGES)) as advance:
        for name, (better, change) in CHANGES.items():
            after = replace(aligned.alignment, res=change(aligned.alignment))
            reactions.append(Reaction(name, better, _scores(after, chosen, policy)))
            advance(1)
    return Stress(tuple(reactions), aligned.signature, aligned.notes)


def _scores(alignment: Alignment, metrics: tuple[Metric, ...], policy: Policy) -> dict[str, Score]:
    counts = Counts.of(alignment.table(), metrics)
    return {m.name: Score(*counts.scores(m, policy).tolist()) for m in metrics}


def more_precise(alignment: Alignment) -> Ints:
    """Take out the mentions that sit with no other mention of their key entity."""
    table = alignment.table()
    rows = table.mentions
    both = (rows.key != NOWHERE) & (rows.res != NOWHERE)
    cell = cell_of(table, rows.key[both], rows.res[both])
    wrong = np.zeros(len(both), dtype=bool)
    wrong[both] = (table.count[cell] == 1) & (table.res_size[rows.res[both]] > 1)
    return np.where(wrong, NOWHERE, alignment.res)


def less_precise_a(alignment: Alignment) -> Ints:
    """Add missing mentions in pairs that do not corefer, each with the first that it can."""
    res = alignment.res.copy()
    number = _next_entity(alignment)
    for missing in _missing(alignment):
        for one, other in _pairs(missing, alignment.key):
            res[[one, other]] = number
            number += 1
    return res


def _pairs(missing: list[int], entity: Ints) -> Iterable[tuple[int, int]]:
    """Pair each mention, unless it is taken, with the first later one of another entity.

    Mentions that wait for a partner are all of one entity: a mention of any other entity
    would have been paired with them. So each comer either waits too or takes the first.
    """
    waiting: list[int] = []
    first = 0
    for mention in missing:
        if first < len(waiting) and entity[waiting[first]] != entity[mention]:
            yield waiting[first], mention
            first += 1
        else:
            waiting.append(mention)


def less_precise_b(alignment: Alignment) -> Ints:
    """Add missing mentions as one entity: the first, and all that do not corefer with it."""
    res = alignment.res.copy()
    number = _next_entity(alignment)
    for missing in _missing(alignment):
        first, *others = missing
        apart = [m for m in others if alignment.key[m] != alignment.key[first]]
        if apart:
            res[[first, *apart]] = number
            number += 1
    return res


def less_precise_b_strict(alignment: Alignment) -> Ints:
    """Add missing mentions in entities with one mention of each key entity."""
    res = alignment.res.copy()
    number = _next_entity(alignment)
    for missing in _missing(alignment):
        rounds: dict[int, list[int]] = {}
        seen: dict[int, int] = {}
        for mention in missing:
            entity = int(alignment.key[mention])
            turn = seen[entity] = seen.get(entity, -1) + 1
            rounds.setdefault(turn, []).append(mention)
        for together in rounds.values():
            if len(together) > 1:
                res[together] = number
                number += 1
    return res


def _missing(alignment: Alignment) -> list[list[int]]:
    """List, by document and in the order of the text, the key mentions that the response lacks."""
    rows = np.flatnonzero((alignment.key != NOWHERE) & (alignment.res == NOWHERE))
    order = alignment.table().mentions.order
    rows = rows[np.lexsort((order[rows], alignment.unit[rows]))]
    documents: dict[int, list[int]] = {}
    for row in rows.tolist():
        documents.setdefault(int(alignment.unit[row]), []).append(row)
    return list(documents.values())


def _next_entity(alignment: Alignment) -> int:
    return int(alignment.res.max(initial=NOWHERE)) + 1


def _key_mentions(alignment: Alignment, entity: Ints) -> Ints:
    return np.where(alignment.key == NOWHERE, NOWHERE, entity)


Change = Callable[[Alignment], Ints]
CHANGES: dict[str, tuple[bool | None, Change]] = {
    BASE: (None, lambda alignment: alignment.res),
    "more precise": (True, more_precise),
    "less precise a": (False, less_precise_a),
    "less precise b, literal": (None, less_precise_b),
    "less precise b, strict": (False, less_precise_b_strict),
    "nothing": (None, lambda alignment: np.full_like(alignment.res, NOWHERE)),
    "key mentions as singletons": (
        None,
        lambda alignment: _key_mentions(alignment, np.arange(len(alignment.key))),
    ),
    "key mentions as one entity": (
        None,
        lambda alignment: _key_mentions(alignment, alignment.unit),
    ),
    "the key": (None, lambda alignment: alignment.key),
}
