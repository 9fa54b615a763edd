"""The column BRIDGING of CoNLL-UA: markables, their anchors, and the links between mentions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from scoref.base.arrays import Ints
from scoref.corpus.spans import Links, Spans
from scoref.formats.brackets.ids import Ids, sparse_column
from scoref.formats.conllu.bridging import Bridge, find_links
from scoref.formats.conllu.reader import ConlluBrackets

_ATTRIBUTES = {"MentionAnchor": "bridge", "EntityAnchor": "bridge_entity", "Rel": "bridge_relation"}
BRIDGING_FIELDS = ("MarkableID", "EntityID", *_ATTRIBUTES)


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
        return find_links(self.bridges, spans, mention_at, entities)
