"""Fixes of annotation files: changes that preserve every mention, every entity and every word.

Fixes of text concern byte order marks, line ends, trailing blanks and the final newline; fixes of
CoNLL columns missing ends of documents, and mentions that an entity has twice. That a file and its
fixed bytes are read alike is proved by reading both.
"""

from __future__ import annotations

import io
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import zip_longest
from typing import Any, NamedTuple

import numpy as np

from scoref.base.phrases import listed
from scoref.corpus.corpus import Corpus
from scoref.corpus.text import COLUMNS
from scoref.exceptions import Problem, UsageError
from scoref.formats.conll.lines import BEGIN, END
from scoref.formats.corpus_reader import read_stream
from scoref.formats.format import Wanted
from scoref.formats.io.sources import Source
from scoref.formats.io.text import BYTE_ORDER_MARK
from scoref.formats.registry import detect_format

_JSON = frozenset({"jsonl", "clusters", "corenlp"})
_LINES = _JSON | {"conll", "corefud", "conllua", "brat"}
"""Formats in which a line end is only a line end. In CSV it can be a part of a value."""

_CONLL = frozenset({"conll"})
_GZIP = b"\x1f\x8b"
_BRACKET = rb"\([^()|\s]+\)|\([^()|\s]+|[^()|\s]+\)"
_CELL = re.compile(rb"(?:%b)(?:\|(?:%b))*" % (_BRACKET, _BRACKET))
_END = b"#end document"


class Fix(NamedTuple):
    """A named fix, and the formats whose files it may change."""

    name: str
    formats: frozenset[str]
    apply: Callable[[bytes], bytes]


def add_document_ends(data: bytes) -> bytes:
    """Write `#end document` where a document lacks it."""
    written: list[bytes] = []
    is_open = False
    for line in data.split(b"\n"):
        if BEGIN.match(line):
            if is_open:
                written.append(_END + b"\r" * line.endswith(b"\r"))
            is_open = True
        elif END.match(line):
            is_open = False
        written.append(line)
    if is_open:
        if written[-1]:  # the last line is not ended
            written.append(b"")
        written[-1:] = [_END + b"\r" * written[0].endswith(b"\r"), b""]
    return b"\n".join(written)


def remove_repeated_mentions(data: bytes) -> bytes:
    """Remove the brackets of a mention that the same entity has already."""
    lines = data.split(b"\n")
    changed: dict[int, list[bytes]] = {}
    for brackets in _documents(lines):
        for bracket in _repetitions(brackets):
            parts = changed.setdefault(bracket.line, _cell(lines[bracket.line]))
            parts.remove(bracket.text)
    for at, parts in changed.items():
        columns = lines[at].rstrip()
        blanks = lines[at][len(columns) :]
        lines[at] = columns.removesuffix(_last_word(columns)) + b"|".join(parts) + blanks
    return b"\n".join(lines)


class _Bracket(NamedTuple):
    """A bracket of an entity: the number of its line, counted from 0, and its text."""

    line: int
    text: bytes

    @property
    def entity(self) -> bytes:
        return self.text.strip(b"()")


def _documents(lines: list[bytes]) -> Iterator[list[_Bracket]]:
    """Yield the brackets of each document; a document with unusual cells is left out."""
    brackets: list[_Bracket] = []
    is_usual = True
    for at, line in enumerate([*lines, b"#begin document"]):
        if BEGIN.match(line):
            if is_usual:
                yield brackets
            brackets, is_usual = [], True
        elif (cell := _last_word(line)) and (b"(" in cell or b")" in cell):
            parts = _cell(line)
            brackets += [_Bracket(at, text) for text in parts]
            is_usual = is_usual and bool(parts)


def _cell(line: bytes) -> list[bytes]:
    """Return the brackets in the last column of a line; none if it has anything else."""
    cell = _last_word(line)
    return cell.split(b"|") if _CELL.fullmatch(cell) else []


def _last_word(line: bytes) -> bytes:
    columns = [] if line.startswith(b"#") else line.rsplit(None, 1)
    return columns[-1] if columns else b""


def _repetitions(brackets: list[_Bracket]) -> Iterator[_Bracket]:
    """Yield the brackets of mentions that an entity has already, in the same document."""
    open_brackets: dict[bytes, list[_Bracket]] = defaultdict(list)
    seen: set[tuple[bytes, int, int]] = set()
    for bracket in brackets:
        start, end = bracket, bracket
        if not bracket.text.endswith(b")"):
            open_brackets[bracket.entity].append(bracket)
            continue
        if not bracket.text.startswith(b"("):
            if not open_brackets[bracket.entity]:
                continue  # the file is not valid, which its reader says
            start = open_brackets[bracket.entity].pop()
        mention = bracket.entity, start.line, end.line
        if mention in seen:
            yield start
            if start is not end:
                yield end
        seen.add(mention)


FIXES = (
    Fix("byte-order-mark", _LINES, lambda data: data.removeprefix(BYTE_ORDER_MARK)),
    Fix("final-newline", _LINES, lambda data: data + b"\n" * (data[-1:] not in (b"", b"\n"))),
    Fix("line-ends", _LINES, partial(re.compile(rb"\r+\n").sub, b"\n")),
    Fix(
        "trailing-blanks",
        _JSON | _CONLL,
        partial(re.compile(rb"(?<![ \t])[ \t]++(?=\r?\n|\Z)").sub, b""),
    ),
    Fix("document-ends", _CONLL, add_document_ends),
    Fix("repeated-mentions", _CONLL, remove_repeated_mentions),
)
"""All fixes, in the order in which they are made; the help of the command describes them."""


