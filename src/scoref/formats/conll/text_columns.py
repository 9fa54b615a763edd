"""The text columns of CoNLL files: which column is the word, the part of speech, the parse.

Files with entities in the last column agree on little else. They share a column that counts
tokens, and the word follows it. In the layouts of CoNLL-2011/2012 and of SemEval-2010, other
columns are known too.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from scoref.base.arrays import Bools, Ints
from scoref.corpus.text import Text
from scoref.formats.io.lines import Block
from scoref.formats.io.text import is_whole_number, split_at_blanks

CONLL_2012 = {"word": 3, "pos": 4, "parse": 5, "lemma": 6, "speaker": 9, "named_entity": 10}
SEMEVAL_2010 = {"word": 1, "lemma": 2, "pos": 4, "head": 8, "deprel": 10, "named_entity": 12}
_SPARSE = frozenset({"speaker", "named_entity"})
_NOTHING = frozenset({"", "-", "_", "*"})
_SAMPLE = 1000

Line = list[str]


class TextColumns:
    """Collects the wanted columns of a file, block by block."""

    def __init__(self, wanted: Collection[str]) -> None:
        self.wanted = wanted
        self.values: dict[str, list[str]] = {}
        self.starts_sentence: list[Bools] = []
        self.at: dict[str, int] | None = None
        self.after_break = True

    def add(self, block: Block, is_token: Bools) -> None:
        """Read the tokens of a block."""
        rows = np.flatnonzero(is_token)
        if not len(rows):
            self.after_break = self.after_break or bool(len(is_token))
            return
        data = block.data[: block.full_end[rows[-1]]]
        texts = data.tobytes().decode(errors="backslashreplace").split("\n")
        if self.at is None:
            self.at = self._columns([_split(texts[row]) for row in rows[:_SAMPLE].tolist()])
            self.values = {name: [] for name in self.at}
        lines = [texts[row] for row in rows.tolist()]
        for name, column in self.at.items():
            self.values[name].extend(_column(lines, column))
        starts = np.ones(len(rows), dtype=bool)
        starts[1:] = np.diff(rows) > 1
        starts[0] = self.after_break or rows[0] > 0
        self.starts_sentence.append(starts)
        self.after_break = bool(rows[-1] < len(is_token) - 1)

    def _columns(self, lines: Sequence[Line]) -> dict[str, int]:
        """Find the wanted columns that have values; sparse columns may have the first one late."""
        by_number = {name: int(name.partition("=")[2]) - 1 for name in self.wanted if "=" in name}
        width = min(map(len, lines))
        found = {name: column for name, column in by_number.items() if column < width - 1}
        return found | {
            name: column
            for name, column in layout(lines).items()
            if name in self.wanted
            and (name in _SPARSE or not _NOTHING.issuperset(line[column] for line in lines))
        }

    def text(self, first: Sequence[int], tokens: int) -> Text:
        """Return what was read, without the columns that have no values."""
        columns = {
            name: values if values[0] == values[0].strip() else [v.strip() for v in values]
            for name, values in self.values.items()
            if not _NOTHING.issuperset(values)
        }
        nothing: list[Bools] = [np.zeros(0, dtype=bool)]
        return Text(
            np.array([*first, tokens], dtype=np.int64),
            np.concatenate([*nothing, *self.starts_sentence]),
            columns,
        )


def layout(lines: Sequence[Line]) -> dict[str, int]:
    """Find the columns of a file from some of its lines; the last column has the entities."""
    width = min(map(len, lines))
    if width == 2 and not any(is_whole_number(line[0]) for line in lines):
        # A mention per line, and the name of a corpus on each: as papers across documents have it.
        is_name = len(lines) > 1 and len({line[0] for line in lines}) == 1
        return {} if is_name else {"word": 0}
    # One line of one token can seem to count its token in any column with a 0.
    usual = [2] if width >= 7 else []
    counter = next((c for c in (*usual, *range(width - 2)) if _counts(lines, c)), None)
    if counter is None:
        return {}
    if counter == 2 and width >= 7:
        return {name: column for name, column in CONLL_2012.items() if column < width - 1}
    if counter == 0 and width >= 12:
        return {name: column for name, column in SEMEVAL_2010.items() if column < width - 1}
    return {"word": counter + 1}


def _counts(lines: Sequence[Line], column: int) -> bool:
    """Whether a column mostly rises by one, or starts again at 0 or 1."""
    texts = [line[column] for line in lines]
    if not all(is_whole_number(text, 9) for text in texts):
        return False
    numbers: Ints = np.array([int(text) for text in texts], dtype=np.int64)
    if len(numbers) == 1:
        return bool(numbers[0] <= 1)
    rises = np.diff(numbers) == 1
    again = numbers[1:] <= 1
    return bool(rises.any() and (rises | again).mean() > 0.9)


def _column(lines: Sequence[str], column: int) -> list[str]:
    """Return one column, which is not the last; a line that is too short has an empty value."""
    cut = column + 1  # fewer pieces halve the cost of reading words
    return [pieces[column] if len(pieces := _split(line, cut)) > cut else "" for line in lines]


def _split(line: str, most: int = -1) -> Line:
    """Split a line into its columns, at most `most` and a rest."""
    return line.split("\t", most) if "\t" in line else split_at_blanks(line, most)
