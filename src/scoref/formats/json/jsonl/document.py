"""One JSON line: its document, entities and offsets, and the problems with them."""

from __future__ import annotations

from array import array
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from scoref.base.arrays import Ints
from scoref.formats.io.problems import Problems
from scoref.formats.json.jsonl.fields import (
    GOLD,
    NAMES,
    PREDICTED,
    SUBTOKEN,
    TEXTS,
    find_convention,
)
from scoref.formats.json.jsonl.text import JsonlText, parse_text

_LARGEST = 2**62


class JsonlDocument(NamedTuple):
    """A document: its line and name, and its offsets.

    `offsets` has the start and the end of each mention in turn, and `sizes` the number of mentions
    of each entity. `end` says whether ends are inclusive, if it is known. `to_token` has the token
    of each subtoken. `beside_gold` marks predicted entities of a line that has gold ones too.
    """

    line: int
    name: str
    length: int
    sizes: Ints
    offsets: Ints
    unit: str
    end: str | None
    to_token: array[int] | None
    characters: str
    beside_gold: bool


def parse_document(
    value: Any, line: int, problems: Problems, *, predicted: bool, by_sentence: bool
) -> tuple[JsonlDocument, JsonlText] | None:
    """Return the document of a line and its text, or add to the problems."""
    if not isinstance(value, dict):
        found = f"a JSON {type(value).__name__}"
        problems.add(line, found, "a JSON object", "write one document per line")
        return None
    text = parse_text(value, by_sentence=by_sentence)
    if text is None:
        _add_text_problem(value, line, problems)
    field = _entity_field(value, line, problems, predicted=predicted)
    entities = None if field is None else _parse_entities(value[field], field, line, problems)
    if text is None or field is None or entities is None:
        return None
    unit, end = find_convention(
        str(value.get("offsets", "")),
        field,
        of_text=bool(not text.sentences and text.characters),
        has_map="subtoken_map" in value,
    )
    length = text.length(unit)
    to_token = None
    if unit == SUBTOKEN and value["subtoken_map"] != []:
        to_token = _parse_subtoken_map(value["subtoken_map"], length, line, problems)
        if to_token is None:
            return None
    name = next((str(value[key]) for key in NAMES if key in value), "")
    beside_gold = field in PREDICTED and any(gold in value for gold in GOLD)
    document = JsonlDocument(
        line, name, length, *entities, unit, end, to_token, text.characters, beside_gold
    )
    return document, text


def _add_text_problem(value: dict[str, Any], line: int, problems: Problems) -> None:
    if field := next((name for name in TEXTS if name in value), None):
        expected = "a text" if field == "text" else "a list of words, or lists of words"
        problems.add(line, f"`{field}` that is not {expected}", expected)
    else:
        problems.add(line, _list_fields(value), f"one of the fields {', '.join(TEXTS)}")


def _entity_field(
    value: dict[str, Any], line: int, problems: Problems, *, predicted: bool
) -> str | None:
    """Return the field to read: the gold one, or with `predicted` the predicted one, of both."""
    gold, others = ([name for name in names if name in value] for names in (GOLD, PREDICTED))
    for names in (gold, others):
        if len(names) > 1:
            found = f"both `{names[0]}` and `{names[1]}`"
            problems.add(line, found, "one field with entities", "remove the other field")
            return None
    if not gold and not others:
        expected = f"one of the fields {', '.join((*GOLD, *PREDICTED))}"
        problems.add(line, _list_fields(value), expected)
    return next(iter(others + gold if predicted else gold + others), None)


def _parse_entities(
    value: Any, field: str, line: int, problems: Problems
) -> tuple[Ints, Ints] | None:
    """Return the sizes of entities, and the starts and ends of all mentions in turn.

    The standard library's iterators take the lists apart several times as fast as a loop.
    """
    entities = value.values() if isinstance(value, dict) else value
    try:
        mentions = list(chain.from_iterable(entities))
        flat = list(chain.from_iterable(mentions))
        are_pairs = set(map(len, mentions)) <= {2} and set(map(type, flat)) <= {int}
    except TypeError:
        are_pairs = False
    if not are_pairs:
        found = f"`{field}` that is not a list of entities"
        expected = "entities as lists of [start, end], such as [[[0, 1], [3, 3]]]"
        problems.add(line, found, expected)
        return None
    sizes = [size for size in map(len, entities) if size]
    try:
        offsets = np.array(flat, dtype=np.int64)
    except OverflowError:  # such a span is in no text, and is refused later
        offsets = np.array([max(-_LARGEST, min(offset, _LARGEST)) for offset in flat])
    return np.array(sizes, dtype=np.int64), offsets


def _parse_subtoken_map(
    value: Any, length: int, line: int, problems: Problems
) -> array[int] | None:
    """Return the token of each subtoken."""
    if isinstance(value, list) and set(map(type, value)) <= {int} and len(value) >= length:
        rises = all(map(int.__le__, value, value[1:]))
        if rises and value[0] >= 0 and value[-1] < _LARGEST:
            return array("q", value)
    found = f"a `subtoken_map` that does not fit {length:,} subtokens"
    problems.add(line, found, "the number of the token of each subtoken, in order")
    return None


def _list_fields(value: dict[str, Any]) -> str:
    return f"the fields {', '.join(list(value)[:8]) or '(none)'}"
