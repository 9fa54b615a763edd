"""The words of mentions, where a file has them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scoref.alignment.alignment import Alignment
from scoref.corpus.corpus import Corpus
from scoref.corpus.text import Text
from scoref.overlap.table import NOWHERE

LONGEST = 28
"""The most characters that the words of a mention may have; longer texts lose their middle."""
_GAP = "..."


class MentionWords:
    """The words of mentions, from the key's text if it has words, else from the response's."""

    def __init__(self, alignment: Alignment) -> None:
        self._text, self._place = _text_of(alignment)

    def __bool__(self) -> bool:
        return self._text is not None

    def of(self, unit: int, start: int, end: int) -> str:
        """Return the words of a span of a document, or an empty text if they are not known."""
        at = self._place.get(unit)
        if self._text is None or at is None:
            return ""
        return shortened(self._text.words(at, start, end))


def _text_of(alignment: Alignment) -> tuple[Text | None, dict[int, int]]:
    """Return a text, and the number of each document of the alignment in it."""
    key, response = alignment.key_corpus, alignment.res_corpus
    if key is not None and (text := _worded(key)) is not None:
        return text, {at: at for at in range(len(alignment.units))}
    if response is not None and (text := _worded(response)) is not None:
        there = np.flatnonzero(alignment.res_row != NOWHERE)
        place = response.document[alignment.res_row[there]]
        return text, dict(zip(alignment.unit[there].tolist(), place.tolist(), strict=True))
    return None, {}


def _worded(corpus: Corpus) -> Text | None:
    return corpus.text if corpus.text is not None and "word" in corpus.text else None


def shortened(words: Sequence[str], longest: int = LONGEST) -> str:
    """Join words, and leave out the middle of a text that would be too long.

    Both ends keep as many whole words as fit. A single word that is too long keeps its ends.
    """
    whole = " ".join(words)
    if len(whole) <= longest:
        return whole
    front, back = 0, 0
    for turn in range(len(words)):
        more = (front + 1, back) if turn % 2 == 0 else (front, back + 1)
        if len(_cut(words, *more)) > longest:
            break
        front, back = more
    if back:
        return _cut(words, front, back)
    half = (longest - len(_GAP)) // 2
    return f"{whole[:half].rstrip()}{_GAP}{whole[-half:].lstrip()}"


def _cut(words: Sequence[str], front: int, back: int) -> str:
    return " ".join([*words[:front], _GAP, *words[len(words) - back :]])
