"""Named entities as lists: the names of each document, and the mentions of each name on a side.

A corpus does not have entities without mentions, but their places count here. So this reads JSON
itself, with its empty lists.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any

from scoref.base.phrases import counted
from scoref.formats.io.plain_tables import TextFile, raise_problems, read_file
from scoref.formats.io.problems import Problems
from scoref.formats.json.json_text import first_keys, parse_json, parse_lines
from scoref.formats.json.jsonl_document import GOLD, MARKS, PREDICTED, document_name

MentionLists = list[frozenset[Any]]
"""The mentions of each named entity in order, and perhaps of all others."""
ListsByDocument = TextFile | Mapping[str, Sequence[Any]]
"""The mentions of each entity of each document, or a JSON file with them."""
EntityNames = Mapping[str, Sequence[str]]
"""The names of the entities of each document, in order."""

_OF_KEY = ("golden_clusters", *GOLD)
_FIELDS = {"key": (*_OF_KEY, *PREDICTED), "response": (*PREDICTED, *_OF_KEY)}
_HINT = "write a list of mentions per name, in order, with [] for an entity without mentions"
_NAMES_HINT = 'write {"doc": ["Ann", "Bob"]}, or a line `doc,Ann,Bob` per document'


def read_names(entities: TextFile | EntityNames, encoding: str | None) -> EntityNames:
    """Return the names of each document, in order."""
    found: Any = entities
    problems = Problems("the entities")
    if isinstance(entities, str | PathLike):
        text, problems = read_file(entities, encoding)
        if text.lstrip().startswith(("{", "[")):
            found, problems[:] = parse_json(text, problems.path)
            raise_problems(problems)
        else:
            rows = [row for row in csv.reader(io.StringIO(text), skipinitialspace=True) if row]
            found = {document: names for document, *names in rows}
            if len(found) < len(rows):
                problems.add(0, "a document on two lines", "a line per document", _NAMES_HINT)
    if not isinstance(found, Mapping) or not found:
        problems.add(0, "no documents", "the names of each document", _NAMES_HINT)
        raise_problems(problems)
    for document, names in found.items():
        is_list = isinstance(names, list | tuple) and all(isinstance(one, str) for one in names)
        if not is_list or not names or len(set(names)) < len(names):
            shown = f"`{str(names)[:60]}` for document {document}"
            problems.add(0, shown, "a list of different names", _NAMES_HINT)
    raise_problems(problems)
    return dict(found)


def read_lists(
    source: ListsByDocument, side: str, names: EntityNames, encoding: str | None
) -> dict[str, MentionLists]:
    """Return the mentions of each named entity of each document of a side, the others last."""
    if isinstance(source, Mapping):
        documents, problems = source, Problems(f"the {side}")
    else:
        documents, problems = _read(source, side, encoding)
    found: dict[str, MentionLists] = {}
    for document, entities in documents.items():
        where, of_document = f"document {document}", names.get(document, ())
        if not of_document:
            expected = f"a document that has names, such as {next(iter(names))}"
            problems.add(0, where, expected, "add its names to the entities")
        elif not _are_lists(entities):
            shown = f"`{str(entities)[:60]}` in {where}"
            problems.add(0, shown, "lists of mentions such as [[[0, 1], [3, 3]], []]", _HINT)
        elif side == "key" and not 0 <= len(entities) - len(of_document) <= 1:
            shown = f"{counted(len(entities), 'list')} in {where}"
            expected = f"{len(of_document)}, or {len(of_document) + 1} with that of all others"
            problems.add(0, shown, expected, _HINT)
        else:
            found[document] = [
                frozenset(tuple(one) if isinstance(one, list) else one for one in entity)
                for entity in entities
            ]
    raise_problems(problems)
    return found


def _are_lists(entities: Any) -> bool:
    """Whether these are lists of mentions, which are numbers or texts, or lists of them."""
    kinds = (list, tuple, set, frozenset)
    if not isinstance(entities, kinds) or not all(isinstance(one, kinds) for one in entities):
        return False
    mentions = (one for entity in entities for one in entity)
    parts = (one if isinstance(one, kinds) else [one] for one in mentions)
    return all(one and {*map(type, one)} <= {str, int} for one in parts)


def _read(path: TextFile, side: str, encoding: str | None) -> tuple[Mapping[str, Any], Problems]:
    """Return the documents of a JSON object, or of lines with a document each."""
    text, problems = read_file(path, encoding)
    data = text.lstrip().removeprefix("[").encode()
    found: Any = {}
    if not (first_keys(data) or frozenset()) & MARKS:
        found, problems[:] = parse_json(text, problems.path, hint=_HINT)
        if not problems and not isinstance(found, dict):
            problems.add(0, "a JSON list", 'documents such as {"doc": [[[0, 1]], []]}', _HINT)
        raise_problems(problems)
        return found, problems
    for line, value, _ in parse_lines(io.BytesIO(text.encode()), problems):
        fields = [one for one in _FIELDS[side] if isinstance(value, dict) and one in value]
        name = document_name(value, line, problems) if fields else None
        if not fields:
            expected = f"one of {', '.join(_FIELDS[side][:3])}"
            problems.add(line, "a document without entities", expected)
        elif name in found:
            problems.add(line, f"document {name} again", "each document once", "rename it")
        elif name is not None:
            found[name] = value[fields[0]]
    raise_problems(problems)
    return found, problems
