"""Text: the tokens of a corpus with their columns, read only for commands that need them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from scoref.base.arrays import Bools, Ints, expand_ranges

GLIMPSE = 5000
"""Number of words at the start of a file that are read to check that both texts are the same."""

COLUMNS = ("word", "lemma", "pos", "parse", "feats", "head", "deprel", "speaker", "named_entity")


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """Columns of equal length, one row per token, document by document.

    The tokens of document d are the rows `first[d]` up to `first[d + 1]`. `starts_sentence`
    marks the first token of each sentence. `columns` holds those COLUMNS that the file has.
    """

    first: Ints
    starts_sentence: Bools
    columns: Mapping[str, Sequence[str]]

    def __len__(self) -> int:
        return len(self.starts_sentence)

    def __contains__(self, column: str) -> bool:
        return column in self.columns

    def words(self, document: int, start: int, end: int) -> list[str]:
        """Return the words of a span in a document, `end` inclusive."""
        at = int(self.first[document])
        return list(self.columns["word"][at + start : at + end + 1])

    @classmethod
    def concatenate(cls, texts: Sequence[Text]) -> Text:
        """Concatenate texts, with the columns that all of them have."""
        names = [name for name in texts[0].columns if all(name in text for text in texts)]
        before = np.cumsum([0, *(len(text) for text in texts)])
        starts = [text.first[:-1] + at for text, at in zip(texts, before[:-1], strict=True)]
        return cls(
            np.concatenate([*starts, before[-1:]]),
            np.concatenate([text.starts_sentence for text in texts]),
            {name: [value for text in texts for value in text.columns[name]] for name in names},
        )

    def of_documents(self, documents: Ints) -> Text:
        """Return the words of some documents, none for a document whose index is negative."""
        known = documents >= 0
        low = np.where(known, self.first[documents], 0)
        high = np.where(known, self.first[documents + 1], 0)
        rows = expand_ranges(low, high)[1]
        words = self.columns["word"]
        first = np.concatenate([[0], np.cumsum(high - low)])
        return Text(first, self.starts_sentence[rows], {"word": [words[row] for row in rows]})

    def without(self, *columns: str) -> Text:
        """Return the text without some columns."""
        kept = {name: values for name, values in self.columns.items() if name not in columns}
        return replace(self, columns=kept)
