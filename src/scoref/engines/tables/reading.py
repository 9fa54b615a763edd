"""The rows of tables without documents as numbers: a mention, an entity, a line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from scoref.base.arrays import Ints
from scoref.base.progress import progress
from scoref.corpus import fingerprint
from scoref.corpus.fingerprint import Hashes
from scoref.engines.tables.collisions import Collisions
from scoref.engines.tables.parquet import ParquetSide, Sides
from scoref.engines.tables.values import Values, as_numbers
from scoref.exceptions import FormatError, UsageError
from scoref.formats.table.columns import NO_ENTITY, NOISE
from scoref.formats.table.parquet import from_arrow

_LONGEST, _FARTHEST = 1 << 20, 1 << 42


class Records(NamedTuple):
    """Some rows; `counts` is 1, or 0 for a row that the policy leaves out."""

    mention: Ints
    entity: Ints
    line: Ints
    counts: Ints


class Reader:
    """Reads both sides so that equal ids are equal numbers.

    Ids are what they are where both sides have whole numbers, and hashes where one has texts.
    """

    def __init__(self, sides: Sides, parts: int) -> None:
        self.has_spans = sides.key.has_spans
        self._parts = parts
        self._hashed = {
            role: any(side.is_text(role) for side in sides)
            for role in sides.key.layout.roles
            if role in ("mention", "entity")
        }

    def records(self, side: ParquetSide, dropped: Ints) -> Iterator[tuple[Records, int]]:
        """Yield all rows, of which those in dropped lines do not count; and how many are noise."""
        collisions = {role: Collisions(self._parts) for role, yes in self._hashed.items() if yes}
        at = 0
        with progress(f"reading {side.path}", side.rows) as advance:
            for batch in side.batches(side.layout.roles):
                line = np.arange(at + 1, at + 1 + batch.num_rows)
                columns = _columns(side, batch, line)
                for role, one in collisions.items():
                    if columns[role].texts is not None:
                        one.add(columns[role].texts)
                mention, entity = (self._numbers(role, columns) for role in ("mention", "entity"))
                counts = (~np.isin(line, dropped)).astype(np.int64)
                yield Records(mention, entity, line, counts), columns["entity"].count(NOISE)
                at += batch.num_rows
                advance(batch.num_rows)
        for role, one in collisions.items():
            one.check(role)

    def _numbers(self, role: str, columns: dict[str, Values]) -> Ints:
        if self._hashed.get(role):
            return columns[role].hashes().view(np.int64)
        return columns[role].numbers

    def hashes(self, mention: Ints) -> Hashes:
        """Return the hashes that mentions have in a fingerprint."""
        if self.has_spans:
            start = mention // _LONGEST
            return fingerprint.of_spans(start, start + mention % _LONGEST)
        if self._hashed["mention"]:
            return mention.view(np.uint64)
        return fingerprint.of_numbers(mention)


def _columns(side: ParquetSide, batch: Any, line: Ints) -> dict[str, Values]:
    """Return the mentions and entities of some rows, or say what is wrong with them."""
    columns: dict[str, Values] = {}
    for role in side.layout.roles:
        column = batch.column(side.column(role))
        if column.null_count:
            raise _wrong(side, batch, line)
        is_place = role in ("start", "end", "stop")
        columns[role] = Values(as_numbers(column)) if is_place else Values.of(column)
        if not is_place and columns[role].has_any(NO_ENTITY if role == "entity" else [""]):
            raise _wrong(side, batch, line)
    if side.has_spans:
        start = columns["start"].numbers
        end = columns["end"].numbers if "end" in columns else columns["stop"].numbers - 1
        length = end - start
        if (start < 0).any() or (length < 0).any():
            raise _wrong(side, batch, line)
        if int(length.max(initial=0)) >= _LONGEST or int(start.max(initial=0)) >= _FARTHEST:
            raise UsageError(
                f"{side.path} has spans that are too long, or too far from the start, to be read"
                " piece by piece",
                "raise --memory, so that the tables are scored at once",
            )
        columns["mention"] = Values(start * _LONGEST + length)
    return columns


def _wrong(side: ParquetSide, batch: Any, line: Ints) -> FormatError:
    """Return what the reader of the format says of some rows."""
    rows = side.arrow.Table.from_batches([batch])
    problems = from_arrow(rows, side.layout, side.path, line)[1]
    return FormatError(side.locate(problems), side.path)
