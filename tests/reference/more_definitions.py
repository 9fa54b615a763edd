"""The other measures a second time: slow, obvious, straight from their definitions.

Types are given by a function from a mention to NAM, NOM or PRO; the order of the text is the
alphabet's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from math import log2

from tests.reference.definitions import (
    COUNT,
    ZERO,
    Counts,
    Entities,
    Entity,
    b3,
    ceaf,
    divide,
    links_of,
    mention_set,
)

Type = Callable[[str], str]


# What older papers did with mentions that only one side has (METRICS 2.1)


def singletons(mentions: set[str]) -> Entities:
    """Make an entity of each mention."""
    return tuple(frozenset({mention}) for mention in sorted(mentions))


def without(side: Entities, mentions: set[str]) -> Entities:
    """Delete mentions, and the entities that this empties."""
    left = (frozenset(entity - mentions) for entity in side)
    return tuple(entity for entity in left if entity)


def twinless(
    count: Callable[[Entities, Entities], Counts], practice: str, *, ceaf_like: bool = False
) -> Callable[[Entities, Entities], Counts]:
    """Count with what a practice makes of the two sides, for recall and for precision."""

    def counting(key: Entities, response: Entities) -> Counts:
        in_key, in_response = mention_set(key), mention_set(response)
        missing, spurious = in_key - in_response, in_response - in_key
        cleaned = tuple(r for r in response if not (len(r) == 1 and r <= spurious))
        remaining = mention_set(cleaned) - in_key
        completed = cleaned + singletons(missing)
        extended = key + singletons(remaining)
        reduced = without(response, spurious)
        sides = {
            "0": ((key, reduced), (key, reduced)),
            "all": (
                (key, response + singletons(missing)),
                (key + singletons(spurious), response),
            ),
            "rn": ((key, completed), (extended, cleaned)),
            "sys": ((key, without(completed, remaining)), (extended, completed)),
            "v4": ((extended, completed), (extended, completed)),
        }
        if ceaf_like and practice == "rn":
            return count(key, cleaned)
        recall, precision = sides[practice]
        return *count(*recall)[:2], *count(*precision)[2:]

    return counting


# Measures of clustering, for equal mentions


def rand(key: Entities, response: Entities) -> Counts:
    """Count pairs treated alike."""
    ck, nk = links_of(key)
    cr, nr = links_of(response)
    return Fraction(len(ck & cr) + len(nk & nr)), Fraction(len(ck) + len(nk))


def ari(key: Entities, response: Entities) -> Counts:
    """Count common links, those expected, the most possible, and mentions."""
    ck, nk = links_of(key)
    cr, _ = links_of(response)
    expected = divide(Fraction(len(ck) * len(cr)), Fraction(len(ck) + len(nk)))
    most = Fraction(len(ck) + len(cr), 2)
    return Fraction(len(ck & cr)), expected, most, Fraction(len(mention_set(key)))


def nmi(key: Entities, response: Entities) -> tuple[float, float, float]:
    """Return recall, precision and F1 from entropies."""
    total = sum(map(len, key))
    if not total:
        return 0.0, 0.0, 0.0

    def entropy(side: Entities) -> float:
        return -sum(len(e) / total * log2(len(e) / total) for e in side)

    joint = -sum(
        len(k & r) / total * log2(len(k & r) / total) for k in key for r in response if k & r
    )
    information = entropy(key) + entropy(response) - joint
    both_none = len(key) == len(response) == 1
    recall = information / entropy(key) if len(key) > 1 else float(both_none)
    precision = information / entropy(response) if len(response) > 1 else float(both_none)
    together = recall + precision
    return recall, precision, 2 * recall * precision / together if together else 0.0


# Chen & Ng


def linguistic(name: str, weight: dict[str, Fraction], type_of: Type) -> Callable[..., Counts]:
    """Count with spanning trees that are really grown, link by link."""

    def of_link(one: set[str], other: set[str]) -> Fraction:
        kinds = {type_of(mention) for mention in one | other}
        return weight[next(kind for kind in ("NAM", "NOM", "PRO") if kind in kinds)]

    def tree(nodes: Sequence[set[str]]) -> Fraction:
        """Grow the heaviest spanning tree (Kruskal)."""
        group = list(range(len(nodes)))
        total = ZERO
        edges = [(of_link(nodes[i], nodes[j]), i, j) for i, j in combinations(range(len(nodes)), 2)]
        for worth, i, j in sorted(edges, reverse=True):
            if group[i] != group[j]:
                total += worth
                group = [group[i] if g == group[j] else g for g in group]
        return total

    def w_c(k: Entity, s: Entity) -> Fraction:
        if len(k) == 1 and k == s:
            return weight["sing"]
        return tree([{m} for m in sorted(k & s)])

    def w_k(k: Entity) -> Fraction:
        return weight["sing"] if len(k) == 1 else tree([{m} for m in sorted(k)])

    def w_s(s: Entity, key: Entities) -> Fraction:
        if len(s) == 1:
            return weight["sing"]
        cells = [set(k & s) for k in key if k & s]
        cells += [{m} for m in sorted(s - mention_set(key))]
        return sum((w_c(k, s) for k in key if k & s), ZERO) + tree(cells)

    def count(key: Entities, response: Entities) -> Counts:
        keys = sum((w_k(k) for k in key), ZERO)
        responses = sum((w_s(s, key) for s in response), ZERO)
        cells = [(k, s) for k in key for s in response if k & s]
        if name == "lmuc":
            common = sum((w_c(k, s) for k, s in cells), ZERO)
            return common, keys, common, responses
        if name == "lb3":
            recall = sum((len(k & s) * w_c(k, s) / w_k(k) for k, s in cells), ZERO)
            precision = sum((len(k & s) * w_c(k, s) / w_s(s, key) for k, s in cells), ZERO)
            mentions = (Fraction(len(mention_set(side))) for side in (key, response))
            in_key, in_response = mentions
            return recall, in_key, precision, in_response
        if name == "lceafm":
            best = ceaf(w_c)(key, response)[0]
            return best, keys, best, responses
        best = ceaf(lambda k, s: 2 * w_c(k, s) / (w_k(k) + w_s(s, key)))(key, response)[0]
        return best, Fraction(len(key)), best, Fraction(len(response))

    return count


# Tuggener


def arcs(kind: str, type_of: Type) -> Callable[[Entities, Entities], Counts]:
    """Go through every anaphor."""

    def nominal(mention: str) -> bool:
        return type_of(mention) != "PRO"

    def chain_of(side: list[list[str]], mention: str) -> list[str]:
        return next((chain for chain in side if mention in chain), [])

    def before(chain: list[str], mention: str) -> list[str]:
        return chain[: chain.index(mention)] if mention in chain else []

    def inferred(chain: list[str], mention: str) -> str | None:
        return next((m for m in reversed(before(chain, mention)) if nominal(m)), None)

    def count(key: Entities, response: Entities) -> Counts:
        keys = [sorted(e) for e in key if len(e) > 1]
        responses = [sorted(e) for e in response if len(e) > 1]
        tally = {"tp": 0, "wl": 0, "fn": 0, "fp": 0}
        for chain in keys:
            for m in chain[1:] if any(map(nominal, chain)) else []:
                if not nominal(m) and inferred(chain, m) is None:
                    continue
                theirs = chain_of(responses, m)
                if not before(theirs, m):
                    tally["fn"] += 1
                elif kind == "immediate":
                    tally["tp" if before(theirs, m)[-1] == before(chain, m)[-1] else "wl"] += 1
                else:
                    antecedent = inferred(theirs, m)
                    if antecedent is None:
                        tally["fn"] += inferred(chain, m) is not None
                    else:
                        tally["tp" if antecedent in chain else "wl"] += 1
        for chain in responses:
            if kind == "inferred" and not any(map(nominal, chain)):
                continue
            for m in chain[1:]:
                ours = chain_of(keys, m)
                if kind == "immediate":
                    tally["fp"] += not before(ours, m)
                elif not ours:
                    tally["fp"] += 1
                else:
                    tally["fp"] += inferred(chain, m) is not None and inferred(ours, m) is None
        return tuple(map(Fraction, tally.values()))

    return count


def arcs_anchor(type_of: Type) -> Callable[[Entities, Entities], Counts]:
    """Find entities by their first nominal."""

    def count(key: Entities, response: Entities) -> Counts:
        remaining = sorted((sorted(e) for e in response if len(e) > 1), key=min)
        entity, mention = [0, 0, 0], [0, 0, 0]
        for chain in sorted((sorted(e) for e in key if len(e) > 1), key=min):
            anchor = next((m for m in chain if type_of(m) != "PRO"), None)
            wanted = chain if anchor is None else [anchor]
            found = next((r for m in wanted for r in remaining if m in r), None)
            if found is not None:
                remaining.remove(found)
            if anchor is not None and found is None:
                entity[1] += 1
            elif anchor is not None and found is not None:
                shared = len(set(chain) & set(found))
                entity[0] += 1
                mention[0] += shared
                mention[1] += len(chain) - shared
                mention[2] += len(found) - shared
        entity[2] = len(remaining)
        return tuple(map(Fraction, (*entity, *mention)))

    return count


TWINLESS = {
    **{f"b3(twinless={name})": twinless(b3, name) for name in ("0", "all", "rn", "sys", "v4")},
    **{
        f"{metric}(twinless={name})": twinless(COUNT[metric], name, ceaf_like=True)
        for metric, names in (("ceafm", ("rn", "sys", "v4")), ("ceafe", ("rn", "v4")))
        for name in names
    },
}
