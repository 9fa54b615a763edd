"""Values of policies: which open values are valid, and which values go together."""

from __future__ import annotations

import re

E2E = "e2e"
"""The value of `compat` for CorefEvaluator, the evaluator of e2e-coref and its descendants."""


def _is_overlap(value: str) -> bool:
    """Whether a matching mode is `overlap=T` with a threshold above 0 and up to 1."""
    name, _, threshold = value.partition("=")
    try:
        return name == "overlap" and 0 < float(threshold) <= 1
    except ValueError:
        return False


def _is_column(value: str) -> bool:
    """Whether a unit is `column=N`, with columns counted from 1."""
    name, _, number = value.partition("=")
    return name == "column" and number.isdecimal() and int(number) > 0


def _is_where(value: str) -> bool:
    """Whether a text looks like conditions on mentions; `parse_conditions` checks it fully."""
    return value != "FIELD=VALUE" and "|" not in value and bool(re.search(r"[=<>]", value))


def _is_own_markup(value: str) -> bool:
    """Whether a markup is that of the user; `find_markup` checks it fully."""
    return value.startswith(("pattern=", "function=")) and not value.endswith(("REGEX", "E:NAME"))


# The values that other scorers support.
_ALL_MENTIONS = {"where": ("all",), "nested": ("keep",), "verb_phrases": ("keep",)}
_SIMPLE = {"unit": ("document",), **_ALL_MENTIONS}
COMPAT: dict[str, tuple[str, dict[str, tuple[str, ...]]]] = {
    "corefud-1.2": ("corefud-scorer", {"match": ("exact", "head", "partial"), **_SIMPLE}),
    E2E: ("CorefEvaluator", {"match": ("exact",), **_SIMPLE}),
}
# The members of a split antecedent are compared by all of their mentions.
SPLIT = {
    "unit": ("document",),
    "singletons": ("keep",),
    "compat": ("none",),
    **_ALL_MENTIONS,
}
# The documents of a larger unit have no common positions.
NESTED = {"unit": ("document",)}
OPEN = {"match": _is_overlap, "unit": _is_column, "where": _is_where, "markup": _is_own_markup}
