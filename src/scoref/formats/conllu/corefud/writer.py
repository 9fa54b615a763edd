"""Writing CorefUD: ten columns, with entities in MISC, and the empty nodes that mentions have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

import numpy as np

from scoref.corpus.corpus import Corpus
from scoref.corpus.text import Text
from scoref.exceptions import UsageError
from scoref.formats.brackets.nesting import check_nesting

_HEADER = "# global.Entity = eid-etype-head-other\n"
BEFORE = 1000
"""An empty node `0.1` counts as -999 of the word after it: before it, and unlike any `4.1`."""

Node = tuple[int, int]
"""A word, or the word that an empty node belongs to; and 0, or the number of the empty node."""


@dataclass(slots=True)
class _Document:
    """The brackets of each node, in the order in which they are written, and the empty nodes."""

    closing: dict[Node, list[str]] = field(default_factory=dict)
    opening: dict[Node, list[str]] = field(default_factory=dict)
    single: dict[Node, list[str]] = field(default_factory=dict)
    empty: dict[int, dict[Node, str]] = field(default_factory=dict)

    def cell(self, node: Node) -> str:
        """Write what stands in MISC of a node: closings, openings, mentions of one node."""
        groups = (self.closing, self.opening, self.single)
        brackets = "".join("".join(group.get(node, ())) for group in groups)
        return f"Entity={brackets}" if brackets else "_"


def write(corpus: Corpus, stream: BinaryIO) -> None:
    """Write documents as CoNLL-U; what is not known of a word is `_`."""
    spans = corpus.as_spans()
    if spans is None or corpus.characters:
        raise UsageError("only mentions that are token spans can be written as CorefUD")
    whole = spans.attributes.get("nodes", np.full(len(spans), "")) == ""
    check_nesting(spans.where(whole), touching=False)
    _check_sentences(spans)
    documents = _documents(spans)
    furthest = np.zeros(len(spans.documents), dtype=np.int64)
    np.maximum.at(furthest, spans.document, spans.end + 1)
    for number, document in enumerate(spans.documents):
        length = max(document.length, int(furthest[number]))
        stream.write(f"# newdoc id = {_name(document.id)}\n{_HEADER}".encode())
        stream.writelines(
            line.encode() for line in _lines(spans.text, number, length, documents[number])
        )


def _check_sentences(spans: Corpus) -> None:
    """Refuse mentions across sentences, which the format does not have."""
    if spans.text is None or not len(spans):
        return
    sentence = np.cumsum(spans.text.starts_sentence)
    first = spans.text.first[spans.document]
    across = sentence[first + spans.start] != sentence[first + spans.end]
    if across.any():
        row = int(np.argmax(across))
        document = spans.documents[spans.document[row]].name
        raise UsageError(
            f"document {document} has the mention {spans.mention(row)} across sentences, which"
            " CorefUD cannot say",
            "jsonl can: --to jsonl",
        )


def _documents(spans: Corpus) -> list[_Document]:
    """Put the brackets of all mentions on their nodes, longer mentions outside."""
    nodes = spans.attributes.get("nodes", np.full(len(spans), "")).tolist()
    zeros = spans.attributes.get("zero", np.full(len(spans), "")).tolist()
    dependencies = spans.attributes.get("zero_deps", np.full(len(spans), "")).tolist()
    heads = spans.attributes.get("head_start", np.full(len(spans), -1)).tolist()
    types = spans.entity_attributes.get("type", np.full(spans.entity_count, "")).tolist()
    names = _entity_names(spans)
    documents = [_Document() for _ in spans.documents]
    for row in np.lexsort((spans.entity, -spans.end, spans.start)).tolist():
        document = documents[spans.document[row]]
        entity = int(spans.entity[row])
        mention = _nodes(nodes[row], int(spans.start[row]), int(spans.end[row]))
        for node in mention:
            if node[1]:
                told = dependencies[row].partition(" ")[2] if nodes[row] == zeros[row] else ""
                document.empty.setdefault(node[0], {}).setdefault(node, told or "_")
        head = _node(zeros[row]) if zeros[row] else (heads[row], 0)
        place = str(mention.index(head) + 1) if head in mention else ""
        pieces = _pieces(mention)
        for number, (start, end) in enumerate(pieces, 1):
            name = names[entity] + (f"[{number}/{len(pieces)}]" if len(pieces) > 1 else "")
            fields = f"{name}-{types[entity].replace('-', '')}-{place}".rstrip("-")
            if start == end:
                document.single.setdefault(start, []).append(f"({fields})")
            else:
                document.opening.setdefault(start, []).append(f"({fields}")
                document.closing.setdefault(end, []).insert(0, f"{name})")
    return documents


def _lines(text: Text | None, number: int, length: int, document: _Document) -> Iterator[str]:
    """Yield the lines of a document."""
    first = int(text.first[number]) if text is not None else 0
    in_sentence = 0
    for word in range(length):
        starts = bool(text.starts_sentence[first + word]) if text is not None else word == 0
        if starts or word == 0:
            yield ("\n" if word else "") + f"# sent_id = {number + 1}-{word + 1}\n"
            in_sentence = 0
        empty = document.empty.get(word, {})
        for node in sorted(node for node in empty if node[1] < 0):
            yield _line(f"{in_sentence}.{node[1] + BEFORE}", {}, empty[node], document.cell(node))
        in_sentence += 1
        columns = {
            name: text.columns[name][first + word] or "_"
            for name in ("word", "lemma", "pos", "head", "deprel")
            if text is not None and name in text
        }
        yield _line(str(in_sentence), columns, "_", document.cell((word, 0)))
        for node in sorted(node for node in empty if node[1] > 0):
            yield _line(f"{in_sentence}.{node[1]}", {}, empty[node], document.cell(node))
    yield "\n"


def _line(identity: str, columns: dict[str, str], dependencies: str, misc: str) -> str:
    told = [columns.get(name, "_") for name in ("word", "lemma", "pos")]
    governed = [columns.get(name, "_") for name in ("head", "deprel")]
    return "\t".join([identity, *told, "_", "_", *governed, dependencies, misc]) + "\n"


def _entity_names(spans: Corpus) -> list[str]:
    """Name entities uniquely in the file, by their own names where these will do."""
    own = [str(spans.entity_names[at]) for at in range(spans.entity_count)]
    plain = all(name and not set(name) & set("-()[]|= \t") for name in own)
    if plain and len(set(own)) == len(own):
        return own
    return [f"e{number}" for number in range(1, len(own) + 1)]


def _name(identity: object) -> str:
    if isinstance(identity, tuple) and len(identity) == 2:
        name, part = identity
        return f"{name}_{part}" if name else f"{part}"
    return str(identity)


def _nodes(text: str, start: int, end: int) -> list[Node]:
    """Return the nodes of a mention in order."""
    if not text:
        return [(word, 0) for word in range(start, end + 1)]
    return [_node(part) for part in text.split()]


def _node(text: str) -> Node:
    word, _, empty = text.partition(".")
    return int(word), int(empty or 0)


def _pieces(nodes: list[Node]) -> list[tuple[Node, Node]]:
    """Group nodes into runs that nothing interrupts."""
    runs: list[tuple[Node, Node]] = []
    for node in nodes:
        if runs and (node[0] == runs[-1][1][0] or (node[0] == runs[-1][1][0] + 1 and node[1] <= 0)):
            runs[-1] = (runs[-1][0], node)
        else:
            runs.append((node, node))
    return runs
