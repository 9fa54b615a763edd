"""The examples on which metrics are worked through: the smallest that shows what a metric does.

Most metrics share the example of Pradhan et al. (2014, section 4). Metrics that require types,
spans, zeros or bridging links have an example with these.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from metric_pages.partitions import Entities, mentions_of, parse
from scoref import Corpus, explain
from scoref.explanation.blocks import Grid
from scoref.metrics.names import parse_name

DOCUMENT = "example"
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Annotation:
    """One side of an example: its entities, and what some metrics require in addition.

    bridging: anaphors and their anchors
    non_referring: mentions in no entity that refer to nothing
    entity_types: the type of each entity
    """

    entities: Entities
    bridging: Mapping[str, str] = field(default_factory=dict)
    non_referring: tuple[str, ...] = ()
    entity_types: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Example:
    """A key and a response.

    words: what a picture shows instead of the label of a mention
    spans: the tokens of mentions, for metrics that require them; otherwise mentions are labels
    tokens: the words of the text, for pictures of it
    types: name, nominal or pronoun
    zeros: mentions that are zeros
    """

    key: Annotation
    response: Annotation
    words: Mapping[str, str] = field(default_factory=dict)
    spans: Mapping[str, Span] = field(default_factory=dict)
    tokens: tuple[str, ...] = ()
    types: Mapping[str, str] = field(default_factory=dict)
    zeros: tuple[str, ...] = ()

    @property
    def mentions(self) -> tuple[str, ...]:
        """All mentions, in the order of the text if it is known."""
        sides = self.key, self.response
        in_entities = mentions_of(*(side.entities for side in sides))
        others = (
            mention
            for side in sides
            for mention in (*side.bridging, *side.bridging.values(), *side.non_referring)
        )
        found = tuple(dict.fromkeys((*in_entities, *others)))
        return (
            tuple(sorted(found, key=self.spans.__getitem__)) if self.spans else tuple(sorted(found))
        )

    def corpora(self) -> tuple[Corpus, Corpus]:
        """Return both sides as `scoref` takes them."""
        return self._corpus(self.key), self._corpus(self.response)

    def label_of(self, mention: str) -> str | Span:
        """Return a mention as `scoref` takes it."""
        return self.spans.get(mention, mention)

    def names(self) -> dict[str, str]:
        """Return what explanations call mentions, and the label of each."""
        shown = {}
        for mention, (start, end) in self.spans.items():
            shown[str(start) if start == end else f"{start}-{end}"] = mention
        return shown

    def entity_names(self, side: str) -> list[str]:
        """Return what explanations call the entities of the key or of the response: R1, Ra."""
        opening = explain(*self.corpora(), ["mentions"], limit=0).opening
        caption = f"Entities of the {side}"
        tables = [block for block in opening if isinstance(block, Grid)]
        rows = [row for table in tables if table.caption == caption for row in table.rows]
        return [str(name) for name, *_ in sorted(rows, key=lambda row: int(str(row[1])))]

    def with_sides(self, key: Entities, response: Entities) -> Example:
        """Return the example with other entities, all of one type if types are required."""
        kinds = self.key.entity_types[:1]
        return replace(
            self,
            key=Annotation(key, entity_types=kinds * len(key)),
            response=Annotation(response, entity_types=kinds * len(response)),
        )

    def _corpus(self, side: Annotation) -> Corpus:
        label = self.label_of
        extra: dict[str, Any] = {}
        if self.types or self.zeros:
            there = mentions_of(side.entities)
            extra["mentions"] = {DOCUMENT: {label(one): self._attributes(one) for one in there}}
        if side.entity_types:
            extra["entities"] = {DOCUMENT: [{"type": kind} for kind in side.entity_types]}
        if self.key.bridging or self.response.bridging:
            links = {label(anaphor): label(anchor) for anaphor, anchor in side.bridging.items()}
            extra["bridging"] = {DOCUMENT: links}
        if self.key.non_referring or self.response.non_referring:
            extra["non_referring"] = {DOCUMENT: [label(one) for one in side.non_referring]}
        entities = [[label(mention) for mention in entity] for entity in side.entities]
        return Corpus.from_entities({DOCUMENT: entities}, **extra)

    def _attributes(self, mention: str) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if mention in self.types:
            found["type"] = self.types[mention]
        if mention in self.spans:
            found["head"] = (self.spans[mention][1],) * 2
        if mention in self.zeros:
            found["zero"] = f"{self.spans[mention][0]}.1"
        return found


def _plain(key: str, response: str, **more: Any) -> Example:
    return Example(Annotation(parse(key)), Annotation(parse(response)), **more)


PRADHAN = _plain("{a b c} {d e f g}", "{a b} {c d} {f g h i}")
SHARED = _plain("{a b c} {d f g}", "{a b} {c d} {f g}")
_TYPES = {
    **dict.fromkeys("ae", "name"),
    **dict.fromkeys("chx", "nominal"),
    **dict.fromkeys("bdfgi", "pronoun"),
}
TYPED = _plain(
    "{a b c d} {e f g} {h i}",
    "{a b f} {c d} {e g} {h x}",
    types=_TYPES,
    spans={mention: (at, at) for at, mention in enumerate("abcdefghix")},
)
SPANS = _plain(
    "{A C}",
    "{B C} {D}",
    tokens=("the", "old", "ferry", "left", ".", "it", "was", "late"),
    spans={"A": (0, 2), "B": (1, 2), "C": (5, 5), "D": (6, 7)},
)
ZEROS = _plain(
    "{Ann z1} {Bob z2}",
    "{Ann z1 z2} {Bob}",
    spans={"Ann": (0, 0), "z1": (2, 2), "Bob": (4, 4), "z2": (6, 6)},
    zeros=("z1", "z2"),
)
BRIDGES = Example(
    key=Annotation(parse("{house it}"), bridging={"door": "house", "roof": "it"}),
    response=Annotation(
        parse("{house it}"), bridging={"door": "house", "roof": "house", "garden": "house"}
    ),
    spans={"house": (0, 1), "garden": (3, 4), "door": (6, 7), "it": (9, 9), "roof": (11, 12)},
    words={"house": "a house", "garden": "a garden", "door": "the door", "roof": "the roof"},
)
EXPLETIVES = Example(
    key=Annotation(parse("{the-harbour}"), non_referring=("It",)),
    response=Annotation((), non_referring=("It", "the-harbour")),
    tokens=("It", "rained", "in", "the", "harbour", "."),
    spans={"It": (0, 0), "the-harbour": (3, 4)},
)
VALUES = Example(
    key=Annotation(parse("{Ann she} {the-boat}"), entity_types=("PER", "VEH")),
    response=Annotation(parse("{Ann she the-boat}"), entity_types=("PER",)),
    spans={"Ann": (0, 0), "she": (2, 2), "the-boat": (4, 5)},
    types={"Ann": "name", "she": "pronoun", "the-boat": "nominal"},
    words={"the-boat": "the boat"},
)
EQUAL = Example(
    key=Annotation(parse("{a b c} {d e} {f}")),
    response=Annotation(parse("{a b} {c} {d e} {f}")),
)
_LUO = "123456789ABC"
LUO_VALUES = Example(
    key=Annotation(parse("{1 2 3 4 5} {6 7} {8 9 A B C}"), entity_types=("PER",) * 3),
    response=Annotation(()),
    spans={mention: (at, at) for at, mention in enumerate(_LUO)},
    types={
        **dict.fromkeys(_LUO, "pronoun"),
        **dict.fromkeys("168", "name"),
        **dict.fromkeys("29", "nominal"),
    },
)
_OF_METRICS = {
    **dict.fromkeys(("rand", "ari", "nmi", "vmeasure", "vi", "ami", "merge_distance"), SHARED),
    **dict.fromkeys(("purity", "closest", "fowlkes_mallows"), SHARED),
    "exact_entity": EQUAL,
    **dict.fromkeys(("lmuc", "lb3", "lceafm", "lceafe", "arcs"), TYPED),
    "mor": SPANS,
    "zero": ZEROS,
    "bridging": BRIDGES,
    "nonreferring": EXPLETIVES,
    "ace": VALUES,
    "ace-luo": LUO_VALUES,
}


def example_of(metric: str) -> Example:
    """Return the example of a metric, or an example by its own name."""
    name, parameters = parse_name(metric) or ("", {})
    if name == "ceaf" and "overlap" in parameters:
        return SPANS
    return _OF_METRICS.get(name, PRADHAN)
