"""ARCS: whether each anaphor is linked to an antecedent that helps a reader.

Tuggener (2014), as in the author's release 1.2. Mentions are taken in the order of the text;
singletons are ignored; names and nominals are both called nominals here. An anaphor is a mention
that is not the first of its entity. It is right (tp), linked wrongly (wl), missing (fn) or
spurious (fp):

    immediate  right if the mention before it is the same in both entities
    inferred   right if the closest nominal before it in the response entity is in its key entity
    anchor     entities are found by their first nominal, then their mentions are compared

R = tp / (tp + wl + fn), P = tp / (tp + wl + fp). For `anchor`, F1 is the harmonic mean of the
F1 of entities and the F1 of mentions.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Bools, Floats, Ints, first_of_run
from scoref.exceptions import UsageError
from scoref.metrics.base import About, Metric, divide, f1, only_f1, score_ratio
from scoref.metrics.names import one_of
from scoref.metrics.needs import MENTION_ORDER, TYPES
from scoref.metrics.table import NAME, NOMINAL, NOWHERE, PRONOUN, MentionRows, Table

_TYPES = {"all": (NAME, NOMINAL, PRONOUN), "noun": (NAME, NOMINAL)}
_TYPES |= {"name": (NAME,), "nominal": (NOMINAL,), "pronoun": (PRONOUN,)}


class Chains(NamedTuple):
    """For each mention, the mentions before it in its entity on one side, or NOWHERE."""

    entity: Ints
    previous: Ints
    nominal: Ints
    has_nominal: Bools


def _chains(order: Ints, entity: Ints, sizes: Ints, nominal: Bools) -> Chains:
    """Order the mentions of each entity of one side by the text; singletons are ignored."""
    entity = np.where((entity != NOWHERE) & (np.append(sizes, 0)[entity] > 1), entity, NOWHERE)
    at = np.flatnonzero(entity != NOWHERE)
    at = at[np.lexsort((order[at], entity[at]))]
    first = first_of_run(entity[at])
    place = np.arange(len(at))
    start = place[first][np.cumsum(first) - 1] if len(at) else place
    # The latest nominal up to each place; it counts only if it is before, in the same entity.
    latest = np.maximum.accumulate(np.where(nominal[at], place, NOWHERE)) if len(at) else place
    before = np.concatenate([[NOWHERE], latest[:-1]]) if len(at) else place
    previous = np.full(len(entity), NOWHERE, dtype=np.int64)
    closest = np.full(len(entity), NOWHERE, dtype=np.int64)
    previous[at[~first]] = at[place[~first] - 1]
    inside = before >= start
    closest[at[inside]] = at[before[inside]]
    with_nominal = np.zeros(len(sizes) + 1, dtype=bool)
    with_nominal[entity[at[nominal[at]]]] = True
    return Chains(entity, previous, closest, with_nominal[entity] & (entity != NOWHERE))


def _sides(table: Table) -> tuple[MentionRows, Bools, Chains, Chains]:
    rows = table.mentions
    nominal, order = rows.type != PRONOUN, rows.order
    key = _chains(order, rows.key, table.key_size, nominal)
    response = _chains(order, rows.res, table.res_size, nominal)
    return rows, nominal, key, response


def _tally(table: Table, selected: Bools, kinds: list[Bools]) -> Floats:
    unit, units = table.mentions.unit, len(table.units)
    columns = [np.bincount(unit[kind & selected], minlength=units) for kind in kinds]
    return np.stack(columns, axis=-1).astype(np.float64)


def _anaphors(rows: MentionRows, of: str) -> Bools:
    """Mark the mentions of a type, or of a part-of-speech tag as the files write it."""
    if of in _TYPES:
        return np.isin(rows.type, _TYPES[of])
    tags = (rows.attribute("key", "tag"), rows.attribute("response", "tag"))
    known = [tag for tag in tags if tag is not None]
    if not known:
        raise UsageError(
            f"arcs(of={of}) requires part-of-speech tags, which the files do not have",
            f"without tags, use one of: {', '.join(_TYPES)}",
        )
    marked: Bools = np.any([tag == of for tag in known], axis=0)
    return marked


def _anaphors_of_key(table: Table) -> tuple[MentionRows, Chains, Chains, Bools, Bools]:
    """Return both sides, the anaphors of the key, and those that the response links."""
    rows, nominal, key, response = _sides(table)
    anaphor = (key.previous != NOWHERE) & key.has_nominal & (nominal | (key.nominal != NOWHERE))
    return rows, key, response, anaphor, anaphor & (response.previous != NOWHERE)


def count_immediate(table: Table, of: str) -> Floats:
    """Count anaphors by the mention right before them."""
    rows, key, response, anaphor, linked = _anaphors_of_key(table)
    right = linked & (response.previous == key.previous)
    spurious = (response.previous != NOWHERE) & (key.previous == NOWHERE)
    return _tally(table, _anaphors(rows, of), [right, linked & ~right, anaphor & ~linked, spurious])


def count_inferred(table: Table, of: str) -> Floats:
    """Count anaphors by the closest nominal before them."""
    rows, key, response, anaphor, linked = _anaphors_of_key(table)
    inferred = response.nominal != NOWHERE
    same = np.append(key.entity, NOWHERE)[response.nominal] == key.entity
    right = linked & inferred & same
    missing = (anaphor & ~linked) | (linked & ~inferred & (key.nominal != NOWHERE))
    in_response = (response.previous != NOWHERE) & response.has_nominal
    only_response = inferred & (key.nominal == NOWHERE)
    spurious = in_response & ((key.entity == NOWHERE) | only_response)
    return _tally(table, _anaphors(rows, of), [right, linked & inferred & ~same, missing, spurious])


def count_anchor(table: Table) -> Floats:
    """Count entities by their first nominal, then the mentions of the entities found."""
    rows, nominal, key, response = _sides(table)
    counts = np.zeros((len(table.units), 6))
    keys, responses = (_in_textual_order(rows, side.entity) for side in (key, response))
    entity_of, is_nominal = response.entity.tolist(), nominal.tolist()
    for mentions in keys.values():
        unit = rows.unit[mentions[0]]
        anchor = next((at for at in mentions if is_nominal[at]), None)
        candidates = mentions if anchor is None else [anchor]
        chosen = next((entity_of[at] for at in candidates if entity_of[at] in responses), NOWHERE)
        members = responses.pop(chosen, [])
        if anchor is None:
            continue
        if members:
            shared = len({*members} & {*mentions})
            counts[unit] += 1, 0, 0, shared, len(mentions) - shared, len(members) - shared
        else:
            counts[unit, 1] += 1
    for mentions in responses.values():
        counts[rows.unit[mentions[0]], 2] += 1
    return counts


def _in_textual_order(rows: MentionRows, entity: Ints) -> dict[int, list[int]]:
    """Return the mentions of each entity, entities by their first mention."""
    at = np.flatnonzero(entity != NOWHERE)
    at = at[np.lexsort((rows.order[at], rows.unit[at]))]
    found: dict[int, list[int]] = {}
    for row, one in zip(at.tolist(), entity[at].tolist(), strict=True):
        found.setdefault(one, []).append(row)
    return found


def score_links(counts: Floats) -> Floats:
    """Score (..., 4) counts: right, wrong link, missing, spurious."""
    right, wrong, missing, spurious = np.moveaxis(counts, -1, 0)
    linked = right + wrong
    return score_ratio(np.stack([right, linked + missing, right, linked + spurious], axis=-1))


def score_anchor(counts: Floats) -> Floats:
    """Score (..., 6) counts: the harmonic mean of the F1 of entities and of mentions."""

    def f1_of(right: Floats, missing: Floats, spurious: Floats) -> Floats:
        return f1(divide(right, right + missing), divide(right, right + spurious))

    columns = np.moveaxis(counts, -1, 0)
    return only_f1(f1(f1_of(*columns[:3]), f1_of(*columns[3:])))


_COUNT = {"immediate": count_immediate, "inferred": count_inferred}
_LINKS = ("right", "wrong_link", "missing", "spurious")
_ANCHORS = tuple(f"{what}_{kind}" for what in ("entity", "mention") for kind in ("tp", "fn", "fp"))


@cache
def _counting(kind: str, of: str) -> Callable[[Table], Floats]:
    return lambda table: _COUNT[kind](table, of)


def arcs(kind: str = "immediate", of: str = "all") -> Metric:
    """Return one of Tuggener's three metrics, for all anaphors or for one type."""
    one_of("arcs", "kind", kind, (*_COUNT, "anchor"))
    by_anchor = kind == "anchor"
    if by_anchor and of != "all":
        raise UsageError("arcs(kind=anchor) counts entities and has no parameter 'of'")
    return Metric(
        name="arcs",
        count=count_anchor if by_anchor else _counting(kind, of),
        score=score_anchor if by_anchor else score_links,
        columns=_ANCHORS if by_anchor else _LINKS,
        symmetric=False,
        has_sides=not by_anchor,
        needs=frozenset({TYPES, MENTION_ORDER}),
        about=About(
            title="ARCS: anaphors resolved for a reader",
            formula="R = right / (right + wrong link + missing),"
            " P = right / (right + wrong link + spurious), over anaphors; kind=anchor: the"
            " harmonic mean of the F1 of entities and of mentions; of=noun, name, nominal, pronoun"
            " or a tag such as PRP$ counts only such anaphors",
            paper="Tuggener 2014, release 1.2",
            rewards="anaphors whose closest antecedent, or closest nominal one, is right",
            ignores="singletons, and which of several later links are also right",
        ),
    )