@dataclass(slots=True)
class FixedFile:
    """What fixes did to a file: the fixes with the lines they changed, and what is still wrong.

    * `skipped`: Fixes that were not made, because the file would have been read otherwise.
    * `before`: The problems for which the file could not be read before.
    * `problems`: The problems for which it still cannot be read. The file is then left as it is.
    """

    source: Source
    data: bytes
    fixed: bytes
    changes: dict[str, list[int]] = field(default_factory=dict)
    skipped: list[str] = field(default_factory=list)
    before: list[Problem] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def is_changed(self) -> bool:
        """Whether the fixed file differs from the file."""
        return self.data != self.fixed


def find_fixes(names: Collection[str] | None) -> list[Fix]:
    """Return fixes by name, in the order in which they are made; None means all."""
    known = [fix.name for fix in FIXES]
    for name in names or ():
        if name not in known:
            raise UsageError(f"unknown fix {name!r}", f"the fixes are {listed(known)}")
    return [fix for fix in FIXES if names is None or fix.name in names]


def fix_file(source: Source, fixes: Sequence[Fix] = FIXES) -> FixedFile:
    """Fix the bytes of a file; nothing is written.

    After each fix, the file is read again. A fix that changes what is read is not made, but tried
    again after others: a second run of the command changes nothing.
    """
    data = _bytes(source)
    found = detect_format(data, source.shown)
    outcome = FixedFile(source, data, data)
    if isinstance(found, Problem):
        outcome.before = outcome.problems = [found]
        return outcome
    before, outcome.before = _read(source, data, found.name)
    latest = before, outcome.before
    changed = True
    while changed:
        changed, outcome.skipped = False, []
        for fix in (one for one in fixes if found.name in one.formats):
            fixed = fix.apply(outcome.fixed)
            if fixed == outcome.fixed:
                continue
            after, problems = _read(source, fixed, found.name)
            if len(problems) > len(latest[1]) or not (latest[1] or same_content(latest[0], after)):
                outcome.skipped.append(fix.name)
                continue
            lines = {*outcome.changes.get(fix.name, ()), *_changed_lines(outcome.fixed, fixed)}
            outcome.changes[fix.name] = sorted(lines)
            outcome.fixed, latest, changed = fixed, (after, problems), True
    outcome.problems = latest[1]
    if outcome.problems:
        outcome.fixed = data
        outcome.changes.clear()
    return outcome


def _changed_lines(before: bytes, after: bytes) -> list[int]:
    """Return the lines that a fix changed, or else the lines that it added, counted from 1."""
    old, new = (io.BytesIO(data).readlines() for data in (before, after))
    if len(old) >= len(new):
        return [at for at, (one, other) in enumerate(zip_longest(old, new), 1) if one != other]
    left = iter([*old, b""])
    following = next(left)
    added = []
    for at, line in enumerate(new, 1):
        if line == following:
            following = next(left)
        else:
            added.append(at)
    return added


def _bytes(source: Source) -> bytes:
    if source.path is None or source.parts:
        raise UsageError(f"{source.shown} cannot be fixed in its place", "name a file")
    try:
        data = source.path.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {source.shown}: {error.strerror or error}") from None
    if data.startswith(_GZIP):
        raise UsageError(f"{source.shown} is compressed", "unpack it, fix it, and pack it again")
    return data


def _read(source: Source, data: bytes, format: str) -> tuple[Corpus | None, list[Problem]]:  # noqa: A002
    wanted = Wanted(frozenset(COLUMNS))
    return read_stream(io.BytesIO(data), source, format, wanted)[1:]


def same_content(one: Corpus | None, other: Corpus | None) -> bool:
    """Whether two corpora have the same documents, words, entities and mentions.

    A mention that an entity has twice counts once, as in every metric. Lines do not count.
    """
    return one is not None and other is not None and _content(one) == _content(other)


def _content(corpus: Corpus) -> list[Any]:
    names = [corpus.entity_names[entity] for entity in corpus.entity.tolist()]
    columns = [corpus.document.tolist(), corpus.start.tolist(), corpus.end.tolist(), names]
    columns += [_plain(column) for _, column in sorted(corpus.attributes.items())]
    text = corpus.text
    return [
        [(one.name, one.id, one.length, one.part) for one in corpus.documents],
        list(corpus.entity_names),
        set(zip(*columns, strict=True)),
        {name: _plain(column) for name, column in corpus.entity_attributes.items()},
        None if text is None else _plain((text.first, text.starts_sentence)),
        {} if text is None else {name: list(column) for name, column in text.columns.items()},
        list(corpus.characters),
        _plain(corpus.bridging),
        _plain(corpus.non_referring),
    ]


def _plain(value: Any) -> Any:
    """Return arrays and tuples of arrays as lists, which can be compared."""
    if value is None:
        return None
    if isinstance(value, np.ndarray):
        return value.tolist()
    return [_plain(one) for one in value] if isinstance(value, tuple) else list(value)
