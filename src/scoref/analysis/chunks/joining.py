"""Which entities of chunks are joined: those that share mentions, names or ids."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from scoref.analysis.chunks.placement import TextPlaces
from scoref.base.arrays import Ints, first_of_run, pack
from scoref.exceptions import UsageError
from scoref.linguistics.types import PRONOUNS
from scoref.metrics.assignment.solver import best_alignment

Overlap = Literal["union", "best"]
Names = str | PathLike[str] | Iterable[Iterable[str]]


class ChunkRows(NamedTuple):
    """The mentions of all chunks: text, span, chunk and entity, numbered over all chunks."""

    text: Ints
    start: Ints
    end: Ints
    chunk: Ints
    entity: Ints
    nodes: Ints
    """Equal numbers for equal tokens of discontinuous mentions and zeros; 0 for all others."""

    @property
    def codes(self) -> Ints:
        """Equal numbers for equal mentions."""
        return pack(self.text, self.start, self.end, self.nodes)


def links_of_overlaps(rows: ChunkRows, overlap: Overlap) -> tuple[list[tuple[int, int]], int]:
    """Return links between entities that share a mention, and the number of such mentions."""
    codes = rows.codes
    order = np.lexsort((rows.entity, rows.chunk, codes))
    same = (codes[order][1:] == codes[order][:-1]) & (
        rows.chunk[order][1:] != rows.chunk[order][:-1]
    )
    at = np.flatnonzero(same)
    shared = len(np.unique(codes[order][at]))
    one, other = rows.entity[order][at], rows.entity[order][at + 1]
    if overlap == "best" and len(at):
        chunks = rows.chunk[order][at], rows.chunk[order][at + 1]
        _, first, count = np.unique(pack(one, other), return_index=True, return_counts=True)
        one, other = one[first], other[first]
        # An entity can have one partner in each other chunk.
        row = np.unique(pack(one, chunks[1][first]), return_inverse=True)[1].astype(np.int64)
        column = np.unique(pack(other, chunks[0][first]), return_inverse=True)[1].astype(np.int64)
        chosen = best_alignment(row, column, count.astype(np.float64))
        one, other = one[chosen], other[chosen]
    return list(zip(one.tolist(), other.tolist(), strict=True)), shared


def first_chunk_of_each(rows: ChunkRows, group: Ints) -> tuple[Ints, int]:
    """Return the rows to keep, each mention once per entity, and how many mentions conflict.

    A mention that several chunks have is in the entities of the first of them.
    """
    codes = rows.codes
    order = np.lexsort((rows.entity, rows.chunk, codes))
    starts = first_of_run(codes[order])
    chunk = rows.chunk[order]
    of_first = chunk == chunk[np.flatnonzero(starts)][np.cumsum(starts) - 1]
    joined = group[rows.entity[order]]
    first_group = joined[np.flatnonzero(starts)][np.cumsum(starts) - 1]
    moved = len(np.unique(codes[order][~of_first & (joined != first_group)]))
    kept = order[of_first]
    again = np.unique(pack(codes[kept], group[rows.entity[kept]]), return_index=True)[1]
    return np.sort(kept[again]), moved


def links_of_names(
    rows: ChunkRows, places: TextPlaces, names: Mapping[str, str] | None
) -> list[tuple[int, int]]:
    """Link the entities of each text that have a mention with the same name."""
    text = places.texts.text
    links, seen = [], dict[tuple[int, str], int]()
    for at, start, end, entity in zip(
        *(column.tolist() for column in (rows.text, rows.start, rows.end, rows.entity)),
        strict=True,
    ):
        name = " ".join(places.words[at][start : end + 1])
        if names is not None:
            name = names.get(name, "")
        elif (
            not name[:1].isupper()
            or name.lower() in PRONOUNS
            or (start == end and text and text.starts_sentence[int(text.first[at]) + start])
        ):
            continue
        if name:
            links.append((seen.setdefault((at, name), entity), entity))
    return links


def links_of_ids(rows: ChunkRows, entity_names: Sequence[str]) -> list[tuple[int, int]]:
    """Link the entities of each text that have the same name in their files."""
    seen = dict[tuple[int, str], int]()
    pairs = np.unique(np.stack([rows.text, rows.entity], axis=1), axis=0).tolist()
    return [
        (seen.setdefault((text, entity_names[entity]), entity), entity) for text, entity in pairs
    ]


def read_names(names: Names) -> dict[str, str]:
    """Return the first name of the entity of each name."""
    rows: Iterable[Iterable[str]]
    if isinstance(names, str | PathLike):
        try:
            with Path(names).open(encoding="utf-8-sig", newline="") as file:
                rows = list(csv.reader(file, skipinitialspace=True))
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            raise UsageError(
                f"cannot read the table of names {names}: {error}",
                "write the names of an entity in one line, separated by commas, in UTF-8",
            ) from None
    else:
        rows = names
    found: dict[str, str] = {}
    for row in rows:
        cells = [" ".join(cell.split()) for cell in row]
        first = next((cell for cell in cells if cell), "")
        for cell in filter(None, cells):
            if found.setdefault(cell, first) != first:
                raise UsageError(
                    f"the table of names has {cell!r} for {found[cell]!r} and for {first!r}",
                    "a name can join one entity: remove it from one of the lines",
                )
    if not found:
        raise UsageError("the table of names has no names", "write a line per entity")
    return found
