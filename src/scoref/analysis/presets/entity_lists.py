"""Named entities as lists: the names of each document, and the mentions of each name on a side.

A corpus does not have entities without mentions, but their places count here. So JSON is read with
its empty lists, and only other formats become a corpus.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any

from scoref.analysis.presets.answers import TextFile, raised, read_file
from scoref.base.phrases import counted, listed
from scoref.formats.io.problems import Problems
from scoref.formats.io.sources import head_of, sources
from scoref.formats.json.json_text import first_keys, parse_json, parse_lines
from scoref.formats.json.jsonl_document import GOLD, MARKS, PREDICTED, document_name
from scoref.matching.inputs import Input, ReadOptions, as_corpus

MentionLists = list[frozenset[Any]]
"""The mentions of each named entity in order, and perhaps of all others."""
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
            raised(problems)
        else:
            rows = [row for row in csv.reader(io.StringIO(text), skipinitialspace=True) if row]
            found = {document: names for document, *names in rows}
            if len(found) < len(rows):
                problems.add(0, "a document on two lines", "a line per document", _NAMES_HINT)
    if not isinstance(found, Mapping) or not found:
        problems.add(0, "no documents", "the names of each document", _NAMES_HINT)
        raised(problems)
    for document, names in found.items():
        is_list = isinstance(names, list | tuple) and all(isinstance(one, str) for one in names)
        if not is_list or not names or len(set(names)) < len(names):
            shown = f"`{str(names)[:60]}` for document {document}"
            problems.add(0, shown, "a list of different names", _NAMES_HINT)
    raised(problems)
    return dict(found)


def read_lists(
    source: Input,
    side: str,
    names: EntityNames,
    reading: tuple[str | None, str | None],
    notes: list[str],
) -> dict[str, MentionLists]:
    """Return the mentions of each named entity of each document of a side, the others last.

    `reading` is the format and the encoding of a file.
    """
    documents, problems = _documents(source, side, ReadOptions(*reading))
    lists: dict[str, MentionLists] = {}
    beyond = 0
    for document, entities in documents.items():
        where, most = f"document {document}", len(names.get(document, ())) + 1
        value = _in_order(entities, names.get(document, ()))
        if document not in names:
            expected = f"a document that has names, such as {next(iter(names))}"
            problems.add(0, where, expected, "add its names to the entities")
        elif not _are_lists(value):
            found = f"`{str(entities)[:60]}` in {where}"
            problems.add(0, found, "lists of mentions such as [[[0, 1], [3, 3]], []]", _HINT)
        elif side == "key" and not most - 1 <= len(value) <= most:
            found = f"{counted(len(value), 'list')} in {where}"
            problems.add(0, found, f"{most - 1} or {most}, for the names and all others", _HINT)
        else:
            beyond += sum(map(len, value[most:]))
            lists[document] = [frozenset(map(_hashable, entity)) for entity in value[:most]]
    named = [one for one in documents.items() if isinstance(one[1], Mapping) and one[1]]
    if named and not problems and all({*names[name]}.isdisjoint(one) for name, one in named):
        document, entities = named[0]
        found = f"entity {next(iter(entities))} in document {document}, and no name anywhere"
        hint = "use the names as ids of entities, or write JSON with a list per name in order"
        problems.add(0, found, f"one of the names {listed(names[document])}", hint)
    raised(problems)
    if beyond:
        notes.append(f"{side}: ignored {counted(beyond, 'mention')} in lists after the others")
    return lists


def _in_order(entities: Any, names: Sequence[str]) -> Any:
    """Return entities with names in the order of these names, then all others as one list."""
    if not isinstance(entities, Mapping) or not _are_lists([*entities.values()]):
        return entities
    others = [one for name in entities if name not in names for one in entities[name]]
    return [*(entities.get(name, []) for name in names), others]


def _are_lists(value: Any) -> bool:
    """Whether a value has lists of mentions, which are texts, numbers, or lists of these."""
    if not isinstance(value, list | tuple) or not all(
        isinstance(one, list | tuple | set | frozenset) for one in value
    ):
        return False
    mentions = [_hashable(one) for entity in value for one in entity]
    parts = [one if isinstance(one, tuple) else (one,) for one in mentions]
    return all(one and {*map(type, one)} <= {str, int} for one in parts)


def _hashable(mention: Any) -> Any:
    return tuple(mention) if isinstance(mention, list) else mention


def _documents(
    source: Input, side: str, options: ReadOptions
) -> tuple[Mapping[str, Any], Problems]:
    """Return lists of mentions, or mentions by name, for each document."""
    if isinstance(source, Mapping):
        return source, Problems(f"the {side}")
    if isinstance(source, str | PathLike) and options.format is None:
        of_path = sources(source)
        if len(of_path) == 1 and head_of(of_path[0]).lstrip()[:1] in (b"{", b"["):
            return _from_json(source, side, options.of_side(side)[1])
    corpus = as_corpus(source, side, options)
    found: dict[str, dict[str, list[Any]]] = {one.name: {} for one in corpus.documents}
    rows = zip(corpus.document.tolist(), corpus.entity.tolist(), strict=True)
    for row, (document, entity) in enumerate(rows):
        of_document = found[corpus.documents[document].name]
        of_document.setdefault(str(corpus.entity_names[entity]), []).append(corpus.mention(row))
    return found, Problems(corpus.source)


def _from_json(
    path: TextFile, side: str, encoding: str | None
) -> tuple[Mapping[str, Any], Problems]:
    """Return the documents of a JSON object, or of lines with a document each."""
    text, problems = read_file(path, encoding)
    data = text.lstrip().removeprefix("[").encode()
    if not (first_keys(data) or frozenset()) & MARKS:
        value, problems[:] = parse_json(text, problems.path)
        if not problems and not isinstance(value, dict):
            problems.add(0, "a JSON list", 'documents such as {"doc": [[[0, 1]], []]}', _HINT)
        return value, raised(problems)
    found: dict[str, Any] = {}
    for line, value, _ in parse_lines(io.BytesIO(text.encode()), problems):
        fields = [one for one in _FIELDS[side] if isinstance(value, dict) and one in value]
        if not fields:
            expected = f"one of {', '.join(_FIELDS[side][:3])}"
            problems.add(line, "a document without entities", expected)
        elif (name := document_name(value, line, problems)) in found:
            problems.add(line, f"document {name} again", "each document once", "rename it")
        elif name is not None:
            found[name] = value[fields[0]]
    return found, raised(problems)
