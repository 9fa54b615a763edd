"""JSON as arrays: the kind, place and depth of every token, without an object for any.

Python's json module makes an object of every number and list, which for offsets takes longer
than all else. Here NumPy finds the tokens of a whole text and checks that they follow each other
as JSON wants it. It takes only JSON that is plain: whole numbers of at most eight digits, and at
each depth either objects or lists. What it does not take may be right or wrong: `index` returns
None, and the caller reads it with the json module, which then is the one to complain.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoref.arrays import Bools, Bytes, Ints
from scoref.slices import Slices

STRING, NUMBER, LIST, LIST_END, OBJECT, OBJECT_END, COMMA, COLON, LINE, OTHER = range(1, 11)
_KINDS = 16
_BLOCK = 1 << 18
_QUOTE, _BACKSLASH, _ZERO, _FIRST_PRINTABLE = 34, 92, 48, 32
_DIGITS = 8
_DEEPEST = 8
_ESCAPED = frozenset(b'"\\/bfnrtu')
_HEX = frozenset(b"0123456789abcdefABCDEF")
_KEPT = np.array([0] + [(1 << 64) - (1 << 8 * (8 - many)) for many in range(1, 9)], dtype=np.uint64)

_ZEROS = _KEPT & np.uint64(0x3030303030303030)


def _kinds() -> Bytes:
    kinds = np.full(256, OTHER, dtype=np.uint8)
    kinds[list(b" \t\r")] = 0
    kinds[list(b"0123456789")] = NUMBER
    for byte, kind in zip(b'"[]{},:\n', (STRING, *range(LIST, LINE + 1)), strict=True):
        kinds[byte] = kind
    return kinds


def _may_follow() -> Bools:
    allowed = np.zeros((_KINDS, _KINDS), dtype=bool)
    values = (STRING, NUMBER, LIST, OBJECT)
    behind = (COMMA, LIST_END, OBJECT_END)
    for kind, following in {
        STRING: (*behind, COLON),
        NUMBER: behind,
        LIST: (*values, LIST_END),
        LIST_END: (*behind, LINE),
        OBJECT: (STRING, OBJECT_END),
        OBJECT_END: (*behind, LINE),
        COMMA: values,
        COLON: values,
        LINE: (LINE, LIST, OBJECT),
    }.items():
        allowed[kind, list(following)] = True
    return allowed.ravel()


_KIND = _kinds()
_KIND_IN_LINES = _KIND.copy()
_KIND[10] = 0  # between the tokens of one value, a line end is a blank
_MAY_FOLLOW = _may_follow()
_CHANGE = np.zeros(_KINDS, dtype=np.int8)
_CHANGE[[LIST, OBJECT]], _CHANGE[[LIST_END, OBJECT_END]] = 1, -1

Depths = NDArray[np.int8]


class Index(NamedTuple):
    """The tokens of a text: kinds, how deep each lies, and where strings and numbers are.

    A list or object lies as deep as what is in it, so that it has the depth of its end. String i
    is `raw[string_start[i]:string_end[i]]`; `escaped` says whether any has a backslash.
    """

    raw: bytes
    kind: Bytes
    depth: Depths
    string_start: Ints
    string_end: Ints
    number_end: Ints
    number_length: Ints
    escaped: bool

    def numbers(self) -> Ints:
        """Return all numbers.

        The eight bytes that end with a number's last digit are loaded as one integer, in which
        three multiplications put the digits together, two, four and eight at a time.
        """
        words = np.ndarray((len(self.raw) - 7,), dtype="<u8", buffer=self.raw, strides=(1,))
        digits = words[self.number_end - _DIGITS] & _KEPT[self.number_length]
        digits -= _ZEROS[self.number_length]
        pairs = digits * np.uint64(10) + (digits >> np.uint64(8))
        low = np.uint64(0x000000FF000000FF)
        first = (pairs & low) * np.uint64(0x000F424000000064)
        second = ((pairs >> np.uint64(16)) & low) * np.uint64(0x0000271000000001)
        return ((first + second) >> np.uint64(32)).astype(np.int64)

    def strings(self, tokens: Bools) -> Sequence[str]:
        """Return the strings among some tokens; without escapes they are not decoded yet."""
        chosen = tokens[self.kind == STRING]
        found = Slices(self.raw, self.string_start[chosen], self.string_end[chosen])
        if not self.escaped:
            return found
        import json  # noqa: PLC0415  # a reader of columns does not need it

        return tuple(json.loads(f'"{s}"') if "\\" in s else s for s in found)


def index(data: bytes, *, lines: bool = False) -> Index | None:
    """Find the tokens of a JSON value, or with `lines` of a value a line, in text that is UTF-8.

    The result is None where the text is not surely JSON.
    """
    raw = b" " * _DIGITS + data  # so that eight bytes can be loaded up to any place
    found = _scan(raw, _KIND_IN_LINES if lines else _KIND)
    if found is None or not len(found.kind):
        return None
    kind = found.kind
    if not np.take(_MAY_FOLLOW, (kind[:-1] << np.uint8(4)) | kind[1:]).all():
        return None
    if kind[0] not in (LIST, OBJECT, LINE) or kind[-1] not in (LIST_END, OBJECT_END, LINE):
        return None
    # Depths that outgrow a byte have passed the deepest that is taken before.
    change = np.take(_CHANGE, kind)
    depth = np.cumsum(change, dtype=np.int8)
    if depth[-1] != 0:
        return None
    depth -= change >> np.int8(1)  # an end, whose change is -1, belongs to what it ends
    if depth.min() < 0 or depth.max() > _DEEPEST:
        return None
    fine = _well_nested(kind, depth) and _keys_are_strings(kind, depth)
    return found._replace(depth=depth) if fine else None


def _scan(raw: bytes, table: Bytes) -> Index | None:
    """Find tokens, a block at a time that fits the processor's cache."""
    view = np.frombuffer(raw, dtype=np.uint8)
    escaped = _escaped_quotes(raw, view)
    if escaped is None:
        return None
    parts: list[tuple[NDArray[Any], ...]] = []
    at, was_inside = 0, 0
    while at < len(raw):
        # Blocks end behind a comma, so that none divides a number.
        end = min(at + _BLOCK, len(raw))
        to = end if end == len(raw) else raw.rfind(b",", at, end) + 1 or raw.find(b",", end) + 1
        to = to or len(raw)
        block = view[at:to]
        quote = block == _QUOTE
        low, high = np.searchsorted(escaped, [at, to])
        quote[escaped[low:high] - at] = False
        # A byte is inside a string if an odd number of quotes stands up to it: from the opening
        # quote on, but without the closing one, which stays as the token of the string.
        inside = _odd_so_far(quote) ^ bool(was_inside)
        if np.any(inside & (block < _FIRST_PRINTABLE)):
            return None
        kind = np.take(table, block) * ~inside
        digit = kind == NUMBER
        ends = digit.copy()
        ends[:-1] &= ~digit[1:]
        begins = digit.copy()
        begins[1:] &= ~digit[:-1]
        kind *= begins | ~digit  # a number is one token
        quotes = np.flatnonzero(quote) + at
        opening, closing = quotes[was_inside::2], quotes[1 - was_inside :: 2]
        numbers = np.flatnonzero(begins) + at, np.flatnonzero(ends) + at
        parts.append((np.take(kind, np.flatnonzero(kind != 0)), opening, closing, *numbers))
        at, was_inside = to, int(inside[-1])
    kinds, starts, closings, first, last = (np.concatenate(c) for c in zip(*parts, strict=True))
    length = last + 1 - first
    if was_inside or np.any(length > _DIGITS) or np.any((length > 1) & (view[first] == _ZERO)):
        return None
    return Index(
        raw, kinds, kinds.view(np.int8), starts + 1, closings, last + 1, length, b"\\" in raw
    )


