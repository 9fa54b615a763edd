"""The fingerprint of an annotation: a short hash of its documents, mentions and entities.

It is a sum of the hashes of documents and entities; the hash of an entity is made from the sum of
the hashes of its mentions. A sum does not depend on the order of its terms. So a fingerprint does
not depend on the order of documents or on the names of entities, nothing has to be sorted, and the
parts of a corpus can be hashed separately, even on different machines, and added up.

All arithmetic is modulo 2**64. A fingerprint reveals mistakes, but not forgery.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Bytes, Ints
from scoref.corpus.attributes import is_span

Hashes = NDArray[np.uint64]

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_START, _END, _NUMBER, _TEXT, _OTHER, _UNIT = (
    np.uint64(odd) for odd in (0x1D8E4E27C47D124F, 0xEB44ACCAB455D165, 3, 5, 7, 11)
)
_WHOLE = 1 << 64


def digest(total: int) -> str:
    """Return the fingerprint of a corpus, given the sum over its parts."""
    return f"{int(mix(np.array([total % _WHOLE], dtype=np.uint64))[0]):016x}"[:8]


def total(document: Hashes, of_mention: Ints, mention: Hashes, entity: Ints) -> int:
    """Add up the hashes of some documents and of their entities.

    `document` is the hash of each document, `mention` the hash of each mention, and `of_mention`
    the document of each mention. All mentions of each entity must be present.
    """
    entities = np.zeros(int(entity.max(initial=-1)) + 1, dtype=np.uint64)
    np.add.at(entities, entity, of_members(mention, document[of_mention]))
    return (_sum(mix(document)) + of_entities(entities)) % _WHOLE


def of_members(mention: Hashes, document: Hashes) -> Hashes:
    """Hash mentions together with their documents; an entity is the sum of these hashes."""
    return mix(mention + document)


def of_entities(sums: Hashes) -> int:
    """Add up the hashes of entities, given the sum over the mentions of each."""
    return _sum(mix(sums[sums != 0]))


def of_documents(ids: Iterable[Hashable]) -> Hashes:
    """Hash the identities of documents."""
    return as_documents(of_labels(list(ids)))


def as_documents(names: Hashes) -> Hashes:
    """Turn hashes of names into hashes of documents, which differ from those of mentions."""
    return names * _UNIT


def of_spans(start: Ints, end: Ints, nodes: NDArray[np.str_] | None = None) -> Hashes:
    """Hash token spans and their `nodes`, which are empty for most spans."""
    hashes = start.astype(np.uint64)
    hashes *= _START
    hashes += end.astype(np.uint64) * _END
    if nodes is not None:
        unusual = np.flatnonzero(nodes != "")
        hashes[unusual] += of_texts(nodes[unusual].tolist())
    return mix(hashes)


def of_labels(labels: Sequence[Hashable]) -> Hashes:
    """Hash mentions that are Python objects; a pair of integers counts as a span."""
    by_function: dict[Callable[[list[Any]], Hashes], list[int]] = {}
    for row, label in enumerate(labels):
        by_function.setdefault(_hash_function(label), []).append(row)
    hashes = np.zeros(len(labels), dtype=np.uint64)
    for function, rows in by_function.items():
        hashes[rows] = function([labels[row] for row in rows])
    return hashes


def _hash_function(label: Hashable) -> Callable[[list[Any]], Hashes]:
    if isinstance(label, str):
        return _of_numerals if is_numeral(label) else of_texts
    if type(label) is int and -_WHOLE // 2 <= label < _WHOLE // 2:
        return _of_integers
    return _of_pairs if is_span(label) else _of_objects


def _of_integers(labels: list[int]) -> Hashes:
    return of_numbers(np.array(labels, dtype=np.int64))


def is_numeral(text: str) -> bool:
    """Whether a text is a 64-bit integer in the form that Python writes.

    The ids of a table are the same whether its file stores them as texts or as numbers.
    """
    if not text or text[-1] not in "0123456789" or len(text) > 20:
        return False
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal()) or str(int(text)) != text:
        return False
    return -_WHOLE // 2 <= int(text) < _WHOLE // 2


def _of_numerals(texts: list[str]) -> Hashes:
    return _of_integers([int(text) for text in texts])


def _of_pairs(labels: list[tuple[int, int]]) -> Hashes:
    spans = np.array(labels, dtype=np.int64)
    return of_spans(spans[:, 0], spans[:, 1])


def _of_objects(labels: list[Hashable]) -> Hashes:
    return mix(of_texts(list(map(repr, labels))) * _OTHER)


def of_numbers(values: Ints) -> Hashes:
    """Hash mentions that are integers, such as the records of a table."""
    return mix(values.astype(np.uint64) * _GOLDEN + _NUMBER)


def of_texts(texts: Sequence[str]) -> Hashes:
    """Hash mentions that are texts."""
    encoded = [text.encode(errors="surrogatepass") for text in texts]
    length = np.fromiter(map(len, encoded), dtype=np.int64, count=len(encoded))
    return of_bytes(np.frombuffer(b"".join(encoded), dtype=np.uint8), length)


def of_bytes(data: Bytes, length: Ints) -> Hashes:
    """Hash consecutive texts of these lengths: bytes are the digits of a number."""
    end = np.cumsum(length)
    start = end - length
    place = np.arange(len(data)) - np.repeat(start, length)
    powers = np.full(int(length.max(initial=0)) + 1, _GOLDEN)
    powers[0] = 1
    powers = np.cumprod(powers, dtype=np.uint64)
    sums = np.zeros(len(data) + 1, dtype=np.uint64)
    np.cumsum(data.astype(np.uint64) * powers[place], out=sums[1:])
    return mix((sums[end] - sums[start]) * _TEXT + length.astype(np.uint64))


def mix(values: Hashes) -> Hashes:
    """Make every bit of each number depend on all of its bits (the finaliser of splitmix64)."""
    values = values + _GOLDEN
    values ^= values >> np.uint64(30)
    values *= _FIRST
    values ^= values >> np.uint64(27)
    values *= _SECOND
    values ^= values >> np.uint64(31)
    return values


def _sum(hashes: Hashes) -> int:
    return int(hashes.sum(dtype=np.uint64))
