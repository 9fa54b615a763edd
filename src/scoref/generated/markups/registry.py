"""Every markup by its name, and which of them a completion is in."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import cast

from scoref.exceptions import UsageError
from scoref.generated.markups.markup import TextMarkup

AUTO = "auto"
# A name with a hyphen is a variant, which is never detected: its family is.
_MODULES = {
    "crac": "crac:MARKUP",
    "crac-json": "crac_json:MARKUP",
    "markdown": "markdown:MARKUP",
    "brackets": "brackets:MARKUP",
    "brackets-underscore": "brackets:WITH_UNDERSCORE",
    "brackets-colon": "brackets:WITH_COLON",
    "xml": "xml:MARKUP",
    "quotes": "quotes:MARKUP",
    "quotes-context": "quotes:WITH_CONTEXT",
    "pronouns": "pronouns:MARKUP",
}
_ALIASES = {"crac-plaintext": "crac", "markdown-links": "markdown"}
_NOT_DETECTED = {"brackets-underscore", "brackets-colon", "quotes-context"}
NAMES = (*_MODULES, *_ALIASES)


def is_markup(name: str) -> bool:
    """Whether a name is that of a markup."""
    return name in NAMES


def find_markup(name: str) -> TextMarkup:
    """Return a markup by its name; or one of the user, by a regular expression or a function."""
    name = _ALIASES.get(name, name)
    if name in _MODULES:
        module, _, variable = _MODULES[name].partition(":")
        found = import_module(f"scoref.generated.markups.{module}")
        return cast("TextMarkup", getattr(found, variable))
    if name.startswith(("pattern=", "function=")):
        from scoref.generated.markups.users import markup_of_user  # noqa: PLC0415  # few need it

        return markup_of_user(name)
    known = ", ".join([*NAMES, "pattern=REGEX", "function=MODULE:NAME"])
    raise UsageError(f"unknown markup {name!r}", f"the markups are {known}")


def written_markups() -> list[TextMarkup]:
    """Return the markups that can be written."""
    return [markup for name in _MODULES if (markup := find_markup(name)).write is not None]


@lru_cache(maxsize=64)
def detect_markup(text: str) -> TextMarkup | None:
    """Return the markup with the most tags in a completion, or None if it has no tags."""
    best, most = None, 0
    for name in _MODULES:
        if name not in _NOT_DETECTED:
            markup = find_markup(name)
            if (tags := markup.count(text)) > most:
                best, most = markup, tags
    return best
