"""JSON as arrays: the kind and the depth of every token, without a Python object per token.

A JSON parser makes an object of every number and list, which for clusters takes most of the time:
this index reads them two to three times as fast as the json module, orjson or msgspec. NumPy finds
the tokens of the whole text and checks that their order is valid JSON. Only plain JSON is indexed:
whole numbers of at most eight digits, strings, lists and objects. For all other text, valid or not,
`index_json` returns None, and the caller leaves the text, and its problems, to the json module.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from scoref.base.arrays import Bools, Bytes, Ints
from scoref.base.lazy_sequences import ByteTexts

STRING, NUMBER, LIST, LIST_END, OBJECT, OBJECT_END, COMMA, COLON, OTHER = range(1, 10)
DEPTH = 16
"""The code of a token is its kind plus its depth times this number."""

_BLOCK = 1 << 18
_QUOTE, _ZERO, _FIRST_PRINTABLE = 34, 48, 32
_BACKSLASH = 92
_DIGITS = 8
_DEEPEST = 8
_ESCAPED = frozenset(b'"\\/bfnrtu')
_HEX = frozenset(b"0123456789abcdefABCDEF")
_MASKS = np.array(
    [0] + [(1 << 64) - (1 << 8 * (8 - many)) for many in range(1, 9)], dtype=np.uint64
)

_ZEROS = _MASKS & np.uint64(0x3030303030303030)


def _kinds() -> bytes:
    kinds = [OTHER] * 256
    for digit in b"0123456789":
        kinds[digit] = NUMBER
    for byte, kind in zip(b'"[]{},:', (STRING, *range(LIST, COLON + 1)), strict=True):
        kinds[byte] = kind
    return bytes(kinds)


def _may_follow() -> bytes:
    allowed = bytearray(256)
    values = (STRING, NUMBER, LIST, OBJECT)
    after_value = (COMMA, LIST_END, OBJECT_END)
    for kind, following in {
        STRING: (*after_value, COLON),
        NUMBER: after_value,
        LIST: (*values, LIST_END),
        LIST_END: after_value,
        OBJECT: (STRING, OBJECT_END),
        OBJECT_END: after_value,
        COMMA: values,
        COLON: values,
    }.items():
        for other in following:
            allowed[kind << 4 | other] = 1
    return bytes(allowed)


def _changes() -> bytes:
    changes = np.zeros(256, dtype=np.int8)
    changes[[LIST, OBJECT]], changes[[LIST_END, OBJECT_END]] = 1, -1
    return changes.tobytes()


# These tables are looked up by bytes.translate, which can leave bytes out, and which takes one byte
# per token where an index array of NumPy takes eight.
_KIND = _kinds()
_MAY_FOLLOW = _may_follow()
_CHANGE = _changes()
_BLANKS = b"\0 \t\r\n"  # NUL marks the bytes inside of strings and numbers


class JsonIndex:
    """The tokens of a text by their codes: `DEPTH * depth + kind`.

    The brackets of a list or object have the depth of its content. String i is
    `raw[quotes[2 * i] + 1:quotes[2 * i + 1]]`, number i `raw[edges[2 * i]:edges[2 * i + 1]]`.
    """

    def __init__(self, raw: bytes, kind: Bytes, quotes: Ints, edges: Ints) -> None:
        self.raw, self.kind, self.quotes, self.edges = raw, kind, quotes, edges
        self.code = kind

    @cached_property
    def counts(self) -> list[int]:
        """How many tokens each code has."""
        return list(np.bincount(self.code, minlength=256).tolist())

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
        digits = words[end - _DIGITS] & _MASKS[length]
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
        if b"\\" not in self.raw:
            return found
        import json  # noqa: PLC0415  # a reader of columns does not need it

        return tuple(json.loads(f'"{s}"') if "\\" in s else s for s in found)


def index_json(data: bytes) -> JsonIndex | None:
    """Find the tokens of a JSON value in UTF-8 text; None if the text is not plain JSON."""
    # The blanks before the text allow to load the eight bytes before any place.
    raw = b"".join((b" " * _DIGITS, data, b" "))
    found = _scan(raw)
    if found is None or not len(found.kind):
        return None
    kind = found.kind
    pairs = kind[:-1] << np.uint8(4)
    pairs |= kind[1:]
    if b"\0" in pairs.tobytes().translate(_MAY_FOLLOW):
        return None
    if kind[0] not in (LIST, OBJECT) or kind[-1] not in (LIST_END, OBJECT_END):
        return None
    # A depth cannot overflow a byte without passing the deepest depth that is accepted.
    change = np.frombuffer(kind.tobytes().translate(_CHANGE), dtype=np.int8)
    depth = np.cumsum(change, dtype=np.int8)
    if depth[-1] != 0:
        return None
    depth -= change >> np.int8(1)  # an end, whose change is -1, has the depth of its content
    if depth.min() < 0 or depth.max() > _DEEPEST:
        return None
    found.code = (depth.view(np.uint8) << np.uint8(4)) | kind
    return found if _is_well_nested(found) and _keys_are_strings(found) else None


def _scan(raw: bytes) -> JsonIndex | None:
    """Find tokens in blocks that fit the processor's cache."""
    view = np.frombuffer(raw, dtype=np.uint8)
    escaped = _escaped_quotes(raw, view)
    if escaped is None or b"\0" in raw:
        return None
    kinds: list[bytes] = []
    places: list[tuple[Ints, Ints]] = []
    at, was_inside = 0, False
    while at < len(raw):
        # A block ends after a comma, so that it does not divide a number.
        end = min(at + _BLOCK, len(raw))
        to = end if end == len(raw) else raw.rfind(b",", at, end) + 1 or raw.find(b",", end) + 1
        to = to or len(raw)
        block = view[at:to]
        quote = block == _QUOTE
        if len(escaped):
            low, high = np.searchsorted(escaped, [at, to])
            quote[escaped[low:high] - at] = False
        # A byte is inside a string if an odd number of quotes comes before it. The opening quote
        # counts as inside; the closing quote does not, and is the token of the string.
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
        kinds.append(outside.tobytes().translate(_KIND, _BLANKS))
        edges = np.flatnonzero(was_digit[1:] != was_digit[:-1])
        places.append((np.flatnonzero(quote) + at, edges + at))
        at, was_inside = to, bool(inside[-1])
    quotes, edges = (np.concatenate(parts) for parts in zip(*places, strict=True))
    if was_inside or np.max(edges[1::2] - edges[::2], initial=0) > _DIGITS:
        return None
    return JsonIndex(raw, np.frombuffer(b"".join(kinds), dtype=np.uint8), quotes, edges)


