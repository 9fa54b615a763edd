"""SourceIndex: where the words of a quote occur in a source document."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Ints
from scoref.llm.pieces import Pieces, cut, cut_both

_LEAST_SHARED = 0.6
_MOST_ELIDED = 60
_ELLIPSES = ("...", "\u2026", "[...]")


class Occurrence(NamedTuple):
    """Tokens from `start` to `end`, inclusive, and how far their words are from those of the quote.

    `distance` is 0 for the same characters, 1 for another form of the same words, more for others.
    """

    start: int
    end: int
    distance: int


class SourceIndex:
    """The tokens of a source document, for the search of quotes."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self.tokens = tokens
        self.pieces: Pieces = cut_both(tokens, ())[0]
        self._numbers = dict(zip(self.pieces.keys, self.pieces.number.tolist(), strict=True))
        self._found: dict[str, list[Occurrence]] = {}

    @cached_property
    def _places(self) -> dict[int, Ints]:
        """The places of each piece."""
        order = np.argsort(self.pieces.number, kind="stable")
        numbers = self.pieces.number[order]
        cuts = np.flatnonzero(np.diff(numbers)) + 1
        return {
            int(self.pieces.number[part[0]]): part for part in np.split(order, cuts) if len(part)
        }

    def occurrences(self, quote: str) -> list[Occurrence]:
        """Return where a quote occurs, in the order of the text.

        If its words do not occur exactly, those places count whose words are most similar.
        """
        if quote not in self._found:
            self._found[quote] = self._search(quote)
        return self._found[quote]

    def _search(self, quote: str) -> list[Occurrence]:
        keys = [key for word in quote.split() for key in cut(word) if key]
        if not keys:
            return []
        if exact := self._exact(keys, quote):
            return exact
        core = [key for key in keys if key[:1].isalnum()]
        for ellipsis in _ELLIPSES:
            before, found, after = quote.partition(ellipsis)
            if found and before.strip() and after.strip():
                return self._elided(before, after)
        if core and core != keys and (found_core := self._exact(_strip(keys), quote)):
            return [one._replace(distance=2) for one in found_core]
        return self._similar(keys)

    def _exact(self, keys: Sequence[str], quote: str) -> list[Occurrence]:
        """Return the places with the same pieces, if possible only those of whole tokens."""
        numbers = [self._numbers.get(key, -1) for key in keys]
        if min(numbers) < 0:
            return self._joined("".join(keys), quote)
        rarest = min(range(len(keys)), key=lambda at: len(self._places[numbers[at]]))
        at = self._places[numbers[rarest]] - rarest
        at = at[(at >= 0) & (at + len(keys) <= len(self.pieces))]
        for place, number in enumerate(numbers):
            at = at[self.pieces.number[at + place] == number]
        return self._tokens(at, at + len(keys) - 1, quote) or self._joined("".join(keys), quote)

    def _joined(self, letters: str, quote: str) -> list[Occurrence]:
        """Return the places with the same letters that are divided into other pieces."""
        found: list[tuple[int, int, int]] = []
        at = self._text.find(letters)
        while at >= 0 and len(found) < len(self.tokens):
            first, last = self._piece_at[at], self._piece_at[at + len(letters) - 1]
            found.append((int(first), int(last), at))
            at = self._text.find(letters, at + 1)
        starts = {int(start) for start in self._offsets}
        whole = [one for one in found if one[2] in starts and one[2] + len(letters) in starts]
        first = np.array([one[0] for one in whole], dtype=np.int64)
        last = np.array([one[1] for one in whole], dtype=np.int64)
        return self._tokens(first, last, quote)

    @cached_property
    def _text(self) -> str:
        return "".join(self.pieces.keys)

    @cached_property
    def _offsets(self) -> Ints:
        return np.cumsum([0, *map(len, self.pieces.keys)])

    @cached_property
    def _piece_at(self) -> Ints:
        return np.repeat(np.arange(len(self.pieces)), np.diff(self._offsets))

    def _tokens(self, first: Ints, last: Ints, quote: str) -> list[Occurrence]:
        """Return pieces as tokens; places that begin and end with tokens come first, or alone."""
        word = np.append(self.pieces.word, -1)
        whole = (word[first - 1] != word[first]) & (word[last] != word[last + 1])
        if whole.any():
            first, last = first[whole], last[whole]
        bare = "".join(quote.split())
        return [
            Occurrence(start, end, int("".join(self.tokens[start : end + 1]) != bare))
            for start, end in dict.fromkeys(
                zip(word[first].tolist(), word[last].tolist(), strict=True)
            )
        ]

    def _elided(self, before: str, after: str) -> list[Occurrence]:
        """Return the places of a quote that leaves out words in the middle."""
        found = []
        ends = self.occurrences(after.strip())
        for one in self.occurrences(before.strip()):
            end = next((other.end for other in ends if other.start > one.end), None)
            if end is not None and end - one.start <= _MOST_ELIDED:
                found.append(Occurrence(one.start, end, 2))
        return found

    def _similar(self, keys: Sequence[str]) -> list[Occurrence]:
        """Return the places that share most pieces with a quote, if they share enough."""
        numbers = {self._numbers[key] for key in keys if key in self._numbers}
        size = len(keys)
        if len(numbers) < 2 or len(self.pieces) < 1:
            return []
        shared = np.isin(self.pieces.number, list(numbers))
        sums = np.concatenate([[0], np.cumsum(shared)])
        starts = np.arange(max(len(self.pieces) - size, 0) + 1)
        counts = sums[np.minimum(starts + size, len(self.pieces))] - sums[starts]
        best = int(counts.max())
        if best < _LEAST_SHARED * size:
            return []
        found = {}
        for start in np.flatnonzero(counts == best).tolist():
            inside = start + np.flatnonzero(shared[start : start + size])
            distinct = len(set(self.pieces.number[inside].tolist()))
            if distinct >= _LEAST_SHARED * len(set(keys)):
                span = int(self.pieces.word[inside[0]]), int(self.pieces.word[inside[-1]])
                found[span] = Occurrence(*span, 3)
        return _tightest(list(found.values()))


def _tightest(found: list[Occurrence]) -> list[Occurrence]:
    """Of places that overlap, return the shortest."""
    kept: list[Occurrence] = []
    for one in sorted(found, key=lambda one: (one.end - one.start, one.start)):
        if all(one.start > other.end or one.end < other.start for other in kept):
            kept.append(one)
    return sorted(kept)


def _strip(keys: Sequence[str]) -> list[str]:
    """Leave out punctuation before and after the words."""
    inside = [at for at, key in enumerate(keys) if key[:1].isalnum()]
    return list(keys[inside[0] : inside[-1] + 1])
