"""CSV and TSV tables on Spark: executors read them with the reader of the local engine.

Spark only finds the files and passes on their lines. A quoted cell can hold a line end, so no place
inside a file is known to be the start of a row: one task reads one file. It takes the memory that
reading the file takes anywhere. What the reader finds wrong comes back as a report, so that the
messages are those of a local run, and the first bad file is the same.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import astuple, dataclass, replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from scoref.corpus.corpus import Corpus
from scoref.engines.spark import functions as f
from scoref.engines.spark.collected import persist
from scoref.engines.spark.paths import path_of, shown_file, whole_path
from scoref.engines.spark.session import send_package
from scoref.engines.spark.side_frames import ALWAYS, SideFrame
from scoref.engines.spark.side_schema import FILE_BITS, PLACE, SideSchema
from scoref.exceptions import FormatError, Problem, ScorefError
from scoref.formats.corpus_reader import name_after_file, read_stream, repeated_document
from scoref.formats.format import Wanted
from scoref.formats.io.sources import Source
from scoref.formats.table.layout import NAMES, NUMBERS
from scoref.formats.table.table_writer import rows_to_write, unchecked_columns

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]
    from pyspark.sql import DataFrame, SparkSession

CONVERT = "convert the table first: `scoref convert --encoding NAME IN.csv OUT.parquet`"
_REPORT = "scoref_report"
_WHOLE = str(1 << 50)
_ROWS_PER_BATCH = 50_000
_TYPES = {
    **{role: "long" if role in NUMBERS else "string" for role in NAMES if role != "stop"},
    PLACE: "long",
    _REPORT: "string",
}
_SCHEMA = ", ".join(f"`{name}` {kind}" for name, kind in _TYPES.items())


class _File(NamedTuple):
    """A file of a table: its number, its name in messages, and its name within a directory."""

    number: int
    shown: str
    stem: str


def read_delimited(
    spark: SparkSession,
    name: str,
    path: str,
    format: str | None,  # noqa: A002
    cached: ExitStack,
    *,
    all_columns: bool,
) -> SideFrame:
    """Read a CSV or TSV file, or a directory of such files, and refuse what the reader refuses.

    The format of each file is detected from its content, unless `format` names it. The rows are
    cached until `cached` is closed, so each file is read once.
    """
    lines = _unsplit(spark).read.text(path, lineSep="\n", recursiveFileLookup=True)
    files = _list_files(lines.inputFiles(), path)
    lines = lines.select(
        f.col("_metadata.file_path"),
        (f.col("_metadata.file_block_start") == 0).alias("is_whole"),
        f.col("_metadata.file_size"),
        f.col("value"),
    )
    rows = persist(lines.mapInArrow(_ReadTask(files, format), _SCHEMA), cached)
    reports = _collect_reports(rows, files, format)
    for report in reports:
        if problems := [_with_hint(Problem(*fields)) for fields in report["problems"]]:
            raise FormatError(problems, path)
    frame = rows.where(f.col(_REPORT).isNull())
    if len(files) > 1:
        _refuse_repeated_documents(frame, files, path)
    used = {role for report in reports for role in report["roles"]}
    roles = tuple(one for one in NAMES if one in used and (all_columns or one in ALWAYS))
    notes = tuple(note for report in reports for note in report["notes"])
    shown = tuple(file.shown for file in files.values())
    before = (0,) * len(shown)
    schema = SideSchema(name, path, roles, has_places=True, files=shown, before=before)
    rows_read = sum(report["rows"] for report in reports)
    return SideFrame(frame.select(*roles, PLACE), schema, notes, is_read=True, rows=rows_read)


def _with_hint(problem: Problem) -> Problem:
    """Give a file in another encoding a hint that helps here."""
    return replace(problem, hint=CONVERT) if "--encoding" in problem.hint else problem


def _unsplit(spark: SparkSession) -> SparkSession:
    """Return a session of the same Spark that reads each file in a task of its own."""
    session = spark.newSession()
    for setting in ("maxPartitionBytes", "openCostInBytes"):
        session.conf.set(f"spark.sql.files.{setting}", _WHOLE)
    send_package(session)
    return session


def _list_files(uris: list[str], path: str) -> dict[str, _File]:
    """Number the files of a path in the order of a local run, and name them as it does."""
    whole = whole_path(path)
    found = sorted((PurePosixPath(path_of(uri)) for uri in uris), key=lambda one: one.parts)
    if found == [whole]:
        return {str(whole): _File(0, path, "")}
    shown = (shown_file(one, path) for one in found)
    stems = (_stem(one.relative_to(whole)) for one in found)
    numbered = map(_File, range(len(found)), shown, stems)
    return dict(zip(map(str, found), numbered, strict=True))


def _stem(file: PurePosixPath) -> str:
    """Return the name of an unnamed document of a file, as for a directory of any files."""
    return str(file.with_name(file.name.split(".")[0] or file.name))


@dataclass(frozen=True, slots=True)
class _ReadTask:
    """Reads whole files: what `mapInArrow` calls on executors."""

    files: Mapping[str, _File]
    format: str | None

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Read the files of a partition, whose lines come one after the other."""
        lines: list[bytes] = []
        last, size = "", 0
        for batch in batches:
            for path, part in _by_file(batch):
                if path != last and last:
                    yield from self._read(last, lines, size)
                    lines = []
                last, size = path, batch.column("file_size")[0].as_py()
                lines.append(part)
        if last:
            yield from self._read(last, lines, size)

    def _read(self, uri: str, lines: list[bytes], size: int) -> Iterator[pa.RecordBatch]:
        file = self.files[path_of(uri)]
        data = b"\n".join(lines)
        data += b"\n" if len(data) < size else b""  # at the end of the last line
        corpus, report = _read_file(data, file, self.format)
        if corpus is None:
            yield _to_batch({_REPORT: [json.dumps(report)]})
            return
        columns = unchecked_columns(corpus)
        row, document = rows_to_write(corpus)
        report["roles"], report["rows"] = list(columns), len(row)
        yield _to_batch({_REPORT: [json.dumps(report)]})
        begins = np.array([one.line for one in corpus.documents], dtype=np.int64)
        line = np.where(row >= 0, np.append(corpus.line, 0)[row], begins[document])
        columns[PLACE] = ((file.number << FILE_BITS) + line).tolist()
        for at in range(0, len(row), _ROWS_PER_BATCH):
            yield _to_batch(
                {name: cells[at : at + _ROWS_PER_BATCH] for name, cells in columns.items()}
            )


