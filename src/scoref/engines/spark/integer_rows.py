"""The rows of one unit as integers, divided into buckets: what the steps of one unit begin with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from scoref.base.arrays import Ints
from scoref.corpus import fingerprint
from scoref.corpus.corpus import Corpus
from scoref.engines.spark.blocks import Columns, RowBlock, divide_columns, write_totals
from scoref.engines.spark.side_table import PLACE, BlockTable, SideSchema
from scoref.engines.tables.corpus_parts import read_part
from scoref.engines.tables.id_column import IdColumn, second_hash, to_numpy
from scoref.engines.tables.unit_records import RecordIds, record_columns
from scoref.exceptions import FormatError, UsageError
from scoref.formats.table.columns import NOISE
from scoref.formats.table.parquet_files import arrow_module

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

CHECK = " check"
"""What the kind of blocks with two hashes of texts ends in, after the role of the texts."""


class UnitRecords(NamedTuple):
    """Columns of mentions, entities and places; and how many rows are in the entity `-1`.

    `checks` are two hashes of the texts of a role, if its integers are the first of these.
    """

    columns: dict[str, Ints]
    checks: dict[str, Columns]
    unassigned: int


def _both_hashes(texts: Any) -> dict[str, Ints]:
    first = IdColumn(np.arange(len(texts)), texts).hashes()
    return {"first": first.view(np.int64), "second": second_hash(texts).view(np.int64)}


@dataclass(frozen=True, slots=True)
class UnitIds:
    """How mentions and entities become integers.

    If `ids` is None, rows are read as a corpus first: they have documents, or more than mentions
    and entities. On `merged` sides, which have several documents, a mention is its document too:
    see `regroup`.
    """

    ids: RecordIds | None
    merged: tuple[str, ...] = ()

    def member_hashes(self, mention: Ints) -> fingerprint.Hashes:
        """Return the hashes that mentions have in a fingerprint."""
        return mention.view(np.uint64) if self.ids is None else self.ids.hashes(mention)

    def records(self, rows: pa.Table, side: SideSchema) -> UnitRecords:
        """Turn rows into integers."""
        table = BlockTable(side, [])
        zeros = np.zeros(rows.num_rows, dtype=np.int64)
        place = to_numpy(rows.column(PLACE)) if PLACE in rows.column_names else zeros
        if self.ids is None:
            part = read_part(table, rows, place)
            return self._of_corpus(part.corpus, part.unassigned, is_merged=side.name in self.merged)
        found = record_columns(table, rows, place)
        columns = {role: self.ids.integers(role, found) for role in ("mention", "entity")}
        checks: dict[str, Columns] = {
            role: _both_hashes(found[role].as_texts().texts) for role in self.ids.hashed
        }
        return UnitRecords({**columns, "place": place}, checks, found["entity"].count(NOISE))

    def _of_corpus(self, corpus: Corpus, unassigned: int, *, is_merged: bool) -> UnitRecords:
        labels: Sequence[Any] = [corpus.mention(row) for row in range(len(corpus))]
        if is_merged:
            names = [document.id for document in corpus.documents]
            documents = corpus.document.tolist()
            labels = [(names[at], label) for at, label in zip(documents, labels, strict=True)]
        if is_merged or corpus.labels is not None:
            hashes = fingerprint.of_labels(labels)
        else:
            if "zero_deps" in corpus.attributes:
                message = f"{corpus.source} has zeros, which Spark matches only within documents"
                raise UsageError(message, "remove the column `zero_deps`, or score without Spark")
            nodes = corpus.attributes.get("nodes")
            hashes = fingerprint.of_spans(corpus.start, corpus.end, nodes)
        mention = hashes.view(np.int64)
        string = arrow_module().string()
        second = second_hash(arrow_module().array(list(map(repr, labels)), string))
        names = arrow_module().array(list(map(str, corpus.entity_names)), string)
        entities = _both_hashes(names)
        columns = {
            "mention": mention,
            "entity": entities["first"][corpus.entity],
            "place": corpus.line,
        }
        checks = {"mention": {"first": mention, "second": second.view(np.int64)}}
        return UnitRecords(columns, {**checks, "entity": entities}, unassigned)


@dataclass(frozen=True, slots=True)
class DivideRecords:
    """Divides the rows of a side into buckets: by mention, or by entity with their places."""

    ids: UnitIds
    buckets: int
    by_entity: bool

    def __call__(self, chunks: Iterable[pa.Table], side: SideSchema) -> Iterator[RowBlock]:
        """Yield the blocks of rows, and a block with their numbers."""
        mentions = noise = 0
        for chunk in chunks:
            try:
                records = self.ids.records(chunk, side)
            except FormatError as error:
                raise FormatError(side.locate(error.problems), side.source) from None
            columns = dict(records.columns)
            mentions += len(columns["mention"])
            noise += records.unassigned
            by = columns["entity" if self.by_entity else "mention"]
            if not self.by_entity:
                del columns["place"]
            yield from divide_columns(columns, by, side.name, self.buckets)
            for role, check in records.checks.items():
                yield from divide_columns(check, check["first"], f"{role}{CHECK}", self.buckets)
        yield from write_totals(
            {f"{side.name} mentions": mentions, f"{side.name} unassigned": noise}
        )
