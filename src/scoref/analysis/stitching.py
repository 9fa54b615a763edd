"""stitch(): the predictions of chunks of long texts, as one document per text.

Every mention of a chunk is kept. Entities of different chunks are joined in three ways:

    overlap   a mention that several chunks have: their entities are joined. With `union`, all of
              them; with `best`, those of the best one-to-one assignment of the entities of two
              chunks, by the number of mentions that they share. A mention whose entities are not
              joined stays in the entity of the first chunk.
    names     mentions with equal strings of proper names. Such a string starts with a capital; it
              is neither a pronoun nor a single word at the start of a sentence. Or the strings of a
              table of names, of which each line has the names of an entity.
    ids       entities with the same name, for chunks of one annotation or of a system that links
              entities across chunks
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from scoref.analysis.chunk_placement import Place, TextPlaces
from scoref.base.arrays import Ints, first_of_run, number_by_appearance, pack
from scoref.base.phrases import counted, listed
from scoref.base.progress import progress
from scoref.base.union_find import groups
from scoref.corpus.corpus import Corpus
from scoref.exceptions import MentionError, UsageError
from scoref.linguistics.types import PRONOUNS
from scoref.matching.inputs import Input, ReadOptions, as_corpus
from scoref.metrics.assignment.solver import best_alignment

Overlap = Literal["union", "best"]
Join = Literal["none", "names", "ids"]
Names = str | PathLike[str] | Iterable[Iterable[str]]
OVERLAPS, JOINS = ("union", "best"), ("none", "names", "ids")


def stitch(
    words: Input,
    chunks: Input | Sequence[Input],
    *,
    overlap: Overlap = "union",
    join: Join = "none",
    names: Names | None = None,
    format: str | None = None,  # noqa: A002  # what the command line calls it
    encoding: str | None = None,
    repair: str = "none",
) -> Corpus:
    """Return the predictions of chunks as one document per text; its notes say what was joined.

    * `words`: The words of the whole texts: a file in any format, such as the key, or a corpus.
    * `chunks`: The predictions: a file or a corpus, or a list of them. Each document is a chunk.
      A name such as `emma_split1500_S17` says that the chunk starts with sentence 17 of `emma`,
      counted from 0. Other chunks are searched for by their words.
    * `overlap`: How entities that share mentions are joined: all of them (`union`), or one-to-one
      (`best`).
    * `join`: What else joins entities: nothing, equal proper `names`, or equal `ids`.
    * `names`: The names of each entity, or a table with a line of names per entity, separated by
      commas. Only these names then join entities.
    * `format`: The format of the chunks, by default detected.
    * `encoding`: The text encoding of all files, by default UTF-8.
    * `repair`: What to do with broken brackets, as in `Policy`.
    """
    for what, value, known in (("overlap", overlap, OVERLAPS), ("join", join, JOINS)):
        if value not in known:
            raise UsageError(f"{what} is {value!r}, but must be one of: {', '.join(known)}")
    if names is not None and join == "ids":
        raise UsageError("a table of names cannot be combined with ids", "leave out one of the two")
    table = None if names is None else _names(names)
    whole = as_corpus(words, "key", ReadOptions(None, encoding, repair=repair), {"word"})
    options = ReadOptions(format, encoding, repair=repair)
    several = isinstance(chunks, list | tuple) and not _is_rows(chunks)
    sources: Sequence[Input] = chunks if several else [chunks]  # type: ignore[assignment]
    if not sources:
        raise UsageError("no chunks to stitch", "pass a file or a corpus, or a list of them")
    stitcher = _Stitcher(TextPlaces(whole))
    with progress("placing chunks", len(sources)) as advance:
        for source in sources:
            stitcher.add(as_corpus(source, "response", options, {"word"}))
            advance(1)
    return stitcher.corpus(overlap, "names" if table is not None else join, table)


def _is_rows(chunks: Sequence[object]) -> bool:
    """Whether a list has the rows of one input, such as documents with `doc_key`."""
    return bool(chunks) and all(isinstance(row, Mapping) and "clusters" in row for row in chunks)


def _names(names: Names) -> dict[str, str]:
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


class _Rows(NamedTuple):
    """The mentions of all chunks: text, span, chunk and entity, numbered over all chunks."""

    text: Ints
    start: Ints
    end: Ints
    chunk: Ints
    entity: Ints


@dataclass(slots=True)
class _Stitcher:
    """Collects chunks, then joins their entities."""

    places: TextPlaces
    placed: list[Place] = field(default_factory=list)
    parts: list[_Rows] = field(default_factory=list)
    entity_names: list[str] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, corpus: Corpus) -> None:
        """Place the chunks of a corpus."""
        spans = corpus.as_spans()
        if spans is None or spans.unit != "token":
            raise MentionError(
                f"mentions of {corpus.source} are {'labels' if spans is None else 'characters'},"
                " expected positions in tokens",
                "write the chunks in a format with tokens, such as JSON lines with `sentences`",
            )
        text = corpus.text if corpus.text is not None and "word" in corpus.text else None
        places = []
        for at, document in enumerate(corpus.documents):
            words: Sequence[str] = ()
            if text is not None:
                words = text.columns["word"][int(text.first[at]) : int(text.first[at + 1])]
            places.append(self.places.find(document.name, words))
        of_text, first = (
            np.array([getattr(one, name) for one in places], dtype=np.int64)[spans.document]
            for name in ("text", "first")
        )
        rows = _Rows(
            of_text,
            spans.start + first,
            spans.end + first,
            spans.document + len(self.placed),
            spans.entity + len(self.entity_names),
        )
        lengths = np.array([len(words) for words in self.places.words], dtype=np.int64)
        if np.any(beyond := rows.end >= lengths[of_text]):
            row = int(np.argmax(beyond))
            name = corpus.documents[spans.document[row]].name
            raise MentionError(
                f"mention {spans.mention(row)} of chunk {name}"
                f" ends after the text, which has {lengths[of_text[row]]:,} tokens",
                "check that positions count from the first token of the chunk",
            )
        self.placed += places
        self.parts.append(rows)
        self.entity_names += map(str, corpus.entity_names)
        self.sources.append(corpus.source)
        self.notes += corpus.notes

    def corpus(self, overlap: Overlap, join: Join, names: Mapping[str, str] | None) -> Corpus:
        """Join the entities of all chunks."""
        rows = _Rows(*(np.concatenate(column) for column in zip(*self.parts, strict=True)))
        links, shared = _links_of_overlaps(rows, overlap)
        of_overlaps = len(self.entity_names) - len(groups(len(self.entity_names), links))
        more = self._links_of_names(rows, names) if join == "names" else []
        more += self._links_of_ids(rows) if join == "ids" else []
        joined = groups(len(self.entity_names), [*links, *more])
        group = np.zeros(len(self.entity_names), dtype=np.int64)
        for at, members in enumerate(joined):
            group[members] = at
        kept, moved = _first_chunk_of_each(rows, group)
        by_join = len(self.entity_names) - len(joined) - of_overlaps
        self._note(rows, group, (shared, of_overlaps, overlap), (join, by_join), moved)
        kept = kept[np.lexsort((rows.end[kept], rows.start[kept], rows.text[kept]))]
        number, first = number_by_appearance(group[rows.entity[kept]])
        names_of = [str(at) for at in range(len(first))]
        if join == "ids":
            names_of = [self.entity_names[at] for at in rows.entity[kept][first].tolist()]
        whole = self.places.texts
        return Corpus(
            documents=whole.documents,
            document=rows.text[kept],
            start=rows.start[kept],
            end=rows.end[kept],
            entity=number,
            entity_names=tuple(names_of),
            line=np.zeros(len(kept), dtype=np.int64),
            text=whole.text,
            source=f"{counted(len(self.placed), 'chunk')} of {listed(self.sources)}",
            notes=tuple(dict.fromkeys(self.notes)),
        )

    def _links_of_names(
        self, rows: _Rows, names: Mapping[str, str] | None
    ) -> list[tuple[int, int]]:
        """Link the entities of each text that have a mention with the same name."""
        text = self.places.texts.text
        links, seen = [], dict[tuple[int, str], int]()
        for at, start, end, entity in zip(
            *(column.tolist() for column in (rows.text, rows.start, rows.end, rows.entity)),
            strict=True,
        ):
            name = " ".join(self.places.words[at][start : end + 1])
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

    def _links_of_ids(self, rows: _Rows) -> list[tuple[int, int]]:
        """Link the entities of each text that have the same name in their files."""
        seen = dict[tuple[int, str], int]()
        pairs = np.unique(np.stack([rows.text, rows.entity], axis=1), axis=0).tolist()
        return [
            (seen.setdefault((text, self.entity_names[entity]), entity), entity)
            for text, entity in pairs
        ]

    def _note(
        self,
        rows: _Rows,
        group: Ints,
        overlaps: tuple[int, int, str],
        join: tuple[str, int],
        moved: int,
    ) -> None:
        """Note what was placed and joined, what was not, and what conflicts."""
        whole, notes = self.places.texts, self.notes
        used = sorted({one.text for one in self.placed})
        by_name = sum(one.by_name for one in self.placed)
        notes.append(
            f"placed {counted(len(self.placed), 'chunk')} in {counted(len(used), 'text')}:"
            f" {by_name:,} by the sentence in their names, {len(self.placed) - by_name:,} by words"
        )
        for at, document in enumerate(whole.documents):
            if at not in used:
                notes.append(f"no chunk is from {document.name}")
            elif gap := _gap(len(self.places.words[at]), [p for p in self.placed if p.text == at]):
                notes.append(f"tokens {gap[0]:,} to {gap[1]:,} of {document.name} are in no chunk")
        shared, fewer, how = overlaps
        notes.append(
            f"{counted(shared, 'mention')} in several chunks joined"
            f" {counted(fewer, 'pair')} of entities ({how})"
            if shared
            else "no mention is in several chunks: overlaps joined no entities"
        )
        if join[0] != "none":
            notes.append(f"equal {join[0]} joined {counted(join[1], 'more pair')} of entities")
        present = np.unique(rows.entity)
        size = np.bincount(group[present], minlength=len(group))
        alone = int(np.count_nonzero(size == 1))
        notes.append(
            f"{counted(len(present), 'entity', 'entities')} of chunks became"
            f" {int(np.count_nonzero(size)):,}; {alone:,} were joined with no other"
        )
        pairs = np.unique(np.stack([group[rows.entity], rows.chunk, rows.entity], axis=1), axis=0)
        repeated = ~first_of_run(pack(pairs[:, 0], pairs[:, 1]))
        if conflicts := len(np.unique(pairs[repeated, 0])):
            notes.append(
                f"conflict: {counted(conflicts, 'joined entity', 'joined entities')} with several"
                " entities of one chunk, which that chunk keeps apart"
            )
        if moved:
            notes.append(
                f"conflict: {counted(moved, 'mention')} with different entities in two chunks; the"
                " entity of the first chunk was kept"
            )


def _links_of_overlaps(rows: _Rows, overlap: Overlap) -> tuple[list[tuple[int, int]], int]:
    """Return links between entities that share a mention, and the number of such mentions."""
    codes = pack(rows.text, rows.start, rows.end)
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


def _first_chunk_of_each(rows: _Rows, group: Ints) -> tuple[Ints, int]:
    """Return the rows to keep, each mention once per entity, and how many mentions conflict.

    A mention that several chunks have is in the entities of the first of them.
    """
    codes = pack(rows.text, rows.start, rows.end)
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


def _gap(length: int, places: Iterable[Place]) -> tuple[int, int] | None:
    """Return the first and last token of the first part of a text that no chunk has."""
    end = 0
    for place in sorted(places, key=lambda one: one.first):
        if place.first > end:
            return end, place.first - 1
        end = max(end, place.first + place.length)
    return (end, length - 1) if end < length else None