def _odd_so_far(marked: Bools) -> Bools:
    """Whether an odd number of elements up to each, and with it, are marked.

    Sixty-four at a time, as the bits of an integer: six shifts do the work of as many steps, and
    a fifth of the time that `bitwise_xor.accumulate` over bytes takes.
    """
    bits = np.packbits(marked, bitorder="little")
    words = np.zeros(-(-len(bits) // 8), dtype="<u8")
    words.view(np.uint8)[: len(bits)] = bits
    for shift in (1, 2, 4, 8, 16, 32):
        words ^= words << np.uint64(shift)
    odd_before = np.zeros(len(words), dtype=np.uint64)
    np.bitwise_xor.accumulate(words[:-1] >> np.uint64(63), out=odd_before[1:])
    words ^= np.uint64(0) - odd_before  # all bits are turned where the words before are odd
    odd = np.unpackbits(words.view(np.uint8), count=len(marked), bitorder="little")
    return odd.view(bool)


def _escaped_quotes(raw: bytes, view: Bytes) -> Ints | None:
    """Return the places of quotes behind a backslash, or None if an escape is wrong."""
    if b"\\" not in raw:
        return np.zeros(0, dtype=np.int64)
    slashes = np.flatnonzero(view == _BACKSLASH)
    new = np.ones(len(slashes), dtype=bool)
    new[1:] = np.diff(slashes) > 1
    in_run = np.arange(len(slashes)) - np.flatnonzero(new)[np.cumsum(new) - 1]
    escaping = slashes[in_run % 2 == 0]  # of backslashes in a row, each second is escaped
    if escaping[-1] + 1 == len(raw):
        return None
    behind = view[escaping + 1]
    if not np.isin(behind, list(_ESCAPED)).all():
        return None
    coded = escaping[behind == ord("u")]
    if len(coded) and coded[-1] + 6 > len(raw):
        return None
    if not np.isin(view[coded[:, None] + np.arange(2, 6)], list(_HEX)).all():
        return None
    return np.array(escaping[behind == _QUOTE] + 1)


def _well_nested(kind: Bytes, depth: Depths) -> bool:
    """Whether all that opens is closed by its like, at each depth objects only or lists only."""
    if np.any((depth < 1) != (kind == LINE)):
        return False
    for level in range(1, int(depth.max()) + 1):
        here = depth == level
        objects = here & ((kind == OBJECT) | (kind == OBJECT_END))
        lists = here & ((kind == LIST) | (kind == LIST_END))
        if objects.any() and lists.any():
            return False
    return True


def _keys_are_strings(kind: Bytes, depth: Depths) -> bool:
    """Whether colons stand behind the keys of objects, and nowhere else."""
    opens = np.flatnonzero(kind == OBJECT)
    in_object = np.isin(depth, np.unique(depth[opens])) if len(opens) else np.zeros(0, dtype=bool)
    opens = opens[kind[opens + 1] != OBJECT_END]
    commas = np.flatnonzero((kind == COMMA) & in_object) if len(opens) else opens
    # A comma stands before two tokens at least: the value behind it, and what closes its list.
    keys = all(
        (kind[at + 1] == STRING).all() and (kind[at + 2] == COLON).all() for at in (opens, commas)
    )
    return keys and np.count_nonzero(kind == COLON) == len(opens) + len(commas)
