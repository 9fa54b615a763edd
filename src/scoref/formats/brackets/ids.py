"""Entity ids as integers, which arrays can hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Bytes, Ints
from scoref.base.lazy_sequences import LazySequence

_SHORT = 7
_LONG_ID = 1 << 60
_MUCH = 1 << 20


class Ids:
    """Entity ids as integers and back: up to seven bytes are the integer, others are listed."""

    def __init__(self) -> None:
        self.listed: list[bytes] = []
        self.number: dict[bytes, int] = {}

    def encode(self, data: Bytes, start: Ints, end: Ints) -> Ints:
        """Return one integer for each `data[start:end]`."""
        length = end - start
        codes = np.zeros(len(start), dtype=np.int64)
        for offset in range(min(int(length.max(initial=0)), _SHORT)):
            at = np.flatnonzero(length > offset)
            codes[at] = codes[at] * 256 + data[start[at] + offset]
        long = np.flatnonzero(length > _SHORT)
        if len(long):  # slices of bytes cost a tenth of those of an array
            text = data.tobytes()
            spans = zip(start[long].tolist(), end[long].tolist(), strict=True)
            codes[long] = self._list([text[low:high] for low, high in spans])
        return codes

    def code(self, text: bytes) -> int:
        """Return the integer for one text."""
        return int.from_bytes(text, "big") if len(text) <= _SHORT else self._list([text])[0]

    def _list(self, texts: Sequence[bytes]) -> list[int]:
        """Number texts that are too long, as they appear."""
        number, listed = self.number, self.listed
        for text in texts:
            if text not in number:
                number[text] = _LONG_ID + len(listed)
                listed.append(text)
        return [number[text] for text in texts]

    def decode(self, code: int) -> str:
        """Return the id as it was written."""
        if code >= _LONG_ID:
            return self.listed[code - _LONG_ID].decode(errors="backslashreplace")
        return int(code).to_bytes(_SHORT, "big").lstrip(b"\0").decode(errors="backslashreplace")

    def decode_all(self, codes: Ints) -> tuple[list[str], Ints]:
        """Return the distinct texts of codes, and the number of each code's text."""
        different, number = np.unique(codes, return_inverse=True)
        return [self.decode(code) for code in different.tolist()], number

    def column(self, codes: Ints) -> NDArray[Any]:
        """Return the texts of codes as a column."""
        texts, number = self.decode_all(codes)
        return text_column(texts, len(codes))[number]


def text_column(texts: Sequence[str], rows: int) -> NDArray[Any]:
    """Make an array of texts, of which a column with `rows` rows will be made.

    NumPy gives each row the size of the longest text, and reads all of it to compare two. Where
    that would be many megabytes, the rows are Python strings.
    """
    longest = max(map(len, texts), default=0)
    return np.array(texts, dtype=object if longest * rows > _MUCH else np.str_)


def sparse_column(texts: dict[int, str], rows: int) -> NDArray[Any]:
    """Make a column of texts that few rows have."""
    values = text_column([*texts.values(), ""], rows)
    column = np.full(rows, "", dtype=values.dtype)
    column[list(texts)] = values[:-1]
    return column


class EntityNames(LazySequence[str]):
    """Names of entities as integers, decoded on access."""

    def __init__(self, codes: Ints, decode: Callable[[int], str]) -> None:
        self.codes, self.decode = codes, decode

    def __len__(self) -> int:
        return len(self.codes)

    def make(self, at: int) -> str:
        """Decode one of them."""
        return self.decode(int(self.codes[at]))

    def __iter__(self) -> Iterator[str]:
        return map(self.decode, self.codes.tolist())
