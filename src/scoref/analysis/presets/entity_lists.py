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

from scoref.analysis.presets.preset_scores import TextFile, raise_problems, read_file
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
    source: Input, side: str, names: EntityNames, options: ReadOptions
) -> dict[str, MentionLists]:
    """Return the mentions of each named entity of each document of a side, the others last."""
    documents, problems = _documents(source, side, options)
    found: dict[str, MentionLists] = {}
    for document, entities in documents.items():
        where, of_document = f"document {document}", names.get(document, ())
        lists = _lists(entities, of_document)
        if not of_document:
            expected = f"a document that has names, such as {next(iter(names))}"
            problems.add(0, where, expected, "add its names to the entities")
        elif lists is None:
            shown = f"`{str(entities)[:60]}` in {where}"
            problems.add(0, shown, "lists of mentions such as [[[0, 1], [3, 3]], []]", _HINT)
        elif side == "key" and not 0 <= len(lists) - len(of_document) <= 1:
            shown = f"{counted(len(lists), 'list')} in {where}"
            expected = f"{len(of_document)}, or {len(of_document) + 1} with that of all others"
            problems.add(0, shown, expected, _HINT)
        else:
            found[document] = lists
    named = {name: one for name, one in documents.items() if isinstance(one, Mapping) and one}
    if named and not problems and all({*names[name]}.isdisjoint(named[name]) for name in named):
        document, entities = next(iter(named.items()))
        shown = f"entity {next(iter(entities))} in document {document}, and no name anywhere"
        hint = "use the names as ids of entities, or write JSON with a list per name in order"
        problems.add(0, shown, f"one of the names {listed(names[document])}", hint)
    raise_problems(problems)
    return found


def _lists(entities: Any, names: Sequence[str]) -> MentionLists | None:
    """Return the mentions of each entity, or None if they are not lists of mentions."""
    several = [*entities.values()] if isinstance(entities, Mapping) else entities
    kinds = (list, tuple, set, frozenset)
    if not isinstance(several, kinds) or not all(isinstance(one, kinds) for one in several):
        return None
    for parts in (one if isinstance(one, kinds) else [one] for entity in several for one in entity):
        if not parts or not {*map(type, parts)} <= {str, int}:
            return None
    if isinstance(entities, Mapping):
        others = [one for name in entities.keys() - {*names} for one in entities[name]]
        several = [*(entities.get(name, []) for name in names), others]
    return [
        frozenset(tuple(one) if isinstance(one, list) else one for one in entity)
        for entity in several
    ]


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
    found: Any = {}
    if not (first_keys(data) or frozenset()) & MARKS:
        found, problems[:] = parse_json(text, problems.path)
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
