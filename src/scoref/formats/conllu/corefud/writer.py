"""The writer of CorefUD: ten columns, with entities in MISC, and the empty nodes of mentions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import BinaryIO, NoReturn

import numpy as np

from scoref.corpus.corpus import Corpus
from scoref.corpus.spans import place_of
from scoref.corpus.text import Text
from scoref.exceptions import UsageError
from scoref.formats.brackets.cells import (
    BracketCells,
    check_nesting,
    check_tokens,
    runs,
    token_spans,
)
from scoref.formats.conllu.corefud import reader
from scoref.formats.conllu.nodes import BEFORE, Node, fill_empty, mention_nodes, word_cells
from scoref.formats.written_names import CONTROL, LINE, NameRule, WrittenNames

_HEADER = "# global.Entity = eid-etype-head-other\n"
_DEPENDENCIES, _MISC = 8, 9
_FIELD = NameRule(rf"[-()\[\]|=,\s{CONTROL}]", is_printable=True)
NAMES = WrittenNames(
    document=LINE,
    entity=_FIELD,
    word=LINE,
    attributes={"entity type": _FIELD},
    has_unnamed=True,
    are_global=True,
)


@dataclass(slots=True)
class _DocumentNodes:
    """The brackets of a document by node, and its empty nodes with their dependencies by word."""

    brackets: BracketCells = field(default_factory=BracketCells)
    empty: dict[int, dict[Node, str]] = field(default_factory=dict)
    ends: dict[int, Node] = field(default_factory=dict)
    """The last node of the latest mention with gaps of each entity."""

    def follows(self, one: Node, other: Node) -> bool:
        """Whether no word and no empty node is between two nodes: a bracket would have it."""
        if other[0] > one[0] + 1:
            return False
        between = [(one[0], 0), (other[0], 0)]
        for word in {one[0], other[0]}.intersection(self.empty):
            between += self.empty[word]
        return not any(one < node < other for node in between)


def write(corpus: Corpus, stream: BinaryIO) -> None:
    """Write documents as CoNLL-U; unknown values of a word are `_`."""
    spans, lengths = token_spans(corpus, "CorefUD")
    check_tokens(spans.documents, lengths, "CorefUD")
    whole = spans.attributes.get("nodes", np.full(len(spans), "")) == ""
    check_nesting(spans.where(whole), touching=False)
    _check_sentences(spans)
    documents = _documents(spans)
    for number, (document, length) in enumerate(zip(spans.documents, lengths, strict=True)):
        name = "" if document.is_unnamed else f" id = {document.name}"
        stream.write(f"# newdoc{name}\n{_HEADER}".encode())
        stream.writelines(
            line.encode() for line in _lines(spans.text, number, length, documents[number])
        )


def _check_sentences(spans: Corpus) -> None:
    """Refuse mentions across sentences, which the format does not allow."""
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
            " CorefUD cannot express",
            "write another format, for example with --to jsonl",
        )


def _documents(spans: Corpus) -> list[_DocumentNodes]:
    """Put the brackets of all mentions on their nodes, longer mentions outside."""
    zeros = spans.attributes.get("zero", np.full(len(spans), "")).tolist()
    heads = spans.attributes.get("head_start", np.full(len(spans), -1)).tolist()
    types = spans.entity_attributes.get("type", np.full(spans.entity_count, "")).tolist()
    names = list(spans.entity_names)
    documents = [_DocumentNodes() for _ in spans.documents]
    _add_empty_nodes(spans, zeros, documents)
    for row in np.lexsort((spans.entity, -spans.end, spans.start)).tolist():
        document = documents[spans.document[row]]
        entity = int(spans.entity[row])
        mention = mention_nodes(spans, row)
        head = place_of(zeros[row]) if zeros[row] else (heads[row], 0)
        place = str(mention.index(head) + 1) if head in mention else ""
        pieces = runs(mention, document.follows)
        if len(pieces) > 1:
            if mention[0] < document.ends.get(entity, mention[0]):
                _refuse_overlap(spans.documents[spans.document[row]].name, names[entity])
            document.ends[entity] = mention[-1]
        for number, (start, end) in enumerate(pieces, 1):
            name = names[entity] + (f"[{number}/{len(pieces)}]" if len(pieces) > 1 else "")
            fields = f"{name}-{types[entity]}-{place}".rstrip("-")
            document.brackets.add(start, end, f"({fields}", f"{name})")
    return documents


def _add_empty_nodes(
    spans: Corpus, zeros: Sequence[str], documents: Sequence[_DocumentNodes]
) -> None:
    """Add the empty nodes of mentions, and those that must come before them."""
    nodes, dependencies = (
        spans.attributes.get(name, np.full(len(spans), "")).tolist()
        for name in ("nodes", "zero_deps")
    )
    for row in np.lexsort((spans.entity, -spans.end, spans.start)).tolist():
        if "." not in nodes[row]:
            continue
        known = dependencies[row].partition(" ")[2] if nodes[row] == zeros[row] else ""
        for node in mention_nodes(spans, row):
            if node[1]:
                here = documents[spans.document[row]].empty.setdefault(node[0], {})
                here.setdefault(node, known or "_")
    for document in documents:
        for here in document.empty.values():
            for node in fill_empty([*here]):
                here.setdefault(node, "_")


def _refuse_overlap(document: str, entity: str) -> NoReturn:
    raise UsageError(
        f"document {document} has two mentions with gaps of entity {entity} that overlap, whose"
        " parts CorefUD cannot tell apart",
        "write another format, for example with --to csv",
    )


def _lines(text: Text | None, number: int, length: int, document: _DocumentNodes) -> Iterator[str]:
    """Yield the lines of a document."""
    first = int(text.first[number]) if text is not None else 0
    in_sentence = 0
    for word in range(length):
        starts = bool(text.starts_sentence[first + word]) if text is not None else word == 0
        if starts or word == 0:
            yield ("\n" if word else "") + f"# sent_id = {number + 1}-{word + 1}\n"
            in_sentence = 0
        empty = document.empty.get(word, {})
        for node in sorted([(word, 0), *empty]):
            cells = word_cells(text if node[1] == 0 else None, first + word)
            if node[1] < 0:
                cells[0] = f"{in_sentence}.{node[1] + BEFORE}"
            elif node[1] > 0:
                cells[0] = f"{in_sentence}.{node[1]}"
            else:
                in_sentence += 1
                cells[0] = str(in_sentence)
            cells[_DEPENDENCIES] = empty.get(node, "_")
            if brackets := "".join(document.brackets.at(node)):
                cells[_MISC] = f"Entity={brackets}"
            yield "\t".join(cells) + "\n"
    yield "\n"


FORMAT = replace(reader.FORMAT, write=write, names=NAMES)
