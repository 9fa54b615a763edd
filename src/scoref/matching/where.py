"""Conditions on fields: scores of some mentions, as if the other mentions did not exist.

A selection is a mask over the rows of an alignment, so it has the same meaning for every metric.
`fields.py` has the fields. The first mention of an entity fulfils no condition on its distance
from another.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from scoref.base.arrays import Bools
from scoref.exceptions import UsageError
from scoref.matching.alignment import Alignment
from scoref.matching.fields import FIELDS
from scoref.policy import ALL_MENTIONS

_CONDITION = re.compile(r"\s*(?P<field>\w+)\s*(?P<sign>!=|<=|>=|=|<|>)\s*(?P<value>[^|&]+?)\s*")
_SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_TEXTS = tuple(field.name for field in FIELDS.values() if not field.is_number)
_NUMBERS = tuple(field.name for field in FIELDS.values() if field.is_number)


class Condition(NamedTuple):
    """A condition on mentions: a field, a sign and a value."""

    field: str
    sign: str
    value: str

    def rows(self, alignment: Alignment) -> Bools:
        """Mark the rows that fulfil the condition."""
        field = FIELDS[self.field]
        values = field.values(alignment)
        value: Any = float(self.value) if field.is_number else self.value
        marked: Bools = np.asarray(_SIGNS[self.sign](values, value), dtype=bool)
        least = {"distance": 1, "sentences": 0}.get(self.field)  # first mentions have neither
        return marked if least is None else marked & (values >= least)


def parse_conditions(
    where: str, texts: Sequence[str] = _TEXTS, numbers: Sequence[str] = _NUMBERS
) -> tuple[Condition, ...]:
    """Parse the `where` of a policy, such as `type=pronoun&entity_size>5`.

    The fields are those of mentions, unless others are named.
    """
    if where in (ALL_MENTIONS, ""):
        return ()
    return tuple(_parse_condition(text, texts, numbers) for text in where.split("&"))


def _parse_condition(text: str, texts: Sequence[str], numbers: Sequence[str]) -> Condition:
    found = _CONDITION.fullmatch(text)
    known = ", ".join((*texts, *numbers))
    if found is None:
        raise UsageError(
            f"{text!r} is not a condition",
            f"write FIELD=VALUE, such as type=pronoun; fields: {known}",
        )
    field, sign, value = found["field"], found["sign"], found["value"]
    if field not in (*texts, *numbers):
        raise UsageError(f"{text!r}: unknown field {field!r}", f"one of: {known}")
    if field in texts and sign not in ("=", "!="):
        raise UsageError(f"{text!r}: {field} can only be compared with = or !=")
    values = FIELDS[field].known if field in FIELDS else ()
    if field == "type" and value not in values:
        raise UsageError(
            f"{text!r}: unknown mention type {value!r}", f"one of: {', '.join(values)}"
        )
    if values and value not in values:
        hint = f"write {' or '.join(f'{field}={one}' for one in values)}"
        raise UsageError(f"{text!r}: {value!r} is not {' or '.join(values)}", hint)
    if field in numbers and not re.fullmatch(r"\d+(\.\d+)?", value):
        raise UsageError(f"{text!r}: {value!r} is not a number")
    return Condition(field, sign, value)


def select_rows(alignment: Alignment, where: str) -> Bools:
    """Mark the rows that fulfil all conditions."""
    marked = [one.rows(alignment) for one in parse_conditions(where)]
    found: Bools = np.logical_and.reduce([np.ones(len(alignment.unit), dtype=bool), *marked])
    return found


def select_mentions(alignment: Alignment, where: str) -> Alignment:
    """Keep the mentions that fulfil all conditions."""
    if not parse_conditions(where):
        return alignment
    whole, row = alignment.before_cut()
    return alignment.where(select_rows(whole, where)[row])
