"""Pieces: what words are cut into, so that two tokenisations of a text become alike.

A piece is a run of letters, a run of digits, one punctuation mark, or one character of a script
that is written without spaces. Its key ignores case, Unicode forms, and the forms of quotation
marks and dashes. `isn't` and `is n't` have nearly the same pieces; a text with spaces and one
without have the same single characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from scoref.base.arrays import Ints
from scoref.corpus.word_forms import normal_form

_NOT_SPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
"""Scripts that are written without spaces: Thai, Lao, Burmese, Khmer, kana and Han."""
_PIECE = re.compile(
    rf"[{_NOT_SPACED}]|[^\W\d_{_NOT_SPACED}](?:[^\W\d_{_NOT_SPACED}]|[\u0300-\u036f])*|\d+|-+|\S"
)
_MASK_BITS = 64
_RATIO_WITHOUT_SPACES = 1.5


@lru_cache(maxsize=1 << 16)
def cut(word: str) -> tuple[str, ...]:
    """Return the keys of the pieces of a word, at least one.

    >>> cut("Isn't")
    ('isn', "'", 't')
    >>> cut("\u201cwell\u2014known\u201d")
    ('"', 'well', '-', 'known', '"')
    """
    return tuple(_PIECE.findall(normal_form(word).replace("...", "\u2026"))) or ("",)


def _without_accents(word: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))


@lru_cache(maxsize=1 << 16)
def bigram_mask(key: str) -> int:
    """Return a set of 64 bits with a bit for each pair of adjacent characters of a key."""
    padded = f" {_without_accents(key)[:200]} "
    mask = 0
    for one, other in pairwise(padded):
        mask |= 1 << ((31 * ord(one) + 7 * ord(other)) % _MASK_BITS)
    return mask


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """The pieces of a sequence of words: a number per key, and the word of each piece."""

    keys: Sequence[str]
    number: Ints
    word: Ints

    def __len__(self) -> int:
        return len(self.keys)

    def __getitem__(self, at: slice) -> Pieces:
        return Pieces(self.keys[at], self.number[at], self.word[at])

    def select(self, at: Ints) -> Pieces:
        """Return some of the pieces."""
        return Pieces([self.keys[one] for one in at.tolist()], self.number[at], self.word[at])


def cut_both(source: Sequence[str], generated: Sequence[str]) -> tuple[Pieces, Pieces]:
    """Cut two sequences of words into pieces whose numbers are equal where their keys are."""
    vocabulary: dict[str, int] = {}
    return _number(source, cut, vocabulary), _number(generated, cut, vocabulary)


def cut_characters(source: Sequence[str], generated: Sequence[str]) -> tuple[Pieces, Pieces]:
    """Cut two sequences of words into single characters."""
    vocabulary: dict[str, int] = {}
    return _number(source, _characters, vocabulary), _number(generated, _characters, vocabulary)


def lacks_spaces(one: Pieces, other: Pieces) -> bool:
    """Whether one of two texts has no spaces: its runs of letters are far longer."""
    lengths = [
        [len(key) for key in pieces.keys if key[:1].isalpha()] or [1] for pieces in (one, other)
    ]
    means = [sum(of_text) / len(of_text) for of_text in lengths]
    return max(means) > _RATIO_WITHOUT_SPACES * min(means)


@lru_cache(maxsize=1 << 16)
def _characters(word: str) -> tuple[str, ...]:
    return tuple(letter for piece in cut(word) for letter in piece) or ("",)


def _number(
    words: Sequence[str], cutter: Callable[[str], tuple[str, ...]], vocabulary: dict[str, int]
) -> Pieces:
    parts = [cutter(word) for word in words]
    keys = [key for part in parts for key in part]
    word = np.repeat(np.arange(len(words)), [len(part) for part in parts])
    new = vocabulary.setdefault
    numbers = np.array([new(key, len(vocabulary)) for key in keys], dtype=np.int64)
    if "" in vocabulary:  # a word without any key, such as a lone soft hyphen, equals nothing
        nothing = numbers == vocabulary[""]
        numbers[nothing] = -1 - np.flatnonzero(nothing)
    return Pieces(keys, numbers, word)
