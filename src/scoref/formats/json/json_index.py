"""JSON as arrays: the kind and depth of every token, without an object for any.

Python's json module makes an object of every number and list, which for offsets takes longer
than all else. Here NumPy finds the tokens of a whole text and checks that they follow each other
as JSON wants it. It takes only JSON that is plain: whole numbers of at most eight digits, texts,
lists and objects. What it does not take may be right or wrong: `index` returns None, and the
caller reads it with the json module, which then is the one to complain.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from scoref.base.arrays import Bools, Bytes, Ints
from scoref.base.byte_texts import ByteTexts

STRING, NUMBER, LIST, LIST_END, OBJECT, OBJECT_END, COMMA, COLON, LINE, OTHER = range(1, 11)
DEPTH = 16
"""A token's code is its kind plus so many times its depth."""

_BLOCK = 1 << 18
_QUOTE, _ZERO, _FIRST_PRINTABLE = 34, 48, 32
_BACKSLASH = 92
_DIGITS = 8
_DEEPEST = 8
_ESCAPED = frozenset(b'"\\/bfnrtu')
_HEX = frozenset(b"0123456789abcdefABCDEF")
_KEPT = np.array([0] + [(1 << 64) - (1 << 8 * (8 - many)) for many in range(1, 9)], dtype=np.uint64)

_ZEROS = _KEPT & np.uint64(0x3030303030303030)


def _kinds() -> bytes:
    kinds = [OTHER] * 256
    for digit in b"0123456789":
        kinds[digit] = NUMBER
    for byte, kind in zip(b'"[]{},:\n', (STRING, *range(LIST, LINE + 1)), strict=True):
        kinds[byte] = kind
    return bytes(kinds)


def _may_follow() -> bytes:
    allowed = bytearray(256)
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
        for other in following:
            allowed[kind << 4 | other] = 1
    return bytes(allowed)


def _changes() -> bytes:
    changes = np.zeros(256, dtype=np.int8)
    changes[[LIST, OBJECT]], changes[[LIST_END, OBJECT_END]] = 1, -1
    return changes.tobytes()


# What tables say of each byte is looked up by bytes.translate, which can leave bytes out as well,
# and needs a byte for each where an index of NumPy's would take eight.
_KIND = _kinds()
_MAY_FOLLOW = _may_follow()
_CHANGE = _changes()
_BLANKS = b"\0 \t\r"  # with NUL, which stands for what is not a token's
_BLANKS_AND_LINES = _BLANKS + b"\n"  # between the tokens of one value, a line end is a blank


class Index:
    """The tokens of a text by their codes: `DEPTH * depth + kind`.

    A list or object lies as deep as what is in it, so that it has the depth of its end. String i
    is `raw[quotes[2 * i] + 1:quotes[2 * i + 1]]`, number i `raw[edges[2 * i]:edges[2 * i + 1]]`.
    """

    def __init__(self, raw: bytes, kind: Bytes, quotes: Ints, edges: Ints) -> None:
        self.raw, self.kind, self.quotes, self.edges = raw, kind, quotes, edges
        self.code = kind

    @cached_property
    def many(self) -> list[int]:
        """How many tokens there are of each code."""
        return list(np.bincount(self.code, minlength=256).tolist())

    @cached_property
    def escaped(self) -> bool:
        """Whether any string has a backslash."""
        return b"\\" in self.raw

    @cached_property
    def string_tokens(self) -> Ints:
        """Which tokens are strings."""
        return np.flatnonzero(self.kind == STRING)

    def numbers(self) -> Ints:
        """Return all numbers.

        The eight bytes that end with a number's last digit are loaded as one integer, in which
        three multiplications put the digits together, two, four and eight at a time.
        """
        end = self.edges[1::2]
        length = end - self.edges[::2]
        words = np.ndarray((len(self.raw) - 7,), dtype="<u8", buffer=self.raw, strides=(1,))
        digits = words[end - _DIGITS] & _KEPT[length]
        digits -= _ZEROS[length]
        pairs = digits * np.uint64(10) + (digits >> np.uint64(8))
        low = np.uint64(0x000000FF000000FF)
        first = (pairs & low) * np.uint64(0x000F424000000064)
        second = ((pairs >> np.uint64(16)) & low) * np.uint64(0x0000271000000001)
        numbers: Ints = ((first + second) >> np.uint64(32)).astype(np.int64)
        return numbers

    def strings(self, chosen: Ints | Bools | slice) -> Sequence[str]:
        """Return some of the strings; without escapes they are not decoded yet."""
        found = ByteTexts(self.raw, self.quotes[::2][chosen] + 1, self.quotes[1::2][chosen])
        if not self.escaped:
            return found
        import json  # noqa: PLC0415  # a reader of columns does not need it

        return tuple(json.loads(f'"{s}"') if "\\" in s else s for s in found)


