"""Random CorefUD documents as text: repeated, nested, crossing and discontinuous mentions, zeros.

The text is written here and not by the package, so that a mistake in the package's writer
cannot hide one in its reader.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.reference.documents import Files

Node = tuple[int, int]
"""A word of a sentence and 0, or the word before an empty node and its number."""

_RELATIONS = ("nsubj", "obj", "iobj")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What random documents are like; `found` and the like are shares, numbers are limits.

    `repeats` is the share of mentions that stand in a further entity, or again in their own.
    `shifted` lets the response have empty nodes of its own, at other places.
    """

    documents: int
    sentences: int = 4
    words: int = 8
    empty: int = 2
    mentions: int = 5
    found: float = 0.7
    repeats: float = 0.0
    discontinuous: float = 0.1
    shifted: bool = True
    header: str = "eid-etype-head-other"


class Mention(NamedTuple):
    """A mention: its sentence, its parts as first and last node, and its head from 1."""

    sentence: int
    parts: tuple[tuple[Node, Node], ...]
    head: int


class Text(NamedTuple):
    """The sentences of one side: how many words they have, and their empty nodes with DEPS."""

    words: list[int]
    empty: list[dict[Node, str]]

    def nodes(self, sentence: int) -> list[Node]:
        """Return the words and empty nodes of a sentence in order."""
        words = [(word, 0) for word in range(1, self.words[sentence] + 1)]
        return sorted([*words, *self.empty[sentence]])

    def covered(self, mention: Mention) -> list[Node]:
        """Return the nodes that a mention has here."""
        nodes = self.nodes(mention.sentence)
        return [n for n in nodes if any(first <= n <= last for first, last in mention.parts)]

    def has(self, mention: Mention) -> bool:
        """Whether a mention of the other side can stand here too."""
        ends = {node for part in mention.parts for node in part}
        return ends <= set(self.nodes(mention.sentence)) and mention.head <= len(
            self.covered(mention)
        )


Labelled = list[tuple[Mention, int]]


class Side(NamedTuple):
    """One annotation of a text."""

    text: Text
    entities: dict[str, list[Mention]]


def write_pair(folder: Path, seed: int, shape: Shape) -> Files:
    """Draw documents, and write a key and a response."""
    rng = Random(seed)  # noqa: S311  # not a secret
    texts: tuple[list[str], list[str]] = ([], [])
    for number in range(shape.documents):
        for text, side in zip(texts, _draw(rng, shape), strict=True):
            text.append(_write(f"doc{number}", side, shape.header))
    files = Files(folder / "key.conllu", folder / "response.conllu")
    for path, written in zip(files, texts, strict=True):
        path.write_text("".join(written), encoding="utf-8")
    return files


