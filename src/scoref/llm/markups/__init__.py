"""The markups that language models write, by name; those of users; and which one a text is in."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from functools import lru_cache
from importlib import import_module
from typing import cast

from scoref.exceptions import UsageError
from scoref.llm.marked_text import Close, Empty, Item, MarkedStream, MarkedText, Open, QuoteList
from scoref.llm.markups.markup import TextMarkup

AUTO = "auto"
# A name with a hyphen is a variant, which is never detected: its family is.
_MODULES = {
    "crac": "crac:MARKUP",
    "crac-json": "crac:JSON",
    "markdown": "brackets:MARKDOWN",
    "brackets": "brackets:MARKUP",
    "brackets-underscore": "brackets:WITH_UNDERSCORE",
    "brackets-colon": "brackets:WITH_COLON",
    "xml": "xml:MARKUP",
    "quotes": "quotes:MARKUP",
    "quotes-context": "quotes:WITH_CONTEXT",
    "pronouns": "quotes:PRONOUNS",
}
_NOT_DETECTED = {"brackets-underscore", "brackets-colon", "quotes-context"}
NAMES = tuple(_MODULES)


def is_markup(name: str) -> bool:
    """Whether a name is that of a markup."""
    return name in NAMES


def find_markup(name: str) -> TextMarkup:
    """Return a markup by its name; or one of the user, by a regular expression or a function."""
    if name in _MODULES:
        module, _, variable = _MODULES[name].partition(":")
        found = import_module(f"scoref.llm.markups.{module}")
        return cast("TextMarkup", getattr(found, variable))
    kind, _, value = name.partition("=")
    if kind in _OF_USERS:
        return _OF_USERS[kind](value)
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


def _of_pattern(pattern: str) -> TextMarkup:
    r"""Return the markup of a regular expression, which matches one tag: a group `open` or `close`.

    The entity of a tag is its group `entity` (or `entity_open` and `entity_close`, since a name can
    be used once): `\{` and `\}(\d+)` are tags in `(?P<open>\{)|(?P<close>\}(?P<entity>\d+))`.
    """
    try:
        tags = re.compile(pattern)
    except re.error as error:
        raise UsageError(f"the markup {pattern!r} is not a regular expression: {error}") from None
    if not {"open", "close"} <= tags.groupindex.keys():
        raise UsageError(
            f"the markup {pattern!r} lacks the group `open` or `close`",
            "write the tags as (?P<open>...)|(?P<close>...), and the entity as (?P<entity>...)",
        )

    def parse(text: str) -> MarkedStream:
        items: list[Item] = []
        done = 0
        for match in tags.finditer(text):
            if match.end() == match.start():
                continue
            items.append(text[done : match.start()])
            found = match.groupdict()
            is_open = found["open"] is not None
            side = "entity_open" if is_open else "entity_close"
            entity = found.get(side) or found.get("entity") or ""
            items.append(Open(entity) if is_open else Close(entity))
            done = match.end()
        items.append(text[done:])
        return items

    def count(text: str) -> int:
        return sum(1 for _ in tags.finditer(text))

    return TextMarkup("pattern", "tags of a regular expression", pattern, count, parse)


def _of_function(name: str) -> TextMarkup:
    """Return the markup of a function: from a completion to strings, `Open`, `Close`, `Empty`."""
    module, _, function = name.partition(":")
    if "" not in sys.path:
        sys.path.insert(0, "")  # module:function can be in the current directory
    try:
        found = getattr(import_module(module), function)
    except (ImportError, AttributeError, ValueError) as error:
        hint = "name a function that can be imported here, as function=MODULE:NAME"
        raise UsageError(f"cannot import the markup {name!r}: {error}", hint) from None

    def parse(text: str) -> MarkedStream | MarkedText | QuoteList:
        result = found(text)
        if isinstance(result, MarkedText | QuoteList):
            return result
        items = list(result) if isinstance(result, Iterable) else [result]
        if wrong := [item for item in items if not isinstance(item, str | Open | Close | Empty)]:
            raise UsageError(
                f"the markup {name!r} returned {wrong[0]!r}",
                "return strings, and Open, Close and Empty of scoref.llm.marked_text",
            )
        return items

    return TextMarkup(name, "a markup of the user", name, lambda _: 1, parse)


_OF_USERS = {"pattern": _of_pattern, "function": _of_function}
