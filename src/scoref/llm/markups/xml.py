"""Tags as in XML: `<m id="1">Ann</m>`, `<m>Ann</m>#1`, `<m>Ann | 1</m>`, `<e1>Ann</e1>`.

The text need not be XML otherwise, and is never given to a parser of XML.
"""

from __future__ import annotations

import html
import re

from scoref.llm.marked_text import Close, Item, MarkedStream, Open
from scoref.llm.markups.markup import DocumentToWrite, TextMarkup, join_text, write_enclosed

_TAG = re.compile(
    r"(\\<)"
    r"|<(?P<open>[A-Za-z][\w.-]{0,40})(?P<attributes>(?: [^<>]{0,300})?)>"
    r"|(?: ?\| ?#?(?P<inner>\w{1,40}) ?)?</(?P<close>[A-Za-z][\w.-]{0,40})"
    r"(?P<named>[ #][^<>]{1,300})?>"
    r"(?:(?:#|_)(?P<suffix>\d+|[A-Za-z_]\w*))?"
)
_ENTITY = re.compile(
    r"""(?:^|[\s#])(?:(?:[\w-]*(?:id|entity|cluster|coref|chain|set|label|ref|n))\s*=\s*)?["']?"""
    r"""#?([\w.:/+~-]+)["']?""",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"[A-Za-z]+[_-]?\d+")


def count(text: str) -> int:
    """Count closing tags of elements that state entities."""
    elements = _elements(text)
    return sum(1 for match in _TAG.finditer(text) if match["close"] in elements)


def _elements(text: str) -> set[str]:
    """Return the elements of which a tag states an entity."""
    found = set()
    for match in _TAG.finditer(text):
        name = match["open"]
        if name and (_NUMBERED.fullmatch(name) or _entity(match["attributes"])):
            found.add(name)
        elif match["inner"] or match["suffix"]:
            found.add(match["close"])
    return found


def _entity(attributes: str) -> str:
    """Return the entity that the attributes of a tag state, or an empty string."""
    found = _ENTITY.search(attributes)
    return found[1] if found else ""


def parse(text: str) -> MarkedStream:
    """Yield the text and its tags; tags of elements that state no entity belong to the text."""
    elements = _elements(text)
    items: list[Item] = []
    done = 0
    for match in _TAG.finditer(text):
        name = match["open"] or match["close"]
        if match[1]:
            items += [_plain(text[done : match.start()]), "<"]
        elif name not in elements:
            continue
        else:
            items.append(_plain(text[done : match.start()]))
            numbered = name if _NUMBERED.fullmatch(name) else ""
            if match["open"]:
                items.append(Open(_entity(match["attributes"]) or numbered))
            else:
                stated = match["suffix"] or match["inner"] or _entity(match["named"] or "")
                items.append(Close(stated or numbered))
        done = match.end()
    items.append(_plain(text[done:]))
    return join_text(items)


def _plain(text: str) -> str:
    return html.unescape(text) if "&" in text else text


def write(document: DocumentToWrite, *, escaped: bool) -> str:
    """Write a document, one sentence per line."""

    def word(text: str) -> str:
        return text.replace("&", "&amp;").replace("<", "\\<") if escaped else text

    opening = '<m id="{}">'
    return write_enclosed(document, word, (opening, opening), ("</m>", "</m#{}>"))


MARKUP = TextMarkup(
    name="xml",
    title="tags as in XML",
    example='<m id="1">Ann</m> saw <m id="2">the man</m> . <m id="1">She</m> waved .',
    count=count,
    parse=parse,
    write=write,
)
