"""The weights and costs of ACE-Value, year by year, and the parameters that change them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from scoref.exceptions import UsageError
from scoref.metrics.names import not_negative, one_of
from scoref.metrics.registry import ACE_PARAMETERS

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
