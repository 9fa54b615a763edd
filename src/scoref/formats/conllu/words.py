"""The words of CoNLL-U and CoNLL-UA files, and the other columns of text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

import numpy as np

from scoref.base.arrays import Bools
from scoref.corpus.text import GLIMPSE, Text
from scoref.formats.conllu.lines import DocumentStart, Lines
from scoref.formats.io.text import split_at_blanks

COLUMNS = {"word": 1, "lemma": 2, "pos": 3, "head": 6, "deprel": 7}
_NOTHING = frozenset({"", "_"})


@dataclass(slots=True)
class ConlluWords:
    """Collects the wanted columns of a file, block by block.

    `split` divides a line into cells. `clean`, if given, is applied to each cell.
    """

    wanted: Collection[str]
    split: Callable[[str], Sequence[str]]
    clean: Callable[[str], str] | None = None
    values: dict[str, list[str]] = field(init=False)
    starts: list[Bools] = field(default_factory=list)
    sentence: int = 0

    def __post_init__(self) -> None:
        self.values = {name: [] for name in COLUMNS if name in self.wanted}

    def add(self, lines: Lines) -> None:
        """Read the words of a block."""
        rows = np.flatnonzero(lines.is_word)
        texts = lines.raw.decode().split("\n")
        cells = [self.split(texts[row]) for row in rows.tolist()]
        for name, values in self.values.items():
            at = COLUMNS[name]
            column = [row[at] if at < len(row) else "" for row in cells]
            values.extend(map(self.clean, column) if self.clean else column)
        sentence = np.concatenate([[self.sentence], lines.sentences[rows]])
        self.starts.append(sentence[1:] != sentence[:-1])
        self.sentence = int(sentence[-1])

    def text(self, documents: Sequence[DocumentStart], words: int) -> Text:
        """Return what was read, without the columns that have no values."""
        first = np.array([*(document.words for document in documents), words], dtype=np.int64)
        nothing: list[Bools] = [np.zeros(0, dtype=bool)]
        columns = {name: v for name, v in self.values.items() if not _NOTHING.issuperset(v)}
        return Text(first, np.concatenate([*nothing, *self.starts]), columns)


@dataclass(slots=True)
class FirstWords:
    """The first words of a file, which show whether two files have the same text."""

    words: list[str] = field(default_factory=list)

    def add(self, lines: Lines) -> None:
        """Read the words of a block, as long as they are among the first."""
        for row in np.flatnonzero(lines.is_word & (lines.words <= GLIMPSE)).tolist():
            text = lines.block.text(row).decode()
            cells = text.split("\t", 2) if "\t" in text else split_at_blanks(text, 2)
            self.words.append(cells[1].strip() if len(cells) > 1 else "")

    def by_document(self, documents: Sequence[DocumentStart]) -> tuple[Sequence[str], ...]:
        """Return the words of each document."""
        first = [document.words for document in documents]
        return tuple(
            self.words[start:end]
            for start, end in zip(first, [*first[1:], len(self.words)], strict=True)
        )


def word_cells(text: Text | None, token: int, width: int = 10) -> list[str]:
    """Return the cells of a word as they are written; cells without a value are `_`."""
    cells = ["_"] * width
    if text is not None:
        for name, at in COLUMNS.items():
            if name in text:
                cells[at] = text.columns[name][token] or "_"
    return cells
