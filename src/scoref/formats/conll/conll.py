"""CoNLL-2011/2012: one token per line, entities as brackets in the last column.

Tolerant of what real files do, strict about what would change a score.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import BinaryIO

import numpy as np

from scoref.base.arrays import Growing, Ints, number_by_appearance, pack
from scoref.corpus.corpus import GLIMPSE, Corpus, Document, show_parts
from scoref.corpus.text import Text
from scoref.exceptions import Problem, UsageError
from scoref.formats.brackets import pairing as brackets
from scoref.formats.brackets.ids import EntityNames, Ids
from scoref.formats.brackets.nesting import check_contiguous, check_nesting
from scoref.formats.brackets.pairing import Brackets, Cells, Matched, Odd
from scoref.formats.conll.columns import TextColumns
from scoref.formats.conll.last_column import BEGIN, END, LastColumn, Tokens
from scoref.formats.format import Format, Wanted
from scoref.formats.io.lines import BLOCK, Block, LineTooLongError, Stream, blocks
from scoref.formats.io.signatures import describe_content

_FIRST = re.compile(rb"^(\xef\xbb\xbf)?#\s*begin\s+document\b", re.MULTILINE)
_USUAL = re.compile(r"\((?P<name>[^();\s]+)\); part (?P<part>\d{1,18})")
_PART = re.compile(r"[;,]?\s*\bpart\s+(?P<part>\d{1,18})\s*;?$")
_WRITTEN = (
    ("word", "_"),
    ("pos", "-"),
    ("parse", "*"),
    ("lemma", "-"),
    ("", "-"),
    ("", "-"),
    ("speaker", "-"),
    ("named_entity", "*"),
)
_CELL = "`-`, or brackets with entity ids such as `(5`, `5)` and `(5)|(7`"
_CELL_HINT = "the entities must be in the last column, without blanks"
_HEADING = "`#begin document (name); part 000`"
_HEADING_HINT = "put every token between `#begin document` and `#end document`"


def read(
    stream: Stream,
    path: str,
    *,
    columns: Collection[str] = (),
    glimpse: bool = False,
    size: int = BLOCK,
) -> tuple[Corpus, list[Problem]]:
    """Read a stream, and list all that is wrong with it. With problems, the corpus is not whole.

    The words and what other columns say of them are read as far as `columns` names them; or
    only the first words, for a `glimpse`.
    """
    reader = _Reader(path, text=TextColumns(columns) if columns else None)
    reader.first = TextColumns({"word"}) if glimpse else None
    reader.read(stream, size)
    return reader.corpus(), reader.problems


def write(corpus: Corpus, stream: BinaryIO) -> None:
    """Write a corpus in the columns of CoNLL-2012, with words and the like if it has them."""
    spans = corpus.as_spans()
    if spans is None or corpus.characters:
        raise UsageError("only mentions that are token spans can be written as CoNLL columns")
    check_nesting(spans, touching=True)
    check_contiguous(spans, "CoNLL columns")
    lengths = np.array([document.length for document in spans.documents], dtype=np.int64)
    np.maximum.at(lengths, spans.document, spans.end + 1)
    cells: list[dict[int, list[str]]] = [{} for _ in spans.documents]
    # Of mentions that start or end together, the longer one opens first and closes last; of
    # equal ones, that of the first entity opens first.
    for row in np.lexsort((spans.entity, -spans.end, spans.start)).tolist():
        start, end = int(spans.start[row]), int(spans.end[row])
        name = str(spans.entity_names[spans.entity[row]])
        cell = cells[spans.document[row]]
        if start == end:
            cell.setdefault(start, []).append(f"({name})")
        else:
            cell.setdefault(start, []).append(f"({name}")
            cell.setdefault(end, []).insert(0, f"{name})")
    for number, (document, length) in enumerate(
        zip(spans.documents, lengths.tolist(), strict=True)
    ):
        name, part = document.id if isinstance(document.id, tuple) else (document.id, 0)
        stream.write(f"#begin document ({name}); part {part:03d}\n".encode())
        rows = token_rows(corpus.text, number, max(length, 0))
        for token, (starts, in_sentence, columns) in enumerate(rows):
            if starts and token:
                stream.write(b"\n")
            cell_text = "|".join(cells[number].get(token, "-"))
            line = [str(name), str(part), str(in_sentence), *columns, cell_text]
            stream.write(("\t".join(line) + "\n").encode())
        stream.write(b"\n#end document\n")


def token_rows(
    text: Text | None, document: int, length: int
) -> Iterator[tuple[bool, int, list[str]]]:
    """Yield whether each token starts a sentence, its number there, and its columns."""
    if text is None:
        yield from ((not token, token, ["_"]) for token in range(length))
        return
    first = int(text.first[document])
    in_sentence = 0
    for token in range(first, first + length):
        starts = bool(text.starts_sentence[token])
        in_sentence = 0 if starts else in_sentence + 1
        columns = [
            text.columns[name][token] or nothing if name in text else nothing
            for name, nothing in _WRITTEN
        ]
        yield starts, in_sentence, columns


@dataclass(slots=True)
class _Heading:
    """A document: `part` as written, and its tokens from `first` up to `last`."""

    name: str
    part: str
    line: int
    first: int
    last: int = -1

    @property
    def id(self) -> str | tuple[str, int]:
        """What pairs documents: no part and part 0 are the same, however it is written."""
        number = int(self.part or 0)
        return (self.name, number) if number else self.name


@dataclass(slots=True)
class _Reader:
    path: str
    text: TextColumns | None = None
    first: TextColumns | None = None
    problems: list[Problem] = field(default_factory=list)
    headings: list[_Heading] = field(default_factory=list)
    tokens: int = 0
    in_document: bool = False
    outside: int = 0
    head: bytes = b""
    column: LastColumn = field(init=False)
    ids: Ids = field(default_factory=Ids)
    waiting: list[Brackets] = field(default_factory=list)
    odd: list[Odd] = field(default_factory=list)
    document: Growing = field(default_factory=Growing)
    start: Growing = field(default_factory=Growing)
    end: Growing = field(default_factory=Growing)
    entity: Growing = field(default_factory=Growing)
    line: Growing = field(default_factory=partial(Growing, small=True))
    entity_ids: Growing = field(default_factory=Growing)
    done: int = 0
    two_antecedents: int = 0

    def __post_init__(self) -> None:
        self.column = LastColumn(self.complain)

    def complain(self, line: int, found: str, expected: str, hint: str = "") -> None:
        self.problems.append(Problem(self.path, line, found, expected, hint))

    def read(self, stream: Stream, size: int) -> None:
        try:
            for block in blocks(stream, size):
                self.head = self.head or block.data.tobytes().lstrip()[:4096]
                self.read_block(block)
        except LineTooLongError as error:
            found, hint = "a line of more than 256 MB", "is this the right file?"
            self.complain(error.line, found, "lines of text", hint)
        if self.in_document:
            self.headings[-1].last = self.tokens
        self.match(len(self.headings))
        if any(found.unopened or found.unclosed or found.not_inside for found in self.odd):
            self.check_brackets(show_parts(self.documents()))
        self.check_documents()

    def read_block(self, block: Block) -> None:
        tokens = self.column.tokens(block)
        if self.text is not None:
            self.text.add(block, tokens.is_token)
        count = self.tokens + np.cumsum(tokens.is_token)
        if self.first is not None and self.tokens < GLIMPSE:
            self.first.add(block, tokens.is_token & (count <= GLIMPSE))
        for line, text in tokens.headings:
            self.read_heading(block, line, text, tokens, count)
        self.tokens = int(count[-1])
        self.look_outside(block, tokens, count, self.tokens)
        lines = np.flatnonzero(tokens.is_token & ~tokens.is_null)
        if len(lines) and self.headings:
            self.read_cells(block, lines, count[lines] - 1)
        self.match(len(self.headings) - self.in_document)

    def read_heading(
        self, block: Block, line: int, text: bytes, tokens: Tokens, count: Ints
    ) -> None:
        so_far = int(count[line])
        if begin := BEGIN.match(text):
            self.look_outside(block, tokens, count, so_far)
            self.report_outside()
            if self.in_document:
                self.headings[-1].last = so_far
            name, part = _name_and_part(begin["rest"].decode(errors="backslashreplace"))
            self.headings.append(_Heading(name, part, block.first_line + line, so_far))
            self.in_document = True
        elif END.match(text) and self.in_document:
            self.headings[-1].last = so_far
            self.in_document = False

    def look_outside(self, block: Block, tokens: Tokens, count: Ints, so_far: int) -> None:
        """Note the line of the first token after the end of a document, or before any."""
        ended = self.headings[-1].last if self.headings else 0
        if not self.in_document and so_far > ended and not self.outside:
            first = int(np.flatnonzero(tokens.is_token & (count > ended))[0])
            self.outside = block.first_line + first

    def report_outside(self) -> None:
        if self.outside:
            found, expected = "a token outside a document", f"{_HEADING} first"
            self.complain(self.outside, found, expected, _HEADING_HINT)
        self.outside = 0

    def read_cells(self, block: Block, lines: Ints, token: Ints) -> None:
        start, end = self.column.cell_starts(block, lines), block.end[lines]
        cells = Cells.gather(block.data, start, end)
        number = block.first_line + lines
        found, wrong, two = brackets.parse(cells, token, number, self.ids)
        self.two_antecedents += two
        self.waiting.append(found)
        for cell in wrong.tolist():
            text = block.data[start[cell] : end[cell]].tobytes()
            self.complain(int(number[cell]), f"the cell {_quoted(text)}", _CELL, _CELL_HINT)

    def match(self, done: int) -> None:
        """Match the brackets of the documents that are complete and not yet matched."""
        if done == self.done or not self.waiting:
            self.done = done if not self.waiting else self.done
            return
        joined = Brackets.join(self.waiting)
        first = np.array([heading.first for heading in self.headings[self.done : done]])
        last = np.array([heading.last for heading in self.headings[self.done : done]])
        document = np.searchsorted(first, joined.token, side="right") - 1
        inside = (document >= 0) & (joined.token < last[document])
        self.add(brackets.match(joined.where(inside), first, self.done))
        self.waiting = [joined.where(joined.token >= last[-1])]
        self.done = done

    def add(self, matched: Matched) -> None:
        """Keep the mentions of some documents; their entities have no others."""
        entity, first = number_by_appearance(pack(matched.document - self.done, matched.id))
        self.document.extend(matched.document)
        self.start.extend(matched.start)
        self.end.extend(matched.end)
        self.entity.extend(entity + len(self.entity_ids))
        self.line.extend(matched.line)
        self.entity_ids.extend(matched.id[first])
        self.odd.append(matched.odd)

    def check_brackets(self, documents: Sequence[Document]) -> None:
        """Report the brackets that make no mention, with the names of their documents."""
        for found in self.odd:
            for line, code, at in found.unopened:
                name = self.ids.decode(code)
                expected = f"an earlier `({name}` in document {documents[at].name}"
                hint = f"write `({name}` on the first token of the mention, or remove `{name})`"
                self.complain(line, f"`{name})`", expected, hint)
            for line, code, at in found.unclosed:
                name = self.ids.decode(code)
                expected = f"`{name})` before document {documents[at].name} ends"
                hint = f"write `{name})` on the last token of the mention, or remove `({name}`"
                self.complain(line, f"`({name}`", expected, hint)
            for line, code, _ in found.not_inside:
                cell = _quoted(self.ids.decode(code).encode())
                self.complain(line, f"the cell {cell}", _CELL, _CELL_HINT)

    def check_documents(self) -> None:
        if self.headings:
            self.report_outside()
        elif not self.head:
            expected = f"a document that starts with {_HEADING}"
            self.complain(0, "an empty file", expected, "check the program that wrote it")
        else:
            found = f"no `#begin document` line in {describe_content(self.head)}"
            hint = "the formats read are: conll (CoNLL-2011/2012 columns)"
            self.complain(0, found, f"documents that start with {_HEADING}", hint)
        lines: dict[str | tuple[str, int], int] = {}
        for heading in self.headings:
            if heading.name and heading.id in lines:
                shown = f"{heading.name}/{heading.part}" if heading.part else heading.name
                self.complain(
                    heading.line,
                    f"document {shown} again (it stands at line {lines[heading.id]} already)",
                    "documents of different names or parts",
                    "rename one, or give them different part numbers",
                )
            lines.setdefault(heading.id, heading.line)

    def corpus(self) -> Corpus:
        """Return what was read."""
        return Corpus(
            documents=show_parts(self.documents()),
            document=self.document.finish(),
            start=self.start.finish(),
            end=self.end.finish(),
            entity=self.entity.finish(),
            entity_names=EntityNames(self.entity_ids.finish(), self.ids),
            line=self.line.finish(),
            text=self.words(),
            glimpse=self.first_words(),
            source=self.path,
            notes=tuple(self.notes()),
        )

    def words(self) -> Text | None:
        if self.text is None:
            return None
        return self.text.text([heading.first for heading in self.headings], self.tokens)

    def first_words(self) -> tuple[Sequence[str], ...]:
        if self.first is None:
            return ()
        words = self.first.values.get("word", [])
        return tuple(words[heading.first : heading.last] for heading in self.headings)

    def documents(self) -> Iterator[Document]:
        unnamed = 0
        for heading in self.headings:
            length = heading.last - heading.first
            where = (self.path, heading.line, heading.part)
            if heading.name:
                yield Document(heading.name, heading.id, length, *where)
            else:
                unnamed += 1
                yield Document(f"#{unnamed}", ("", unnamed), length, *where)

    def notes(self) -> Iterator[str]:
        if self.two_antecedents:
            yield (
                f"{self.path}: {self.two_antecedents} mentions with two antecedents, such as"
                " `(3+4)`, are left out, as the reference scorer leaves them out"
            )
        if touching := sum(found.touching for found in self.odd):
            yield (
                f"{self.path}: {touching} times a token closes and opens mentions of one entity;"
                " openings are read first, as in the reference scorer"
            )


def _name_and_part(rest: str) -> tuple[str, str]:
    """Split `(bc/cctv_0001); part 003`, with or without parentheses and part."""
    if usual := _USUAL.fullmatch(rest):  # halves the cost of a heading
        return usual["name"], usual["part"]
    part = ""
    if found := _PART.search(rest):
        part = found["part"]
        rest = rest[: found.start()]
    name = rest.strip().rstrip(";").strip()
    if name.startswith("(") and name.endswith(")"):
        name = name[1:-1].strip()
    return name, part


def _quoted(text: bytes) -> str:
    shown = text.decode(errors="backslashreplace")
    return f"`{shown[:40]}...`" if len(shown) > 40 else f"`{shown}`"


def _recognise(head: bytes) -> bool:
    """Whether a document begins in the first lines of a file."""
    return _FIRST.search(head) is not None


def _read(stream: Stream, path: str, wanted: Wanted) -> tuple[Corpus, list[Problem]]:
    return read(stream, path, columns=wanted.columns, glimpse=wanted.glimpse)


FORMAT = Format(
    name="conll",
    title="CoNLL-2011/2012 columns, SemEval-2010",
    recognise=_recognise,
    read=_read,
    write=write,
    suffix=".conll",
    supports=frozenset({"word", "pos", "parse", "lemma", "speaker", "named_entity"}),
)
