"""IdColumn: a column of ids as integers; texts are replaced by codes, or by hashes.

No two texts of a column may have the same 64-bit hash, which a second hash of each text tells.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import numpy as np

from scoref.base.arrays import Bytes, Ints
from scoref.base.lazy_sequences import BLANKS, with_outer_blanks
from scoref.corpus import fingerprint
from scoref.corpus.fingerprint import Hashes
from scoref.exceptions import ScorefError
from scoref.formats.table.parquet_files import arrow_module

_ROOM = 1 << 40
_NUMERAL = "^(0|-?[1-9][0-9]{0,17})$"
_LONGEST = 20
"""Characters of the longest 64-bit integer, with its sign."""

_OTHER_DIGITS = np.random.default_rng(2026).permutation(256).astype(np.uint8)


class IdColumn(NamedTuple):
    """The ids of some rows: `numbers`, which are positions in `texts` if the ids are texts."""

    numbers: Ints
    texts: Any = None

    @classmethod
    def of(cls, column: Any) -> IdColumn:
        """Convert an Arrow column of integers or texts without nulls."""
        arrow = arrow_module()
        kind = column.type
        if arrow.types.is_integer(kind) and not arrow.types.is_uint64(kind):
            return cls(to_numpy(column))
        if not len(column):
            return cls(np.zeros(0, dtype=np.int64), arrow.nulls(0, arrow.string()))
        is_coded = arrow.types.is_dictionary(kind)
        if not is_coded:  # which gives all chunks the same codes
            column = column.cast(arrow.string()).dictionary_encode()
        if hasattr(column, "num_chunks"):
            column = column.unify_dictionaries() if is_coded else column
            codes = np.concatenate([to_numpy(chunk.indices) for chunk in column.chunks])
            column = column.chunk(0)
        else:
            codes = to_numpy(column.indices)
        texts = column.dictionary.cast(arrow.string())
        if not is_coded:
            return cls(codes, texts)
        distinct = texts.dictionary_encode()
        if len(distinct.dictionary) < len(texts):  # a file may have two codes for one text
            return cls(to_numpy(distinct.indices)[codes], distinct.dictionary)
        return cls(codes, texts)

    def at(self, rows: Ints) -> IdColumn:
        """Return the ids of some rows."""
        return self._replace(numbers=self.numbers[rows])

    def has_any(self, texts: Collection[str]) -> bool:
        """Whether any row has one of these texts, with or without blanks around it."""
        if any(self.count(text) for text in texts):
            return True
        if self.texts is None or not len(self.texts):
            return False
        data, length = bytes_of(self.texts)
        end = np.cumsum(length)
        edged = with_outer_blanks(data, end - length, end)
        found = self.texts.take(to_arrow(edged)).to_pylist() if len(edged) else []
        wanted = edged[[text.strip(BLANKS) in texts for text in found]]
        return bool(np.isin(self.numbers, wanted).any()) if len(wanted) else False

    def count(self, text: str) -> int:
        """Count the rows that have a text, or the integer that it is written for."""
        if self.texts is None:
            wanted = int(text) if fingerprint.is_numeral(text) else None
            return 0 if wanted is None else int(np.count_nonzero(self.numbers == wanted))
        at = arrow_module(".compute").index(self.texts, text).as_py()
        return int(np.count_nonzero(self.numbers == at)) if at >= 0 else 0

    def to_list(self) -> list[str]:
        """Return the ids of all rows as Python strings."""
        if self.texts is None:
            return [str(number) for number in self.numbers.tolist()]
        texts: list[str] = self.texts.take(to_arrow(self.numbers)).to_pylist()
        return texts

    def as_texts(self) -> IdColumn:
        """Return the same ids as texts."""
        if self.texts is not None:
            return self
        distinct, codes = np.unique(self.numbers, return_inverse=True)
        arrow = arrow_module()
        return IdColumn(codes.astype(np.int64), to_arrow(distinct).cast(arrow.string()))

    def hashes(self) -> Hashes:
        """Hash ids as the fingerprint does: numerals as integers, others as texts."""
        if self.texts is None:
            return fingerprint.of_numbers(self.numbers)
        return _of_texts(self.texts)[self.numbers]


def to_arrow(numbers: Ints) -> Any:
    """Convert integers to Arrow without importing pandas (see `to_numpy`)."""
    arrow = arrow_module()
    data = arrow.py_buffer(np.ascontiguousarray(numbers))
    return arrow.Array.from_buffers(arrow.int64(), len(numbers), [None, data])


def to_numpy(column: Any) -> Ints:
    """Convert an Arrow column of integers without nulls to NumPy.

    Arrow's own conversion imports pandas if it is installed, which takes longer than scoring a
    hundred thousand rows. So this reads Arrow's buffers.
    """
    chunks = column.chunks if hasattr(column, "num_chunks") else [column]
    found = [_of_chunk(chunk) for chunk in chunks if len(chunk)]
    if len(found) == 1:
        return found[0]
    return np.concatenate([np.zeros(0, dtype=np.int64), *found])


def _of_chunk(chunk: Any) -> Ints:
    values = np.frombuffer(chunk.buffers()[1], dtype=np.dtype(str(chunk.type)))
    return values[chunk.offset : chunk.offset + len(chunk)].astype(np.int64, copy=False)


def common_codes(ids: Sequence[IdColumn]) -> list[Ints]:
    """Return non-negative codes for the ids of several columns: equal ids have equal codes."""
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
    written = [one.as_texts() for one in ids]
    together = IdColumn.of(arrow_module().chunked_array([one.texts for one in written]))
    ends = np.cumsum([len(one.texts) for one in written])[:-1]
    codes_of = np.split(together.numbers, ends)
    return [codes[one.numbers] for codes, one in zip(codes_of, written, strict=True)]


def bytes_of(texts: Any) -> tuple[Bytes, Ints]:
    """Return the bytes of consecutive texts, and the length of each text."""
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
        numbers = to_numpy(texts.take(numeral).cast(arrow.int64()))
        hashes[to_numpy(numeral)] = fingerprint.of_numbers(numbers)
    for at in np.flatnonzero((length >= _LONGEST - 1) & (length <= _LONGEST)).tolist():
        if fingerprint.is_numeral(text := texts[at].as_py()):
            hashes[at] = fingerprint.of_numbers(np.array([int(text)]))[0]
    return hashes


def refuse_collisions(role: str, first: Ints, second: Ints) -> None:
    """Refuse to go on if two texts have the same first hash; all texts with the hash are here."""
    order = np.argsort(first)
    same = np.diff(first[order]) == 0
    if np.any(same & (np.diff(second[order]) != 0)):
        raise _collision(role)


class NumberedTexts:
    """The second hash of each text, by the number that the text got for its first hash."""

    def __init__(self, role: str) -> None:
        self._role, self._second = role, np.zeros(0, dtype=np.uint64)

    def check(self, ids: IdColumn, number: Ints, numbers: int) -> None:
        """Refuse to go on if a text has the number of another; `numbers` are given so far."""
        if ids.texts is None:
            return
        second = second_hash(ids.texts)[ids.numbers]
        known = len(self._second)
        self._second = np.append(self._second, np.zeros(numbers - known, dtype=np.uint64))
        new = number >= known
        self._second[number[new][::-1]] = second[new][::-1]
        if np.any(self._second[number] != second):
            raise _collision(self._role)


def _collision(role: str) -> ScorefError:
    """Return the error of two texts with the same hash."""
    return ScorefError(
        f"two different texts in the column of `{role}` have the same 64-bit hash",
        "number the texts, or raise --memory so that the tables are scored at once",
    )


def second_hash(texts: Any) -> Hashes:
    """Hash texts in another way: with other digits for their bytes."""
    data, length = bytes_of(texts)
    return fingerprint.of_bytes(_OTHER_DIGITS[data], length)
