"""align_words(): which source tokens each generated word is, in time that grows linearly.

cut words into pieces -> chain of unique n-grams -> moved and repeated blocks -> shorter n-grams
in long gaps -> dynamic programming in what is left
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scoref.base.arrays import Bools, Ints
from scoref.generated.word_alignment.anchors import Run, find_runs
from scoref.generated.word_alignment.gaps import align_gap
from scoref.generated.word_alignment.pieces import Pieces, cut_both, cut_characters, lacks_spaces

NOWHERE = -1
_REPEATED = -2
_SIZES = (6, 3, 2, 1)
"""The lengths of n-grams: first of the whole texts, then of gaps that are still long."""
_LONG_GAP = 10_000
_SHORTEST_MOVED = 6
_NEAR = 40
_ENDS = frozenset(".!?\u3002\uff01\uff1f")
"""What ends a sentence, and so usually a block that was moved."""
_CHARACTERS_PER_WORD = 4


@dataclass(frozen=True, slots=True, eq=False)
class AlignedWords:
    """The alignment of generated words with source tokens.

    * `first`, `last`: The first and the last token of each generated word, or NOWHERE.
    * `block`: 0 for words in the order of the source, a number above for each block of words that
      stands elsewhere, NOWHERE for words without a token, and -2 for words that repeat others.
    * `tokens`: For each source token, whether it was KEPT, ALTERED or DROPPED.
    """

    first: Ints
    last: Ints
    block: Ints
    tokens: Ints

    @property
    def is_repeated(self) -> Bools:
        """Which words repeat words that are aligned already."""
        return np.asarray(self.block == _REPEATED)


DROPPED, ALTERED, KEPT = 0, 1, 2


def align_words(source: Sequence[str], generated: Sequence[str]) -> AlignedWords:
    """Align the words of a generated text with the tokens of its source.

    A text without spaces is aligned by characters, any other by words.
    """
    aligner = _Aligner(*cut_both(source, generated), scale=1)
    if lacks_spaces(aligner.source, aligner.generated):
        aligner = _Aligner(*cut_characters(source, generated), scale=_CHARACTERS_PER_WORD)
    aligner.align()
    return aligner.words(len(source), len(generated))


class _Aligner:
    """The state of one alignment: the source pieces of each generated piece, and the reverse."""

    def __init__(self, source: Pieces, generated: Pieces, scale: int) -> None:
        self.source, self.generated, self.scale = source, generated, scale
        self.first = np.full(len(generated), NOWHERE, dtype=np.int64)
        self.end = np.full(len(generated), NOWHERE, dtype=np.int64)
        self.block = np.full(len(generated), NOWHERE, dtype=np.int64)
        self.taken = np.zeros(len(source), dtype=bool)
        self.exact = np.zeros(len(source), dtype=bool)

    def align(self) -> None:
        """Align everything."""
        size = _SIZES[0] * self.scale
        chain, others = find_runs(self.source.number, self.generated.number, size)
        for run in chain:
            self._take(run, 0)
        moved: list[Run] = []
        for run in others:
            for part in self._free_parts(run):
                moved.append(self._grown(part))
                self._take(moved[-1], len(moved))
            self._mark_repeated(run)
        self._join_moved(moved)
        chain = self._extended(chain)
        for run in chain:
            self._take(run, 0)
        at = to = 0
        single: list[tuple[int, int]] = []
        for run in [*chain, Run(len(self.source), len(self.generated), 0)]:
            if run.source == at + 1 and run.generated == to + 1:
                single.append((at, to))
            elif run.source > at and run.generated > to:
                self._align_gap(*self._free(at, run.source, to, run.generated))
            at, to = run.source + run.length, run.generated + run.length
        self._replace(np.array(single, dtype=np.int64).reshape(-1, 2))

    def _free(self, at: int, end: int, to: int, last: int) -> tuple[Ints, Ints]:
        """Return the pieces of two ranges that have no partner."""
        source = at + np.flatnonzero(~self.taken[at:end])
        return source, to + np.flatnonzero(self.block[to:last] == NOWHERE)

    def _replace(self, pairs: Ints) -> None:
        """Align single pieces that were replaced by single pieces, if both are free."""
        at, to = pairs[~self.taken[pairs[:, 0]] & (self.block[pairs[:, 1]] == NOWHERE)].T
        self.first[to], self.end[to] = at, at + 1
        self.block[to] = 0
        self.taken[at] = True

    def _extended(self, chain: list[Run]) -> list[Run]:
        """Extend each run to its left, then to its right, over equal pieces that are free."""
        source = np.where(self.taken, -1, self.source.number).tolist()
        generated = np.where(self.block == NOWHERE, self.generated.number, -2).tolist()
        found: list[Run] = []
        low = left = 0
        following = [*chain, Run(len(source), len(generated), 0)][1:]
        for run, after in zip(chain, following, strict=True):
            at, to, length = run
            while at > low and to > left and source[at - 1] == generated[to - 1]:
                at, to, length = at - 1, to - 1, length + 1
            low, left = at + length, to + length
            while low < after.source and left < after.generated and source[low] == generated[left]:
                low, left, length = low + 1, left + 1, length + 1
            found.append(Run(at, to, length))
        return found

    def _take(self, run: Run, block: int) -> None:
        """Align the pieces of a run."""
        to = slice(run.generated, run.generated + run.length)
        self.first[to] = np.arange(run.source, run.source + run.length)
        self.end[to] = self.first[to] + 1
        self.block[to] = block
        self.taken[run.source : run.source + run.length] = True
        self.exact[run.source : run.source + run.length] = True

    def _free_parts(self, run: Run) -> list[Run]:
        """Return the parts of a run that are free on both sides and long enough to be a block."""
        at, to = run.source, run.generated
        free = ~self.taken[at : at + run.length] & (self.block[to : to + run.length] == NOWHERE)
        edges = np.flatnonzero(np.diff(np.concatenate([[False], free, [False]])))
        return [
            Run(at + low, to + low, high - low)
            for low, high in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)
            if high - low >= _SHORTEST_MOVED * self.scale
        ]

    def _grown(self, run: Run) -> Run:
        """Extend a moved run over equal pieces that are free, to the ends of its sentence."""
        at, to, length = run
        keys = self.source.keys
        while at and to and keys[at - 1] not in _ENDS and self._is_free_pair(at - 1, to - 1):
            at, to, length = at - 1, to - 1, length + 1
        while keys[at + length - 1] not in _ENDS and self._is_free_pair(at + length, to + length):
            length += 1
        return Run(at, to, length)

    def _is_free_pair(self, at: int, to: int) -> bool:
        return (
            at < len(self.source)
            and to < len(self.generated)
            and not self.taken[at]
            and self.block[to] == NOWHERE
            and self.source.number[at] == self.generated.number[to]
        )

    def _join_moved(self, moved: list[Run]) -> None:
        """Join moved runs that are near each other into blocks, and align what is between them."""
        order = sorted(range(len(moved)), key=lambda number: moved[number].generated)
        block = 0
        before: Run | None = None
        for number in order:
            run = moved[number]
            near = False
            if before is not None:
                low, left = before.source + before.length, before.generated + before.length
                gaps = run.source - low, run.generated - left
                near = all(0 <= gap <= _NEAR * self.scale for gap in gaps)
                if near:
                    self._align_gap(*self._free(low, run.source, left, run.generated), block=block)
            block = block if near else number + 1
            self.block[run.generated : run.generated + run.length] = block
            before = run

    def _mark_repeated(self, run: Run) -> None:
        """Mark the free pieces of a run whose source has another partner already."""
        if run.length < _SHORTEST_MOVED * self.scale:
            return
        to = slice(run.generated, run.generated + run.length)
        repeats = (self.block[to] == NOWHERE) & self.taken[run.source : run.source + run.length]
        self.block[to][repeats] = _REPEATED

    def _align_gap(self, at: Ints, to: Ints, *, level: int = 1, block: int = 0) -> None:
        """Align some source pieces with some generated pieces, both in their order."""
        if not len(at) or not len(to):
            return
        if len(at) == len(to) == 1:
            self._link(at, to, block)
            return
        if len(at) * len(to) > _LONG_GAP and level < len(_SIZES):
            chain, _ = find_runs(self.source.number[at], self.generated.number[to], _SIZES[level])
            low = left = 0
            for run in [*chain, Run(len(at), len(to), 0)]:
                parts = at[low : run.source], to[left : run.generated]
                self._align_gap(*parts, level=level + 1, block=block)
                for place in range(run.length):
                    self._link(at[run.source + place :][:1], to[run.generated + place :][:1], block)
                low, left = run.source + run.length, run.generated + run.length
            return
        _, links = align_gap(self.source.select(at), self.generated.select(to))
        for rows, columns in links:
            self._link(at[slice(*rows)], to[slice(*columns)], block)

    def _link(self, at: Ints, to: Ints, block: int) -> None:
        self.first[to], self.end[to] = at[0], at[-1] + 1
        self.block[to] = block
        self.taken[at] = True
        same = "".join(self.source.keys[one] for one in at) == "".join(
            self.generated.keys[one] for one in to
        )
        self.exact[at] = same

    def words(self, tokens: int, words: int) -> AlignedWords:
        """Return the alignment of words: the tokens of their pieces, all of one block."""
        at = np.flatnonzero(self.first >= 0)
        word = self.generated.word[at]
        block = np.full(words, NOWHERE, dtype=np.int64)
        block[self.generated.word[self.block == _REPEATED]] = _REPEATED
        block[word] = self.block[at]
        at = at[self.block[at] == block[word]]
        word = self.generated.word[at]
        first = np.full(words, len(self.source.word) + 1, dtype=np.int64)
        last = np.full(words, NOWHERE, dtype=np.int64)
        np.minimum.at(first, word, self.source.word[self.first[at]])
        np.maximum.at(last, word, self.source.word[self.end[at] - 1])
        first[last < 0] = NOWHERE
        counts = np.bincount(self.source.word, minlength=tokens)
        exact = np.bincount(self.source.word[self.exact & self.taken], minlength=tokens)
        taken = np.bincount(self.source.word[self.taken], minlength=tokens)
        state = np.where(exact == counts, KEPT, np.where(taken > 0, ALTERED, DROPPED))
        return AlignedWords(first, last, block, state)
