"""The tokens of a CoNLL-U file, words and empty nodes, told by the bytes of its lines."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoref.arrays import Bools, Bytes, Ints
from scoref.formats.corefud_writer import BEFORE

_NEWLINE, _TAB, _DOT, _DASH = b"\n\t.-"
_LONGEST_ID = 16


@dataclass(frozen=True, eq=False)
class Nodes:
    """The tokens of a file, words and empty nodes, in order.

    `word` is the number of a word in the file, or of the word that an empty node follows;
    `empty` is 0 for words, the decimal for `4.1`, and below 0 for `0.1`, which precedes its
    word. `before` says how many nodes stand before each line.
    """

    line: Ints
    word: Ints
    empty: Ints
    is_word: Bools
    starts_sentence: Bools
    sentence: Ints
    before: Ints
    line_start: Ints
    line_end: Ints

    @classmethod
    def find(cls, data: bytes) -> Nodes:
        """Find the tokens among the lines of a file."""
        array: Bytes = np.frombuffer(data, dtype=np.uint8)
        end = np.flatnonzero(array == _NEWLINE)
        start = np.concatenate([[0], end[:-1] + 1]).astype(np.int64)
        first = array[start]
        token = (first >= ord("0")) & (first <= ord("9"))
        with_dot, with_dash = _marks(array, start, np.flatnonzero(token))
        is_word, is_empty = token & ~with_dot & ~with_dash, token & with_dot
        line = np.flatnonzero(is_word | is_empty)
        words = np.cumsum(is_word)
        word, empty = words[line] - 1, np.zeros(len(line), dtype=np.int64)
        for at in np.flatnonzero(is_empty[line]).tolist():
            identity = data[start[line[at]] : end[line[at]]].split(b"\t")[0]
            whole, _, decimal = identity.partition(b".")
            empty[at] = int(decimal)
            if int(whole) == 0:
                word[at] += 1
                empty[at] -= BEFORE
        blank = (end == start) | ((end - start == 1) & (first == ord("\r")))
        sentence = np.cumsum(blank)[line]
        starts = np.ones(len(line), dtype=bool)
        starts[1:] = sentence[1:] != sentence[:-1]
        before: Ints = np.cumsum(is_word | is_empty) - (is_word | is_empty)
        return cls(line, word, empty, is_word[line], starts, sentence, before, start, end)


def _marks(array: Bytes, start: Ints, rows: Ints) -> tuple[Bools, Bools]:
    """Mark the lines whose first column has a dot, and those where it has a dash."""
    dot, dash = np.zeros(len(start), dtype=bool), np.zeros(len(start), dtype=bool)
    open_ = rows
    for offset in range(1, _LONGEST_ID):
        if not len(open_):
            break
        byte = array[start[open_] + offset]
        dot[open_[byte == _DOT]] = True
        dash[open_[byte == _DASH]] = True
        open_ = open_[byte != _TAB]
    return dot, dash
