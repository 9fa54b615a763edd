"""From a file to its fixed bytes, with the proof that both are read alike."""

from __future__ import annotations

import io
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from scoref.base.phrases import listed
from scoref.corpus.corpus import Corpus
from scoref.corpus.text import COLUMNS
from scoref.exceptions import Problem, UsageError
from scoref.formats.corpus_reader import read_stream
from scoref.formats.detection import detect_format
from scoref.formats.fixes import FIXES, Fix
from scoref.formats.format import Wanted
from scoref.formats.io.sources import Source

_GZIP = b"\x1f\x8b"


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

    After each fix, the file is read again. A fix that changes what is read is not made.
    """
    data = _bytes(source)
    found = detect_format(data, source.shown)
    outcome = FixedFile(source, data, data)
    if isinstance(found, Problem):
        outcome.before = outcome.problems = [found]
        return outcome
    before, outcome.before = _read(source, data, found.name)
    latest = before, outcome.before
    for fix in fixes:
        fixed, lines = fix.apply(outcome.fixed)
        if found.name not in fix.formats or fixed == outcome.fixed:
            continue
        after, problems = _read(source, fixed, found.name)
        if len(problems) > len(latest[1]) or not (latest[1] or same_content(latest[0], after)):
            outcome.skipped.append(fix.name)
            continue
        outcome.fixed, latest = fixed, (after, problems)
        outcome.changes[fix.name] = lines
    outcome.problems = latest[1]
    if outcome.problems:
        outcome.fixed = data
        outcome.changes.clear()
    return outcome


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
