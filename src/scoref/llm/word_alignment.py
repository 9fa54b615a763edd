"""align_words(): which source tokens each generated word is, in time that grows linearly.

cut words into pieces -> chain of unique n-grams -> moved and repeated blocks -> shorter n-grams
in long gaps -> dynamic programming in what is left

An n-gram that is unique in one of the two texts, or that both texts have equally often, pairs its
occurrences. The longest chain of such pairs that ascends in both texts aligns most of a text.
Pairs outside the chain are blocks that were moved, or repeated.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Bools, Ints
from scoref.llm.gap_alignment import align_gap
from scoref.llm.pieces import Pieces, cut_both, cut_characters, lacks_spaces

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


_FACTOR = np.uint64(0x9E3779B97F4A7C15)


class Run(NamedTuple):
    """Equal pieces: from `source` and from `generated`, `length` pieces long."""

    source: int
    generated: int
    length: int


def find_runs(source: Ints, generated: Ints, size: int) -> tuple[list[Run], list[Run]]:
    """Return the runs of the chain, in order, and the runs outside the chain, longest first."""
    at, to = _pairs(source, generated, size)
    in_chain = _chain(at)
    chain = _trimmed(_runs(at[in_chain], to[in_chain], size))
    others = _runs(at[~in_chain], to[~in_chain], size)
    return chain, sorted(others, key=lambda run: (-run.length, run.generated))


def _pairs(source: Ints, generated: Ints, size: int) -> tuple[Ints, Ints]:
    """Pair the n-grams of two texts; pairs are in the order of the generated text."""
    nothing = np.zeros(0, dtype=np.int64)
    if min(len(source), len(generated)) < size:
        return nothing, nothing
    hashes = np.concatenate([_hash(source, size), _hash(generated, size)])
    _, gram = np.unique(hashes, return_inverse=True)
    here, there = gram[: len(source) - size + 1], gram[len(source) - size + 1 :]
    count = [np.bincount(grams, minlength=int(gram.max()) + 1) for grams in (here, there)]
    once = count[0] == 1, count[1] == 1
    first = [np.zeros(len(count[0]), dtype=np.int64) for _ in count]
    for places, grams in zip(first, (here, there), strict=True):
        places[grams[::-1]] = np.arange(len(grams))[::-1]
    to = np.flatnonzero(once[0][there])
    found = [(first[0][there[to]], to)]
    at = np.flatnonzero(once[1][here] & ~once[0][here])
    found.append((at, first[1][here[at]]))
    same = (count[0] == count[1]) & (count[0] > 1)
    at, to = np.flatnonzero(same[here]), np.flatnonzero(same[there])
    at, to = (
        places[np.argsort(grams[places], kind="stable")]
        for places, grams in ((at, here), (to, there))
    )
    found.append((at, to))
    at, to = (np.concatenate(parts) for parts in zip(*found, strict=True))
    equal = np.ones(len(at), dtype=bool)  # two n-grams can have the same hash
    for place in range(size):
        equal &= source[at + place] == generated[to + place]
    at, to = at[equal], to[equal]
    order = np.lexsort((-at, to))
    return at[order], to[order]


def _hash(numbers: Ints, size: int) -> Ints:
    """Hash each n-gram."""
    hashes = np.zeros(len(numbers) - size + 1, dtype=np.uint64)
    for place in range(size):
        piece = numbers[place : len(numbers) - size + 1 + place].astype(np.uint64)
        hashes = (hashes ^ (piece + np.uint64(1))) * _FACTOR
        hashes ^= hashes >> np.uint64(29)
    return hashes.view(np.int64)


def _chain(at: Ints) -> Bools:
    """Mark a longest chain of pairs that ascends on both sides; of equal places, the first.

    Pairs are sorted by their place in the generated text and, if that is the same, by descending
    place in the source: so a chain takes one of them.
    """
    tails: list[int] = []  # the smallest last place of the chains of each length
    last: list[int] = []
    before = np.full(len(at), -1, dtype=np.int64)
    for row, place in enumerate(at.tolist()):
        if not tails or place > tails[-1]:
            length = len(tails)
            tails.append(place)
            last.append(row)
        else:
            length = bisect_left(tails, place)
            if tails[length] == place:
                continue  # a repetition: the first occurrence stays
            tails[length], last[length] = place, row
        if length:
            before[row] = last[length - 1]
    chosen = np.zeros(len(at), dtype=bool)
    row = last[-1] if last else -1
    while row >= 0:
        chosen[row] = True
        row = int(before[row])
    return chosen


def _runs(at: Ints, to: Ints, size: int) -> list[Run]:
    """Join n-grams that continue each other into runs."""
    if not len(at):
        return []
    order = np.lexsort((to, to - at))
    at, to = at[order], to[order]
    breaks = (np.diff(to - at) != 0) | (np.diff(to) > size)
    starts = np.flatnonzero(np.concatenate([[True], breaks]))
    ends = np.concatenate([starts[1:], [len(at)]]) - 1
    lengths = to[ends] + size - to[starts]
    return [
        Run(*run)
        for run in zip(at[starts].tolist(), to[starts].tolist(), lengths.tolist(), strict=True)
    ]


def _trimmed(runs: list[Run]) -> list[Run]:
    """Cut off the start of a run that overlaps the run before it, on either side."""
    found: list[Run] = []
    at = to = 0
    for run in sorted(runs, key=lambda run: (run.generated, run.source)):
        over = max(at - run.source, to - run.generated, 0)
        if over < run.length:
            found.append(Run(run.source + over, run.generated + over, run.length - over))
            at, to = run.source + run.length, run.generated + run.length
    return found
