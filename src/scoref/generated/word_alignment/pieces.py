"""Pieces: what words are cut into, so that two tokenisations of a text become alike.

A piece is a run of letters, a run of digits, one punctuation mark, or one character of a script
that is written without spaces. Its key ignores case, Unicode forms, and the forms of quotation
marks and dashes. `isn't` and `is n't` have nearly the same pieces; a text with spaces and one
without have the same single characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

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
    for one, other in zip(padded, padded[1:], strict=False):
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


def lacks_spaces(source: Sequence[str], generated: Sequence[str]) -> bool:
    """Whether one of two texts has no spaces: its runs of letters are far longer."""
    sizes = [_mean_length(words) for words in (source, generated)]
    return max(sizes) > _RATIO_WITHOUT_SPACES * min(sizes)


def cut_both(
    source: Sequence[str], generated: Sequence[str], *, characters: bool = False
) -> tuple[Pieces, Pieces]:
    """Cut two sequences of words into pieces whose numbers are equal where their keys are.

    With `characters`, every piece is a single character.
    """
    vocabulary: dict[str, int] = {}
    cutter = _characters if characters else cut
    one, other = (
        _number(((key, at) for at, word in enumerate(words) for key in cutter(word)), vocabulary)
        for words in (source, generated)
    )
    return one, other


def _characters(word: str) -> Iterator[str]:
    for piece in cut(word):
        yield from piece or ("",)


def _mean_length(words: Sequence[str]) -> float:
    """Return the mean length of the pieces that have letters."""
    lengths = [len(key) for word in words for key in cut(word) if key[:1].isalpha()]
    return sum(lengths) / len(lengths) if lengths else 1.0


def _number(pairs: Iterable[tuple[str, int]], vocabulary: dict[str, int]) -> Pieces:
    keys: list[str] = []
    words: list[int] = []
    for key, word in pairs:
        keys.append(key)
        words.append(word)
    # A word without any key, such as a lone soft hyphen, equals nothing.
    numbers = [
        vocabulary.setdefault(key, len(vocabulary)) if key else -1 - at
        for at, key in enumerate(keys)
    ]
    return Pieces(keys, np.array(numbers, dtype=np.int64), np.array(words, dtype=np.int64))
