"""The reader of CoNLL-2011/2012 columns.

It tolerates what real files do, and refuses what would change a score.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from scoref.base.arrays import Growing, Ints, number_by_appearance, pack
from scoref.corpus.corpus import GLIMPSE, Corpus, show_parts
from scoref.corpus.text import Text
from scoref.exceptions import Problem
from scoref.formats.brackets.ids import EntityNames, Ids
from scoref.formats.brackets.pairing import CLOSE, OPEN, pair
from scoref.formats.brackets.problems import ProblemLog, quoted
from scoref.formats.conll.brackets import ConllBrackets, parse_cells
from scoref.formats.conll.documents import ConllDocuments
from scoref.formats.conll.last_column import LastColumn
from scoref.formats.conll.text_columns import TextColumns
from scoref.formats.io.lines import BLOCK, Block, LineTooLongError, Stream, blocks

_CELL = "`-`, or brackets with entity ids such as `(5`, `5)` and `(5)|(7`"
_CELL_HINT = "the entities must be in the last column, without blanks"


def read(
    stream: Stream,
    path: str,
    *,
    columns: Collection[str] = (),
    glimpse: bool = False,
    size: int = BLOCK,
) -> tuple[Corpus, list[Problem]]:
    """Read a stream, and list its problems. With problems, the corpus is incomplete.

    `columns` names the columns to read, such as `word`. A `glimpse` reads the first words only.
    """
    problems = ProblemLog(path)
    reader = ConllReader(
        problems,
        ConllDocuments(problems),
        LastColumn(problems),
        text=TextColumns(columns) if columns else None,
        first_words=TextColumns({"word"}) if glimpse else None,
    )
    reader.read(stream, size)
    return reader.corpus(), problems.problems


@dataclass(slots=True)
class ConllReader:
    """Reads a file block by block, and makes mentions of each document when it is complete."""

    problems: ProblemLog
    documents: ConllDocuments
    column: LastColumn
    text: TextColumns | None = None
    first_words: TextColumns | None = None
    tokens: int = 0
    ids: Ids = field(default_factory=Ids)
    waiting: list[ConllBrackets] = field(default_factory=list)
    matched: int = 0
    unmatched: list[ConllBrackets] = field(default_factory=list)
    document: Growing = field(default_factory=Growing)
    start: Growing = field(default_factory=Growing)
    end: Growing = field(default_factory=Growing)
    entity: Growing = field(default_factory=Growing)
    line: Growing = field(default_factory=partial(Growing, small=True))
    entity_ids: Growing = field(default_factory=Growing)
    two_antecedents: int = 0
    touching: int = 0

    def read(self, stream: Stream, size: int) -> None:
        """Read all of a stream."""
        head = b""
        try:
            for block in blocks(stream, size):
                head = head or block.data.tobytes().lstrip()[:4096]
                self._read_block(block)
        except LineTooLongError as error:
            self.problems.add_too_long(error.line)
        self.documents.end(self.tokens)
        self._match()
        if self.unmatched:
            self._report_unmatched()
        self.documents.check(head)

    def _read_block(self, block: Block) -> None:
        tokens = self.column.tokens(block)
        if self.text is not None:
            self.text.add(block, tokens.is_token)
        count = self.tokens + np.cumsum(tokens.is_token)
        if self.first_words is not None and self.tokens < GLIMPSE:
            self.first_words.add(block, tokens.is_token & (count <= GLIMPSE))
        self.documents.add(block, tokens, count)
        self.tokens = int(count[-1])
        lines = np.flatnonzero(tokens.is_token & ~tokens.is_null)
        if len(lines) and self.documents.headings:
            self._read_cells(block, lines, count[lines] - 1)
        self._match()

    def _read_cells(self, block: Block, lines: Ints, token: Ints) -> None:
        start, end = self.column.cell_starts(block, lines), block.end[lines]
        number = block.first_line + lines
        brackets, wrong, two = parse_cells((block.data, start, end), token, number, self.ids)
        self.two_antecedents += two
        self.waiting.append(brackets)
        for cell in wrong.tolist():
            text = block.data[start[cell] : end[cell]].tobytes()
            self._refuse_cell(int(number[cell]), text.decode(errors="backslashreplace"))

    def _refuse_cell(self, line: int, text: str) -> None:
        self.problems.add(line, f"the cell {quoted(text)}", _CELL, _CELL_HINT)

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
        self.document.extend(document + self.matched)
        self.start.extend(start - first[document])
        self.end.extend(end - first[document])
        self.entity.extend(number + len(self.entity_ids))
        self.line.extend(brackets.line[opening])
        self.entity_ids.extend(brackets.id[opening[at]])

    def _report_unmatched(self) -> None:
        """Report the brackets that make no mention."""
        documents = show_parts(self.documents)
        first = [heading.first for heading in self.documents.headings]
        brackets = ConllBrackets.join(self.unmatched)
        document = (np.searchsorted(first, brackets.token, side="right") - 1).tolist()
        for at, (_, kind, code, line) in enumerate(
            zip(*map(np.ndarray.tolist, brackets), strict=True)
        ):
            name, title = self.ids.decode(code), documents[document[at]].name
            if kind == OPEN:
                self.problems.add_unclosed(line, f"({name}", f"{name})", title)
            elif kind == CLOSE:
                self.problems.add_unopened(line, f"{name})", f"({name}", title)
            else:
                self._refuse_cell(line, name)

    def corpus(self) -> Corpus:
        """Return what was read."""
        return Corpus(
            documents=show_parts(self.documents),
            document=self.document.finish(),
            start=self.start.finish(),
            end=self.end.finish(),
            entity=self.entity.finish(),
            entity_names=EntityNames(self.entity_ids.finish(), self.ids),
            line=self.line.finish(),
            text=self._text(),
            glimpse=self._glimpse(),
            source=self.problems.path,
            notes=tuple(self._notes()),
        )

    def _text(self) -> Text | None:
        if self.text is None:
            return None
        return self.text.text([one.first for one in self.documents.headings], self.tokens)

    def _glimpse(self) -> tuple[Sequence[str], ...]:
        if self.first_words is None:
            return ()
        words = self.first_words.values.get("word", [])
        return tuple(words[one.first : one.last] for one in self.documents.headings)

    def _notes(self) -> Iterator[str]:
        path = self.problems.path
        if self.two_antecedents:
            yield (
                f"{path}: ignored {self.two_antecedents} mentions with two antecedents, such as"
                " `(3+4)`, as the reference scorer does"
            )
        if self.touching:
            yield (
                f"{path}: {self.touching} times a token closes and opens mentions of one entity;"
                " openings are read first, as in the reference scorer"
            )
