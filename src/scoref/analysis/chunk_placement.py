"""The places of chunks in their texts: by the sentence in the name of a chunk, or by its words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Ints
from scoref.corpus.corpus import Corpus
from scoref.exceptions import TextError, UsageError

_OFFSET = re.compile(r"(?P<text>.+?)(_split\d+)?_S(?P<sentence>\d+)")
"""The name of a chunk of BookCoref, with the first sentence of the chunk."""
_PART = re.compile(r"[-_. /](part|chunk|window)?[-_. ]?\d+$", re.IGNORECASE)


class Place(NamedTuple):
    """The text of a chunk, by its number, and the first token of the chunk there."""

    text: int
    first: int
    length: int
    by_name: bool


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
        first = int(sentences[sentence]) - begin
        for place, word in enumerate(words, first):
            expected = self.words[at][place] if place < end - begin else "the end of the text"
            if word != expected:
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
        own = [at for at, one in enumerate(names) if one in (name, _PART.sub("", name))]
        longest = 0
        for at in own or range(len(names)):
            starts, same = _occurrences(self.codes[at], chunk)
            longest = max(longest, same)
            if len(starts):
                return Place(at, self._likely(at, starts), len(words), by_name=False)
        shown = " ".join(words[max(0, longest - 3) : longest])
        before = f" after `{shown}`" if shown else ""
        raise TextError(
            f"the words of chunk {name} are not in {self.texts.source}: found"
            f" `{words[longest]}` as token {longest}{before}",
            "chunks must have the words of the whole text, token by token",
        )

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