def _odd_so_far(marked: Bools) -> Bools:
    """Whether the number of marked elements up to and including each element is odd.

    Sixty-four elements are the bits of one integer, which takes six shifts: a fifth of the time of
    `bitwise_xor.accumulate` over bytes.
    """
    bits = np.packbits(marked, bitorder="little")
    words = np.zeros(-(-len(bits) // 8), dtype="<u8")
    words.view(np.uint8)[: len(bits)] = bits
    for shift in (1, 2, 4, 8, 16, 32):
        words ^= words << np.uint64(shift)
    odd_before = np.zeros(len(words), dtype=np.uint64)
    np.bitwise_xor.accumulate(words[:-1] >> np.uint64(63), out=odd_before[1:])
    words ^= np.uint64(0) - odd_before  # flips all bits if the bits before are odd in number
    odd = np.unpackbits(words.view(np.uint8), count=len(marked), bitorder="little")
    return odd.view(bool)


def _escaped_quotes(raw: bytes, view: Bytes) -> Ints | None:
    """Return the places of quotes after a backslash, or None if an escape is invalid."""
    if b"\\" not in raw:
        return np.zeros(0, dtype=np.int64)
    slashes = np.flatnonzero(view == _BACKSLASH)
    new = np.ones(len(slashes), dtype=bool)
    new[1:] = np.diff(slashes) > 1
    in_run = np.arange(len(slashes)) - np.flatnonzero(new)[np.cumsum(new) - 1]
    escaping = slashes[in_run % 2 == 0]  # in a run of backslashes, every second one is escaped
    if escaping[-1] + 1 == len(raw):
        return None
    following = view[escaping + 1]
    if not np.isin(following, list(_ESCAPED)).all():
        return None
    coded = escaping[following == ord("u")]
    if len(coded) and coded[-1] + 6 > len(raw):
        return None
    if not np.isin(view[coded[:, None] + np.arange(2, 6)], list(_HEX)).all():
        return None
    return np.array(escaping[following == _QUOTE] + 1)


def _is_well_nested(found: JsonIndex) -> bool:
    """Whether every bracket is closed by one of its kind, and no token is outside of the value.

    At one depth, openings and ends alternate. A depth with both lists and objects is refused: in
    clusters, the entities of some documents have names there, and others do not.
    """
    counts = found.counts
    lists, objects = counts[LIST::DEPTH], counts[OBJECT::DEPTH]
    are_closed = lists == counts[LIST_END::DEPTH] and objects == counts[OBJECT_END::DEPTH]
    return are_closed and not any(counts[:DEPTH]) and not any(map(min, lists, objects))


def _keys_are_strings(found: JsonIndex) -> bool:
    """Whether every key of an object has a colon after it, and no other token has.

    A colon follows a string, which was checked before. The string must follow the opening or a
    comma of an object. If colons are as many as these openings and commas, none lacks a colon.
    """
    kind, code, counts = found.kind, found.code, found.counts
    colons = np.flatnonzero(kind == COLON)
    before = kind[colons - 2]
    if np.any((before != OBJECT) & (before != COMMA)):
        return False
    opens = np.flatnonzero(kind == OBJECT)
    full = np.bincount(code[opens[kind[opens + 1] != OBJECT_END]], minlength=256)
    return all(
        counts[level + COLON]
        == full[level + OBJECT] + (counts[level + COMMA] if counts[level + OBJECT] else 0)
        for level in range(0, 256, DEPTH)
    )
