"""Random documents as text in CoNLL columns, for programs that read nothing else.

The text is written here and not by the package, so that a mistake in the package's writer
cannot hide one in its reader.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import NamedTuple

Span = tuple[int, int]
Entities = dict[int, list[Span]]
"""The mentions of each entity id, as first and last token."""


class Files(NamedTuple):
    """A key and a response on disk."""

    key: Path
    response: Path


@dataclass(frozen=True, slots=True)
class Document:
    """A document: what follows `#begin document`, the lengths of its sentences, two annotations.

    The response is None where the response file lacks the document.
    """

    heading: str
    sentences: tuple[int, ...]
    key: Entities
    response: Entities | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What random documents are like; numbers of documents aside, all are upper limits.

    `found` is the share of key mentions that the response has, `absent` the share of
    documents that it lacks. Mentions are nested and cross each other; `across` lets them
    cross sentence breaks, `overlap` lets mentions of one entity overlap each other.
    """

    documents: int
    tokens: int = 24
    mentions: int = 12
    spurious: int = 4
    found: float = 0.75
    absent: float = 0.0
    across: bool = True
    overlap: bool = False


def draw_documents(seed: int, shape: Shape) -> list[Document]:
    """Draw documents without repeated mentions, several parts to a name."""
    rng = Random(seed)  # noqa: S311  # not a secret
    return [
        _draw(rng, shape, f"(genre/text_{at // 3:04d}); part {at % 3:03d}")
        for at in range(shape.documents)
    ]


def write_files(folder: Path, documents: Sequence[Document]) -> Files:
    """Write both sides; the response has its documents in the reverse order."""
    key = [(document, document.key) for document in documents]
    response = [(d, d.response) for d in reversed(documents) if d.response is not None]
    files = Files(folder / "key.conll", folder / "response.conll")
    files.key.write_text("".join(_text(*pair) for pair in key), encoding="utf-8")
    files.response.write_text("".join(_text(*pair) for pair in response), encoding="utf-8")
    return files


def repeat_mentions(rng: Random, document: Document, times: int) -> Document:
    """Put mentions that both sides have into the response again, in any of its entities."""
    response = {at: list(spans) for at, spans in (document.response or {}).items()}
    key = {span for spans in document.key.values() for span in spans}
    shared = [span for spans in response.values() for span in spans if span in key]
    for span in shared[:times]:
        entity = rng.choice([*response, max(response) + 1])
        _add(response, entity, span, overlap=False)
    return replace(document, response=response)


def _draw(rng: Random, shape: Shape, heading: str) -> Document:
    sentences = tuple(rng.randint(1, 8) for _ in range(rng.randint(1, max(shape.tokens // 5, 1))))
    while True:
        spans = _draw_spans(rng, shape, sentences, rng.randint(0, shape.mentions))
        labels = rng.randint(1, max(len(spans), 1))
        key = {span: rng.randrange(labels) for span in spans}
        others = _draw_spans(rng, shape, sentences, rng.randint(0, shape.spurious))
        found = [span for span in spans if rng.random() < shape.found]
        response = {span: rng.randrange(labels + 2) for span in [*found, *others]}
        response |= {span: key[span] for span in found if rng.random() < 0.7}
        sides = [_entities(rng, side, overlap=shape.overlap) for side in (key, response)]
        if not any(map(_has_repeats, sides)):
            absent = rng.random() < shape.absent
            return Document(heading, sentences, sides[0], None if absent else sides[1])


def _draw_spans(rng: Random, shape: Shape, sentences: Sequence[int], number: int) -> list[Span]:
    """Draw up to so many different spans, most of them short."""
    last = [
        sum(sentences[: at + 1]) - 1 for at, length in enumerate(sentences) for _ in range(length)
    ]
    spans = []
    for _ in range(number):
        start = rng.randrange(len(last))
        end = min(start + int(rng.expovariate(0.6)), last[-1] if shape.across else last[start])
        spans.append((start, end))
    return list(dict.fromkeys(spans))


def _entities(rng: Random, labels: dict[Span, int], *, overlap: bool) -> Entities:
    """Group spans by their labels, under random ids."""
    entities: Entities = {}
    for span, label in labels.items():
        _add(entities, label, span, overlap=overlap)
    ids = rng.sample(range(1000), len(entities))
    return dict(zip(ids, entities.values(), strict=True))


def _add(entities: Entities, entity: int, span: Span, *, overlap: bool) -> None:
    """Add a span to an entity, or to a new one if it would be read back as another span."""
    if not overlap and any(_crosses(span, other) for other in entities.get(entity, [])):
        entity = max(entities) + 1
    entities.setdefault(entity, []).append(span)


def _crosses(one: Span, other: Span) -> bool:
    first, second = sorted([one, other])
    return first[0] < second[0] <= first[1] < second[1]


def _has_repeats(entities: Entities) -> bool:
    """Whether a reader of this format finds a span twice."""
    read = Counter(span for spans in entities.values() for span in as_read(spans))
    return any(times > 1 for times in read.values())


def as_read(spans: Sequence[Span]) -> list[Span]:
    """Return the spans that the brackets of one entity stand for.

    A closing bracket belongs to the latest open one, and a token's openings come first.
    """
    read = [span for span in spans if span[0] == span[1]]
    longer = [span for span in spans if span[0] < span[1]]
    waiting: list[int] = []
    for token in range(1 + max((end for _, end in longer), default=-1)):
        waiting += [start for start, _ in longer if start == token]
        read += [(waiting.pop(), token) for _, end in longer if end == token]
    return read


def _text(document: Document, entities: Entities) -> str:
    cells: dict[int, list[str]] = {}
    for entity, spans in entities.items():
        for start, end in spans:
            if start == end:
                cells.setdefault(start, []).append(f"({entity})")
            else:
                cells.setdefault(start, []).append(f"({entity}")
                cells.setdefault(end, []).append(f"{entity})")
    columns = ["|".join(cells.get(token, ["-"])) for token in range(sum(document.sentences))]
    return conll_text(document.heading, columns, document.sentences)


def conll_text(heading: str, cells: Sequence[str], sentences: Iterable[int] = ()) -> str:
    """Write a document of which only the cells of the last column matter."""
    lines = [f"#begin document {heading}"]
    token = 0
    for length in sentences or [len(cells)]:
        for number in range(length):
            lines.append(f"text\t0\t{number}\tword\t{cells[token]}")
            token += 1
        lines.append("")
    return "\n".join([*lines, "#end document", ""])
