"""curves(): scores by how much of the text was read, and links by distance.

    prefix     the score of the mentions whose first token is in the first part of each document,
               with entities cut at its end; the last point is the score of whole documents
    distance   recall and precision of the link from a mention to the closest earlier mention of
               its entity, by the distance of their first tokens. A link of the key is found if both
               mentions are in one response entity, and a link of the response is right if both are
               in one key entity

Counts are additive, so all prefixes are counted as the windows of one table. With several
documents, each point has an interval over documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from os import PathLike
from typing import NamedTuple, Unpack

import numpy as np

from scoref.analysis.seams import DISTANCES
from scoref.base.arrays import Ints
from scoref.base.exact_sums import exact_sum
from scoref.base.progress import progress
from scoref.base.viewed import Tabular, find_view
from scoref.counts.counts import Counts
from scoref.engines.local import assemble_prepared
from scoref.exceptions import UsageError
from scoref.matching.alignment import Alignment
from scoref.matching.inputs import Input, OneOrTwo, ReadOptions
from scoref.matching.pipeline import Prepared, prepare
from scoref.matching.requirements import Requirements
from scoref.matching.same_text import AUTO, Checks
from scoref.matching.windows import TextWindows, cut_at, lengths_of_units, spans_of_rows
from scoref.metrics import Metric, MetricLike, find_metrics
from scoref.metrics.table import NOWHERE
from scoref.policy import Policy, PolicyLike, PolicyOptions
from scoref.policy.capabilities import CURVES, require, supports
from scoref.resampling.bootstrap import Interval
from scoref.resampling.intervals import intervals
from scoref.resampling.sampling_options import Sampling
from scoref.result import Result, Score

PREFIX, DISTANCE = "prefix", "distance"
LINKS = "links"
_MOST_POINTS = 1000
_AT_ONCE = 10
"""Prefixes that are counted together, so that their mentions stay in the cache."""
_LONG = 5_000
"""The tokens of a document whose curves a report shows."""


class CurvePoint(NamedTuple):
    """A score: of the first `start` percent of each text, or of links from `start` tokens on.

    `end` is the longest distance; it is None where there is no limit, and for prefixes. `size` is
    the number of tokens that were read, or of links of the key. `interval` is that of F1, if there
    are several documents.
    """

    curve: str
    start: float
    end: int | None
    size: int
    metric: str
    score: Score
    interval: Interval | None


@dataclass(frozen=True, slots=True, eq=False)
class Curves(Tabular):
    """Scores by prefix and by distance. `confidence` is that of the intervals, or empty."""

    points: tuple[CurvePoint, ...]
    documents: int
    confidence: str
    signature: str
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<Curves: {len(self.points)} points of {self.documents:,} documents>"

    def of(self, curve: str) -> dict[str, list[CurvePoint]]:
        """Return the points of one curve, `prefix` or `distance`, by metric."""
        found: dict[str, list[CurvePoint]] = {}
        for point in self.points:
            if point.curve == curve:
                found.setdefault(point.metric, []).append(point)
        return found

    def draw(self, path: str | PathLike[str]) -> None:
        """Draw both curves as .svg or .png. This requires matplotlib."""
        find_view("Curves.draw")(self, path)


def curves(
    key: Input,
    response: Input,
    metrics: Iterable[MetricLike] | None = None,
    policy: PolicyLike | None = None,
    format: OneOrTwo = None,  # noqa: A002  # what the command line calls it
    *,
    points: int = 20,
    level: float = 0.05,
    encoding: OneOrTwo = None,
    check_words: Checks = AUTO,
    **choices: Unpack[PolicyOptions],
) -> Curves:
    """Return scores by how much of each text was read, and links by distance.

    * `points`: The number of prefixes, from `1 / points` of each document to the whole.
    * `level`: Intervals cover 1 - level; they require several documents.

    The other parameters are those of `score`.
    """
    if type(points) is not int or not 0 < points <= _MOST_POINTS:
        raise UsageError(f"points is {points!r}, but must be a number from 1 to {_MOST_POINTS:,}")
    chosen, policy = find_metrics(metrics, CURVES), Policy.of(policy, **choices)
    sampling = Sampling(level=level)
    require(policy, CURVES)
    options = ReadOptions.under(policy, format, encoding, check_words)
    prepared = prepare(key, response, Requirements.of(chosen, policy, options))
    return curves_of(prepared, chosen, sampling, points=points)


def curves_of(
    prepared: Prepared, metrics: tuple[Metric, ...], sampling: Sampling, *, points: int = 20
) -> Curves:
    """Return the curves of two sides that are aligned already."""
    alignment = prepared.alignment
    start, end = spans_of_rows(alignment)
    lengths = lengths_of_units(alignment, end)
    result = assemble_prepared(Counts.of(alignment.table(), metrics), prepared)
    found = [
        *_prefixes(result, (alignment, start), lengths, points, sampling),
        *_distances(result, (alignment, start), end, sampling),
    ]
    several = sum(result.has_counts()) > 1
    confidence = sampling.confidence if several else ""
    units = len(alignment.units)
    return Curves(tuple(found), units, confidence, prepared.signature, prepared.notes)


def has_long_documents(prepared: Prepared) -> bool:
    """Whether at least half of the documents are long, and positions are tokens of documents."""
    alignment = prepared.alignment
    sides = (alignment.key_corpus, alignment.res_corpus)
    if not supports(prepared.policy, CURVES) or not alignment.units:
        return False
    if any(one is None or one.as_spans() is None or one.unit != "token" for one in sides):
        return False
    lengths = lengths_of_units(alignment, spans_of_rows(alignment)[1])
    return bool(np.median(lengths) >= _LONG)


def _prefixes(
    result: Result, rows: tuple[Alignment, Ints], lengths: Ints, points: int, sampling: Sampling
) -> Iterator[CurvePoint]:
    """Count some prefixes of all documents at a time, as windows of one table."""
    share = np.arange(1, points + 1)
    ends = -(-lengths[:, None] * share // points)
    with progress("counting prefixes", points) as advance:
        for first in range(0, points, _AT_ONCE):
            chosen = range(points)[first:][:_AT_ONCE]
            yield from _some_prefixes(result, rows, ends, chosen, sampling)
            advance(len(chosen))


def _some_prefixes(
    result: Result, rows: tuple[Alignment, Ints], ends: Ints, chosen: range, sampling: Sampling
) -> Iterator[CurvePoint]:
    """Count the prefixes up to some columns of `ends`, and score them at once."""
    alignment, start = rows
    document = np.repeat(np.arange(len(ends)), len(chosen))
    windows = TextWindows(document, np.zeros_like(document), ends[:, chosen].ravel())
    metrics = result.counts.metrics
    counts = Counts.of(cut_at(alignment, windows, start).table().by_window, metrics)
    scores = {}
    for metric in metrics:
        rows_of, score = counts.statistic(metric, result.policy)
        sums = [exact_sum(rows_of[at :: len(chosen)]) for at in range(len(chosen))]
        scores[metric.name] = score(np.stack(sums)).tolist()
    for at, point in enumerate(chosen):
        of_point = {name: column[at :: len(chosen)] for name, column in counts.rows.items()}
        one = replace(result, counts=Counts(result.counts.units, metrics, of_point))
        place = (PREFIX, 100 * (point + 1) / ends.shape[1], None, int(ends[:, point].sum()))
        yield from _points(
            place, {name: Score(*of[at]) for name, of in scores.items()}, one, sampling
        )


def _distances(
    result: Result, rows: tuple[Alignment, Ints], end: Ints, sampling: Sampling
) -> Iterator[CurvePoint]:
    """Count links to the closest antecedent, by document and by distance."""
    alignment, start = rows
    shape = len(alignment.units), len(DISTANCES)
    columns = []
    for entity, other in ((alignment.key, alignment.res), (alignment.res, alignment.key)):
        at = np.flatnonzero(entity != NOWHERE)
        at = at[np.lexsort((end[at], start[at], entity[at]))]
        linked = entity[at[1:]] == entity[at[:-1]]
        one, before = at[1:][linked], at[:-1][linked]
        distance = np.searchsorted(DISTANCES, start[one] - start[before], side="right") - 1
        cell = alignment.unit[one] * shape[1] + distance
        right = (other[one] != NOWHERE) & (other[one] == other[before])
        columns += [
            np.bincount(cells, minlength=shape[0] * shape[1]) for cells in (cell[right], cell)
        ]
    counts = np.stack(columns, axis=-1).astype(np.float64).reshape(*shape, 4)
    links = Metric(LINKS, lambda _: np.zeros((shape[0], 4)))
    for bin, low in enumerate(DISTANCES):  # noqa: A001  # it is a bin
        high = DISTANCES[bin + 1] - 1 if bin + 1 < len(DISTANCES) else None
        if (of_bin := counts[:, bin]).any():
            found = replace(result, counts=Counts(alignment.units, (links,), {LINKS: of_bin}))
            place = (DISTANCE, low, high, int(of_bin[:, 1].sum()))
            yield from _points(place, found.scores, found, sampling)


def _points(
    place: tuple[str, float, int | None, int],
    scores: Mapping[str, Score],
    result: Result,
    sampling: Sampling,
) -> Iterator[CurvePoint]:
    """Yield the scores of one point, with intervals if several documents count something."""
    units = sampling.counted_units([result])
    found = intervals(result, sampling, units) if len(units) > 1 else None
    for metric, score in scores.items():
        yield CurvePoint(*place, metric, score, found[metric].f1 if found else None)
