"""Records: rows of tables without documents, as integers, and the join of both sides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from scoref.base.arrays import Ints, first_of_run
from scoref.base.progress import progress
from scoref.corpus import fingerprint
from scoref.corpus.fingerprint import Hashes
from scoref.engines.tables.id_column import IdColumn, refuse_collisions, second_hash
from scoref.engines.tables.row_table import RowTable, TablePair
from scoref.engines.tables.temporary_files import SpilledColumns
from scoref.exceptions import FormatError, UsageError
from scoref.formats.table.columns import NOISE
from scoref.formats.table.parquet import from_arrow

_LONGEST, _FARTHEST = 1 << 20, 1 << 42


class Records(NamedTuple):
    """Some rows; `scored` is 1, or 0 for a row that the policy leaves out."""

    mention: Ints
    entity: Ints
    line: Ints
    scored: Ints

    @classmethod
    def concatenate(cls, parts: Iterable[Records]) -> Records:
        """Put rows together."""
        nothing = [np.zeros(0, dtype=np.int64)] * len(cls._fields)
        return cls(*map(np.concatenate, zip(nothing, *parts, strict=True)))

    def repeated(self) -> Records:
        """Return the rows of repeated mentions; all rows of a mention must be here."""
        scored = np.flatnonzero(self.scored)
        order = scored[np.argsort(self.mention[scored])]
        in_order = self.mention[order]
        same = in_order[1:] == in_order[:-1]
        is_repeated = np.append(same, [False]) | np.append([False], same)
        rows = order[is_repeated] if same.any() else order[:0]
        return Records(*(column[rows] for column in self))

    def without_singletons(self) -> tuple[Records, int]:
        """Leave out mentions that are alone in their entity, whose rows must all be here."""
        _, entity = np.unique(self.entity, return_inverse=True)
        size = np.bincount(entity, weights=self.scored)[entity]
        alone = (size == 1) & (self.scored == 1)
        return self._replace(scored=self.scored * ~alone), int(np.count_nonzero(alone))


def find_repeated(mention: Ints, appears: Ints, line: Ints) -> Ints:
    """Return the rows that are dropped: of equal mentions, one is kept.

    It is that of the entity that appears first, and in an entity the first row. `appears` is the
    line where the entity of each row appears.
    """
    order = np.lexsort((line, appears, mention))
    return order[~first_of_run(mention[order])]


class RecordIds(NamedTuple):
    """How mentions and entities become integers: equal ids are equal integers on both sides.

    If both tables have integers, ids stay as they are, and a span is packed into one integer. If a
    table has texts in one of the `hashed` roles, ids are hashes.
    """

    has_spans: bool
    hashed: tuple[str, ...]

    @classmethod
    def of(cls, tables: TablePair[Any]) -> RecordIds:
        """Decide by the types of both tables."""
        roles = [role for role in ("mention", "entity") if role in tables.key.layout.roles]
        hashed = [role for role in roles if any(table.is_text(role) for table in tables)]
        return cls(tables.key.layout.has_spans, tuple(hashed))

    def integers(self, role: str, columns: dict[str, IdColumn]) -> Ints:
        """Return the ids of a role as integers."""
        if role in self.hashed:
            return columns[role].hashes().view(np.int64)
        return columns[role].numbers

    def hashes(self, mention: Ints) -> Hashes:
        """Return the hashes that mentions have in a fingerprint."""
        if self.has_spans:
            start = mention // _LONGEST
            return fingerprint.of_spans(start, start + mention % _LONGEST)
        if "mention" in self.hashed:
            return mention.view(np.uint64)
        return fingerprint.of_numbers(mention)


class CollisionCheck:
    """Collects both hashes of the texts of a column in temporary files, and compares them."""

    def __init__(self, parts: int) -> None:
        self._parts, self._hashes = parts, SpilledColumns(parts, 2)

    def add(self, texts: Any) -> None:
        """Add some texts."""
        first = IdColumn(np.arange(len(texts)), texts).hashes().view(np.int64)
        second = second_hash(texts).view(np.int64)
        self._hashes.add((first, second), first)

    def finish(self, role: str) -> None:
        """Refuse to go on if two texts have the same hash."""
        for part in range(self._parts):
            refuse_collisions(role, *self._hashes.read(part))


class RecordReader:
    """Reads tables as integers, and checks that no two texts have the same hash."""

    def __init__(self, ids: RecordIds, parts: int) -> None:
        self._ids, self._parts = ids, parts

    def read(self, table: RowTable, dropped: Ints) -> Iterator[tuple[Records, int]]:
        """Yield all rows, and how many are in the entity `-1`; `dropped` lines are not scored."""
        checks = {role: CollisionCheck(self._parts) for role in self._ids.hashed}
        at = 0
        with progress(f"reading {table.path}", table.rows) as advance:
            for batch in table.batches(table.layout.roles):
                line = table.lines(at, at + batch.num_rows)
                columns = record_columns(table, batch, line)
                for role, check in checks.items():
                    if columns[role].texts is not None:
                        check.add(columns[role].texts)
                mention, entity = (
                    self._ids.integers(role, columns) for role in ("mention", "entity")
                )
                scored = (~np.isin(line, dropped)).astype(np.int64)
                yield Records(mention, entity, line, scored), columns["entity"].count(NOISE)
                at += batch.num_rows
                advance(batch.num_rows)
        for role, check in checks.items():
            check.finish(role)


def record_columns(table: RowTable, batch: Any, line: Ints) -> dict[str, IdColumn]:
    """Return the mentions and entities of some rows; a span is packed into one integer."""
    columns = table.id_columns(batch)
    if columns is None:
        rows = table.arrow.Table.from_batches([batch])
        problems = from_arrow(rows, table, line)[1]
        raise FormatError(table.locate(problems), table.path)
    if table.layout.has_spans:
        start = columns["start"].numbers
        length = columns["end"].numbers - start
        if int(length.max(initial=0)) >= _LONGEST or int(start.max(initial=0)) >= _FARTHEST:
            raise UsageError(
                f"{table.path} has spans that are too long, or too far from the start, for a table"
                " larger than memory",
                "raise --memory, so that the tables are scored at once",
            )
        columns["mention"] = IdColumn(start * _LONGEST + length)
    return columns


class Joined(NamedTuple):
    """What the join of both sides gives, in columns.

    `pairs` have the key entity and the response entity of each mention that both sides have, and
    the hash that the mention adds to its key entity. `key_alone` has the key entity and the hash
    of mentions without a partner, and whether they are scored; `res_alone` their response entity,
    and whether they are scored.
    """

    pairs: tuple[Ints, ...]
    key_alone: tuple[Ints, ...]
    res_alone: tuple[Ints, ...]


def join_records(key: Records, response: Records, members: Ints) -> Joined | None:
    """Join all rows of some mentions; `members` are the hashes of the key's.

    None if a side repeats a mention that is scored.
    """
    of_key, of_response = np.flatnonzero(key.scored), np.flatnonzero(response.scored)
    if (found := _match(key.mention[of_key], response.mention[of_response])) is None:
        return None
    at, other = of_key[found[0]], of_response[found[1]]
    rest = [np.delete(column, at) for column in (key.entity, members, key.scored)]
    more = [np.delete(column, other) for column in (response.entity, response.scored)]
    pairs = (key.entity[at], response.entity[other], members[at])
    return Joined(pairs, tuple(rest), tuple(more))


def _match(key: Ints, response: Ints) -> tuple[Ints, Ints] | None:
    """Return where two columns have the same values; None if one has a value twice."""
    both = np.concatenate([key, response])
    order = np.argsort(both)
    in_order = both[order]
    same = np.flatnonzero(in_order[1:] == in_order[:-1])
    one, other = order[same], order[same + 1]
    at, of_response = np.minimum(one, other), np.maximum(one, other) - len(key)
    if (at >= len(key)).any() or (of_response < 0).any() or (np.diff(same) == 1).any():
        return None
    return at, of_response


class JoinedRecords:
    """The join of both sides, divided by entity in temporary files."""

    def __init__(self, parts: int) -> None:
        self.parts = parts
        self.pairs = SpilledColumns(parts, 3)
        self.key_alone = SpilledColumns(parts, 3)
        self.res_alone = SpilledColumns(parts, 2)

    def add(self, joined: Joined) -> None:
        """Add the join of some mentions."""
        for columns, more in zip((self.pairs, self.key_alone, self.res_alone), joined, strict=True):
            columns.add(more, more[0])

    def close(self) -> None:
        """Discard what was not read."""
        for columns in (self.pairs, self.key_alone, self.res_alone):
            columns.close()
