"""The values of a policy: which values each field can have, and what a mistaken one may mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from scoref.exceptions import UsageError


def check_value(name: str, value: object, choices: tuple[str, ...]) -> None:
    """Refuse a value that a field of a policy cannot have."""
    is_open = name in _OPEN and isinstance(value, str) and _OPEN[name](value)
    if not is_open and (value not in choices or _is_placeholder(str(value))):
        hint = _HINT_WINDOW if name == "window" else _similar(str(value), choices)
        raise UsageError(f"{name} is {value!r}, but must be one of: {', '.join(choices)}", hint)


def _similar(value: str, choices: tuple[str, ...]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415  # only an error needs it

    close = get_close_matches(value, choices, n=1)
    return f"did you mean {close[0]!r}?" if close else ""


_PARAMETERS = ("metrics", "policy", "format", "encoding", "check_words", "trials", "level", "seed")
"""Other parameters of the functions that take choices, which a mistyped keyword may mean."""


def check_names(found: Iterable[object], names: Sequence[str], complaint: str) -> None:
    """Refuse names that are not among the choices of a policy, and suggest what was meant."""
    unknown = next((name for name in found if name not in names), None)
    if unknown is None:
        return
    from difflib import get_close_matches  # noqa: PLC0415  # only a mistake needs it

    close = get_close_matches(str(unknown), [*names, *_PARAMETERS], n=1, cutoff=0.5)
    hint = f"did you mean {close[0]}?" if close else f"choices are {', '.join(names)}"
    raise UsageError(f"{complaint} {unknown!r}", hint)


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


def _is_window(value: str) -> bool:
    """Whether a window is N, N:STEP, Ns or Ns:STEPs, with a step of at most N."""
    found = re.fullmatch(r"([1-9]\d{0,9})(s?)(?::([1-9]\d{0,9})\2)?", value)
    return found is not None and int(found[3] or 1) <= int(found[1])


def _is_placeholder(value: str) -> bool:
    """Whether a listed value describes a kind of values, such as `column=N`."""
    return "=" in value or "[" in value


_HINT_WINDOW = "write 200 for tokens, 20s for sentences, or 200:100 for a step, at most 200"
_OPEN = {
    "match": _is_overlap,
    "unit": _is_column,
    "where": _is_where,
    "markup": _is_own_markup,
    "window": _is_window,
}
"""What decides about values of fields that are not only listed."""