def index(data: bytes, *, lines: bool = False) -> Index | None:
    """Find the tokens of a JSON value, or with `lines` of a value a line, in text that is UTF-8.

    The result is None where the text is not surely JSON.
    """
    # Blanks before it, so that eight bytes can be loaded up to any place.
    raw = b"".join((b" " * _DIGITS, data, b" "))
    found = _scan(raw, _BLANKS if lines else _BLANKS_AND_LINES)
    if found is None or not len(found.kind):
        return None
    kind = found.kind
    pairs = kind[:-1] << np.uint8(4)
    pairs |= kind[1:]
    if b"\0" in pairs.tobytes().translate(_MAY_FOLLOW):
        return None
    if kind[0] not in (LIST, OBJECT, LINE) or kind[-1] not in (LIST_END, OBJECT_END, LINE):
        return None
    # Depths that outgrow a byte have passed the deepest that is taken before.
    change = np.frombuffer(kind.tobytes().translate(_CHANGE), dtype=np.int8)
    depth = np.cumsum(change, dtype=np.int8)
    if depth[-1] != 0:
        return None
    depth -= change >> np.int8(1)  # an end, whose change is -1, belongs to what it ends
    if depth.min() < 0 or depth.max() > _DEEPEST:
        return None
    found.code = (depth.view(np.uint8) << np.uint8(4)) | kind
    return found if _well_nested(found) and _keys_are_strings(found) else None


def _scan(raw: bytes, blanks: bytes) -> Index | None:
    """Find tokens, a block at a time that fits the processor's cache."""
    view = np.frombuffer(raw, dtype=np.uint8)
    escaped = _escaped_quotes(raw, view)
    if escaped is None or b"\0" in raw:
        return None
    kinds: list[bytes] = []
    places: list[tuple[Ints, Ints]] = []
    at, was_inside = 0, False
    while at < len(raw):
        # Blocks end behind a comma, so that none divides a number.
        end = min(at + _BLOCK, len(raw))
        to = end if end == len(raw) else raw.rfind(b",", at, end) + 1 or raw.find(b",", end) + 1
        to = to or len(raw)
        block = view[at:to]
        quote = block == _QUOTE
        if len(escaped):
            low, high = np.searchsorted(escaped, [at, to])
            quote[escaped[low:high] - at] = False
        # A byte is inside a string if an odd number of quotes stands up to it: from the opening
        # quote on, but without the closing one, which stays as the token of the string.
        inside = _odd_so_far(quote) ^ was_inside
        if np.any(inside & (block < _FIRST_PRINTABLE)):
            return None
        outside = block & (inside.view(np.uint8) - np.uint8(1))
        was_digit = np.zeros(len(block) + 1, dtype=bool)  # that of the byte before
        is_digit = np.less(outside - np.uint8(_ZERO), np.uint8(10), out=was_digit[1:])
        goes_on = is_digit[:-1] & is_digit[1:]
        if np.any((block[:-1] == _ZERO) & goes_on & ~was_digit[:-2]):
            return None  # a number begins with a zero, which JSON does not allow
        outside[:-1] *= ~goes_on  # a number is one token, its last digit
        kinds.append(outside.tobytes().translate(_KIND, blanks))
        edges = np.flatnonzero(was_digit[1:] != was_digit[:-1])
        places.append((np.flatnonzero(quote) + at, edges + at))
        at, was_inside = to, bool(inside[-1])
    quotes, edges = (np.concatenate(parts) for parts in zip(*places, strict=True))
    if was_inside or np.max(edges[1::2] - edges[::2], initial=0) > _DIGITS:
        return None
    return Index(raw, np.frombuffer(b"".join(kinds), dtype=np.uint8), quotes, edges)


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


def _well_nested(found: Index) -> bool:
    """Whether all that opens is closed by its like, and nothing but line ends is outside."""
    many = found.many
    if sum(many[:DEPTH]) != many[LINE] or sum(many[LINE::DEPTH]) != many[LINE]:
        return False
    if many[LIST::DEPTH] != many[LIST_END::DEPTH] or many[OBJECT::DEPTH] != many[OBJECT_END::DEPTH]:
        return False
    for level in _mixed_levels(many):
        brackets = np.flatnonzero(np.isin(found.code, _brackets(level)))
        kinds = found.kind[brackets]
        if np.any(kinds[1::2] - kinds[::2] != 1):  # at one depth, ends and openings take turns
            return False
    return True


def _mixed_levels(many: Sequence[int]) -> list[int]:
    """Return the depths of codes at which there are both objects and lists."""
    return [at for at in range(0, 256, DEPTH) if many[at + OBJECT] and many[at + LIST]]


def _brackets(level: int) -> list[int]:
    return [level + kind for kind in (LIST, LIST_END, OBJECT, OBJECT_END)]


def _keys_are_strings(found: Index) -> bool:
    """Whether colons stand behind the keys of objects, and nowhere else.

    A colon follows a string, as was checked, and this must follow an opening or a comma of an
    object. If there are as many colons as these, none of them is without a colon.
    """
    kind, code, many = found.kind, found.code, found.many
    colons = np.flatnonzero(kind == COLON)
    before = kind[colons - 2]
    if np.any((before != OBJECT) & (before != COMMA)):
        return False
    opens = np.flatnonzero(kind == OBJECT)
    full = np.bincount(code[opens[kind[opens + 1] != OBJECT_END]], minlength=256)
    mixed = _mixed_levels(many)
    for level in range(0, 256, DEPTH):
        commas = many[level + COMMA] if many[level + OBJECT] else 0
        if level in mixed:
            brackets = np.flatnonzero((code == level + OBJECT) | (code == level + LIST))
            at = np.flatnonzero(code == level + COMMA)
            of_object = kind[brackets[np.searchsorted(brackets, at) - 1]] == OBJECT
            commas = int(np.count_nonzero(of_object))
            behind = at[~of_object] + 2  # two tokens follow a comma: its value, and an end
            if np.any(kind[behind] == COLON):
                return False
        if many[level + COLON] != full[level + OBJECT] + commas:
            return False
    return True