def _by_file(batch: pa.RecordBatch) -> Iterator[tuple[str, bytes]]:
    """Yield the lines of each file of a batch; the bytes need not be valid UTF-8."""
    import pyarrow as pa  # noqa: PLC0415  # executors have it

    path, is_whole, _, value = batch.columns
    if not all(is_whole.to_pylist()):
        raise ScorefError("Spark has divided a file, although each must be read as a whole")
    paths = path.dictionary_encode()
    for number, one in enumerate(paths.dictionary.to_pylist()):
        rows = value.filter(pa.compute.equal(paths.indices, number))
        yield one, b"\n".join(rows.cast(pa.binary()).to_pylist())


def _to_batch(columns: Mapping[str, list[Any]]) -> pa.RecordBatch:
    """Make a batch with all columns of the schema."""
    import pyarrow as pa  # noqa: PLC0415

    size = len(next(iter(columns.values())))
    types = {"long": pa.int64(), "string": pa.string()}
    return pa.record_batch(
        {
            name: pa.array(columns.get(name, [None] * size), types[kind])
            for name, kind in _TYPES.items()
        }
    )


def _read_file(
    data: bytes,
    file: _File,
    format: str | None,  # noqa: A002
) -> tuple[Corpus | None, dict[str, Any]]:
    """Read a file as a local run does, and report its problems and notes."""
    report: dict[str, Any] = {"file": file.number, "rows": 0}
    report |= {"problems": [], "notes": [], "roles": []}
    outcome = read_stream(io.BytesIO(data), Source(None, file.shown), format, Wanted())
    corpus, problems = outcome.corpus, outcome.problems
    if corpus is None or problems:
        report["problems"] = [astuple(one) for one in problems]
        return None, report
    report["notes"] = list(corpus.notes)
    return name_after_file(corpus, file.stem) if file.stem else corpus, report


def _collect_reports(
    rows: DataFrame,
    files: Mapping[str, _File],
    format: str | None,  # noqa: A002
) -> list[dict[str, Any]]:
    """Return the reports of all files in their order; Spark passes on no lines of an empty file."""
    found = rows.where(f.col(_REPORT).isNotNull()).select(_REPORT).toArrow()
    reports = {one["file"]: one for one in map(json.loads, found.column(0).to_pylist())}
    for file in files.values():
        if file.number not in reports:
            reports[file.number] = _read_file(b"", file, format)[1]
    return [reports[number] for number in sorted(reports)]


def _refuse_repeated_documents(frame: DataFrame, files: Mapping[str, _File], path: str) -> None:
    """Refuse documents that are in several files, as a local run does."""
    file = f.shiftright(PLACE, FILE_BITS).alias("file")
    begins = frame.groupBy("document", file).agg(f.min(PLACE).alias("place"))
    several = begins.groupBy("document").count().where("count > 1").select("document")
    found = begins.join(several, "document", "left_semi").orderBy("place").collect()
    shown = [file.shown for file in files.values()]
    first: dict[str, Any] = {}
    problems = []
    for row in found:
        before = first.setdefault(row["document"], row)
        if before is not row:
            where, again = (
                (shown[one["file"]], one["place"] % (1 << FILE_BITS)) for one in (before, row)
            )
            problems.append(repeated_document(row["document"], where, again))
    if problems:
        raise FormatError(problems, path)
