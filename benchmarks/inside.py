"""What is measured within a process, after what it needs was made: `python -m benchmarks.inside`.

Large documents and training loops are scored from memory, so starting Python and drawing a
corpus must not count. Each case runs in a process of its own, which prints what its steps
cost as JSON; its peak memory is that of the corpus and of all steps.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import numpy as np

import scoref
from benchmarks.generate import RESPONSES, Noise, Shape, draw_entities
from scoref.base.arrays import Ints
from scoref.corpus.document import Document
from scoref.formats.format import IF_CHEAP
from scoref.llm.markups import find_markup
from scoref.llm.placed_mentions import SourceDocument, align_completion
from scoref.matching.pipeline import prepare
from scoref.matching.requirements import Requirements
from scoref.metrics import find_metrics


class Step(NamedTuple):
    """Something to measure, and what to call it."""

    name: str
    run: Callable[[], object]


Case = Callable[[Any], Iterator[Step]]


def _corpus(entity: Ints) -> scoref.Corpus:
    """Make one document of mentions of one token; -1 is no mention."""
    token = np.flatnonzero(entity >= 0)
    _, number = np.unique(entity[token], return_inverse=True)
    zeros = np.zeros(len(token), dtype=np.int64)
    return scoref.Corpus(
        documents=(Document("one", "one", len(entity)),),
        document=zeros,
        start=token,
        end=token,
        entity=number,
        entity_names=range(int(number.max(initial=-1)) + 1),  # type: ignore[arg-type]
        line=zeros,
    )


def _document(key: Ints, response: Ints) -> Iterator[Step]:
    """Score one document with the eight default metrics, and with CEAF alone."""
    ours, theirs = _corpus(key), _corpus(response)
    yield Step("eight metrics", lambda: scoref.score(ours, theirs))
    table = prepare(ours, theirs, Requirements(scoref.Policy())).alignment.table()
    for metric in find_metrics(["ceafm", "ceafe"]):
        # A copy, since what is found out about a table is remembered.
        yield Step(f"{metric.name} alone", lambda count=metric.count: count(replace(table)))  # type: ignore[misc]


def _drawn(noise: Noise, sizes: str) -> Case:
    def case(mentions: int) -> Iterator[Step]:
        shape = Shape(documents=1, mentions=mentions, sizes=sizes)
        return _document(*draw_entities(np.random.default_rng(1), shape, noise))

    return case


def _star(mentions: int) -> Iterator[Step]:
    return _document(np.arange(mentions), np.zeros(mentions, dtype=np.int64))


def _scattered(mentions: int) -> Iterator[Step]:
    return _document(np.zeros(mentions, dtype=np.int64), np.arange(mentions))


def _loop(documents: int) -> Iterator[Step]:
    """Score checkpoints of a resolver, as it has them: lists of spans."""
    shape, noise = Shape(mentions=57, singletons=0.0, tail=1.2), Noise()
    key: dict[str, list[list[tuple[int, int]]]] = {}
    response: dict[str, list[list[tuple[int, int]]]] = {}
    for number in range(documents):
        sides = draw_entities(np.random.default_rng([1, number]), shape, noise)
        for side, given in zip((key, response), sides, strict=True):
            entities: dict[int, list[tuple[int, int]]] = {}
            for token, entity in enumerate(given.tolist()):
                if entity >= 0:
                    entities.setdefault(entity, []).append((token, token))
            side[f"document {number}"] = list(entities.values())
    prepared = scoref.Key(key)
    yield Step("a checkpoint, key prepared", lambda: prepared.score(response))
    yield Step("a checkpoint, scoref.score", lambda: scoref.score(key, response))
    yield Step("an accumulator, all documents", lambda: _accumulated(key, response, together=True))
    yield Step("an accumulator, one by one", lambda: _accumulated(key, response, together=False))


def _accumulated(
    key: dict[str, Any], response: dict[str, Any], *, together: bool
) -> dict[str, scoref.Score]:
    accumulator = scoref.Accumulator()
    if together:
        accumulator.update(key, response)
    else:
        for name, entities in key.items():
            accumulator.add(entities, response[name], name)
    return dict(accumulator.scores)


def _readers(directory: str) -> Iterator[Step]:
    """Read every file of a directory as scoring does: words where the reader sees them anyway."""
    words = {IF_CHEAP}
    for path in sorted(Path(directory).iterdir()):
        yield Step(path.name, lambda path=path: scoref.read(path, words=words))  # type: ignore[misc]


def _book(directory: str) -> Iterator[Step]:
    """Score a long text: whole, in 1,000 windows, along the text; and stitch 100 chunks of it."""
    key, response = (Path(directory) / f"{side}.conll" for side in ("key", "response"))
    corpus = scoref.read(response, words={"word"})
    chunks, window = _chunks(corpus, 100), max(1, corpus.documents[0].length // 1000)
    yield Step("scoref.score", lambda: scoref.score(key, response))
    yield Step("1,000 windows", lambda: scoref.score(key, response, window=window))
    yield Step("scoref.curves, 100 points", lambda: scoref.curves(key, response, points=100))
    yield Step("scoref.seams", lambda: scoref.seams(key, response, window=window))
    yield Step("scoref.stitch, 100 chunks", lambda: scoref.stitch(key, chunks))


def _chunks(corpus: scoref.Corpus, many: int) -> list[dict[str, Any]]:
    """Divide a document into chunks of whole sentences, as JSON lines have them."""
    assert corpus.text is not None  # noqa: S101
    starts = np.flatnonzero(corpus.text.starts_sentence)
    bounds = [*starts[:: max(1, len(starts) // many)].tolist(), len(corpus.text)]
    chunks: list[dict[str, Any]] = []
    for low, high in pairwise(bounds):
        rows = np.flatnonzero((corpus.start >= low) & (corpus.end < high))
        entities: dict[int, list[list[int]]] = {}
        for row in rows.tolist():
            span = [int(corpus.start[row]) - low, int(corpus.end[row]) - low]
            entities.setdefault(int(corpus.entity[row]), []).append(span)
        words = [corpus.text.columns["word"][low:high]]
        name = f"{corpus.documents[0].name}_S{np.searchsorted(starts, low)}"
        chunks.append({"doc_key": name, "sentences": words, "clusters": list(entities.values())})
    return chunks


_FREQUENT = ("the", "a", "of", "and", ",", ".")


def _marked_text(words: int) -> tuple[SourceDocument, str]:
    """Draw a text in CRAC plaintext whose words are frequent as those of a language are."""
    rng = np.random.default_rng(1)
    drawn = (rng.zipf(1.3, words) % 20_000).tolist()
    source = [f"w{number}" if number > 5 else _FREQUENT[number] for number in drawn]
    altered = rng.random(words) < 0.03
    marked = rng.random(words) < 0.14
    text = " ".join(
        f"{word}x" * bool(altered[at])
        + word * (not altered[at])
        + f"|[e{at % 97}]" * bool(marked[at])
        for at, word in enumerate(source)
    )
    return SourceDocument("one", source, np.arange(words) % 20 == 0), text


def _generated(words: int) -> Iterator[Step]:
    """Align a text that a language model wrote."""
    source, text = _marked_text(words)
    markup = find_markup("crac")
    yield Step("scoref", lambda: align_completion(source, text, markup, "drop"))


def _text2text(words: int) -> Iterator[Step]:
    """Clean the same text with the official cleaner of the CRAC shared task."""
    if "SCOREF_TEXT2TEXT" not in os.environ:
        return
    sys.path.insert(0, str(Path(os.environ["SCOREF_TEXT2TEXT"]) / "src" / "text2text_coref"))
    cleaner = import_module("output_cleaner")
    source, text = _marked_text(words)
    clean = cleaner._clean_document  # noqa: SLF001  # the function for one document
    yield Step("text2text-coref", lambda: clean(text, [source.words], True))


CASES: dict[str, Case] = {
    **{
        f"{kind} response, {sizes} sizes": _drawn(noise, sizes)
        for kind, noise in RESPONSES.items()
        for sizes in ("pareto", "geometric")
    },
    "one response entity, key all singletons": _star,
    "response all singletons, one key entity": _scattered,
    "training loop": _loop,
    "readers": _readers,
    "book": _book,
    "generated text": _generated,
    "generated text, text2text-coref": _text2text,
}


def main() -> None:
    """Measure the steps of a case, and print their CPU seconds and the peak memory."""
    name, about, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
    steps = list(CASES[name](int(about) if about.isdecimal() else about))
    for step in steps:
        step.run()  # warms up
    costs: dict[str, list[float]] = {step.name: [] for step in steps}
    for _ in range(rounds):
        for step in steps:
            before = process_time()
            step.run()
            costs[step.name].append(process_time() - before)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    json.dump({"cpu": costs, "peak": peak}, sys.stdout)


if __name__ == "__main__":
    main()
