"""A parser of XML that refuses entities, other files, network access and great depth."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from scoref.formats.io.problems import Problems

_DEEPEST = 100
_REFERENCE = re.compile(
    r"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<!DOCTYPE[^\[>]*|&[^#;\s][^;\s]*;", re.DOTALL
)
"""A reference to an entity, or a place in which `&` has no meaning."""
_ENTITIES = frozenset({"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"})


class _DangerousError(Exception):
    """The file has a feature of XML that annotations do not need."""


@dataclass(slots=True)
class Element:
    """An element: its name, attributes, the line where it starts, its own text and children."""

    name: str
    attributes: dict[str, str]
    line: int
    text: str = ""
    children: list[Element] = field(default_factory=list)

    def each(self, name: str) -> Iterator[Element]:
        """Yield the children with a name."""
        return (child for child in self.children if child.name == name)

    def first(self, name: str) -> Element | None:
        """Return the first child with a name."""
        return next(self.each(name), None)


def parse_xml(text: str, problems: Problems) -> Element:
    """Parse a file, and return an element that has its root as a child."""
    from xml.parsers import expat  # noqa: PLC0415  # it refuses entities below

    root = Element("", {}, 0)
    around = [root]
    # With a separator, expat refuses prefixes that are not declared: a damaged `ID` can look so.
    parser: Any = expat.ParserCreate("utf-8", " ")
    parser.buffer_text = True

    def begin(name: str, attributes: dict[str, str]) -> None:
        if len(around) > _DEEPEST:
            raise _DangerousError(f"elements nested more than {_DEEPEST} deep")
        # Attributes keep their namespace: `xml:ID` is not `ID`.
        element = Element(_local(name), attributes, parser.CurrentLineNumber)
        around[-1].children.append(element)
        around.append(element)

    def end(_: str) -> None:
        around.pop()

    def characters(data: str) -> None:
        around[-1].text += data

    def refuse(*_: Any) -> None:
        raise _DangerousError("an entity declaration")

    parser.StartElementHandler, parser.EndElementHandler = begin, end
    parser.CharacterDataHandler = characters
    parser.EntityDeclHandler = parser.ExternalEntityRefHandler = refuse
    try:
        parser.Parse(text.encode(), True)
    except _DangerousError as error:
        hint = "remove it: annotations do not need it"
        problems.add(parser.CurrentLineNumber, str(error), "plain XML", hint)
    except expat.ExpatError as error:
        found = f"invalid XML ({expat.errors.messages.get(error.code, error)})"
        problems.add(error.lineno, found, "a complete XML file", "is the file complete?")
    else:
        _check_references(text, problems)
    return root


def _check_references(text: str, problems: Problems) -> None:
    """Refuse unknown entities: after a DOCTYPE, expat leaves them out without an error."""
    if "&" not in text:
        return
    for found in _REFERENCE.finditer(text):
        if found[0].startswith("&") and found[0] not in _ENTITIES:
            line = text.count("\n", 0, found.start()) + 1
            hint = "write `&` as `&amp;`, and other characters as they are"
            problems.add(line, f"the unknown entity `{found[0][:40]}`", "plain XML", hint)
            return


def _local(name: str) -> str:
    """Return a name without its namespace."""
    return name.rpartition(" ")[2]
