# ruff: noqa: FBT001  # formulas read better so
"""ACE-Value once more, slowly: every matching and every mapping is tried.

Written from the formulas alone, on plain lists; nothing is shared with the package.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

WEIGHT = {"name": 1.0, "nominal": 0.5, "pronoun": 0.1}
CLASS = {2005: {"SPC": 1.0, "GEN": 0.0}, 2007: {"SPC": 1.0, "GEN": 0.0}}
CLASS[2008] = {"SPC": 1.0, "GEN": 1e-8}


@dataclass(frozen=True)
class Mention:
    """A mention: its type and its head."""

    type: str
    head: tuple[int, int]


@dataclass(frozen=True)
class Entity:
    """An entity with its attributes."""

    type: str
    subtype: str
    cls: str
    mentions: tuple[Mention, ...]

    def value(self, year: int) -> float:
        """Return the weight of its class."""
        return CLASS[year][self.cls]

    @property
    def level(self) -> float:
        """The weight of its best mention."""
        return max(WEIGHT[m.type] for m in self.mentions)

    @property
    def total(self) -> float:
        """The weight of all its mentions."""
        return sum(WEIGHT[m.type] for m in self.mentions)


def can_match(m: Mention, n: Mention) -> bool:
    """Whether two heads overlap by 0.3 of the longer one."""
    (a, b), (c, d) = m.head, n.head
    shared = max(0, 1 + min(b, d) - max(a, c))
    return shared / max(b - a + 1, d - c + 1) >= 0.3


def pair_score(m: Mention, n: Mention, e: Entity, f: Entity) -> float:
    """Return what a matched mention earns; its role is the type of its entity."""
    score = min(WEIGHT[m.type], WEIGHT[n.type])
    score *= 0.9 if m.type != n.type else 1.0
    return score * (0.9 if e.type != f.type else 1.0)


def value(key: list[Entity], response: list[Entity], year: int, *, mention: bool = False) -> float:
    """Return the value of one document by brute force."""
    reference = [m for e in key for m in e.mentions]
    known = {n for f in response for n in f.mentions if any(can_match(m, n) for m in reference)}

    def share(e: Entity, by_mentions: bool) -> float:
        return 1.0 if by_mentions else e.level / e.total

    def alarm(n: Mention, f: Entity, by_mentions: bool) -> float:
        if year == 2005:
            return 0.0 if n in known else -0.75 * WEIGHT[n.type]
        return -0.75 * f.value(year) * share(f, by_mentions) * WEIGHT[n.type]

    def unmapped(f: Entity, by_mentions: bool) -> float:
        total = sum(alarm(n, f, by_mentions) for n in f.mentions)
        return 0.75 * f.value(year) * share(f, by_mentions) * total if year == 2005 else total

    def pair(e: Entity, f: Entity, by_mentions: bool) -> float:
        error = 0.5 if e.type != f.type else 1.0
        error *= 0.9 if e.subtype != f.subtype else 1.0
        error *= 0.75 if e.cls != f.cls else 1.0
        worth = min(e.value(year), f.value(year)) * error
        best = float("-inf")
        for chosen in matchings(e.mentions, f.mentions):
            matched = {n for _, n in chosen}
            lost = sum(alarm(n, f, by_mentions) for n in f.mentions if n not in matched)
            earned = sum(pair_score(m, n, e, f) for m, n in chosen)
            if year == 2005:
                part = 1.0 if by_mentions else min(e.level, f.level) / e.total
                best = max(best, worth * part * (lost + earned))
            else:
                best = max(best, lost + worth * share(e, by_mentions) * earned)
        return best

    by_mentions = mention or year == 2008
    possible = [
        (i, j)
        for i, e in enumerate(key)
        for j, f in enumerate(response)
        if any(can_match(m, n) for m in e.mentions for n in f.mentions)
    ]
    gains = {
        (i, j): pair(key[i], response[j], by_mentions) - unmapped(response[j], by_mentions)
        for i, j in possible
    }
    mapping = best_mapping(gains)
    worth = sum(e.value(year) * (e.total if mention else e.level) for e in key)
    got = sum(pair(key[i], response[j], mention) for i, j in mapping)
    used = {j for _, j in mapping}
    got += sum(unmapped(f, mention) for j, f in enumerate(response) if j not in used)
    return got / worth


def matchings(
    ours: tuple[Mention, ...], theirs: tuple[Mention, ...]
) -> list[list[tuple[Mention, Mention]]]:
    """List every one-to-one matching of mentions that can match."""
    if not ours:
        return [[]]
    first, *rest = ours
    found = matchings(tuple(rest), theirs)
    for n in theirs:
        if can_match(first, n):
            left = tuple(x for x in theirs if x is not n)
            found = found + [[(first, n), *more] for more in matchings(tuple(rest), left)]
    return found


def best_mapping(gains: dict[tuple[int, int], float]) -> list[tuple[int, int]]:
    """Try all mappings; an entity alone with its candidates is mapped even at a loss."""
    keys = sorted({i for i, _ in gains})
    responses: list[int | None] = [*sorted({j for _, j in gains}), *(None for _ in keys)]
    best: list[tuple[int, int]] = []
    total = 0.0
    for order in set(permutations(responses, len(keys))):
        chosen = [(i, j) for i, j in zip(keys, order, strict=True) if j is not None]
        if all(pair in gains for pair in chosen):
            gained = sum(gains[pair] for pair in chosen)
            if gained > total + 1e-12:
                best, total = chosen, gained
    mapped = {i for i, _ in best}
    for i in keys:
        mine = [j for k, j in gains if k == i]
        alone = all(sum(j == other for _, other in gains) == 1 for j in mine)
        if i not in mapped and alone:
            best.append((i, max(mine, key=lambda j: gains[i, j])))
    return best
