"""Plain clusters as JSON: documents, their entities, their mentions, and nothing else.

    {"doc": [[[0, 1], [3, 3]], [[5, 5]]]}        token spans, end inclusive
    {"doc": {"Anna": ["m1", "m7"], "Bob": ["m2"]}}   mentions by name, entities with names
    [["a", "b"], ["c"]]                          one document

The JSON of the scorer scorch, one document per file, is also read: clusters, or mentions and links.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any, BinaryIO

import numpy as np

from scoref.base.arrays import Ints
from scoref.base.union_find import groups
from scoref.corpus.builder import CorpusBuilder
from scoref.corpus.corpus import Corpus
from scoref.exceptions import Problem, UsageError
from scoref.formats.brackets.cells import check_contiguous
from scoref.formats.format import Format, Wanted
from scoref.formats.io.lines import Stream
from scoref.formats.io.text import read_text
from scoref.formats.json.json_text import (
    first_keys,
    json_type,
    nested_problem,
    parse_json,
    without_garbage_collection,
)
from scoref.formats.json.jsonl_document import GOLD, PREDICTED
from scoref.formats.written_names import NameRule, WrittenNames

# An object with one of these is a document of a neural system's jsonlines, or CoreNLP's.
_NOT_CLUSTERS = frozenset(
    {
        *("doc_key", "doc_id", "document_id", "sentences", "tokens", "cased_words", "text"),
        *("clusters_token_offsets", "predicted_clusters", "corefs"),
    }
)
_FIELDS = frozenset({*GOLD, *PREDICTED})
RESERVED = sorted(_NOT_CLUSTERS | _FIELDS)
"""Names of documents that a reader takes for fields."""
_ENTITIES = 'entities as lists of mentions, such as [[0, 1], [3, 3]] or ["a", "b"]'
_HINT = 'write {"doc": [[[0, 1], [3, 3]], [[5, 5]]]}: documents, their entities, their mentions'
_LARGEST = 2**62

Named = list[tuple[str, list[Any]]]


class _ClustersError(Exception):
    """The file holds a value that is not a document, an entity or a mention."""

    def __init__(self, found: str, expected: str = _ENTITIES) -> None:
        super().__init__(found)
        self.found, self.expected = found, expected


def read(stream: Stream, path: str, _: Wanted) -> tuple[Corpus, list[Problem]]:
    """Read a JSON value in any shape, or say what is wrong with it."""
    text, problems = read_text(stream, path)
    with without_garbage_collection():
        value, problems = (None, problems) if problems else parse_json(text, path)
        if not problems:
            try:
                return replace(_corpus(_documents(value), path), notes=_notes(value, path)), []
            except _ClustersError as odd:
                problems = [Problem(path, 0, odd.found, odd.expected, _HINT)]
            except RecursionError:  # a value that cannot be shown, although it could be parsed
                problems = [nested_problem(path)]
    return Corpus.without_mentions((), path), problems


def _notes(value: Any, path: str) -> tuple[str, ...]:
    """Note a file whose only name is that of a field, which does not say what its ends are."""
    if not isinstance(value, dict) or len(value) > 1 or _FIELDS.isdisjoint(value):
        return ()
    return (f"{path}: `{next(iter(value))}` is read as one document, ends inclusive",)


def _documents(value: Any) -> list[tuple[str, Named]]:
    """Return the documents of a file of any shape, and their entities by name."""
    if isinstance(value, list):
        return [("", _entities(value, "the list"))]
    if not isinstance(value, dict):
        raise _ClustersError(json_type(value), "an object or a list")
    if isinstance(value.get("type"), str):
        return [("", _scorch(value))]
    if found := _FIELDS & value.keys():
        if len(value) == 1:
            return [("", _entities(value[min(found)], "the file"))]
        others = ", ".join(f"`{name}`" for name in list(value)[:4])
        expected = f"names of documents, or `{min(found)}` alone"
        raise _ClustersError(f"the names {others}", expected)
    return [(name, _entities(entities, f"document {name!r}")) for name, entities in value.items()]


def _entities(value: Any, where: str) -> Named:
    """Return the entities of a document by name."""
    if isinstance(value, dict):
        named = list(value.items())
    elif isinstance(value, list):
        named = [(str(number), mentions) for number, mentions in enumerate(value, 1)]
    else:
        raise _ClustersError(f"{_shown(value)} as the entities of {where}")
    for name, mentions in named:
        if not isinstance(mentions, list) or not mentions:
            raise _ClustersError(f"{_shown(mentions)} as entity {name} of {where}")
    return named


def _scorch(value: dict[str, Any]) -> Named:
    """Read what scorch reads: named clusters, or mentions and links between them."""
    if value["type"] == "clusters":
        return _entities(value.get("clusters"), "the file")
    if value["type"] != "graph":
        raise _ClustersError(f"the type {_shown(value['type'])}", "the type `clusters` or `graph`")
    mentions, links = value.get("mentions"), value.get("links")
    if not isinstance(mentions, list) or not isinstance(links, list):
        raise _ClustersError("a graph without `mentions` or `links`", "both as lists")
    number = {_hashable(mention): at for at, mention in enumerate(mentions)}
    if len(number) < len(mentions):
        raise _ClustersError("a graph that lists a mention twice", "each mention once")
    pairs = []
    for link in links:
        ends = [number.get(_hashable(end), -1) for end in link] if isinstance(link, list) else []
        if len(ends) != 2 or -1 in ends:
            expected = "links as pairs of mentions of the list `mentions`"
            raise _ClustersError(f"the link {_shown(link)}", expected)
        pairs.append(ends)
    found = groups(len(mentions), pairs)
    return [(str(at), [mentions[m] for m in members]) for at, members in enumerate(found, 1)]


def _hashable(mention: Any) -> Hashable:
    """Return what mentions and the ends of links are compared by, and refuse other values.

    For Python, `true` and `1.0` are equal to `1`, but they are not names.
    """
    parts = mention if isinstance(mention, list) else [mention]
    if not set(map(type, parts)) <= {str, int}:
        raise _mention_error([mention])
    return tuple(parts) if isinstance(mention, list) else mention


def _corpus(documents: Sequence[tuple[str, Named]], path: str) -> Corpus:
    """Make a corpus of documents whose mentions are all spans, or all names."""
    entities = [mentions for _, named in documents for _, mentions in named]
    mentions = list(chain.from_iterable(entities))
    kinds = set(map(type, mentions))
    if not kinds <= {list} and not kinds <= {str, int}:
        raise _mention_error(mentions)
    rows = np.arange(len(mentions), dtype=np.int64)
    start, end = _spans(mentions) if kinds <= {list} else (rows, rows)
    entity = np.repeat(np.arange(len(entities)), [len(one) for one in entities])
    document = np.repeat(np.arange(len(documents)), [len(named) for _, named in documents])
    builder = CorpusBuilder(path)
    for name, _ in documents:  # only a single document can lack a name
        builder.document(name)
    return Corpus(
        documents=tuple(builder.documents),
        document=document[entity],
        start=start,
        end=end,
        entity=entity,
        entity_names=[name for _, named in documents for name, _ in named],
        line=np.zeros(len(mentions), dtype=np.int64),
        labels=None if kinds <= {list} else tuple(mentions),
        source=path,
    )


def _spans(mentions: list[Any]) -> tuple[Ints, Ints]:
    flat = list(chain.from_iterable(mentions))
    if set(map(len, mentions)) <= {2} and set(map(type, flat)) <= {int}:
        with suppress(OverflowError):
            start, end = np.array(flat, dtype=np.int64).reshape(-1, 2).T.copy()
            if np.all((start >= 0) & (start <= end) & (end < _LARGEST)):
                return start, end
    raise _mention_error(mentions)


def _mention_error(mentions: Iterable[Any]) -> _ClustersError:
    """Return the error of the first mention that is neither a span nor a name, or of a mixture."""
    for mention in mentions:
        if isinstance(mention, list):
            whole = len(mention) == 2 and all(type(end) is int for end in mention)
            fits = whole and 0 <= mention[0] <= mention[1] < _LARGEST
            expected = "spans as [start, end], both whole numbers from 0, the end inclusive"
        else:
            fits = type(mention) in {str, int}
            expected = "a span, a string or a whole number"
        if not fits:
            return _ClustersError(f"the mention {_shown(mention)}", expected)
    return _ClustersError("mentions as spans and mentions as names", "one kind in a file")


def _shown(value: Any) -> str:
    import json  # noqa: PLC0415  # only a mistake needs it

    text = json.dumps(value)
    return f"`{text[:60]}...`" if len(text) > 60 else f"`{text}`"


def write(corpus: Corpus, stream: BinaryIO) -> None:
    """Write documents as objects of named entities, one document per line."""
    import json  # noqa: PLC0415  # a scorer rarely writes

    if corpus.unit == "character":
        raise UsageError("the format clusters has token spans, but the corpus has character spans")
    check_contiguous(corpus, "clusters")
    spans = corpus.as_spans()
    mentions: list[Any]
    if spans is not None:
        mentions = np.stack([spans.start, spans.end], axis=1).tolist()
    else:
        mentions = list(corpus.labels or ())
        if odd := [label for label in mentions if type(label) not in {str, int}]:
            message = f"the mention {odd[0]!r} cannot be written as JSON"
            raise UsageError(message, "use strings or whole numbers")
    documents: list[dict[int, list[Any]]] = [{} for _ in corpus.documents]
    dump = partial(json.dumps, ensure_ascii=False)
    rows = zip(corpus.document.tolist(), corpus.entity.tolist(), mentions, strict=True)
    for document, entity, mention in rows:
        documents[document].setdefault(entity, []).append(mention)
    if len(documents) == 1 and corpus.documents[0].is_unnamed:
        entities = documents[0]
        names = [str(corpus.entity_names[at]) for at in entities]
        content: Any = list(entities.values())
        if names != [str(number) for number in range(1, len(names) + 1)]:
            named = dict(zip(names, content, strict=True))
            content = {"type": "clusters", "clusters": named}
        stream.write(dump(content).encode() + b"\n")
        return
    lines = [
        f"{dump(document.name)}: {dump(_with_names(entities, corpus))}"
        for document, entities in zip(corpus.documents, documents, strict=True)
    ]
    stream.write(("{" + ",\n ".join(lines) + "}\n").encode())


def _with_names(entities: dict[int, list[Any]], corpus: Corpus) -> Any:
    """Name the entities of a document."""
    names = [str(corpus.entity_names[at]) for at in entities]
    return dict(zip(names, entities.values(), strict=True))


def _recognise(head: bytes) -> bool:
    """Whether a file begins with a JSON value that is not a document of another format."""
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text.startswith(b"["):  # of entities; `[Ann](#1)` is marked text
        return text[1:].lstrip()[:1] in b'["]'
    keys = first_keys(head)
    return keys is not None and not keys & _NOT_CLUSTERS


NAMES = WrittenNames(
    document=NameRule(reserved="|".join(RESERVED)), entity=NameRule(), mention=NameRule()
)
FORMAT = Format(
    name="clusters",
    title="clusters as JSON",
    recognise=_recognise,
    read=read,
    write=write,
    suffix=".json",
    names=NAMES,
)
