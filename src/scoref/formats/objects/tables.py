"""Tables of pandas, polars, Arrow and Hugging Face datasets: the columns of table files."""

from __future__ import annotations

from typing import Any

import numpy as np

from scoref.corpus.corpus import Corpus
from scoref.exceptions import FormatError, UsageError
from scoref.formats.objects.rows import ENTITY_FIELDS
from scoref.formats.table.layout import TableLayout, find_layout, layout_problem
from scoref.formats.table.parquet import from_columns
from scoref.formats.table.parquet_files import arrow_module


def read_table(source: Any, side: str) -> Corpus | list[dict[str, Any]]:
    """Return the corpus of a table with a row per mention, or the rows if a row is a document."""
    if hasattr(source, "sparkSession"):
        raise UsageError(f"the {side} is a DataFrame of Spark", "use scoref.spark.score")
    if hasattr(source, "collect_schema") and hasattr(source, "collect"):
        source = source.collect()  # a query of polars
    if hasattr(source, "read_all"):
        source = source.read_all()  # a stream of Arrow
    names = [str(name) for name in column_names(source)]
    layout = find_layout(names)
    if isinstance(layout, TableLayout):
        return _read_mentions(source, layout, side)
    if any(name in names for name in ENTITY_FIELDS):
        return _rows(source)
    found, hint = layout
    if index := [str(name) for name in getattr(_index(source), "names", ()) if name is not None]:
        hint = f"the index has {', '.join(index)}: call reset_index(); or {hint}"
    raise FormatError([layout_problem(_shown(source, side), 0, (found, hint))], None)


def column_names(source: Any) -> Any:
    """Return the names of the columns of a table; `columns` of Arrow are not names."""
    names = getattr(source, "column_names", None)
    return source.columns if names is None else names


def _index(source: Any) -> Any:
    """Return the index of a DataFrame of pandas; nothing else has one."""
    return source.index if hasattr(source, "iterrows") else None


def _shown(source: Any, side: str) -> str:
    library = type(source).__module__.partition(".")[0]
    return f"{side} ({library} {type(source).__name__})"


def _read_mentions(source: Any, layout: TableLayout, side: str) -> Corpus:
    arrow, shown = arrow_module(), _shown(source, side)
    columns = [layout.header[layout.at[role]] for role in layout.roles]
    table = as_arrow(source, columns, arrow, shown)
    line = np.arange(1, table.num_rows + 1)
    corpus, problems = from_columns(table, layout, shown, line, None)
    if problems:
        raise FormatError(problems, None)
    return corpus


def as_arrow(source: Any, columns: list[str], arrow: Any, shown: str) -> Any:
    """Return some columns of a table of any library as a table of Arrow."""
    try:
        if hasattr(source, "iterrows"):  # pandas, of any version
            return arrow.Table.from_pandas(source[columns], preserve_index=False)
        if hasattr(source, "with_format"):  # Hugging Face datasets
            source = source.select_columns(columns).with_format("arrow")[:]
        elif hasattr(source, "to_arrow"):  # polars
            source = source.to_arrow()
        return arrow.table(source).select(columns)
    except (arrow.lib.ArrowException, TypeError, ValueError) as error:
        reason = str(error).splitlines()[0][:120]
        raise UsageError(
            f"{shown}: a column has values of different types ({reason})",
            "convert each column to whole numbers or to strings",
        ) from None


def _rows(source: Any) -> list[dict[str, Any]]:
    """Return the rows of a table, one per document."""
    if hasattr(source, "iterrows"):
        rows: list[dict[str, Any]] = source.to_dict("records")
    elif hasattr(source, "with_format"):
        rows = source.with_format(None).to_list()
    elif hasattr(source, "to_dicts"):
        rows = source.to_dicts()
    else:
        rows = arrow_module().table(source).to_pylist()
    return rows
