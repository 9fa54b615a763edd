"""What chunks state about mentions and entities, such as types and heads, in their whole texts.

An attribute is kept if every file of chunks states it. Tokens in attributes move with their
mention. Links between mentions, and attributes that name other entities, are not kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoref.analysis.chunks.placement import TokenPlaces
from scoref.base.arrays import Ints
from scoref.base.phrases import counted, listed
from scoref.corpus.attributes import concatenate_columns
from scoref.corpus.corpus import Corpus

Columns = Mapping[str, NDArray[Any]]
UNKNOWN = -1
_SHOWN = {"head": "heads", "min": "minimal spans", "type": "mention types"}
_OF_FEW = frozenset({"nodes", "zero", "zero_deps"})
"""What only discontinuous mentions and zeros have."""
_NAMING = frozenset({"element_of", "markable", "split_antecedents"})


class ChunkAttributes(NamedTuple):
    """The attributes of the mentions and of the entities of some chunks, and what is not kept.

    `sizes` are the numbers of mentions and of entities.
    """

    mentions: Columns
    entities: Columns
    sizes: tuple[int, int]
    dropped: frozenset[str]

    def where(self, rows: Ints) -> ChunkAttributes:
        """Keep some mentions."""
        mentions = {name: column[rows] for name, column in self.mentions.items()}
        return self._replace(mentions=mentions, sizes=(len(rows), self.sizes[1]))


def attributes_of_chunks(corpus: Corpus, move: TokenPlaces, sentence: Ints) -> ChunkAttributes:
    """Return the attributes of chunks, with the tokens and sentences of the texts.

    `sentence` is the sentence of the text where each chunk begins, or UNKNOWN if the sentences of a
    chunk are not those of its text.
    """
    stated, rows = dict(corpus.attributes), corpus.document
    for name in ("head", "min"):
        start, end = (stated.get(f"{name}_{part}") for part in ("start", "end"))
        if start is not None and end is not None:
            stated[f"{name}_start"], stated[f"{name}_end"] = _moved_spans(rows, start, end, move)
    for name in ("nodes", "zero"):
        if name in stated:
            stated[name] = _moved_nodes(rows, stated[name], move)
    dropped = _NAMING & {*stated, *corpus.entity_attributes}
    if (dependencies := stated.get("zero_deps")) is not None:
        stated["zero_deps"] = _moved_sentences(dependencies, sentence[rows])
        if np.any((dependencies != "") & (sentence[rows] == UNKNOWN)):
            dropped |= {"what zeros depend on"}
    if corpus.bridging is not None and len(corpus.bridging.anchor.start):
        dropped |= {"bridging links"}
    if corpus.non_referring is not None and len(corpus.non_referring.start):
        dropped |= {"non-referring mentions"}
    kept, of_entities = (
        {name: column for name, column in columns.items() if name not in _NAMING}
        for columns in (stated, corpus.entity_attributes)
    )
    sizes = len(corpus), len(corpus.entity_names)
    return ChunkAttributes(kept, of_entities, sizes, dropped)


def _moved_spans(rows: Ints, start: Ints, end: Ints, move: TokenPlaces) -> tuple[Ints, Ints]:
    """Move spans inside mentions; a span without a place is unknown."""
    known = np.flatnonzero(start != UNKNOWN)
    first, last = np.full((2, len(start)), UNKNOWN)
    low, high = move(rows[known], start[known])[0], move(rows[known], end[known])[1]
    has_place = low <= high
    first[known[has_place]], last[known[has_place]] = low[has_place], high[has_place]
    return first, last


def _moved_nodes(rows: Ints, nodes: NDArray[Any], move: TokenPlaces) -> NDArray[Any]:
    """Move the tokens of discontinuous mentions, and empty nodes."""
    at = np.flatnonzero(nodes != "")
    if not len(at):
        return nodes
    tokens = [(row, node.partition(".")) for row in at.tolist() for node in str(nodes[row]).split()]
    of_row = np.array([row for row, _ in tokens])
    first, last = move(rows[of_row], np.array([int(word) for _, (word, *_) in tokens]))
    found: dict[int, list[str]] = {row: [] for row in at.tolist()}
    for (row, (_, point, number)), low, high in zip(
        tokens, first.tolist(), last.tolist(), strict=True
    ):
        found[row] += [f"{high}.{number}"] if point else map(str, range(low, high + 1))
    moved = nodes.astype(object)
    moved[at] = [" ".join(dict.fromkeys(found[row])) for row in at.tolist()]
    return moved.astype(str)


def _moved_sentences(dependencies: NDArray[Any], sentence: Ints) -> NDArray[Any]:
    """Count the sentences of zeros from the start of the text: `2 5:nsubj`."""
    moved = []
    for stated, first in zip(dependencies.tolist(), sentence.tolist(), strict=True):
        number, _, rest = stated.partition(" ")
        known = stated and first != UNKNOWN
        moved.append(f"{first + int(number)} {rest}".rstrip() if known else "")
    return np.array(moved, dtype=str)


def attributes_of_all(
    parts: Sequence[ChunkAttributes], rows: Ints, groups: Sequence[Ints]
) -> tuple[Columns, Columns, list[str]]:
    """Return the attributes of some mentions and of joined entities, and notes on what is not kept.

    `rows` are mentions, and each group has the entities that one entity of the result consists of,
    both numbered over all parts.
    """
    mentions, missing = _in_all([(part.mentions, part.sizes[0]) for part in parts])
    entities, lacking = _in_all([(part.entities, part.sizes[1]) for part in parts])
    notes = []
    if absent := _shown({*missing, *lacking}):
        notes.append(f"not kept, since some chunks do not state them: {listed(absent)}")
    if dropped := _shown(frozenset().union(*(part.dropped for part in parts))):
        notes.append(f"not kept, since they do not fit other chunks: {listed(dropped)}")
    joined = {}
    for name, column in entities.items():
        values = [[v for v in column[group].tolist() if v] for group in groups]
        joined[name] = np.array([found[0] if found else "" for found in values], dtype=str)
        if many := sum(len(set(found)) > 1 for found in values):
            notes.append(
                f"conflict: {counted(many, 'joined entity', 'joined entities')} with different"
                f" values of {name} in chunks; the first was kept"
            )
    kept = {name: column[rows] for name, column in mentions.items()}
    return kept, joined, notes


def _in_all(parts: Sequence[tuple[Columns, int]]) -> tuple[dict[str, NDArray[Any]], set[str]]:
    """Concatenate the columns of all parts that have rows; also return the names of the others."""
    columns = concatenate_columns(parts)
    lacking = {
        name
        for name in columns.keys() - _OF_FEW
        if any(size and name not in part for part, size in parts)
    }
    return {name: column for name, column in columns.items() if name not in lacking}, lacking


def _shown(names: set[str] | frozenset[str]) -> list[str]:
    """Return what columns are called in messages, each once."""
    plain = {name.removesuffix("_start").removesuffix("_end") for name in names}
    return sorted(_SHOWN.get(name, name.replace("_", " ")) for name in plain)
