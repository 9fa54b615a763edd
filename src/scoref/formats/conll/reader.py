"""The reader of CoNLL-2011/2012 columns.

It tolerates what real files do, and refuses what would change a score.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from scoref.base.arrays import Bools, GrowingArray, Ints, first_of_run, number_by_appearance, pack
from scoref.base.phrases import counted
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import show_parts
from scoref.corpus.text import GLIMPSE
from scoref.exceptions import Problem
from scoref.formats.brackets.parsing import INSIDE, OPEN, SINGLE, Chunks, EntityNames, Ids, pair
from scoref.formats.conll.dialect import Dialect
from scoref.formats.conll.lines import ConllDocuments, TokenLines, refuse_control_characters
from scoref.formats.conll.text_columns import TextColumns
from scoref.formats.conll.word_numbers import WordNumbers
from scoref.formats.format import Format, Wanted
from scoref.formats.io.lines import BLOCK, Block, LineTooLongError, Stream, blocks
from scoref.formats.io.problems import Problems
from scoref.formats.io.text import odd_character

_CELL = "`-`, or brackets with entity ids such as `(5`, `5)` and `(5)|(7`"
_FIRST = re.compile(rb"^(\xef\xbb\xbf)?#\s*begin\s+document\b", re.MULTILINE)
_HEAD = 4096
_PLUS = ord("+")
_IS_ODD: Bools = np.zeros(256, dtype=bool)
_IS_ODD[[*b" *", *range(0x7F, 256)]] = True
_TWO_ANTECEDENTS = re.compile(rb"\d+(?:\+\d+)+")


def read(
    stream: Stream, path: str, wanted: Wanted, size: int = BLOCK
) -> tuple[Corpus, list[Problem]]:
    """Read a stream, and list its problems. With problems, the corpus is incomplete."""
    reader = ConllReader(path, wanted)
    reader.read(stream, size)
    return reader.corpus(), reader.problems


class ConllBrackets(NamedTuple):
    """Brackets in the order of their tokens: what each does, where, to which entity id."""

    token: Ints
    kind: Ints
    id: Ints
    line: Ints

    @classmethod
    def join(cls, parts: Sequence[ConllBrackets]) -> ConllBrackets:
        """Put the brackets of consecutive blocks together."""
        return cls._make(map(np.concatenate, zip(*parts, strict=True)))

    def where(self, rows: Bools | Ints) -> ConllBrackets:
        """Keep some, or put them into another order."""
        return ConllBrackets._make(column[rows] for column in self)


class ConllReader:
    """Reads a file block by block, and makes mentions of each document when it is complete."""

    def __init__(self, path: str, wanted: Wanted) -> None:
        self.problems = Problems(path, repair=wanted.repair)
        self.documents = ConllDocuments(self.problems)
        self.dialect = Dialect(self.problems)
        self.numbers = WordNumbers()
        self.strict = wanted.strict
        self.text = TextColumns(wanted.columns) if wanted.columns else None
        self.first_words = TextColumns({"word"}) if wanted.glimpse else None
        self.tokens = 0
        self.edges = 0
        self.breaks = 0
        self.ids = Ids()
        self.waiting: list[ConllBrackets] = []
        self.matched = 0
        self.unmatched: list[ConllBrackets] = []
        names = ("document", "start", "end", "entity", "line")
        self.columns = {name: GrowingArray(small=name == "line") for name in names}
        self.entity_ids = GrowingArray()
        self.two_antecedents = 0
        self.touching = 0

    def read(self, stream: Stream, size: int) -> None:
        """Read all of a stream."""
        head, too_long = b"", 0
        try:
            for block in blocks(stream, size):
                head = head or _head(block)
                self._read_block(block)
        except LineTooLongError as error:
            too_long = error.line
        self.documents.end(self.tokens)
        self._match()
        self._report_unmatched()
        if self.documents.headings:
            self.dialect.check_file()
            self.numbers.report(self.problems)
        else:
            self.problems.clear()  # a file of another format has one problem
        if too_long:
            self.problems.add_too_long(too_long)
        self.documents.check(head)

    def _read_block(self, block: Block) -> None:
        columns = self.dialect.document.columns
        has_tokens = self.dialect.document.number == self.edges
        inside = (columns if has_tokens else 0) if self.documents.is_open else None
        lines = TokenLines(block, inside)
        refuse_control_characters(lines, self.problems)
        self._check_dialect(lines)
        if self.text is not None:
            self.text.add(block, lines.is_token)
        count = self.tokens + np.cumsum(lines.is_token)
        if self.first_words is not None and self.tokens < GLIMPSE:
            self.first_words.add(block, lines.is_token & (count <= GLIMPSE))
        self.documents.add(block, lines, count)
        self.tokens = int(count[-1])
        rows = np.flatnonzero(lines.has_cell)
        if len(rows) and self.documents.headings:
            self._read_cells(lines, rows, count[rows] - 1)
        self._match()

    def _check_dialect(self, lines: TokenLines) -> None:
        """Check columns and marks; documents and sentences are counted through the file."""
        first_line = lines.block.first_line
        rows = np.flatnonzero(lines.is_token)
        edges = np.array([line for line, _ in lines.edges], dtype=np.int64)
        document = self.edges + np.searchsorted(edges, rows)
        sentence = self.breaks + np.cumsum(lines.is_break)[rows]
        self.edges += len(edges)
        self.breaks += int(np.count_nonzero(lines.is_break))
        places = first_line + rows, document, sentence
        if lines.tabbed[rows].any():
            columns, _ = self.dialect.expected_columns(lines.columns(rows), *places)
            lines.forget_tabs(rows, columns)
        self.dialect.check_columns(lines.columns(rows), *places)
        self.numbers.check(lines.block, rows, document, sentence)
        marked, marks = lines.marks()
        self.dialect.check_marks(marks, first_line + marked)
        if not lines.block.is_ended and lines.is_token[-1] and lines.block.tabbed[-1]:
            line = first_line + len(lines.is_token) - 1
            found = "a file that ends after a tab"
            missing = "a last cell and the end of its line"
            self.problems.add(line, found, missing, "is the file complete?")

    def _read_cells(self, lines: TokenLines, rows: Ints, token: Ints) -> None:
        data, number = lines.block.data, lines.block.first_line + rows
        start, end = lines.cells(rows)
        chunks, wrong = Chunks.find((data, start, end), allowed=INSIDE)
        invalid = _cells_with_invalid_ids(chunks)
        if len(invalid):
            wrong = np.union1d(wrong, invalid)
            chunks = chunks.where(~np.isin(chunks.cell, invalid))
        if _PLUS in chunks.data:
            kept = ~_have_two_antecedents(chunks)
            self.two_antecedents += int(np.count_nonzero(~kept))
            chunks = chunks.where(kept)
        codes = self.ids.encode(chunks.data, chunks.start, chunks.end)
        cell = chunks.cell
        self.waiting.append(ConllBrackets(token[cell], chunks.kind, codes, number[cell]))
        self.dialect.check_ids(chunks, codes, number[cell], self.ids)
        for cell in wrong.tolist():
            text = data[start[cell] : end[cell]].tobytes()
            self._refuse_cell(int(number[cell]), text.decode(errors="backslashreplace"))

    def _refuse_cell(self, line: int, text: str) -> None:
        shown = f"`{text[:40]}...`" if len(text) > 40 else f"`{text}`"
        hint = "the entities must be in the last column, without blanks"
        if " " in text:
            shown, hint = f"{shown} with a blank", "write `|` between the brackets of a token"
        self.problems.add(line, f"the cell {shown}", _CELL, hint)

    def _match(self) -> None:
        """Make mentions of the documents that are complete and were not matched yet."""
        new = self.documents.headings[self.matched : self.documents.complete]
        if new and self.waiting:
            brackets = ConllBrackets.join(self.waiting)
            first = np.array([heading.first for heading in new])
            last = np.array([heading.last for heading in new])
            document = np.searchsorted(first, brackets.token, side="right") - 1
            inside = (document >= 0) & (brackets.token < last[document])
            self._add_mentions(brackets.where(inside), document[inside], first)
            self.waiting = [brackets.where(brackets.token >= last[-1])]
        self.matched = self.documents.complete

    def _add_mentions(self, brackets: ConllBrackets, document: Ints, first: Ints) -> None:
        """Pair the brackets of whole documents, which start at the tokens `first`.

        A token's openings come before its closings, so `(1`, `1)|(1`, `1)` is one mention of three
        tokens around one of the middle token, as in the reference scorer.
        """
        moment = brackets.token * 4 + brackets.kind
        if np.any(moment[1:] < moment[:-1]):
            order = np.argsort(moment, kind="stable")
            brackets, document = brackets.where(order), document[order]
        entity = pack(document, brackets.id)
        opening, closing, level, unmatched = pair(brackets.kind, entity)
        start, end = brackets.token[opening], brackets.token[closing]
        self.touching += int(np.count_nonzero((start == end) & (level > 1)))
        if len(unmatched):
            self.unmatched.append(brackets.where(unmatched))
        document = document[opening]
        number, at = number_by_appearance(entity[opening])
        columns = (
            document + self.matched,
            start - first[document],
            end - first[document],
            number + len(self.entity_ids),
            brackets.line[opening],
        )
        for column, values in zip(self.columns.values(), columns, strict=True):
            column.extend(values)
        self.entity_ids.extend(brackets.id[opening[at]])

    def _report_unmatched(self) -> None:
        """Report the brackets that make no mention."""
        if not self.unmatched:
            return
        documents = show_parts(self.documents)
        first = [heading.first for heading in self.documents.headings]
        brackets = ConllBrackets.join(self.unmatched)
        document = (np.searchsorted(first, brackets.token, side="right") - 1).tolist()
        for at, (_, kind, code, line) in enumerate(
            zip(*map(np.ndarray.tolist, brackets), strict=True)
        ):
            name, title = self.ids.decode(code), documents[document[at]].name
            if kind == INSIDE:
                self._refuse_cell(line, name)
            else:
                opens = kind == OPEN
                self.problems.add_unmatched(line, f"({name}", f"{name})", title, opens=opens)

    def corpus(self) -> Corpus:
        """Return what was read."""
        headings = self.documents.headings
        text, glimpse = None, list[Sequence[str]]()
        if self.text is not None:
            text = self.text.text([heading.first for heading in headings], self.tokens)
        if self.first_words is not None:
            words = self.first_words.values.get("word", [])
            glimpse = [words[heading.first : heading.last] for heading in headings]
        columns: dict[str, Any] = {name: each.finish() for name, each in self.columns.items()}
        return Corpus(
            documents=show_parts(self.documents),
            entity_names=EntityNames(self.entity_ids.finish(), self.ids.decode),
            text=text,
            glimpse=tuple(glimpse),
            source=self.problems.path,
            notes=tuple(self._notes()),
            **columns,
        )

    def _notes(self) -> Iterator[str]:
        path = self.problems.path
        yield from self.problems.repair_notes()
        headings = self.documents.headings
        if self.strict and headings and not any(one.has_end for one in headings):
            yield f"{path}: no document ends with `#end document`: is the file complete?"
        if self.two_antecedents:
            yield (
                f"{path}: ignored {counted(self.two_antecedents, 'mention')} with two antecedents,"
                " such as `(3+4)`, as the reference scorer does"
            )
        if self.touching:
            yield (
                f"{path}: at {counted(self.touching, 'token')}, mentions of one entity close and"
                " open; openings are read first, as in the reference scorer"
            )


def _head(block: Block) -> bytes:
    """Return the first bytes of a block, or nothing if it is blank."""
    raw = block.data.tobytes()
    return raw[:_HEAD] if raw[:_HEAD].strip() else raw.lstrip()[:_HEAD]


def _have_two_antecedents(chunks: Chunks) -> Bools:
    """Mark brackets such as `(3+4)`, which are ignored as the reference scorer ignores them."""
    found: Bools = chunks.contain(chunks.data == _PLUS) & (chunks.kind == SINGLE)
    for row in np.flatnonzero(found).tolist():
        found[row] = _TWO_ANTECEDENTS.fullmatch(chunks.text(row)) is not None
    return found


def _cells_with_invalid_ids(chunks: Chunks) -> Ints:
    """Return the numbers of the cells that have an id that no file can have."""
    doubtful = np.flatnonzero(chunks.contain(_IS_ODD[chunks.data]))
    invalid = [row for row in doubtful.tolist() if not _is_valid(chunks.text(row))]
    cells = chunks.cell[invalid] if invalid else doubtful[:0]
    return cells[first_of_run(cells)]


def _is_valid(text: bytes) -> bool:
    """Whether an id is text, without asterisks, blanks and invisible characters."""
    try:
        return b"*" not in text and odd_character(text.decode()) is None
    except UnicodeDecodeError:
        return False


FORMAT = Format(
    name="conll",
    title="CoNLL-2011/2012 columns, SemEval-2010",
    recognise=_FIRST.search,
    read=read,
    suffix=".conll",
    supports=frozenset({"word", "pos", "parse", "lemma", "speaker", "named_entity"}),
)
