"""The mentions and entities of one side for ACE-Value, and the rules that give them weights.

Weights and costs differ from year to year, and parameters change them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Floats, Ints, sum_by
from scoref.exceptions import UsageError
from scoref.metrics.base import divide
from scoref.metrics.names import not_negative, one_of
from scoref.metrics.registry import ACE_PARAMETERS
from scoref.metrics.table import NOWHERE, MentionRows, SideName

ENTITY_TYPE_NAMES = ("PER", "ORG", "GPE", "LOC", "FAC", "VEH", "WEA")
SPECIFIC = "SPC"
LEVELS = ("name", "nominal", "pronoun", "premodifier")
_GENERIC = ("GEN", "NEG", "USP")
NEGLIGIBLE = 1e-8
"""The weight of an entity that is not specific in 2008: too small to change a score."""

# The differences between years: the weight of entities that are not specific, the part of the
# cost of a false alarm for a mention in a wrong entity, and how far texts of heads must agree.
YEARS = {2005: (0.0, 0.0, 0.0), 2007: (0.0, 1.0, 0.3), 2008: (NEGLIGIBLE, 1.0, 0.0)}

WeightsByName = tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Rules:
    """The weights and costs of one year."""

    mention_weight: tuple[float, float, float, float]
    entity_weight: WeightsByName
    class_weight: WeightsByName
    entity_error: tuple[float, float, float]
    mention_error: tuple[float, float, float]
    false_alarm: float
    mention_false_alarm: float
    coreference: float
    least_overlap: float
    least_text: float
    by_mentions: bool
    map_by_mentions: bool
    as_2005: bool
    metonymy_lowers: bool


def rules_of(**parameters: float | str) -> Rules:
    """Return the rules of a year, changed by parameters."""
    values = {**ACE_PARAMETERS, **parameters}
    year = int(values.pop("year"))
    return _rules(year, **values)


@cache
def _rules(year: int, **given: float | str) -> Rules:
    number = {name: float(value) for name, value in given.items() if not isinstance(value, str)}
    generic, coreference, text = (
        _of_year(given[name], default, name)
        for name, default in zip(("generic", "coreference", "text"), YEARS[year], strict=True)
    )
    one_of("ace", "valuation", str(given["valuation"]), ("level", "mention"))
    not_negative("ace", coreference=coreference, text=text, generic=generic, **number)
    if not 0 < number["overlap"] <= 1:
        raise UsageError("ace has no such overlap: it must be above 0 and at most 1")
    return Rules(
        mention_weight=(number["nam"], number["nom"], number["pro"], number["pre"]),
        entity_weight=tuple((name, number[name.lower()]) for name in ENTITY_TYPE_NAMES),
        class_weight=((SPECIFIC, number["specific"]), *((name, generic) for name in _GENERIC)),
        entity_error=(number["type_error"], number["subtype_error"], number["class_error"]),
        mention_error=(number["mention_type_error"], number["role_error"], number["style_error"]),
        false_alarm=number["false_alarm"],
        mention_false_alarm=number["mention_false_alarm"],
        coreference=coreference,
        least_overlap=number["overlap"],
        least_text=text,
        by_mentions=given["valuation"] == "mention",
        map_by_mentions=year == 2008,
        as_2005=year == 2005,
        metonymy_lowers=year == 2008,
    )


def _of_year(given: str | float, default: float, name: str) -> float:
    """Return a number; `year` means the default of the year."""
    if given == "year":
        return default
    try:
        return float(given)
    except ValueError:
        raise UsageError(f"ace has {name}={given}, expected a number") from None


class AceMentions(NamedTuple):
    """The mentions of one side: their entity, document, head, weight and attributes."""

    entity: Ints
    unit: Ints
    start: Ints
    end: Ints
    weight: Floats
    kind: Ints
    role: NDArray[Any]
    style: NDArray[Any]
    text: NDArray[Any]


class AceEntities(NamedTuple):
    """The entities of one side.

    `value` is the weight of type and class, `level` that of the best mention type, and
    `total` the sum of the weights of all mentions.
    """

    value: Floats
    level: Floats
    total: Floats
    kind: NDArray[Any]
    subtype: NDArray[Any]
    kind_class: NDArray[Any]

    def share(self, *, by_mentions: bool) -> Floats:
        """Return what one unit of mention weight is worth: level / total, or 1."""
        if by_mentions:
            return np.ones(len(self.level))
        return np.nan_to_num(divide(self.level, self.total))

    def worth(self, *, by_mentions: bool) -> Floats:
        """Return the value of each entity."""
        return self.value * (self.total if by_mentions else self.level)


def collect(
    rows: MentionRows, side: SideName, unit: Ints, rules: Rules
) -> tuple[AceMentions, AceEntities]:
    """Collect the mentions and entities of one side."""
    entity = rows.key if side == "key" else rows.res
    at = np.flatnonzero(entity != NOWHERE)
    entity = entity[at]
    kinds = rows.entity_attribute(side, "type") if len(unit) else np.zeros(0, dtype="U1")
    if kinds is None or (kinds == "").any():
        raise UsageError(
            f"ace requires the type (PER, ORG, ...) of each entity, which the {side} does not have",
            "read ACE files, or pass entities={doc: [{...}, ...]} to Corpus.from_entities",
        )
    start, end = (_required(rows, side, f"head_{end}", "head", at) for end in ("start", "end"))
    names = _required(rows, side, "type", "type (name, nominal, pronoun)", at).tolist()
    kind = np.array([LEVELS.index(name) for name in names], dtype=np.int64)
    style = _optional(rows.attribute(side, "style"), at, "LITERAL")
    weight = np.array(rules.mention_weight)[kind]
    role = _optional(rows.attribute(side, "role"), at, kinds[entity])
    text = _optional(rows.attribute(side, "head_text"), at, "")
    mentions = AceMentions(entity, rows.unit[at], start, end, weight, kind, role, style, text)
    classes = _of_entities(rows, side, "class", len(unit), SPECIFIC)
    level = np.zeros(len(unit))
    lowered = rules.metonymy_lowers & (style == "METONYMIC") & (kind == 0)
    np.maximum.at(level, entity, np.where(lowered, rules.mention_weight[1], weight))
    subtype = _of_entities(rows, side, "subtype", len(unit), "")
    value = _weigh(kinds, rules.entity_weight) * _weigh_classes(classes, rules.class_weight)
    total = sum_by(entity, weight, len(unit))
    return mentions, AceEntities(value, level, total, kinds, subtype, classes)


def _required(rows: MentionRows, side: SideName, name: str, what: str, at: Ints) -> NDArray[Any]:
    """Return an attribute that every mention must have."""
    values = rows.attribute(side, name)
    if values is None:
        values = np.full(int(at.max(initial=-1)) + 1, "")
    found = values[at]
    if missing := int(np.count_nonzero(found == (-1 if found.dtype.kind == "i" else ""))):
        raise UsageError(
            f"ace requires the {what} of each mention, but {missing} of the {side} have none",
            "read ACE files, or pass mentions={doc: {mention: {...}}} to Corpus.from_entities",
        )
    return found if len(found) else np.zeros(0, dtype=np.int64)


def _optional(values: NDArray[Any] | None, at: Ints, default: Any) -> NDArray[Any]:
    """Return an attribute, with a default where it is not stated."""
    found = np.full(len(at), "") if values is None else values[at]
    return np.where(found == "", default, found)


def _of_entities(
    rows: MentionRows, side: SideName, name: str, entities: int, default: str
) -> NDArray[Any]:
    """Return an attribute of entities, with a default where it is not stated."""
    values = rows.entity_attribute(side, name) if entities else None
    return _optional(values, np.arange(entities), default)


def _weigh(kinds: NDArray[Any], weights: WeightsByName) -> Floats:
    """Weigh entities by type; a type that is not listed weighs 1."""
    return np.array([dict(weights).get(kind, 1.0) for kind in kinds.tolist()], dtype=np.float64)


def _weigh_classes(classes: NDArray[Any], weights: WeightsByName) -> Floats:
    known = dict(weights)
    if unknown := sorted(set(classes.tolist()) - known.keys()):
        raise UsageError(
            f"found an entity of the class {unknown[0]!r}, which ace does not know",
            f"use one of: {', '.join(known)}",
        )
    return _weigh(classes, weights)