def _draw(rng: Random, shape: Shape) -> tuple[Side, Side]:
    words = [rng.randint(2, shape.words) for _ in range(rng.randint(1, shape.sentences))]
    ours = Text(words, [_draw_empty(rng, shape, length) for length in words])
    empty = [
        _draw_empty(rng, shape, length) if shape.shifted and rng.random() < 0.5 else same
        for length, same in zip(words, ours.empty, strict=True)
    ]
    theirs = Text(words, empty)
    mentions = _draw_mentions(rng, shape, ours)
    labels = rng.randint(1, max(len(mentions) // 2, 1))
    key = [(mention, rng.randrange(labels)) for mention in mentions]
    response = [
        (_changed(rng, mention, theirs), label if rng.random() < 0.8 else rng.randrange(labels + 1))
        for mention, label in key
        if rng.random() < shape.found
    ]
    spurious = _draw_mentions(rng, shape, theirs)[:2]
    response += [(mention, rng.randrange(labels + 1)) for mention in spurious]
    spans = {(m.sentence, m.parts): (m, label) for m, label in response if theirs.has(m)}
    return (
        Side(ours, _entities(rng, shape, key, labels, ours)),
        Side(theirs, _entities(rng, shape, list(spans.values()), labels, theirs)),
    )


def _draw_empty(rng: Random, shape: Shape, length: int) -> dict[Node, str]:
    """Draw the empty nodes of a sentence and what they depend on."""
    empty: dict[Node, str] = {}
    for _ in range(rng.randint(0, shape.empty)):
        word = rng.randint(0, length)
        number = 1 + sum(node[0] == word for node in empty)
        parents = rng.sample(range(1, length + 1), rng.randint(1, min(2, length)))
        deps = [f"{parent}:{rng.choice(_RELATIONS)}" for parent in sorted(parents)]
        empty[word, number] = "|".join(deps)
    return empty


def _draw_mentions(rng: Random, shape: Shape, text: Text) -> list[Mention]:
    """Draw mentions of different spans; most empty nodes are zeros."""
    mentions = []
    for sentence, empty in enumerate(text.empty):
        nodes = text.nodes(sentence)
        zeros = [Mention(sentence, ((node, node),), 1) for node in empty]
        mentions += [zero for zero in zeros if rng.random() < 0.8]
        for _ in range(rng.randint(0, shape.mentions)):
            start = rng.randrange(len(nodes))
            end = min(start + int(rng.expovariate(0.7)), len(nodes) - 1)
            parts = [(nodes[start], nodes[end])]
            if rng.random() < shape.discontinuous and end + 2 < len(nodes):
                parts.append((nodes[end + 2], nodes[end + 2]))
            head = rng.randint(1, end - start + len(parts))
            mentions.append(Mention(sentence, tuple(parts), head))
    return list({(m.sentence, m.parts): m for m in mentions}.values())


def _changed(rng: Random, mention: Mention, text: Text) -> Mention:
    """Give a mention other boundaries now and then."""
    nodes = text.nodes(mention.sentence)
    (first, last), *more = mention.parts
    if more or rng.random() < 0.6 or first not in nodes or last not in nodes:
        return mention
    start = max(nodes.index(first) - rng.randint(0, 1), 0)
    end = max(start, min(nodes.index(last) + rng.randint(-1, 1), len(nodes) - 1))
    head = min(max(mention.head + nodes.index(first) - start, 1), end - start + 1)
    return Mention(mention.sentence, ((nodes[start], nodes[end]),), head)


def _entities(
    rng: Random, shape: Shape, labelled: Labelled, labels: int, text: Text
) -> dict[str, list[Mention]]:
    """Group mentions under random ids, and repeat some of them, also with another head."""
    chosen = list(labelled)
    for mention, label in labelled:
        if rng.random() < shape.repeats:
            nodes = text.covered(mention)
            # Of zeros with one span and two heads, the order of a set decides which is matched.
            stays = rng.random() < 0.7 or any(number for _, number in nodes)
            head = mention.head if stays else rng.randint(1, len(nodes))
            other = label if rng.random() < 0.2 else rng.randrange(labels + 2)
            # In one entity, which of two is read first is nobody's business.
            chosen.append((mention if other == label else mention._replace(head=head), other))
    # An id that two documents share would be one entity, whose parts have a common order.
    names = [f"{rng.getrandbits(40):x}" for _ in range(labels + 2)]
    entities: dict[str, list[Mention]] = {}
    for mention, label in chosen:
        mentions = entities.setdefault(names[label], [])
        if not any(_clash(mention, other) for other in mentions):
            mentions.append(mention)
    return entities


def _clash(one: Mention, other: Mention) -> bool:
    """Whether two mentions cannot both be written as mentions of one entity."""
    if one.sentence != other.sentence:
        return False
    (a, b), (c, d) = ((m.parts[0][0], m.parts[-1][1]) for m in (one, other))
    apart = b < c or d < a
    if len(one.parts) > 1 or len(other.parts) > 1:
        return not apart
    return not (apart or (a <= c and d <= b) or (c <= a and b <= d))


def _write(name: str, side: Side, header: str) -> str:
    lines = [f"# newdoc id = {name}", f"# global.Entity = {header}"]
    for sentence, empty in enumerate(side.text.empty):
        lines.append(f"# sent_id = {name}-s{sentence}")
        cells = _brackets(sentence, side, header)
        for node in side.text.nodes(sentence):
            word, number = node
            misc = f"Entity={cells[node]}" if node in cells else "_"
            if number:
                columns = [f"{word}.{number}", *"_______", empty[node], misc]
            else:
                relation = "root" if word == 1 else "dep"
                columns = [f"{word}", f"w{word}", *"____", f"{word - 1}", relation, "_", misc]
            lines.append("\t".join(columns))
        lines.append("")
    return "\n".join([*lines, ""])


def _brackets(sentence: int, side: Side, header: str) -> dict[Node, str]:
    """Write the brackets of each node: those that close, then those that open, longer first."""
    opens: defaultdict[Node, list[tuple[Node, str]]] = defaultdict(list)
    closes: defaultdict[Node, list[tuple[Node, str]]] = defaultdict(list)
    singles: defaultdict[Node, list[str]] = defaultdict(list)
    for entity, mentions in side.entities.items():
        for mention in mentions:
            if mention.sentence != sentence:
                continue
            many = len(mention.parts)
            for at, (first, last) in enumerate(mention.parts, 1):
                name = entity if many == 1 else f"{entity}[{at}/{many}]"
                values = {"eid": name, "GRP": name, "head": str(mention.head)}
                fields = "-".join(values.get(field, "") for field in header.split("-"))
                if first == last:
                    singles[first].append(f"({fields})")
                else:
                    opens[first].append((last, f"({fields}"))
                    closes[last].append((first, f"{name})"))
    cells = {}
    for node in {*opens, *closes, *singles}:
        opening = "".join(text for _, text in sorted(opens[node], key=lambda o: o[0], reverse=True))
        closing = "".join(text for _, text in sorted(closes[node], reverse=True))
        alone = "".join(singles[node])
        cells[node] = f"{closing}{opening}{alone}" if opening else f"{alone}{closing}"
    return cells
