"""A column of ids as numbers: whole numbers are what they are, texts are codes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import numpy as np

from scoref.base.arrays import Bytes, Ints
from scoref.corpus import fingerprint
from scoref.corpus.fingerprint import Hashes
from scoref.formats.table.parquet_files import arrow_module

_ROOM = 1 << 40
_NUMERAL = "^(0|-?[1-9][0-9]{0,17})$"
_LONGEST = 20
"""Characters of the longest whole number of 64 bits, with its sign."""


class Values(NamedTuple):
    """The ids of some rows: `numbers`, or where there are `texts` the number of each row's."""

    numbers: Ints
    texts: Any = None

    @classmethod
    def of(cls, column: Any) -> Values:
        """Take a column of whole numbers or texts without nulls."""
        arrow = arrow_module()
        kind = column.type
        if arrow.types.is_integer(kind) and not arrow.types.is_uint64(kind):
            return cls(as_numbers(column))
        if not len(column):
            return cls(np.zeros(0, dtype=np.int64), arrow.nulls(0, arrow.string()))
        is_coded = arrow.types.is_dictionary(kind)
        if not is_coded:  # all chunks get the same codes then
            column = column.cast(arrow.string()).dictionary_encode()
        if hasattr(column, "num_chunks"):
            column = column.unify_dictionaries() if is_coded else column
            codes = np.concatenate([as_numbers(chunk.indices) for chunk in column.chunks])
            column = column.chunk(0)
        else:
            codes = as_numbers(column.indices)
        texts = column.dictionary.cast(arrow.string())
        if not is_coded:
            return cls(codes, texts)
        distinct = texts.dictionary_encode()
        if len(distinct.dictionary) < len(texts):  # nobody forbids a file to have a code twice
            return cls(as_numbers(distinct.indices)[codes], distinct.dictionary)
        return cls(codes, texts)

    def at(self, rows: Ints) -> Values:
        """Return the ids of some rows."""
        return self._replace(numbers=self.numbers[rows])

    def has_any(self, texts: Collection[str]) -> bool:
        """Whether any row has one of some texts."""
        return any(self.count(text) for text in texts)

    def count(self, text: str) -> int:
        """Count the rows that have a text, or the number that it is."""
        if self.texts is None:
            wanted = int(text) if fingerprint.is_numeral(text) else None
            return 0 if wanted is None else int(np.count_nonzero(self.numbers == wanted))
        at = arrow_module(".compute").index(self.texts, text).as_py()
        return int(np.count_nonzero(self.numbers == at)) if at >= 0 else 0

    def texts_of(self, numbers: Ints) -> list[str]:
        """Return what some numbers stand for as texts."""
        if self.texts is None:
            return [str(number) for number in numbers.tolist()]
        found: list[str] = self.texts.take(as_arrow(numbers)).to_pylist()
        return found

    def text(self, row: int) -> str:
        """Return one id as it is shown."""
        number = int(self.numbers[row])
        return str(number) if self.texts is None else str(self.texts[number].as_py())

    def written(self) -> Values:
        """Return all different ids as texts, and the number of each row among them."""
        if self.texts is not None:
            return self
        distinct, codes = np.unique(self.numbers, return_inverse=True)
        arrow = arrow_module()
        return Values(codes.astype(np.int64), as_arrow(distinct).cast(arrow.string()))

    def hashes(self) -> Hashes:
        """Hash ids as the fingerprint does: numerals as numbers, others as texts."""
        if self.texts is None:
            return fingerprint.of_numbers(self.numbers)
        return _of_texts(self.texts)[self.numbers]


def as_arrow(numbers: Ints) -> Any:
    """Return whole numbers as Arrow has them, and without pandas as well (see `as_numbers`)."""
    arrow = arrow_module()
    data = arrow.py_buffer(np.ascontiguousarray(numbers))
    return arrow.Array.from_buffers(arrow.int64(), len(numbers), [None, data])


def as_numbers(column: Any) -> Ints:
    """Return a column of whole numbers without nulls.

    They are taken from where Arrow has them, since its own way to NumPy imports pandas, if there
    is one, which takes longer than scoring a hundred thousand rows.
    """
    chunks = column.chunks if hasattr(column, "num_chunks") else [column]
    found = [_of_chunk(chunk) for chunk in chunks if len(chunk)]
    if len(found) == 1:
        return found[0]
    return np.concatenate([np.zeros(0, dtype=np.int64), *found])


def _of_chunk(chunk: Any) -> Ints:
    values = np.frombuffer(chunk.buffers()[1], dtype=np.dtype(str(chunk.type)))
    return values[chunk.offset : chunk.offset + len(chunk)].astype(np.int64, copy=False)


def codes_alike(ids: Sequence[Values]) -> list[Ints]:
    """Give equal codes, none below zero, to equal ids of some columns, and others to others."""
    if all(one.texts is None for one in ids):
        numbers = [one.numbers for one in ids]
        least = min((int(values.min()) for values in numbers if len(values)), default=0)
        most = max((int(values.max()) for values in numbers if len(values)), default=0)
        if least >= 0 and most < _ROOM:
            return numbers
        if most - least < _ROOM:
            return [values - least for values in numbers]
        codes = np.unique(np.concatenate(numbers), return_inverse=True)[1].astype(np.int64)
        return np.split(codes, np.cumsum([len(values) for values in numbers])[:-1])
    if len(ids) == 1:
        return [ids[0].numbers]
    written = [one.written() for one in ids]
    together = Values.of(arrow_module().chunked_array([one.texts for one in written]))
    ends = np.cumsum([len(one.texts) for one in written])[:-1]
    codes_of = np.split(together.numbers, ends)
    return [codes[one.numbers] for codes, one in zip(codes_of, written, strict=True)]


def bytes_of(texts: Any) -> tuple[Bytes, Ints]:
    """Return the bytes of texts, one after the other, and the length of each."""
    _, offsets, data = texts.buffers()
    first, end = texts.offset, texts.offset + len(texts) + 1
    places = np.frombuffer(offsets, dtype=np.int32)[first:end].astype(np.int64)
    if data is None:
        return np.zeros(0, dtype=np.uint8), np.diff(places)
    return np.frombuffer(data, dtype=np.uint8)[places[0] : places[-1]], np.diff(places)


def _of_texts(texts: Any) -> Hashes:
    arrow, compute = arrow_module(), arrow_module(".compute")
    if not len(texts):
        return np.zeros(0, dtype=np.uint64)
    data, length = bytes_of(texts)
    hashes = fingerprint.of_bytes(data, length)
    numeral = compute.indices_nonzero(compute.match_substring_regex(texts, _NUMERAL))
    if len(numeral):
        numbers = as_numbers(texts.take(numeral).cast(arrow.int64()))
        hashes[as_numbers(numeral)] = fingerprint.of_numbers(numbers)
    for at in np.flatnonzero((length >= _LONGEST - 1) & (length <= _LONGEST)).tolist():
        if fingerprint.is_numeral(text := texts[at].as_py()):
            hashes[at] = fingerprint.of_numbers(np.array([int(text)]))[0]
    return hashes
