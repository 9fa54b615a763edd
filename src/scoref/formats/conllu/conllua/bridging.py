"""The column BRIDGING of CoNLL-UA: markables, their anchors, and the links between mentions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from numpy.typing import NDArray

from scoref.base.arrays import Ints
from scoref.corpus.spans import Links, Spans
from scoref.formats.brackets.ids import Ids, sparse_column
from scoref.formats.conllu.brackets import ConlluBrackets
from scoref.formats.conllu.bridging import Bridge, find_links

_ATTRIBUTES = {"MentionAnchor": "bridge", "EntityAnchor": "bridge_entity", "Rel": "bridge_relation"}
BRIDGING_FIELDS = ("MarkableID", "EntityID", *_ATTRIBUTES)


class _Markable(NamedTuple):
    """What a bracket says of bridging: the document, and codes of the markable and its fields."""

    document: int
    markable: int
    anchor: int
    entity: int
    relation: int


@dataclass(frozen=True, slots=True)
class ConlluaBridging:
    """The bridging markables of a file."""

    markables: list[_Markable]
    ids: Ids

    @classmethod
    def of(cls, brackets: ConlluBrackets, rows: Ints, document: Ints, ids: Ids) -> ConlluaBridging:
        """Read the fields of the brackets `rows`, and take the document of each."""
        names = ("MarkableID", *_ATTRIBUTES)
        columns = [brackets.field(name)[rows].tolist() for name in names]
        markables = map(_Markable, document.tolist(), *columns)
        return cls(list(markables), ids)

    def attributes(self, document: Ints, markable: Ints) -> dict[str, NDArray[Any]]:
        """Return what is said of each markable as columns of mentions; the first mention has it."""
        said = {(one.document, one.markable): one for one in self.markables}
        if not said:
            return {}
        columns: dict[str, dict[int, str]] = {name: {} for name in _ATTRIBUTES.values()}
        for row, place in enumerate(zip(document.tolist(), markable.tolist(), strict=True)):
            if place in said:
                for name, code in zip(columns, said.pop(place)[2:], strict=True):
                    if code:
                        columns[name][row] = self.ids.decode(code)
        return {name: sparse_column(t, len(document)) for name, t in columns.items() if t}

    def links(self, spans: Spans, markable: Ints, entity: Ints) -> tuple[Links, int]:
        """Return the links between mentions, referring or not, and how many lack a mention."""
        if not self.markables:
            return Links.concatenate([]), 0
        mention_at: dict[Any, int] = {}
        mentions_of: dict[Any, list[int]] = {}
        codes = zip(markable.tolist(), entity.tolist(), strict=True)
        for row, (document, (own, of)) in enumerate(
            zip(spans.document.tolist(), codes, strict=True)
        ):
            if own:
                mention_at.setdefault((document, own), row)
            mentions_of.setdefault((document, of), []).append(row)
        return find_links(map(self._bridge, self.markables), spans, mention_at, mentions_of)

    def _bridge(self, one: _Markable) -> Bridge:
        names = filter(None, self.ids.decode(one.anchor).split(","))
        anchors = [(one.document, self.ids.code(name.encode())) for name in names]
        return Bridge((one.document, one.markable), anchors, (one.document, one.entity))
