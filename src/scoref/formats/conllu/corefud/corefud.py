"""CorefUD: CoNLL-U with entities in MISC, `Entity=(e1-person-3-` and the like.

The header `# global.Entity` says what the fields of a bracket are; nothing is read by
position. Files are looked at as bytes, a block at a time: only what bears an annotation is
kept, as integers, and mentions are made of it at the end.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Bools, Ints, number_by_appearance, pack
from scoref.base.phrases import counted
from scoref.corpus.builder import CorpusBuilder
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import show_parts
from scoref.corpus.spans import Links, Spans, nearest
from scoref.exceptions import Problem
from scoref.formats.brackets.ids import EntityNames, Ids, sparse_column
from scoref.formats.conllu.corefud.brackets import ID_FIELDS, Brackets, Chunks, Places
from scoref.formats.conllu.corefud.mentions import (
    Annotation,
    Mentions,
    Texts,
)
from scoref.formats.conllu.corefud.writer import BEFORE, write
from scoref.formats.conllu.lines import Begun, Lines, NotTextError, Reading
from scoref.formats.conllu.nodes import Empty, Nodes
from scoref.formats.conllu.words import COLUMNS, FirstWords, Words
from scoref.formats.format import Format, Wanted
from scoref.formats.io.lines import BLOCK, Stream

_TAB, _BAR, _EQUALS = b"\t|="
_HEADER = re.compile(rb"# *global\.Entity *= *(\S+)")
_LINKS = {b"Bridge": "bridge", b"SplitAnte": "split_antecedents", b"Split": "split_antecedents"}
_EMPTY = re.compile(rb"(?P<word>\d{1,18})\.(?P<decimal>\d{1,9})(?=\t|$)")
_COMMENT = re.compile(rb"^# *(global\.Entity|newdoc|sent_id|newpar|text)\b", re.MULTILINE)
_TABS = 9
_DEPENDENCIES = 8
_HINT = "CorefUD says how `Entity` is written; udapi's reader says more"
_BRACKETS = "brackets such as `(e1-person-1-`, `e1)`, `(e1)`"


@dataclass(slots=True)
class _Reader:
    path: str
    words: Words | None
    first: FirstWords | None
    reading: Reading = field(init=False)
    problems: list[Problem] = field(default_factory=list)
    header: tuple[str, ...] = ()
    is_useless: bool = False
    ids: Ids = field(default_factory=Ids)
    found: list[Brackets] = field(default_factory=list)
    empties: list[Empty] = field(default_factory=list)
    links: dict[str, dict[tuple[int, int], str]] = field(default_factory=dict)
    bridges: list[_Bridge] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.reading = Reading(self.path)

    def complain(self, line: int, found: str, expected: str, hint: str = _HINT) -> None:
        self.problems.append(Problem(self.path, line, found, expected, hint))

    def read(self, stream: Stream, size: int) -> Corpus:
        for lines in self.reading.read(stream, size):
            self.read_empties(lines)
            entities, *links = _Values.find(lines, (b"Entity", *_LINKS))
            self.read_entities(lines, entities)
            for values, name in zip(links, _LINKS.values(), strict=True):
                self.read_links(lines, values, name)
            if self.words is not None:
                self.words.add(lines)
            if self.first is not None:
                self.first.add(lines)
        if not self.reading.documents:
            self.reading.documents.append(Begun("", 1))
        self.problems.extend(self.reading.complaints())
        return self.corpus()

    def read_empties(self, lines: Lines) -> None:
        """List the empty nodes."""
        for line in np.flatnonzero(lines.is_empty).tolist():
            text = lines.block.text(line)
            found = _EMPTY.match(text)
            decimal = int(found["decimal"]) if found else 0
            if not found or not 0 < decimal < BEFORE:
                shown = text.split(b"\t")[0].decode()[:40]
                number = lines.block.first_line + line
                self.complain(number, f"the ID `{shown}`", f"`4.1` or such, up to `4.{BEFORE - 1}`")
                continue
            columns = text.split(b"\t", _DEPENDENCIES + 1)
            told = columns[_DEPENDENCIES].decode() if len(columns) > _DEPENDENCIES else "_"
            word = int(lines.words[line]) - 1
            if int(found["word"]) == 0:  # it stands before the first word of its sentence
                word, decimal = word + 1, decimal - BEFORE
            node, sentence = int(lines.nodes[line]) - 1, int(lines.sentences[line]) - 1
            self.empties.append(Empty(node, word, decimal, sentence, told))

    def read_entities(self, lines: Lines, values: _Values) -> None:
        """Read the values of `Entity`, under the header that is above them."""
        headers = [
            (at, tuple(found[1].decode().split("-")))
            for at, comment in lines.comments(b"global.Entity")
            if (found := _HEADER.match(comment))
        ]
        low = 0
        for at, names in [*headers, (len(lines.is_word), ())]:
            high = int(np.searchsorted(values.line, at))
            if names and names == self.header:
                continue  # as in most files of many documents: reading on is faster
            if high > low and self.check_header(lines.block.first_line + int(values.line[low])):
                self.read_values(lines, values.where(slice(low, high)))
            low, self.header = high, names or self.header

    def check_header(self, line: int) -> bool:
        """Check that there is a header, and that it says which field is the entity."""
        if self.is_useless:
            return False
        if not self.header:
            expected = "`# global.Entity = eid-etype-head-...` first"
            self.complain(line, "`Entity=` before any header", expected)
        elif not set(ID_FIELDS) & set(self.header):
            found, hint = f"the header `{'-'.join(self.header)}`", "spans with types alone have"
            self.complain(line, found, "`eid` or `GRP` among its fields", f"{hint} no coreference")
        else:
            return True
        self.is_useless = True
        return False

    def read_values(self, lines: Lines, values: _Values) -> None:
        """Read the brackets of some values under one header."""
        is_node = (lines.is_word | lines.is_empty)[values.line]
        for at in np.flatnonzero(~is_node).tolist():
            found = f"`{values.text(lines, at)}` on a line that is no token"
            line = lines.block.first_line + int(values.line[at])
            self.complain(line, found, "a word or empty node")
        values = values.where(is_node)
        number = lines.block.first_line + values.line
        chunks = Chunks.of(lines.block.data, values.start, values.end)
        nodes, sentences = lines.nodes[values.line] - 1, lines.sentences[values.line] - 1
        places = Places(nodes, sentences, number)
        brackets = Brackets.of(chunks, self.header, self.ids, places)
        self.found.append(brackets)
        for at in chunks.bad.tolist():
            self.complain(int(number[at]), f"`{values.text(lines, at)}`", _BRACKETS)
        for at in chunks.value[brackets.name == 0].tolist():
            expected = f"an entity in every bracket, where {'-'.join(self.header)} has it"
            self.complain(int(number[at]), f"`{values.text(lines, at)}`", expected)

    def read_links(self, lines: Lines, values: _Values, name: str) -> None:
        """Keep bridging and split antecedents: what each says of which entity."""
        told = self.links.setdefault(name, {})
        nodes = (lines.nodes[values.line] - 1).tolist()
        starts = [document.line for document in self.reading.documents] if len(values.line) else []
        for at, line in enumerate((lines.block.first_line + values.line).tolist()):
            document = bisect_right(starts, line) - 1
            value = values.text(lines, at)
            for link in value.split(","):
                target, less, rest = link.partition("<")
                entity, _, relation = rest.partition(":")
                if not less or not target or not entity:
                    expected = "pairs such as `e1<e5`, with commas between"
                    self.complain(line, f"`{value}`", expected)
                    break
                one = f"{target}:{relation}" if relation else target
                place = document, self.ids.code(entity.encode())
                told[place] = f"{told[place]},{one}" if place in told else one
                if name == "bridge":
                    anchor = self.ids.code(target.encode())
                    self.bridges.append(_Bridge(*place, nodes[at], anchor))

    def corpus(self) -> Corpus:
        """Return what was read."""
        documents = show_parts(self.reading.corpus_documents())
        annotation = Annotation(
            Brackets.join(self.found),
            self.reading.documents,
            [document.name for document in documents],
            Nodes(self.empties),
            self.ids,
            self.complain,
        )
        mentions, nodes = annotation.mentions()
        entity, first = number_by_appearance(pack(mentions.document, mentions.name))
        places = list(
            zip(mentions.document[first].tolist(), mentions.name[first].tolist(), strict=True)
        )
        links, notes = self.bridging(annotation, mentions, nodes)
        text = None
        if self.words is not None and not self.problems:
            text = self.words.text(self.reading.documents, self.reading.words)
        return Corpus(
            documents=documents,
            document=mentions.document,
            start=mentions.start,
            end=mentions.end,
            entity=entity,
            entity_names=EntityNames(mentions.name[first], self.ids),
            line=mentions.line,
            attributes=dict(self.attributes(annotation, mentions, nodes)),
            entity_attributes=dict(self.entity_attributes(annotation, mentions, entity, places)),
            text=text,
            glimpse=self.first.by_document(self.reading.documents) if self.first else (),
            bridging=links,
            source=self.path,
            notes=notes,
        )

    def bridging(
        self, annotation: Annotation, mentions: Mentions, nodes: Texts
    ) -> tuple[Links, tuple[str, ...]]:
        """Return bridging links, and a note on what is none.

        An anaphor is the mention of its entity that opens where `Bridge` stands. Of an anchor, only
        the entity is named.
        """
        if not self.bridges:
            return Links.concatenate([]), ()
        by_place: dict[tuple[int, int, int], int] = {}
        of_entity: dict[tuple[int, int], list[int]] = {}
        opens = annotation.brackets.node[mentions.opening].tolist()
        places = zip(mentions.document.tolist(), mentions.name.tolist(), strict=True)
        for row, place in enumerate(places):
            by_place[(*place, opens[row])] = row
            of_entity.setdefault(place, []).append(row)
        ends = []
        for bridge in self.bridges:
            anaphor = by_place.get(bridge[:3], -1)
            anchor = nearest(of_entity.get((bridge.document, bridge.anchor), []), anaphor)
            if anaphor >= 0 and anchor is not None:
                ends.append((anaphor, anchor))
        texts = sparse_column(nodes, len(mentions.start)) if nodes else None
        spans = Spans(mentions.document, mentions.start, mentions.end, texts)
        rows = np.array(ends, dtype=np.int64).reshape(-1, 2).T
        lost = len(self.bridges) - len(ends)
        note = (
            f"{self.path}: left out: {counted(lost, 'bridging link')} where no mention opens, or to"
            " no entity"
        )
        return Links(*map(spans.where, rows)), (note,) if lost else ()

    def attributes(
        self, annotation: Annotation, mentions: Mentions, nodes: Texts
    ) -> Iterator[tuple[str, NDArray[Any]]]:
        """Yield what mentions say besides their entity, as far as one of them says it."""
        for name, codes in annotation.brackets.fields.items():
            told = codes[mentions.bracket]
            if name not in {"etype", "head"} and told.any():
                yield name, self.ids.column(told)
        if (mentions.head >= 0).any():
            first = annotation.first_word[mentions.document]
            word = annotation.nodes.word(mentions.head) - first
            head = np.where(mentions.head < 0, -1, word)
            yield from (("head_start", head), ("head_end", head))
        if nodes:
            yield "nodes", sparse_column(nodes, len(mentions.head))
        yield from annotation.zeros(mentions).items()

    def entity_attributes(
        self,
        annotation: Annotation,
        mentions: Mentions,
        entity: Ints,
        places: list[tuple[int, int]],
    ) -> Iterator[tuple[str, NDArray[Any]]]:
        """Yield what is said of entities: the first type that one of their mentions has, links."""
        told = annotation.brackets.fields.get("etype")
        if told is not None and told[mentions.bracket].any():
            codes = np.zeros(len(places), dtype=np.int64)
            there = np.flatnonzero(told[mentions.bracket])[::-1]  # the first that tells one stays
            codes[entity[there]] = told[mentions.bracket[there]]
            yield "type", self.ids.column(codes)
        for name, links in self.links.items():
            texts = {at: links[place] for at, place in enumerate(places) if place in links}
            if links:
                yield name, sparse_column(texts, len(places))


class _Bridge(NamedTuple):
    """A bridging link as written: entity and node of the anaphor, and entity of the anchor."""

    document: int
    entity: int
    node: int
    anchor: int


class _Values(NamedTuple):
    """Values of an attribute in MISC: where each starts and ends, and its line in the block."""

    start: Ints
    end: Ints
    line: Ints

    @classmethod
    def find(cls, lines: Lines, names: Iterable[bytes]) -> Iterator[_Values]:
        """Find the values of each of some attributes.

        Names are compared from their ends: one pass over the bytes finds the equals signs of all
        of them, and few letters tell most of those apart.
        """
        data = lines.block.data
        equals = np.flatnonzero(data == _EQUALS)
        breaks = np.append(np.flatnonzero((data == _BAR) | (data == _TAB)), len(data))
        for name in names:
            at = equals
            for offset, letter in enumerate(reversed(name), 1):
                at = at[data[at - offset] == letter]
            before = data[at - len(name) - 1]
            start = at[(before == _TAB) | (before == _BAR)] + 1
            line = np.searchsorted(lines.block.start, start, side="right") - 1
            start, line = start[~lines.is_comment[line]], line[~lines.is_comment[line]]
            end = np.minimum(breaks[np.searchsorted(breaks, start)], lines.block.end[line])
            yield cls(start, np.maximum(start, end), line)

    def where(self, rows: Bools | slice) -> _Values:
        """Keep some."""
        return _Values(self.start[rows], self.end[rows], self.line[rows])

    def text(self, lines: Lines, row: int) -> str:
        """Return one value as it is written."""
        return lines.raw[self.start[row] : self.end[row]].decode()


def read(
    stream: Stream, path: str, wanted: Wanted, size: int = BLOCK
) -> tuple[Corpus, list[Problem]]:
    """Read a stream, and list all that is wrong with it."""
    words = Words(wanted.columns, lambda line: line.split("\t", _TABS)) if wanted.columns else None
    reader = _Reader(path, words, FirstWords() if wanted.glimpse else None)
    try:
        return reader.read(stream, size), reader.problems
    except NotTextError as error:
        return CorpusBuilder(path).corpus(), [error.problem]


def recognise(head: bytes) -> bool:
    """Whether a file has the comments and the ten columns of CoNLL-U."""
    if _COMMENT.search(head) is None or b"# global.columns" in head:
        return False
    lines = [line for line in head.split(b"\n")[:-1] if line[:1].isdigit()]
    return not lines or all(line.count(b"\t") == _TABS for line in lines[:50])


FORMAT = Format(
    "corefud",
    "CoNLL-U with entities, as in CorefUD",
    recognise,
    read,
    write,
    ".conllu",
    frozenset({*COLUMNS, "heads", "nodes", "entity type"}),
)
