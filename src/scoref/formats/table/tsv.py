"""TSV tables: CSV with tabs."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from scoref.formats.table import delimited


def _recognise(head: bytes) -> bool:
    return delimited.recognised_delimiter(head) == "\t"


FORMAT = replace(
    delimited.FORMAT,
    name="tsv",
    title="a table with tabs",
    recognise=_recognise,
    write=partial(delimited.write, delimiter="\t"),
    suffix=".tsv",
)
