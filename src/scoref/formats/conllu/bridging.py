"""Links between entities and mentions: bridging in both formats, and split antecedents.

CorefUD has them in MISC (`Bridge=e1<e3:part`), CoNLL-UA in the column BRIDGING.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Ints
from scoref.corpus.spans import Links, Spans, nearest_mention
from scoref.formats.brackets.parsing import Ids, sparse_column
from scoref.formats.conllu.lines import DocumentStart, Lines
from scoref.formats.conllu.misc import MiscValues
from scoref.formats.conllu.reader import ConlluBrackets
from scoref.formats.io.problems import Problems

LINKS = {b"Bridge": "bridge", b"SplitAnte": "split_antecedents", b"Split": "split_antecedents"}

_LINK = re.compile(r"([^<:]+)<([^<:]+)(?::([^<]*))?")

Place = tuple[int, int]
"""A document and the code of an entity."""

_ATTRIBUTES = {"MentionAnchor": "bridge", "EntityAnchor": "bridge_entity", "Rel": "bridge_relation"}
BRIDGING_FIELDS = ("MarkableID", "EntityID", *_ATTRIBUTES)


class Bridge(NamedTuple):
    """A bridging markable: the places of its anaphor and anchors, by which mentions are found.

    If the file names no anchor but only its entity, `anchors` is empty.
    """

    anaphor: Hashable
    anchors: Sequence[Hashable]
    entity: Hashable


def _find_links(
    bridges: Iterable[Bridge],
    spans: Spans,
    mention_at: Mapping[Any, int],
    entities: Sequence[Hashable],
) -> tuple[Links, int]:
    """Return the links between mentions, and how many bridges lack one of their mentions.

    `mention_at` has the row of the mention at a place, and `entities` the entity of each row. An
    anchor of which only the entity is named is the nearest mention of that entity.
    """
    mentions_of: dict[Hashable, list[int]] = {}
    for row, entity in enumerate(entities):
        mentions_of.setdefault(entity, []).append(row)
    ends: list[tuple[int, int]] = []
    incomplete = 0
    for bridge in bridges:
        anaphor = mention_at.get(bridge.anaphor)
        if anaphor is None:
            incomplete += 1
            continue
        anchors = [mention_at.get(anchor) for anchor in bridge.anchors]
        anchors = anchors or [nearest_mention(mentions_of.get(bridge.entity, ()), anaphor)]
        incomplete += None in anchors
        ends.extend((anaphor, anchor) for anchor in anchors if anchor is not None)
    rows = np.array(ends, dtype=np.int64).reshape(-1, 2).T
    return Links(*map(spans.where, rows)), incomplete


@dataclass(slots=True)
class CorefudLinks:
    """Collects the links of a file, block by block: as text by entity, and as bridges."""

    problems: Problems
    ids: Ids
    texts: dict[str, dict[Place, str]] = field(default_factory=dict)
    bridges: list[Bridge] = field(default_factory=list)

    def add(
        self, lines: Lines, values: MiscValues, name: str, documents: Sequence[DocumentStart]
    ) -> None:
        """Read the values of an attribute."""
        texts = self.texts.setdefault(name, {})
        if not len(values.line):
            return
        nodes = (lines.nodes[values.line] - 1).tolist()
        starts = [document.line for document in documents]
        for at, line in enumerate((lines.block.first_line + values.line).tolist()):
            document = bisect_right(starts, line) - 1
            value = values.text(lines, at)
            for link in value.split(","):
                found = _LINK.fullmatch(link)
                if found is None:
                    expected = "pairs such as `e1<e5`, with commas between"
                    hint = "name the other entity, `<`, and the entity of the mention"
                    self.problems.add(line, f"`{value}`", expected, hint)
                    break
                target, entity, relation = found.groups()
                text = f"{target}:{relation}" if relation else target
                place = document, self.ids.code(entity.encode())
                texts[place] = f"{texts[place]},{text}" if place in texts else text
                if name == "bridge":
                    anchor = document, self.ids.code(target.encode())
                    self.bridges.append(Bridge((*place, nodes[at]), (), anchor))

    def entity_attributes(self, places: Sequence[Place]) -> Iterator[tuple[str, NDArray[Any]]]:
        """Yield the links of each kind as a column of entities."""
        for name, texts in self.texts.items():
            if texts:
                column = {at: texts[place] for at, place in enumerate(places) if place in texts}
                yield name, sparse_column(column, len(places))

    def bridging(self, spans: Spans, name: Ints, opens: Ints) -> tuple[Links, int]:
        """Return the bridging links, and how many were ignored since they lack a mention.

        The anaphor is the mention of its entity that opens at the node of `Bridge`. Of an anchor,
        the file names only the entity.
        """
        if not self.bridges:
            return Links.concatenate([]), 0
        entities = list(zip(spans.document.tolist(), name.tolist(), strict=True))
        places = zip(entities, opens.tolist(), strict=True)
        mention_at = {(*entity, node): row for row, (entity, node) in enumerate(places)}
        return _find_links(self.bridges, spans, mention_at, entities)


@dataclass(frozen=True, slots=True)
class ConlluaBridging:
    """The bridging markables of a file, and their fields as written, by document and markable."""

    bridges: list[Bridge]
    texts: dict[tuple[int, int], list[str]]

    @classmethod
    def of(cls, brackets: ConlluBrackets, rows: Ints, document: Ints, ids: Ids) -> ConlluaBridging:
        """Read the fields of the brackets `rows`, which are in the given documents."""
        names = ("MarkableID", *_ATTRIBUTES)
        columns = [brackets.field(name)[rows].tolist() for name in names]
        bridges, texts = [], {}
        for number, markable, *codes in zip(document.tolist(), *columns, strict=True):
            fields = [ids.decode(code) for code in codes]
            names_of_anchors = filter(None, fields[0].split(","))
            anchors = [(number, ids.code(name.encode())) for name in names_of_anchors]
            bridges.append(Bridge((number, markable), anchors, (number, codes[1])))
            texts[number, markable] = fields
        return cls(bridges, texts)

    def attributes(self, document: Ints, markable: Ints) -> dict[str, NDArray[Any]]:
        """Return the fields as columns of mentions; the first mention of a markable has them."""
        texts = dict(self.texts)
        columns: dict[str, dict[int, str]] = {name: {} for name in _ATTRIBUTES.values()}
        for row, place in enumerate(zip(document.tolist(), markable.tolist(), strict=True)):
            if place in texts:
                for name, text in zip(columns, texts.pop(place), strict=True):
                    if text:
                        columns[name][row] = text
        return {name: sparse_column(t, len(document)) for name, t in columns.items() if t}

    def links(self, spans: Spans, markable: Ints, entity: Ints) -> tuple[Links, int]:
        """Return the links between mentions, referring or not, and how many lack a mention."""
        if not self.bridges:
            return Links.concatenate([]), 0
        documents = spans.document.tolist()
        mention_at: dict[tuple[int, int], int] = {}
        for row, place in enumerate(zip(documents, markable.tolist(), strict=True)):
            if place[1]:
                mention_at.setdefault(place, row)
        entities = list(zip(documents, entity.tolist(), strict=True))
        return _find_links(self.bridges, spans, mention_at, entities)
