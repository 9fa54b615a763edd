"""Controls with their labels."""

from __future__ import annotations

from scoref.browser.markup import Markup, tag


def control(label: str, element: str, name: str, **attributes: object) -> Markup:
    """Make a control with a label that is read and clicked with it."""
    words = tag("span", label, class_="label")
    filled = tag(element, id=name, **attributes) if element == "input" else _empty(element, name)
    return tag("label", words, filled)


def _empty(element: str, name: str) -> Markup:
    return tag(element, "", id=name)


def button(text: str, name: str, **attributes: object) -> Markup:
    """Make a button."""
    return tag("button", text, id=name, type="button", **attributes)
