"""Links between entities in MISC: bridging (`Bridge=e1<e3:part`) and split antecedents."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from scoref.base.arrays import Ints
from scoref.corpus.spans import Links, Spans
from scoref.formats.brackets.ids import Ids, sparse_column
from scoref.formats.conllu.bridging import Bridge, find_links
from scoref.formats.conllu.corefud.brackets import MiscValues
from scoref.formats.conllu.lines import DocumentStart, Lines
from scoref.formats.io.problems import Problems

LINKS = {b"Bridge": "bridge", b"SplitAnte": "split_antecedents", b"Split": "split_antecedents"}

_LINK = re.compile(r"([^<:]+)<([^<:]+)(?::([^<]*))?")

Place = tuple[int, int]
"""A document and the code of an entity."""


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
        return find_links(self.bridges, spans, mention_at, entities)
