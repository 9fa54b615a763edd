"""How metrics react to changes that certainly make a response better or worse.

Moosavi & Strube (2016, section 2) change a response in three ways:

    more precise      Remove every mention that shares its response entity with no other mention
                      of its key entity. This removes only wrong links.
    less precise a    Add the missing key mentions to the response, in pairs of mentions that do
                      not corefer. This adds only wrong links.
    less precise b    Add them in large entities instead. As the paper defines it (`literal`),
                      these entities can have right links among their other mentions. The `strict`
                      variant takes at most one mention of each key entity.

A metric that decreases for the first change, or increases for `a` or strict `b`, rewards errors.
Four extreme responses are scored for comparison: an empty response, key mentions as singletons or
as one entity, and the key itself.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Unpack

import numpy as np

from scoref.base.arrays import Ints
from scoref.base.progress import progress
from scoref.base.viewed import Tabular
from scoref.counts.counts import Counts
from scoref.exceptions import UsageError
from scoref.matching.alignment import Alignment
from scoref.matching.inputs import Input, OneOrTwo, ReadOptions
from scoref.matching.pipeline import prepare
from scoref.matching.requirements import Requirements
from scoref.matching.same_text import AUTO, Checks
from scoref.metrics import MetricLike, find_metrics
from scoref.metrics.needs import BRIDGING, NON_REFERRING
from scoref.metrics.single_mentions import cell_of
from scoref.metrics.table import NOWHERE
from scoref.policy import Policy, PolicyLike, PolicyOptions
from scoref.policy.capabilities import STRESS, require
from scoref.result import Score

Change = Callable[[Alignment], Ints]
"""Returns the response entity of each row after a change."""

BASE = "response"
_DETECTION = "mentions"  # this metric ignores links and rightly rewards mentions that are found


@dataclass(frozen=True, slots=True)
class Reaction:
    """The scores of one changed response; `better` is None if the change has no clear direction."""

    name: str
    better: bool | None
    scores: dict[str, Score]


@dataclass(frozen=True, slots=True)
class Stress(Tabular):
    """The reactions to all changes; the first is the unchanged response."""

    reactions: tuple[Reaction, ...]
    signature: str
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<Stress: {len(self.reactions)} changes, {len(self.verdicts())} errors rewarded>"

    def verdicts(self) -> list[tuple[str, str, float]]:
        """Return (change, metric, difference of F1) wherever a metric rewards an error."""
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
    policy: PolicyLike | None = None,
    format: OneOrTwo = None,  # noqa: A002  # what the command line calls it
    *,
    encoding: OneOrTwo = None,
    check_words: Checks = AUTO,
    **choices: Unpack[PolicyOptions],
) -> Stress:
    """Change a response in ways that certainly make it better or worse, and score each change."""
    chosen = find_metrics(metrics, STRESS)
    policy = Policy.of(policy, **choices)
    require(policy, STRESS)
    if unmoved := [metric.name for metric in chosen if metric.needs & {BRIDGING, NON_REFERRING}]:
        raise UsageError(
            f"a stress test changes entities, which {unmoved[0]} ignores", f"leave out {unmoved[0]}"
        )
    options = ReadOptions.under(policy, format, encoding, check_words)
    aligned = prepare(key, response, Requirements.of(chosen, policy, options))
    reactions = []
    with progress("changing the response", len(CHANGES)) as advance:
        for name, (better, change) in CHANGES.items():
            after = replace(aligned.alignment, res=change(aligned.alignment))
            counts = Counts.of(after.table(), chosen)
            scores = {m.name: Score(*counts.scores(m, policy).tolist()) for m in chosen}
            reactions.append(Reaction(name, better, scores))
            advance(1)
    return Stress(tuple(reactions), aligned.signature, aligned.notes)


def more_precise(alignment: Alignment) -> Ints:
    """Remove mentions whose response entity has no other mention of their key entity."""
    table = alignment.table()
    rows = table.mentions
    both = (rows.key != NOWHERE) & (rows.res != NOWHERE)
    cell = cell_of(table, rows.key[both], rows.res[both])
    wrong = np.zeros(len(both), dtype=bool)
    wrong[both] = (table.count[cell] == 1) & (table.res_size[rows.res[both]] > 1)
    return np.where(wrong, NOWHERE, alignment.res)


Rule = Callable[[list[int], Ints], Iterable[list[int]]]
"""Groups the missing mentions of a document into entities, given the key entity of each row."""


def _add_missing(rule: Rule) -> Change:
    """Return a change that adds the missing key mentions, grouped into entities by a rule."""

    def change(alignment: Alignment) -> Ints:
        res = alignment.res.copy()
        entities = (e for missing in _missing(alignment) for e in rule(missing, alignment.key))
        for number, entity in enumerate(entities, int(res.max(initial=NOWHERE)) + 1):
            res[entity] = number
        return res

    return change


def _missing(alignment: Alignment) -> list[list[int]]:
    """Return the key mentions missing in the response, by document, in the order of the text."""
    rows = np.flatnonzero((alignment.key != NOWHERE) & (alignment.res == NOWHERE))
    order = alignment.table().mentions.order
    rows = rows[np.lexsort((order[rows], alignment.unit[rows]))]
    return [list(group) for _, group in groupby(rows.tolist(), alignment.unit.__getitem__)]


def _pairs(missing: list[int], key: Ints) -> Iterator[list[int]]:
    """Pair each mention, unless it is taken, with the first later one of another entity.

    All mentions that wait for a partner are of one entity, because a mention of any other entity
    would have been paired with them. So each mention either waits too or takes the first.
    """
    waiting: deque[int] = deque()
    for mention in missing:
        if waiting and key[waiting[0]] != key[mention]:
            yield [waiting.popleft(), mention]
        else:
            waiting.append(mention)


def _one_entity(missing: list[int], key: Ints) -> Iterator[list[int]]:
    """Make one entity of the first mention and all mentions that do not corefer with it."""
    first, *others = missing
    if apart := [mention for mention in others if key[mention] != key[first]]:
        yield [first, *apart]


def _one_of_each(missing: list[int], key: Ints) -> Iterator[list[int]]:
    """Make entities with at most one mention of each key entity."""
    rounds: dict[int, list[int]] = {}
    seen: Counter[int] = Counter()
    for mention in missing:
        entity = int(key[mention])
        rounds.setdefault(seen[entity], []).append(mention)
        seen[entity] += 1
    return (together for together in rounds.values() if len(together) > 1)


CHANGES: dict[str, tuple[bool | None, Change]] = {
    BASE: (None, lambda alignment: alignment.res),
    "more precise": (True, more_precise),
    "less precise a": (False, _add_missing(_pairs)),
    "less precise b, literal": (None, _add_missing(_one_entity)),
    "less precise b, strict": (False, _add_missing(_one_of_each)),
    "nothing": (None, lambda alignment: np.full_like(alignment.res, NOWHERE)),
    "key mentions as singletons": (None, lambda a: np.where(a.key == NOWHERE, NOWHERE, a.key_row)),
    "key mentions as one entity": (None, lambda a: np.where(a.key == NOWHERE, NOWHERE, a.unit)),
    "the key": (None, lambda alignment: alignment.key),
}
