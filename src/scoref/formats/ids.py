"""Entity ids, which files write as text, as integers that arrays can hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import overload

import numpy as np

from scoref.arrays import Bytes, Ints

_SHORT = 7
_LONG_ID = 1 << 60


@dataclass(slots=True)
class Ids:
    """Entity ids as integers and back: up to seven bytes are the integer, others are listed."""

    listed: list[bytes] = field(default_factory=list)
    number: dict[bytes, int] = field(default_factory=dict)

    def encode(self, data: Bytes, start: Ints, end: Ints) -> Ints:
        """Return one integer for each `data[start:end]`."""
        length = end - start
        codes = np.zeros(len(start), dtype=np.int64)
        for offset in range(min(int(length.max(initial=0)), _SHORT)):
            at = np.flatnonzero(length > offset)
            codes[at] = codes[at] * 256 + data[start[at] + offset]
        for row in np.flatnonzero(length > _SHORT).tolist():
            text = data[start[row] : end[row]].tobytes()
            if text not in self.number:
                self.number[text] = len(self.listed)
                self.listed.append(text)
            codes[row] = _LONG_ID + self.number[text]
        return codes

    def decode(self, code: int) -> str:
        """Return the id as it was written."""
        if code >= _LONG_ID:
            return self.listed[code - _LONG_ID].decode(errors="backslashreplace")
        return int(code).to_bytes(_SHORT, "big").lstrip(b"\0").decode(errors="backslashreplace")


@dataclass(frozen=True, slots=True, eq=False)
class EntityNames(Sequence[str]):
    """Entity ids as written, decoded when asked for."""

    codes: Ints
    ids: Ids

    def __len__(self) -> int:
        return len(self.codes)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self.ids.decode(int(code)) for code in self.codes[index]]
        return self.ids.decode(int(self.codes[index]))
