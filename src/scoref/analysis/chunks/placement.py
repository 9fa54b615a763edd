"""The places of chunks in their texts: by the sentence in the name of a chunk, or by its words.

A chunk that has the words of its text is at one place. If some words differ, as after another
tokenisation, the words are aligned, and each token of the chunk has a place of its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Ints
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import text_of_chunk
from scoref.exceptions import TextError, UsageError
from scoref.metrics.table import NOWHERE

_OFFSET = re.compile(r"(?P<text>.+?)(_split\d+)?_S(?P<sentence>\d+)")
"""The name of a chunk of BookCoref, with the first sentence of the chunk."""


_LEAST_EQUAL = 0.8
"""The share of words that a chunk must have in common with its text."""


class Place(NamedTuple):
    """The text of a chunk, by its number, and the first token of the chunk there.

    If some words differ, `starts` and `ends` have, for each token of the chunk, the first token of
    the text at or after it, and the last one at or before it. A token between others that has no
    place ends before it starts.
    """

    text: int
    first: int
    length: int
    by_name: bool
    starts: Ints | None = None
    ends: Ints | None = None

    @property
    def tokens(self) -> int:
        """The number of tokens of the chunk."""
        return self.length if self.starts is None else len(self.starts)


class TokenPlaces(NamedTuple):
    """The tokens of the text for those of some chunks."""

    first: Ints
    aligned: Ints
    """Where the tokens of each chunk begin in `starts` and `ends`, or NOWHERE."""
    starts: Ints
    ends: Ints

    @classmethod
    def of(cls, places: Sequence[Place]) -> TokenPlaces:
        """Return the tokens of some chunks."""
        first = np.array([one.first for one in places], dtype=np.int64)
        aligned, size = np.full(len(places), NOWHERE), 0
        starts, ends = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
        for at, place in enumerate(places):
            if place.starts is not None and place.ends is not None:
                aligned[at] = size
                size += len(place.starts)
                starts.append(place.starts)
                ends.append(place.ends)
        return cls(first, aligned, np.concatenate(starts), np.concatenate(ends))

    def __call__(self, chunk: Ints, token: Ints) -> tuple[Ints, Ints]:
        """Return the first and the last token of the text for tokens of chunks."""
        start = self.first[chunk] + token
        end = start.copy()
        rows = np.flatnonzero(self.aligned[chunk] != NOWHERE)
        at = self.aligned[chunk[rows]] + token[rows]
        start[rows], end[rows] = self.starts[at], self.ends[at]
        return start, end


class DifferingWords(NamedTuple):
    """A chunk with words that its text does not have: how many, and one of them."""

    chunk: str
    words: int
    example: str


@dataclass(slots=True)
class TextPlaces:
    """Finds chunks in the texts of a corpus with words, one after the other.

    Chunks in the order of the text are found where they are even if the text repeats itself: at the
    end of the previous chunk if they touch, or else at the first place after its start.
    """

    texts: Corpus
    words: list[list[str]] = field(init=False)
    codes: list[Ints] = field(init=False)
    _numbers: dict[str, int] = field(default_factory=dict)
    _previous: dict[int, Place] = field(default_factory=dict)
    differing: list[DifferingWords] = field(default_factory=list)
    _rare: dict[int, tuple[Ints, Ints]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        text = self.texts.text
        if text is None or "word" not in text:
            raise UsageError(
                f"{self.texts.source} has no words, so chunks have no place in it",
                "name a file with the words of the whole texts, such as the key",
            )
        words = text.columns["word"]
        self.words = [list(words[a:b]) for a, b in pairwise(text.first.tolist())]
        self.codes = [
            np.array([self._numbers.setdefault(w, len(self._numbers)) for w in one], dtype=np.int64)
            for one in self.words
        ]

    def find(self, name: str, words: Sequence[str]) -> Place:
        """Return the place of a chunk, given its name and, if they are known, its words."""
        place = self._by_name(name, words) or self._by_words(name, words)
        self._previous[place.text] = place
        return place

    def _by_name(self, name: str, words: Sequence[str]) -> Place | None:
        found, text = _OFFSET.fullmatch(name), self.texts.text
        names = [document.name for document in self.texts.documents]
        if found is None or found["text"] not in names or text is None:
            return None
        at, sentence = names.index(found["text"]), int(found["sentence"])
        begin, end = int(text.first[at]), int(text.first[at + 1])
        sentences = begin + np.flatnonzero(text.starts_sentence[begin:end])
        if sentence >= len(sentences):
            raise TextError(
                f"chunk {name} starts with sentence {sentence}, but {names[at]} has only"
                f" {len(sentences):,} sentences, counted from 0",
                "check that WORDS has the sentences with which the chunks were made",
            )
        first, after = (int(place) - begin for place in [*sentences, end][sentence : sentence + 2])
        for place, word in enumerate(words, first):
            expected = self.words[at][place] if place < end - begin else "the end of the text"
            if word != expected:
                found_place = self._aligned(name, words, at, max(0, first - len(words)))
                if found_place is not None and first <= found_place.first < after:
                    return found_place._replace(by_name=True)
                raise TextError(
                    f"chunk {name}: found `{word}` as token {place - first}, expected `{expected}`"
                    f" as token {place} of {names[at]}",
                    "check that WORDS has the sentences with which the chunks were made",
                )
        return Place(at, first, len(words) or len(self.words[at]) - first, by_name=True)

    def _by_words(self, name: str, words: Sequence[str]) -> Place:
        """Search for the words of a chunk in the text of its name, or else in all texts."""
        if not words:
            raise TextError(
                f"chunk {name} has no words, and its name does not say where it starts",
                "add words to the chunks, or name them as in emma_S17: sentence 17 of emma",
            )
        chunk = np.array([self._numbers.get(word, -1) for word in words], dtype=np.int64)
        names = [document.name for document in self.texts.documents]
        own = [at for at, one in enumerate(names) if one in (name, text_of_chunk(name))]
        longest = 0
        for at in own or range(len(names)):
            starts, same = _occurrences(self.codes[at], chunk)
            longest = max(longest, same)
            if len(starts):
                return Place(at, self._likely(at, starts), len(words), by_name=False)
        if len(only := own or range(len(names))) == 1:  # to align with every text takes too long
            low = self._start_by_rare_words(only[0], chunk)
            if place := self._aligned(name, words, only[0], low):
                return place
        shown = " ".join(words[max(0, longest - 3) : longest])
        after = f" after `{shown}`" if shown else ""
        raise TextError(
            f"the words of chunk {name} are not in {self.texts.source}: found"
            f" `{words[longest]}` as token {longest}{after}",
            f"{100 * _LEAST_EQUAL:.0f} % of its words must be in the text of its name, in order",
        )

    def _start_by_rare_words(self, text: int, chunk: Ints) -> int:
        """Return a token from which to align a chunk, by the words that its text has only once."""
        if text not in self._rare:
            code, first, times = np.unique(self.codes[text], return_index=True, return_counts=True)
            self._rare[text] = code[times == 1], first[times == 1]
        codes, places = self._rare[text]
        at = np.searchsorted(codes, chunk)
        known = np.flatnonzero(np.append(codes, -1)[at] == chunk)
        known = known[chunk[known] >= 0]
        before = self._previous.get(text)
        if not len(known):
            return before.first if before else 0
        return max(0, int(np.median(places[at[known]] - known)) - len(chunk))

    def _aligned(self, name: str, words: Sequence[str], text: int, low: int) -> Place | None:
        """Align a chunk with a text from token `low` on, or return None if too few words agree."""
        from scoref.llm.word_alignment import KEPT, align_words  # noqa: PLC0415  # few words differ

        found = align_words(self.words[text][low : low + 4 * len(words)], words)
        at = np.flatnonzero((found.block == 0) & (found.first >= 0))
        equal = np.zeros(len(words), dtype=bool)
        equal[at] = (found.tokens[found.first[at]] == KEPT) & (found.tokens[found.last[at]] == KEPT)
        if equal.mean() < _LEAST_EQUAL:
            return None
        starts = np.full(len(words), len(self.words[text]), dtype=np.int64)
        ends = np.full(len(words), -1, dtype=np.int64)
        starts[at], ends[at] = low + found.first[at], low + found.last[at]
        starts = np.minimum.accumulate(starts[::-1])[::-1]
        ends = np.maximum.accumulate(ends)
        example = words[int(np.argmin(equal))]
        self.differing.append(DifferingWords(name, int(np.sum(~equal)), example))
        first, last = int(starts[0]), int(ends[-1])
        return Place(text, first, last + 1 - first, by_name=False, starts=starts, ends=ends)

    def _likely(self, text: int, starts: Ints) -> int:
        """Return the start that touches the previous chunk, else the first one after its start."""
        before = self._previous.get(text)
        touching = before.first + before.length if before else 0
        later = starts[starts > before.first] if before else starts
        return touching if touching in later else int(later[0] if len(later) else starts[0])


def _occurrences(text: Ints, chunk: Ints) -> tuple[Ints, int]:
    """Return where a chunk occurs in a text, and how many of its first words occur together."""
    starts = np.arange(max(0, len(text) - len(chunk) + 1))
    for at, code in enumerate(chunk.tolist()):
        kept = starts[text[starts + at] == code]
        if not len(kept):
            return kept, at
        starts = kept
    return starts, len(chunk)
