"""XML without its dangers: no entities, no other files, no network, no endless depth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from scoref.exceptions import Problem

_DEEPEST = 100


class _DangerousError(Exception):
    """Something in the file that a text with annotations does not need."""


@dataclass(slots=True)
class Element:
    """An element: its name, attributes, the line where it starts, its own text and children."""

    name: str
    attributes: dict[str, str]
    line: int
    text: str = ""
    children: list[Element] = field(default_factory=list)

    def each(self, name: str) -> Iterator[Element]:
        """Yield the children of a name."""
        return (child for child in self.children if child.name == name)

    def first(self, name: str) -> Element | None:
        """Return the first child of a name."""
        return next(self.each(name), None)


def parse(text: str, path: str) -> tuple[Element, list[Problem]]:
    """Parse a file; the root of a file that has problems is empty."""
    from xml.parsers import expat  # noqa: PLC0415  # entities are refused below

    root = Element("", {}, 0)
    around = [root]
    parser: Any = expat.ParserCreate("utf-8")
    parser.buffer_text = True

    def begin(name: str, attributes: dict[str, str]) -> None:
        if len(around) > _DEEPEST:
            raise _DangerousError(f"elements nested more than {_DEEPEST} deep")
        element = Element(name, attributes, parser.CurrentLineNumber)
        around[-1].children.append(element)
        around.append(element)

    def end(_: str) -> None:
        around.pop()

    def characters(data: str) -> None:
        around[-1].text += data

    def refuse(*_: Any) -> None:
        raise _DangerousError("a declaration of an entity")

    parser.StartElementHandler, parser.EndElementHandler = begin, end
    parser.CharacterDataHandler = characters
    parser.EntityDeclHandler = parser.ExternalEntityRefHandler = refuse
    try:
        parser.Parse(text.encode(), True)
    except _DangerousError as error:
        hint = "annotations need none: is this the right file?"
        problem = Problem(path, parser.CurrentLineNumber, str(error), "plain XML", hint)
        return Element("", {}, 0), [problem]
    except expat.ExpatError as error:
        found = f"broken XML ({expat.errors.messages.get(error.code, error)})"
        hint = "is the file whole?"
        return Element("", {}, 0), [Problem(path, error.lineno, found, "a whole XML file", hint)]
    return root, []
