"""The reader of CorefUD: CoNLL-U with entities in MISC, such as `Entity=(e1-person-3-`.

The header `# global.Entity` names the fields of a bracket; no field is read by its position alone.
Files are read as bytes, a block at a time. Only annotations are kept, as integers, and mentions
are made of them at the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoref.base.phrases import counted
from scoref.corpus.corpus import Corpus
from scoref.corpus.spans import Spans
from scoref.exceptions import Problem
from scoref.formats.brackets.parsing import CLOSE, Chunks
from scoref.formats.conllu.bridging import LINKS, CorefudLinks
from scoref.formats.conllu.entity_mentions import PART, CorefudAnnotation, CorefudMentions
from scoref.formats.conllu.lines import Lines, find_comments
from scoref.formats.conllu.misc import ID_FIELDS, MISC, MiscValues, parse_fields
from scoref.formats.conllu.nodes import BEFORE, COLUMNS, EmptyNode, Nodes
from scoref.formats.conllu.reader import ConlluBrackets, ConlluReader, ConlluWords, EntityIndex
from scoref.formats.format import Format, Wanted
from scoref.formats.io.lines import BLOCK, Stream

_COMMENT = re.compile(rb"^# *(global\.Entity|newdoc|sent_id|newpar|text)\b", re.MULTILINE)
_HEADER = re.compile(r"#[ \t]*global\.Entity[ \t]*=[ \t]*(\S+)\s*")
_EMPTY = re.compile(rb"(?P<word>\d{1,18})\.(?P<decimal>\d{1,9})(?=\t|$)")
_DEPENDENCIES = 8
_PART_MARK = ord("[")
_SHOWN = 80


def read(
    stream: Stream, path: str, wanted: Wanted, size: int = BLOCK
) -> tuple[Corpus, list[Problem]]:
    """Read a stream, and list its problems. With problems, the corpus is incomplete."""
    return CorefudReader(path, wanted).read(stream, size)


class CorefudReader(ConlluReader):
    """Reads the brackets, empty nodes and links of a file."""

    def __init__(self, path: str, wanted: Wanted) -> None:
        words = ConlluWords(wanted.columns, _split)
        super().__init__(path, words, wanted, is_ua=False)
        self.header: tuple[str, ...] = ()
        self.has_bad_header = False
        self.found: list[ConlluBrackets] = []
        self.part_names: dict[int, re.Match[str]] = {}
        self.empties: list[EmptyNode] = []
        self.links = CorefudLinks(self.problems, self.ids)

    def read_block(self, lines: Lines) -> None:
        """Keep the annotation of a block."""
        self._read_empties(lines)
        names = (b"Entity", *LINKS)
        entities, *links = found = list(MiscValues.find(lines, names))
        for values, written in zip(found, names, strict=True):
            for at in values.repeated().tolist():
                line = lines.number(values.line[at])
                self.problems.add_repeated(line, f"the attribute `{written.decode()}`")
        self._read_entities(lines, entities)
        for values, name in zip(links, LINKS.values(), strict=True):
            self.links.add(lines, values, name, self.lines.documents)

    def _read_empties(self, lines: Lines) -> None:
        """List the empty nodes."""
        for line in np.flatnonzero(lines.is_empty).tolist():
            text = lines.block.text(line)
            found = _EMPTY.match(text)
            decimal = int(found["decimal"]) if found else 0
            if not found or not 0 < decimal < BEFORE:
                shown = text.split(b"\t")[0].decode()[:40]
                expected = f"`4.1` or such, up to `4.{BEFORE - 1}`"
                hint = "number the empty nodes after a word from 1"
                self.problems.add(lines.number(line), f"the ID `{shown}`", expected, hint)
                continue
            columns = text.split(b"\t", _DEPENDENCIES + 1)
            written = columns[_DEPENDENCIES].decode() if len(columns) > _DEPENDENCIES else "_"
            word = int(lines.words[line]) - 1
            if int(found["word"]) == 0:  # it is before the first word of its sentence
                word, decimal = word + 1, decimal - BEFORE
            node, sentence = int(lines.nodes[line]) - 1, int(lines.sentences[line]) - 1
            self.empties.append(EmptyNode(node, word, decimal, sentence, written))

    def _read_entities(self, lines: Lines, values: MiscValues) -> None:
        """Read the values of `Entity`, each under the header that is above it."""
        headers = []
        for at, comment in find_comments(lines.block, lines.is_comment, b"global.Entity"):
            if found := _HEADER.fullmatch(text := comment.decode()):
                headers.append((at, tuple(found[1].split("-"))))
            else:  # the header of the document before it would be used
                expected, hint = "`# global.Entity = eid-...`", "write hyphens between the fields"
                self.problems.add(lines.number(at), f"`{text[:_SHOWN]}`", expected, hint)
        low = 0
        for at, names in [*headers, (len(lines.is_word), ())]:
            high = int(np.searchsorted(values.line, at))
            if names and names == self.header:
                continue  # as in most files of many documents: fewer, larger pieces are faster
            if high > low and self._check_header(lines.number(values.line[low])):
                self._read_values(lines, values.where(slice(low, high)))
            low, self.header = high, names or self.header

    def _check_header(self, line: int) -> bool:
        """Whether there is a header that says which field is the entity; report only the first."""
        repeated = next((name for name in self.header if self.header.count(name) > 1), None)
        if repeated is not None and not self.has_bad_header:
            self.has_bad_header = True
            self.problems.add_repeated(line, f"the field `{repeated}` of the header")
        if self.has_bad_header or set(ID_FIELDS) & set(self.header):
            return not self.has_bad_header
        self.has_bad_header = True
        found, expected = "`Entity=` before any header", "`# global.Entity = eid-...` first"
        hint = "name the fields of brackets, such as `# global.Entity = eid-etype-head-other`"
        if self.header:
            found = f"the header `{'-'.join(self.header)}`"
            expected = "`eid` or `GRP` in the header"
            hint = "spans with types alone have no coreference"
        self.problems.add(line, found, expected, hint)
        return False

    def _read_values(self, lines: Lines, values: MiscValues) -> None:
        """Read the brackets of values under one header."""
        is_node = (lines.is_word | lines.is_empty)[values.line]
        for at in np.flatnonzero(~is_node).tolist():
            found = f"`{values.text(lines, at)}` on a line that is not a token"
            hint = "move `Entity=` to a word or an empty node"
            line = lines.number(values.line[at])
            self.problems.add(line, found, "a word or an empty node", hint)
        values = values.where(is_node)
        chunks, wrong = Chunks.find((lines.block.data, values.start, values.end))
        for at in wrong.tolist():
            expected = "brackets such as `(e1-person-1-`, `e1)`, `(e1)`"
            self._refuse_value(lines, values, at, expected)
        name, fields = parse_fields(chunks, self.header, self.ids)
        for at in chunks.cell[name == 0].tolist():
            self._refuse_value(lines, values, at, "an entity in every bracket")
        for row in np.flatnonzero(
            chunks.contain(chunks.data == _PART_MARK) & (chunks.kind != CLOSE)
        ).tolist():
            if part := PART.fullmatch(self.ids.decode(code := int(name[row]))):
                self.part_names[code] = part
                if not part["id"]:
                    at = int(chunks.cell[row])
                    self._refuse_value(lines, values, at, "an entity in every bracket")
        self.found.append(ConlluBrackets.locate(chunks, name, fields, lines, values.line))

    def _refuse_value(self, lines: Lines, values: MiscValues, at: int, expected: str) -> None:
        line = lines.number(values.line[at])
        hint = f"the fields of a bracket are {'-'.join(self.header)}"
        self.problems.add(line, f"`{values.text(lines, at)}`", expected, hint)

    def corpus(self) -> Corpus:
        """Make a corpus of the annotation, and report its problems."""
        brackets = ConlluBrackets.join(self.found)
        self.check_ids(brackets, brackets.name)
        annotation = CorefudAnnotation(
            brackets,
            self.part_names,
            [document.name for document in self.documents],
            Nodes(self.empties, self.lines.documents),
            self.ids,
            self.problems,
        )
        mentions, parts = annotation.mentions()
        spans = annotation.nodes.spans(mentions.document, mentions.first, mentions.last, parts)
        index = EntityIndex.of(mentions.document, mentions.name)
        opens = annotation.brackets.node[mentions.opening]
        bridging, ignored = self.links.bridging(spans, mentions.name, opens)
        note = (
            f"{self.problems.path}: ignored {counted(ignored, 'bridging link')} without a mention"
            " of the anaphor or of the anchor"
        )
        return self.build(
            spans,
            index,
            line=annotation.brackets.line[mentions.opening],
            attributes=dict(self._attributes(annotation, mentions, spans)),
            entity_attributes=dict(self._entity_attributes(annotation, mentions, index)),
            bridging=bridging,
            notes=(note,) if ignored else (),
        )

    def _attributes(
        self, annotation: CorefudAnnotation, mentions: CorefudMentions, spans: Spans
    ) -> Iterator[tuple[str, NDArray[Any]]]:
        """Yield the columns of mentions that have a value for at least one of them."""
        for name, column in annotation.brackets.fields.items():
            codes = column[mentions.bracket]
            if name not in {"etype", "head"} and codes.any():
                yield name, self.ids.column(codes)
        if (mentions.head >= 0).any():
            word = annotation.nodes.word(mentions.head, mentions.document)
            head = np.where(mentions.head < 0, -1, word)
            yield from (("head_start", head), ("head_end", head))
        if spans.nodes is not None:
            yield "nodes", spans.nodes
        yield from annotation.zeros(mentions).items()

    def _entity_attributes(
        self, annotation: CorefudAnnotation, mentions: CorefudMentions, index: EntityIndex
    ) -> Iterator[tuple[str, NDArray[Any]]]:
        """Yield the columns of entities: the first type of their mentions, and links."""
        types = annotation.brackets.field("etype")[mentions.bracket]
        if types.any():
            codes = np.zeros(len(index.places), dtype=np.int64)
            typed = np.flatnonzero(types)[::-1]  # the first one is written last, and stays
            codes[index.entity[typed]] = types[typed]
            yield "type", self.ids.column(codes)
        yield from self.links.entity_attributes(index.places)


def _split(line: str) -> list[str]:
    return line.split("\t", MISC)


def recognise(head: bytes) -> bool:
    """Whether a file has the comments and the ten columns of CoNLL-U."""
    if _COMMENT.search(head) is None or b"# global.columns" in head:
        return False
    lines = [line for line in head.split(b"\n")[:-1] if line[:1].isdigit()]
    return all(line.count(b"\t") == MISC for line in lines[:50])


FORMAT = Format(
    name="corefud",
    title="CoNLL-U with entities, as in CorefUD",
    recognise=recognise,
    read=read,
    suffix=".conllu",
    supports=frozenset({*COLUMNS, "heads", "nodes", "entity type"}),
)
