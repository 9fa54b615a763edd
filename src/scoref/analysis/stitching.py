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

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from scoref.analysis.chunks.attributes import (
    UNKNOWN,
    ChunkAttributes,
    attributes_of_all,
    attributes_of_chunks,
)
from scoref.analysis.chunks.joining import (
    ChunkRows,
    Names,
    Overlap,
    first_chunk_of_each,
    links_of_ids,
    links_of_names,
    links_of_overlaps,
    read_names,
)
from scoref.analysis.chunks.placement import Place, TextPlaces, TokenPlaces
from scoref.base.arrays import Ints, first_of_run, number_by_appearance, pack
from scoref.base.phrases import counted, listed
from scoref.base.progress import progress
from scoref.base.union_find import groups
from scoref.corpus.corpus import Corpus
from scoref.exceptions import MentionError, UsageError
from scoref.matching.inputs import Input, ReadOptions, as_corpus

Join = Literal["none", "names", "ids"]
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
      counted from 0. Other chunks are searched for by their words. Words that differ are aligned.
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
    table = None if names is None else read_names(names)
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


@dataclass(slots=True)
class _Stitcher:
    """Collects chunks, then joins their entities."""

    places: TextPlaces
    placed: list[Place] = field(default_factory=list)
    parts: list[ChunkRows] = field(default_factory=list)
    attributes: list[ChunkAttributes] = field(default_factory=list)
    entity_names: list[str] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    _nodes: dict[str, int] = field(default_factory=dict)

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
        self._check_ends(spans, places)
        move, sentences = TokenPlaces.of(places), self._first_sentences(corpus, places)
        stated = attributes_of_chunks(corpus, move, sentences)
        start, end = move(spans.document, spans.start)[0], move(spans.document, spans.end)[1]
        kept = np.flatnonzero(start <= end)
        if lost := len(start) - len(kept):
            self.notes.append(
                f"left out {counted(lost, 'mention')} whose words are not in"
                f" {self.places.texts.source}"
            )
        stated = stated.where(kept)
        nodes = stated.mentions.get("nodes", np.full(len(kept), ""))
        self.parts.append(
            ChunkRows(
                np.array([one.text for one in places], dtype=np.int64)[spans.document[kept]],
                start[kept],
                end[kept],
                spans.document[kept] + len(self.placed),
                spans.entity[kept] + len(self.entity_names),
                self._numbered(nodes),
            )
        )
        self.attributes.append(stated)
        self.placed += places
        self.entity_names += map(str, corpus.entity_names)
        self.sources.append(corpus.source)
        self.notes += corpus.notes

    def _numbered(self, nodes: NDArray[Any]) -> Ints:
        """Number the tokens of discontinuous mentions and zeros; 0 are all others."""
        at = np.flatnonzero(nodes != "")
        found = np.zeros(len(nodes), dtype=np.int64)
        found[at] = [
            self._nodes.setdefault(one, len(self._nodes) + 1) for one in nodes[at].tolist()
        ]
        return found

    def _first_sentences(self, corpus: Corpus, places: Sequence[Place]) -> Ints:
        """Return the sentence of the text with which each chunk begins, if both agree on all."""
        found = np.full(len(places), UNKNOWN)
        whole, text = self.places.texts.text, corpus.text
        if whole is None or text is None or "zero_deps" not in corpus.attributes:
            return found
        for at, place in enumerate(places):
            begin, first = int(whole.first[place.text]), int(text.first[at])
            low = begin + place.first
            theirs = text.starts_sentence[first : int(text.first[at + 1])]
            ours = whole.starts_sentence[low : low + len(theirs)]
            if place.starts is None and ours[:1].all() and np.array_equal(ours, theirs):
                found[at] = np.count_nonzero(whole.starts_sentence[begin:low])
        return found

    def _check_ends(self, spans: Corpus, places: Sequence[Place]) -> None:
        """Refuse mentions that end after their chunk."""
        lengths = np.array([one.tokens for one in places], dtype=np.int64)[spans.document]
        if np.any(beyond := spans.end >= lengths):
            row = int(np.argmax(beyond))
            at = int(spans.document[row])
            raise MentionError(
                f"mention {spans.mention(row)} of chunk {spans.documents[at].name} ends after the"
                f" text, of which the chunk has {lengths[row]:,} tokens",
                "check that positions count from the first token of the chunk",
            )

    def corpus(self, overlap: Overlap, join: Join, names: Mapping[str, str] | None) -> Corpus:
        """Join the entities of all chunks."""
        rows = ChunkRows(*(np.concatenate(column) for column in zip(*self.parts, strict=True)))
        links, shared = links_of_overlaps(rows, overlap)
        of_overlaps = len(self.entity_names) - len(groups(len(self.entity_names), links))
        more = links_of_names(rows, self.places, names) if join == "names" else []
        more += links_of_ids(rows, self.entity_names) if join == "ids" else []
        joined = groups(len(self.entity_names), [*links, *more])
        group = np.zeros(len(self.entity_names), dtype=np.int64)
        for at, members in enumerate(joined):
            group[members] = at
        kept, moved = first_chunk_of_each(rows, group)
        by_join = len(self.entity_names) - len(joined) - of_overlaps
        self._note(rows, group, (shared, of_overlaps, overlap), (join, by_join), moved)
        kept = kept[
            np.lexsort((rows.nodes[kept], rows.end[kept], rows.start[kept], rows.text[kept]))
        ]
        number, first = number_by_appearance(group[rows.entity[kept]])
        mentions, entities, notes = attributes_of_all(
            self.attributes, kept, [np.array(joined[at]) for at in group[rows.entity[kept]][first]]
        )
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
            attributes=mentions,
            entity_attributes=entities,
            text=whole.text,
            source=f"{counted(len(self.placed), 'chunk')} of {listed(self.sources)}",
            notes=tuple(dict.fromkeys([*self.notes, *notes])),
        )

    def _note(
        self,
        rows: ChunkRows,
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
        if differing := self.places.differing:
            words = counted(sum(one.words for one in differing), "word differs", "words differ")
            notes.append(
                f"aligned {counted(len(differing), 'chunk')}, of which {words} from"
                f" {whole.source}, such as `{differing[0].example}` in {differing[0].chunk}"
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
            f" {int(np.count_nonzero(size)):,}; {alone:,} stayed alone"
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


def _gap(length: int, places: Iterable[Place]) -> tuple[int, int] | None:
    """Return the first and last token of the first part of a text that no chunk has."""
    end = 0
    for place in sorted(places, key=lambda one: one.first):
        if place.first > end:
            return end, place.first - 1
        end = max(end, place.first + place.length)
    return (end, length - 1) if end < length else None
