"""A pool of generated documents that scoref itself counted, from which corpora are drawn.

Sizes of documents are heavy-tailed: the largest documents have a hundred times the mentions of the
median. Documents differ in difficulty, and systems differ in what they find difficult. All systems
of a pool are equally good, up to chance, unless `worse` is set.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoref.counts.counts import Counts, Statistic
from scoref.matching.alignment import Alignment
from scoref.metrics import Metric, find_metric, find_metrics
from scoref.policy import Policy

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

METRICS = ("conll", "muc", "b3", "ceafe", "lea", "blanc")
_NOWHERE = -1


@dataclass(frozen=True, kw_only=True)
class Shape:
    """How large documents are, how entities are spread, and how much systems get wrong.

    Sizes have a log-normal distribution, or that of `pareto` if this exponent is above 0. With
    `harder`, documents of 2.7 times the size have log odds of an error that are as much higher.
    """

    documents: int = 4000
    systems: int = 10
    median: float = 50.0
    spread: float = 1.0
    least: int = 8
    most: int = 4000
    singletons: float = 0.5
    tail: float = 1.2
    wrong: float = -1.7
    difficulty: float = 0.7
    taste: float = 0.4
    worse: float = 0.0
    pareto: float = 0.0
    harder: float = 0.0


class Pool:
    """Counts of several systems on many documents."""

    def __init__(self, shape: Shape, seed: int = 15) -> None:
        self.shape = shape
        rng = np.random.default_rng(seed)
        self.size = _draw_sizes(rng, shape)
        document = np.repeat(np.arange(shape.documents), self.size)
        key = _draw_partition(rng, self.size, shape)
        difficulty = shape.difficulty * rng.standard_normal(shape.documents)
        difficulty += shape.harder * np.log(self.size / shape.median)
        metrics = find_metrics(METRICS)
        self.counts: list[Counts] = []
        for system in range(shape.systems):
            taste = shape.taste * rng.standard_normal(shape.documents)
            level = shape.wrong + (shape.worse if system else 0.0)
            wrong = _logistic(level + difficulty + taste)
            self.counts.append(_count(_respond(rng, document, key, self.size, wrong), metrics))

    def statistic(self, metric: str, policy: Policy | None = None) -> Statistic:
        """Return the rows of all systems, as (systems, documents, columns), and their score."""
        found = [one.statistic(find_metric(metric), policy or Policy()) for one in self.counts]
        return Statistic(np.stack([one.rows for one in found]), found[0].score)


def draw_runs(spread: float, runs: int = 24, documents: int = 2000, seed: int = 16) -> Floats:
    """Return counts by conll of runs whose scores vary, as (2, runs, documents, columns).

    Each run exists in two variants, which find different documents difficult.
    """
    shape = Shape(documents=documents)
    rng = np.random.default_rng(seed)
    sizes = _draw_sizes(rng, shape)
    document = np.repeat(np.arange(documents), sizes)
    key = _draw_partition(rng, sizes, shape)
    difficulty = shape.difficulty * rng.standard_normal(documents)
    effects = spread * rng.standard_normal(runs)
    metrics = find_metrics(["conll"])
    found = []
    for taste in shape.taste * rng.standard_normal((2, documents)):
        for effect in effects.tolist():
            noise = 0.2 * rng.standard_normal(documents)
            wrong = _logistic(shape.wrong + effect + difficulty + taste + noise)
            counts = _count(_respond(rng, document, key, sizes, wrong), metrics)
            found.append(counts.rows["conll"])
    return np.stack(found).reshape(2, runs, documents, -1)


Response = tuple[Ints, Ints, Ints]
"""The document, the key entity and the response entity of each mention; an entity can be -1."""


def draw_two_annotators(shape: Shape, seed: int = 17) -> Response:
    """Return the document of each mention, and its entity by each of two annotators, or -1."""
    return draw_responses(shape, 1, seed)[0]


def draw_responses(shape: Shape, systems: int, seed: int) -> list[Response]:
    """Return the responses of equal systems on one key; spurious mentions are at the end."""
    rng = np.random.default_rng(seed)
    sizes = _draw_sizes(rng, shape)
    document = np.repeat(np.arange(shape.documents), sizes)
    key = _draw_partition(rng, sizes, shape)
    wrong = _logistic(shape.wrong + shape.difficulty * rng.standard_normal(shape.documents))
    return [_respond(rng, document, key, sizes, wrong) for _ in range(systems)]


def _logistic(values: Floats) -> Floats:
    return 1 / (1 + np.exp(-values))


def _draw_sizes(rng: np.random.Generator, shape: Shape) -> Ints:
    """Draw the number of mentions of each document."""
    if shape.pareto:
        drawn = shape.least * (1 + rng.pareto(shape.pareto, shape.documents))
    else:
        drawn = np.exp(np.log(shape.median) + shape.spread * rng.standard_normal(shape.documents))
    sizes: Ints = np.clip(drawn.round(), shape.least, shape.most).astype(np.int64)
    return sizes


def _draw_partition(rng: np.random.Generator, sizes: Ints, shape: Shape) -> Ints:
    """Draw the entity of each mention: many singletons, and a few very large entities."""
    parts, first = [], 0
    for mentions in sizes.tolist():
        drawn = np.minimum(2 * (1 + rng.pareto(shape.tail, mentions)), max(2, mentions // 2))
        alone = rng.random(mentions) < shape.singletons
        size = np.where(alone, 1, drawn).astype(np.int64)
        entity = np.repeat(np.arange(mentions), size)[:mentions]
        parts.append(first + rng.permutation(entity))
        first += int(entity[-1]) + 1
    entities: Ints = np.concatenate(parts)
    return entities


def _respond(
    rng: np.random.Generator, document: Ints, key: Ints, sizes: Ints, wrong: Floats
) -> tuple[Ints, Ints, Ints]:
    """Return documents, key entities and response entities, with spurious mentions at the end."""
    mistakes = rng.random(len(key))
    share = wrong[document]
    start = np.repeat(np.cumsum(sizes) - sizes, sizes)
    other = key[start + (rng.random(len(key)) * sizes[document]).astype(np.int64)]
    response = np.where(mistakes < 0.6 * share, other, key)
    response[(mistakes >= 0.6 * share) & (mistakes < share)] = _NOWHERE
    spurious = rng.random(len(key)) < 0.4 * share
    joined = np.where(rng.random(len(key)) < 0.5, other, key.max() + 1 + np.arange(len(key)))
    return (
        np.concatenate([document, document[spurious]]),
        np.concatenate([key, np.full(int(spurious.sum()), _NOWHERE)]),
        np.concatenate([response, joined[spurious]]),
    )


def _count(columns: tuple[Ints, Ints, Ints], metrics: Sequence[Metric]) -> Counts:
    """Count a response with scoref's own code."""
    document, _, _ = columns
    order = np.argsort(document, kind="stable")
    document, key, response = (column[order] for column in columns)
    used, number = np.unique(response, return_inverse=True)
    response = number - (used[0] == _NOWHERE)
    rows = np.arange(len(document))
    units = tuple(f"d{at:05d}" for at in range(int(document[-1]) + 1))
    alignment = Alignment(units, document, key, response, rows, rows)
    return Counts.of(alignment.table(), metrics)
