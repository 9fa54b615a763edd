"""What a strict reader returns: documents, their entities, and the mentions of each."""

from __future__ import annotations

import codecs
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

Mention = tuple[int, int, str] | str
"""First and last token or character, and the nodes of a mention with gaps; or a name."""

Document = tuple[str, int | None, tuple[tuple[Mention, ...], ...]]
"""A name, a length if the file states it, and the entities in a fixed order."""

Reading = tuple[Document, ...]
Files = Mapping[str, bytes]
"""The content of a file under the name "", and that of files next to it by their suffix."""


ANY = "?"
"""The name of a document whose line can be read in several ways."""


class InvalidFileError(Exception):
    """The file breaks a rule of its format."""


def refuse(reason: str) -> NoReturn:
    """Say which rule is broken."""
    raise InvalidFileError(reason)


def document(name: str, length: int | None, entities: Iterable[Iterable[Mention]]) -> Document:
    """Put a document into the form in which readings are compared."""
    return name, length, tuple(sorted(tuple(sorted(entity)) for entity in entities if entity))


def number_unnamed(documents: Iterable[Document]) -> Reading:
    """Give a number to documents without a name; two documents of one name are refused."""
    found = tuple(documents)
    alone = not any(name for name, _, _ in found)
    numbered = tuple(
        (name or (f"#{at}" if alone else ANY), length, entities)
        for at, (name, length, entities) in enumerate(found, 1)
    )
    names = [name for name, _, _ in numbered if name != ANY]
    if len(set(names)) < len(names):
        refuse("two documents of one name")
    return numbered


def groups(members: Iterable[Any], links: Iterable[tuple[Any, Any]]) -> list[list[Any]]:
    """Return what is connected by links, slowly."""
    entity = {member: number for number, member in enumerate(members)}
    for one, other in links:
        old, new = entity[one], entity[other]
        entity = {member: new if number == old else number for member, number in entity.items()}
    lists: dict[int, list[Any]] = {}
    for member, number in entity.items():
        lists.setdefault(number, []).append(member)
    return list(lists.values())


def nodes(tokens: Iterable[int] | Iterable[str]) -> Mention:
    """Return a mention of single tokens and empty nodes, `3` or `3.1`, in order of the text."""
    words = [str(token) for token in tokens]
    places = [int(word.partition(".")[0]) for word in words]
    if not places:
        refuse("a mention of nothing")
    first, last = min(places), max(places)
    plain = words == [str(at) for at in range(first, last + 1)]
    return first, last, "" if plain else " ".join(words)


def text_of(data: bytes, *, by_lines: bool = True) -> str:
    """Decode a file, with or without a byte order mark; JSON and XML do not divide lines."""
    try:
        text = data.removeprefix(codecs.BOM_UTF8).decode("utf-8")
    except UnicodeDecodeError:
        refuse("not UTF-8")
    refuse_control_characters(text if by_lines else text.replace("\r", "\n"))
    return text


def plain_text(data: bytes) -> str:
    """Decode a text without annotation, which can have all characters but NUL."""
    try:
        text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
    except UnicodeDecodeError:
        refuse("not UTF-8")
    return text if "\0" not in text else refuse("a NUL byte")


def refuse_control_characters(text: str) -> None:
    """No format has them; a carriage return is only part of a line end."""
    if re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f]|\r(?!\r*(\n|$))", text):
        refuse("a control character")


def refuse_odd_ids(*names: str) -> None:
    """Refuse ids with blanks or invisible characters, which look like other ids."""
    for name in names:
        if any(unicodedata.category(character)[0] in "ZC" for character in name):
            refuse(f"the id {name!r}")


def lines_of(text: str) -> list[str]:
    """Split a text at newlines, with or without a carriage return before them."""
    lines = [line.rstrip("\r") for line in text.split("\n")]
    return lines[:-1] if lines[-1] == "" else lines


def whole_number(text: str) -> int:
    """Read digits, and nothing else."""
    if not (text.isascii() and text.isdigit()) or len(text) > 18:
        refuse(f"{text[:30]!r} is not a whole number")
    return int(text)


def json_of(text: str) -> Any:
    """Read JSON without names that occur twice, and without NaN and its kind."""

    def no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        for name, times in Counter(name for name, _ in pairs).items():
            if times > 1:
                refuse(f"{name!r} occurs twice")
        return dict(pairs)

    try:
        return json.loads(
            text, object_pairs_hook=no_repeats, parse_constant=lambda x: refuse(f"{x}")
        )
    except (ValueError, RecursionError):
        refuse("not JSON")


def is_number(value: Any) -> bool:
    """Whether a value of JSON is a whole number, and not a truth value."""
    return isinstance(value, int) and not isinstance(value, bool)


def agree(found: Reading, strict: Reading) -> bool:
    """Whether a reading is that of a strict reader, in all that the strict reader states."""
    return len(found) == len(strict) and all(
        name in (other_name, ANY) and length in (other_length, None) and entities == other
        for (other_name, other_length, other), (name, length, entities) in zip(
            found, strict, strict=True
        )
    )
