"""Several documents in one JSON object, as xCoRe writes them: entities across documents.

    {"tokens": [["Ann", "left"], ["She", "ate"]],
     "clusters_token_offsets": [[[0, 0, 0], [1, 0, 0]]]}

`tokens` has a list per document, and a mention is `[document, start, end]`. If `doc_key` is a
list, it has the names of the documents; otherwise they have no names. If it is one name, the lists
are parts of one text, which the reader joins.
"""

from __future__ import annotations

from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from scoref.base.arrays import Ints
from scoref.formats.io.problems import Problems
from scoref.formats.json.json_text import JsonLine
from scoref.formats.json.jsonl_document import NAMES, OF_PARTS, PREDICTED, TEXTS

_KEY = NAMES[0]


class DocumentOfLine(NamedTuple):
    """A document as a line of its own; `entities` are numbers that several documents share."""

    line: JsonLine
    entities: Ints | None = None


def split_documents(line: JsonLine, problems: Problems) -> list[DocumentOfLine]:
    """Return the documents of a line, which usually is one, or add to the problems."""
    value = line.value
    if not isinstance(value, dict) or not _has_several(value):
        return [DocumentOfLine(line)]
    names, tokens = value.get(_KEY), value["tokens"]
    if names is not None and len(names) != len(tokens):
        found = f"`{_KEY}` with {len(names)} names of {len(tokens)} documents"
        problems.add(line.number, found, "a name per document", "or leave all names out")
        return []
    parts: list[dict[int, list[list[Any]]]] = [{} for _ in tokens]
    for number, entity in enumerate(value[OF_PARTS]):
        for document, start, end in entity:
            if type(document) is not int or not 0 <= document < len(tokens):
                found = f"`{OF_PARTS}` with {str([document, start, end])[:60]}"
                expected = f"[document, start, end], with a document from 0 to {len(tokens) - 1}"
                problems.add(line.number, found, expected)
                return []
            parts[document].setdefault(number, []).append([start, end])
    documents = []
    for at, part in enumerate(parts):
        name = {} if names is None else {_KEY: names[at]}
        of_one = {**value, "tokens": tokens[at], OF_PARTS: list(part.values())}
        of_one.pop(_KEY, None)
        numbers = np.array(list(part), dtype=np.int64)
        documents.append(DocumentOfLine(line._replace(value={**name, **of_one}), numbers))
    return documents


def _has_several(value: dict[str, Any]) -> bool:
    """Whether an object has a list of tokens per document, no name or several, and triplets."""
    tokens, entities, names = (value.get(field) for field in ("tokens", OF_PARTS, _KEY))
    if not isinstance(names, list | None) or any(value.get(name) is not None for name in NAMES[1:]):
        return False
    are_lists = isinstance(tokens, list) and set(map(type, tokens)) == {list}
    if not are_lists or next(name for name in TEXTS if name in value) != "tokens":
        return False
    if not isinstance(entities, list) or not set(map(type, entities)) <= {list}:
        return False
    if any(field in value for field in PREDICTED):
        return False
    mentions = list(chain.from_iterable(entities))
    are_triplets = all(isinstance(one, list) and len(one) == 3 for one in mentions)
    return are_triplets and (bool(mentions) or names is not None)
