"""Random CoNLL-UA documents as text: nested mentions, bridging, split antecedents, expletives.

The text is written here and not by the package, so that a mistake in the package's writer
cannot hide one in its reader.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.reference.documents import Files

Span = tuple[int, int]

HEADER = (
    "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING"
    " DISCOURSE_DEIXIS REFERENCE NOM_SEM\n"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What random documents are like; `found` and the like are shares, numbers are limits.

    `changed` is the share of what the response has in another way; `split` that of entities which
    have a split antecedent, whose members may have one too.
    """

    documents: int
    tokens: int = 30
    mentions: int = 24
    entities: int = 7
    found: float = 0.85
    changed: float = 0.2
    non_referring: float = 0.2
    bridging: float = 0.4
    split: float = 0.4


@dataclass(slots=True)
class Layer:
    """The annotation of a column: the entity of each mention, members of entities, anchors."""

    entity: dict[Span, str] = field(default_factory=dict)
    members: dict[str, set[str]] = field(default_factory=dict)
    anchor: dict[Span, Span] = field(default_factory=dict)


def write_pair(folder: Path, seed: int, shape: Shape) -> Files:
    """Draw documents, and write both sides."""
    rng = Random(seed)  # noqa: S311  # not a secret
    sides: tuple[list[str], list[str]] = [HEADER], [HEADER]
    for number in range(shape.documents):
        length = rng.randint(3, shape.tokens)
        spans = _nested_spans(rng, length, shape)
        known = Layer(), Layer()
        for text in sides:
            known = _draw(rng, spans, shape, known[0]), _draw(rng, spans, shape, known[1])
            text.append(document(f"d{number}", length, *known))
    files = Files(folder / "key.CONLLUA", folder / "response.CONLLUA")
    for path, text in zip(files, sides, strict=True):
        path.write_text("".join(text), encoding="utf-8")
    return files


def _nested_spans(rng: Random, length: int, shape: Shape) -> list[Span]:
    """Draw spans that do not cross."""
    spans: list[Span] = []
    for _ in range(rng.randint(1, shape.mentions)):
        start = rng.randrange(length)
        one = start, min(length - 1, start + rng.choice((0, 0, 1, 2, 4)))
        if one not in spans and not any(_cross(one, other) for other in spans):
            spans.append(one)
    return sorted(spans)


def _cross(one: Span, other: Span) -> bool:
    (low, high), (start, end) = sorted([one, other])
    return low < start <= high < end


def _draw(rng: Random, spans: list[Span], shape: Shape, known: Layer) -> Layer:
    """Draw the annotation of a side; what is known is kept, but for a share that is changed."""
    layer = Layer()
    for span in spans:
        if rng.random() > shape.found:
            continue
        home = known.entity.get(span)
        if home is None or rng.random() < shape.changed:
            refers = rng.random() >= shape.non_referring
            own = f"{span[0]}_{span[1]}-Pseudo"
            home = str(rng.randrange(shape.entities)) if refers else own
        layer.entity[span] = home
    names = sorted({name for name in layer.entity.values() if name.isdecimal()})
    for name in names:
        below = [leaf for leaf in names if leaf < name]
        members = {member for member in known.members.get(name, ()) if member in below}
        if not members or rng.random() < shape.changed:
            many = rng.randint(1, 3) if rng.random() < shape.split else 0
            members = set(rng.sample(below, min(many, len(below))))
        if members:
            layer.members[name] = members
    mentions = list(layer.entity)
    for span in mentions:
        anchor = known.anchor.get(span, span)
        others = [other for other in mentions if other != span]
        if (anchor not in others or rng.random() < shape.changed) and others:
            anchor = rng.choice(others[:4]) if rng.random() < shape.bridging else span
        if anchor in others:
            layer.anchor[span] = anchor
    return layer


def document(name: str, length: int, identity: Layer, deixis: Layer) -> str:
    """Write a document."""
    cells = [_cells(identity, length, "m"), _bridges(identity, length), _cells(deixis, length, "x")]
    rows = [
        " ".join([str(at + 1), f"w{at}", *["_"] * 8, *(column[at] for column in cells), "_", "_"])
        for at in range(length)
    ]
    return f"# newdoc id = {name}\n" + "\n".join(rows) + "\n\n"


def _cells(layer: Layer, length: int, prefix: str) -> list[str]:
    """Write brackets: first those that close, then those that open, longer mentions first."""
    cells = [""] * length
    for start, end in layer.entity:
        if end > start:
            cells[end] += ")"
    said: set[str] = set()
    for span in sorted(layer.entity, key=lambda one: (one[0], -one[1])):
        name = layer.entity[span]
        fields = [f"EntityID={name}", f"MarkableID={prefix}{span[0]}_{span[1]}"]
        wholes = sorted(whole for whole, members in layer.members.items() if name in members)
        if wholes and name not in said:  # one mention of a member says it
            fields.append(f"ElementOf={','.join(wholes)}")
            said.add(name)
        cells[span[0]] += f"({'|'.join(fields)}{')' if span[0] == span[1] else ''}"
    return [cell or "_" for cell in cells]


def _bridges(layer: Layer, length: int) -> list[str]:
    cells = [""] * length
    for anaphor in layer.anchor:
        if anaphor[1] > anaphor[0]:
            cells[anaphor[1]] += ")"
    for anaphor in sorted(layer.anchor, key=lambda one: (one[0], -one[1])):
        anchor = layer.anchor[anaphor]
        fields = [f"MarkableID=m{anaphor[0]}_{anaphor[1]}", "Rel=poss"]
        fields.append(f"MentionAnchor=m{anchor[0]}_{anchor[1]}")
        cells[anaphor[0]] += f"({'|'.join(fields)}{')' if anaphor[0] == anaphor[1] else ''}"
    return [cell or "_" for cell in cells]
