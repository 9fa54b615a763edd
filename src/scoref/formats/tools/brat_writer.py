"""The writer of brat standoff: mentions, links between them, and the text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import BinaryIO

import numpy as np

from scoref.corpus.corpus import Corpus
from scoref.exceptions import UsageError
from scoref.formats.brackets.cells import is_next, runs, written_lengths
from scoref.formats.io.text import control_character
from scoref.formats.written_names import CONTROL, NameRule, WrittenNames

NAMES = WrittenNames(
    word=NameRule(f"[{CONTROL}]"), attributes={"label": NameRule(rf"[\s{CONTROL}]")}
)


def write(corpus: Corpus, stream: BinaryIO) -> None:
    """Write the mentions of a document, and a link from each to the previous of its entity."""
    text, spans, starts, ends = _characters(corpus)
    if control_character(text.encode()) is not None:
        message = "the format brat cannot hold a text with control characters"
        raise UsageError(message, "remove them, or write another format with --to")
    if not len(spans) and not text:
        message = "the format brat cannot hold a document that has neither text nor mentions"
        raise UsageError(message, "write another format with --to")
    labels = corpus.attributes.get("label", np.full(len(corpus), "Mention"))
    latest: dict[int, int] = {}
    links = []
    for row in range(len(spans)):
        places = _places(spans, row, starts, ends)
        offsets = ";".join(f"{start} {end}" for start, end in places)
        covered = " ".join(text[start:end] for start, end in places)
        shown = re.sub(r"\s", " ", covered) or "?"
        label = str(labels[row]) or "Mention"
        stream.write(f"T{row + 1}\t{label} {offsets}\t{shown}\n".encode())
        entity = int(spans.entity[row])
        if entity in latest:
            links.append((row, latest[entity]))
        latest[entity] = row
    for number, (one, other) in enumerate(links, 1):
        link = f"R{number}\tCoref Arg1:T{one + 1} Arg2:T{other + 1}\n"
        stream.write(link.encode())


def covered_text(corpus: Corpus) -> bytes | None:
    """Return the text that belongs next to the annotation, or None if it is not known."""
    return _characters(corpus)[0].encode() or None


def _characters(corpus: Corpus) -> tuple[str, Corpus, list[int], list[int]]:
    """Return the text of the document, its spans, and where each unit starts and ends."""
    spans = corpus.as_spans()
    if spans is None or len(corpus.documents) > 1:
        message = "the format brat has the spans of one document per file"
        raise UsageError(message, "write each document to a file of its own")
    furthest = max([0, *written_lengths(spans, "brat")])
    if corpus.unit == "character":
        return corpus.characters[0], spans, list(range(furthest)), list(range(1, furthest + 1))
    words = ["_"] * furthest
    breaks = [False] * furthest
    if corpus.text is not None and "word" in corpus.text:
        words = list(corpus.text.columns["word"][:furthest])
        breaks = corpus.text.starts_sentence[:furthest].tolist()
    text, starts, ends = "", [], []
    for word, starts_sentence in zip(words, breaks, strict=True):
        text += "" if not text else "\n" if starts_sentence else " "
        starts.append(len(text))
        text += word or "_"
        ends.append(len(text))
    return text, spans, starts, ends


def _places(spans: Corpus, row: int, starts: list[int], ends: list[int]) -> list[tuple[int, int]]:
    """Return the contiguous parts of a mention as offsets."""
    nodes = spans.attributes.get("nodes")
    units: Sequence[int] = range(int(spans.start[row]), int(spans.end[row]) + 1)
    if nodes is not None and nodes[row]:
        if "." in str(nodes[row]):
            raise UsageError("the format brat has no empty nodes, but a mention has one")
        units = sorted(map(int, str(nodes[row]).split()))
    return [(starts[first], ends[last]) for first, last in runs(units, is_next)]
