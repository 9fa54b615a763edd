"""slices(): scores by kind of mention, of entity or of document, and what is significant in them.

Each value of a field is a slice. A slice has a score and an interval for every metric, and a
difference to the rest: all other mentions of the same system whose value is known. Both are from
the same documents, so the difference is paired over documents. Its standard error is the
jackknife's, which leaves out a document of both, and its p-value is that of Student's t. The
degrees of freedom are those of the kurtosis of the documents' deviations (`jackknife.py`): sizes
count less for a difference within documents than for a score, and `make calibration` shows that
the test keeps its level so.

Systems are tested against each other in each slice by exchanging their documents. P-values are
corrected for all tests that are shown.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import combinations
from os import PathLike
from typing import Unpack

import numpy as np

from scoref.analysis.attribute_table import Attributes, read_attributes
from scoref.analysis.contributions import divides
from scoref.analysis.slice_counts import (
    MEANINGS,
    Meaning,
    SliceCounter,
    SliceCounts,
    classify,
    ordered_names,
)
from scoref.base.arrays import Bools, Ints
from scoref.base.phrases import counted
from scoref.base.progress import progress
from scoref.base.viewed import Tabular, find_view
from scoref.comparison.comparison import check_choice, ranking_metric
from scoref.comparison.pairwise_tests import CORRECTIONS
from scoref.comparison.systems import named_errors, shared_notes
from scoref.counts.counted import Counted, is_counts_file
from scoref.engines.local import assemble_prepared
from scoref.exceptions import UsageError
from scoref.matching.fields import FIELDS, Field
from scoref.matching.inputs import CachedInput, Input, OneOrTwo, ReadOptions
from scoref.matching.pipeline import Prepared, prepare
from scoref.matching.requirements import Requirements
from scoref.matching.same_text import AUTO, Checks
from scoref.matching.where import select_rows
from scoref.metrics import Metric, MetricLike, find_metrics
from scoref.metrics.table import NOWHERE
from scoref.policy import ALL_MENTIONS, Policy, PolicyLike
from scoref.policy.capabilities import SLICES, require
from scoref.resampling.bootstrap import Interval
from scoref.resampling.jackknife import Spread, freedom_of
from scoref.resampling.resampled_scores import Resampled, ScoreIntervals
from scoref.resampling.sampling_options import ComparisonOptions, Sampling
from scoref.resampling.significance import holm, randomisation_tests
from scoref.resampling.units import Units
from scoref.result import Result, Score

REST = ""
"""Stands for the rest in place of another system, which may be called anything."""
LEAST_DOCUMENTS = 5
"""A difference is tested if the slice and the rest are in at least so many documents."""
_MOST = 200
_SELECTED = "slice=yes"  # documents without the slice have no score, as under `where`


@dataclass(frozen=True, slots=True)
class SliceTest:
    """A difference in F1, its interval and its test; `reason` says why there is no test.

    `adjusted` is the p-value after the correction for all tests.
    """

    difference: float
    interval: Interval | None = None
    p: float = math.nan
    adjusted: float = math.nan
    significant: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SliceScore:
    """The score of a system in a slice by one metric, that of the rest, and their difference."""

    score: Score
    intervals: ScoreIntervals | None
    rest: Score
    test: SliceTest


@dataclass(frozen=True, slots=True)
class SystemSlice:
    """One slice of one system: its mentions and entities in the response, and scores by metric."""

    mentions: int
    entities: int
    scores: Mapping[str, SliceScore]


@dataclass(frozen=True, slots=True)
class ScoredSlice:
    """A slice: a value of a field.

    * `by`, `name`: The field and the value.
    * `mentions`, `entities`: Those of the key.
    * `documents`: In how many documents either side has a mention of the slice.
    * `systems`: The slice of each system.
    * `pairs`: The tests of pairs of systems, by metric: the first minus the second.
    * `is_known`: Whether it is a value, not the mentions that have none.
    """

    by: str
    name: str
    mentions: int
    entities: int
    documents: int
    systems: Mapping[str, SystemSlice]
    pairs: Mapping[tuple[str, str], Mapping[str, SliceTest]]
    is_known: bool = True

    def tests(self) -> Iterator[tuple[str, str, str, SliceTest]]:
        """Yield all tests: of which system, against which (or the rest), by which metric."""
        for system, of_system in self.systems.items():
            for metric, one in of_system.scores.items():
                yield system, REST, metric, one.test
        for (one_system, other), tests in self.pairs.items():
            for metric, test in tests.items():
                yield one_system, other, metric, test


@dataclass(frozen=True, slots=True, eq=False)
class Slices(Tabular):
    """Scores by slice, with intervals and tests.

    * `rows`: The slices, field by field.
    * `whole`: The scores of all mentions, by system and metric.
    * `meaning`: `alone` or `share`.
    * `metric`: The metric that views show first.
    * `tests`: How many tests p-values are corrected for.

    Options of the views are `details`, which shows differences by every metric, and `digits`.
    """

    by: tuple[str, ...]
    metrics: tuple[str, ...]
    metric: str
    meaning: str
    rows: tuple[ScoredSlice, ...]
    whole: Mapping[str, Mapping[str, Score]]
    documents: int
    tests: int
    correction: str
    sampling: Sampling
    signature: str
    notes: tuple[str, ...]
    cautions: tuple[str, ...] = ()

    def __getitem__(self, place: tuple[str, str]) -> ScoredSlice:
        for row in self.rows:
            if (row.by, row.name) == place:
                return row
        known = ", ".join(f"{row.by}={row.name}" for row in self.rows)
        raise UsageError(f"no slice {place!r}", f"one of: {known}")

    def of(self, by: str) -> list[ScoredSlice]:
        """Return the slices of a field."""
        return [row for row in self.rows if row.by == by]

    def __repr__(self) -> str:
        return f"<Slices by {', '.join(self.by)}: {counted(len(self.rows), 'slice')}>"

    def draw(self, path: str | PathLike[str]) -> None:
        """Draw the F1 of all slices with intervals, as .svg or .png. This requires matplotlib."""
        find_view("Slices.draw")(self, path)


def slices(
    key: Input,
    systems: Mapping[str, Input] | Input,
    by: str | Iterable[str],
    metrics: Iterable[MetricLike] | None = None,
    policy: PolicyLike | None = None,
    *,
    format: OneOrTwo = None,  # noqa: A002  # what the command line calls it
    attributes: Attributes | None = None,
    meaning: Meaning = "alone",
    correction: str = "holm",
    encoding: OneOrTwo = None,
    check_words: Checks = AUTO,
    **choices: Unpack[ComparisonOptions],
) -> Slices:
    """Score slices of the mentions: `scoref.slices(key, {"ours": response}, by="type")`.

    * `key`: The reference, as in `scoref.score`.
    * `systems`: The responses by the names of systems, or one response.
    * `by`: A field or several; `scoref.matching.fields` has those that scoref knows.
    * `attributes`: Fields of your own: a CSV or JSON file, rows as dicts, or the fields of each
      document by its name.
    * `meaning`: `alone` scores the mentions of a slice as if the others did not exist. `share`
      divides the counts of the whole among mentions, so that slices add up to it.
    * `correction`: The correction of p-values for all tests: `holm` or `none`.
    * `choices`: The keywords for resampling, as in `compare`, and fields of the policy.

    The other parameters are those of `score`.
    """
    sampling, of_policy = Sampling.split(**choices)
    policy = Policy.of(policy, **of_policy)
    require(policy, SLICES)
    check_choice("meaning", meaning, MEANINGS)
    check_choice("correction", correction, [one for one in CORRECTIONS if one != "maxt"])
    chosen, fields = find_metrics(metrics, SLICES), _find_fields(by, read_attributes(attributes))
    if meaning == "share" and (undivided := [one.name for one in chosen if not divides(one)]):
        raise UsageError(
            f"{undivided[0]} cannot be divided among mentions",
            "use --meaning alone, or leave the metric out",
        )
    named = systems if isinstance(systems, Mapping) else {"response": systems}
    options = ReadOptions.under(policy, format, encoding, check_words)
    required = _require(Requirements.of(chosen, policy, options), fields)
    prepared = _prepare(key, named, required)
    work = SliceWork(prepared, chosen, policy, meaning, sampling)
    rows = [row for field in fields for row in work.slices_of(field)]
    rows, tests = correct(rows, sampling.level, correction)
    first = next(iter(prepared.values()))
    return Slices(
        by=tuple(field.name for field in fields),
        metrics=tuple(one.name for one in chosen),
        metric=ranking_metric(next(iter(work.results.values()))),
        meaning=meaning,
        rows=tuple(rows),
        whole={name: result.scores for name, result in work.results.items()},
        documents=len(first.alignment.units),
        tests=tests,
        correction=correction,
        sampling=sampling,
        signature=policy.signature(first.fingerprint),
        notes=tuple(shared_notes({name: [one] for name, one in work.results.items()})),
        cautions=(
            *sampling.counted_units(work.results.values()).cautions(),
            *_blind(work, tests, correction),
        ),
    )


def _blind(work: SliceWork, tests: int, correction: str) -> Iterator[str]:
    """Say if so few exchanges are drawn that no difference of systems can be significant."""
    smallest = 1 / (1 + work.sampling.trials)
    if work.pairs and correction == "holm" and tests * smallest >= work.sampling.level:
        yield (
            "no difference between systems can be significant: the smallest possible p is"
            f" {smallest:.2g}, {min(1.0, tests * smallest):.2g} after Holm's correction; use more"
            " --trials, or fewer metrics and fields"
        )


def _find_fields(by: str | Iterable[str], own: Mapping[str, Field]) -> list[Field]:
    names = [by] if isinstance(by, str) else [*dict.fromkeys(by)]
    fields = {**FIELDS, **own}
    if not names:
        found = "found no field to divide mentions by, such as --by type"
        raise UsageError(found, f"one of: {', '.join(fields)}")
    for name in names:
        if name not in fields:
            hint = "" if own else "; --attributes adds fields of your own"
            raise UsageError(f"unknown field {name!r}", f"one of: {', '.join(fields)}{hint}")
    return [fields[name] for name in names]


def _require(required: Requirements, fields: Sequence[Field]) -> Requirements:
    """Add what the fields require; mentions are selected later, since fields describe all."""
    return required._replace(
        policy=replace(required.policy, where=ALL_MENTIONS),
        of_metrics=required.needs.union(*(field.needs for field in fields)),
        shown=required.text.union(*(field.columns for field in fields)),
    )


def _prepare(
    key: Input, systems: Mapping[str, Input], required: Requirements
) -> dict[str, Prepared]:
    """Read and align each system; the key is read once."""
    source = CachedInput(key)
    found = {}
    with progress("aligning systems", len(systems)) as advance:
        for name, system in systems.items():
            if isinstance(system, Result) or is_counts_file(system):
                raise UsageError(
                    f"{name} has counts, but slices require single mentions",
                    "name the response that was counted",
                )
            with named_errors(name) if len(systems) > 1 else nullcontext():
                found[name] = prepare(source, system, required)
            advance(1)
    if not found:
        raise UsageError("slices require at least one system")
    return found


class SliceWork:
    """Counts, scores and tests the slices of all systems."""

    def __init__(
        self,
        prepared: Mapping[str, Prepared],
        metrics: Sequence[Metric],
        policy: Policy,
        meaning: Meaning,
        sampling: Sampling,
    ) -> None:
        self.prepared, self.metrics, self.sampling = prepared, metrics, sampling
        self.counters = {
            name: SliceCounter(one, metrics, select_rows(one.alignment, policy.where), meaning)
            for name, one in prepared.items()
        }
        self.results = {
            name: replace(assemble_prepared(self.counters[name].whole, one), policy=policy)
            for name, one in prepared.items()
        }
        self.policy = replace(policy, where=_SELECTED)
        self.pairs = [*combinations(enumerate(prepared), 2)]

    def slices_of(self, field: Field) -> Iterator[ScoredSlice]:
        """Yield the slices of a field."""
        classes = [classify(field, one.alignment) for one in self.prepared.values()]
        names = ordered_names(field, classes)
        if len(names) > _MOST:
            raise UsageError(
                f"{field.name} has {len(names):,} values, expected at most {_MOST}",
                "divide by a field with fewer values, or select some with --where",
            )
        numbers = [one.renumber(names) for one in classes]
        known = np.array([name != field.without for name in names], dtype=bool)
        counts = [
            counter.count(of, known)
            for counter, of in zip(self.counters.values(), numbers, strict=True)
        ]
        with progress(f"scoring slices by {field.name}", len(names)) as advance:
            for at, (name, *found) in enumerate(zip(names, *counts, strict=True)):
                row = self._slice(field, name, [of == at for of in numbers], found)
                if row.mentions or any(one.mentions for one in row.systems.values()):
                    yield row
                advance(1)

    def _slice(
        self, field: Field, name: str, rows: Sequence[Bools], counts: Sequence[SliceCounts]
    ) -> ScoredSlice:
        own, rest = (
            [
                replace(result, counts=getattr(one, which), policy=self.policy)
                for result, one in zip(self.results.values(), counts, strict=True)
            ]
            for which in ("own", "rest")
        )
        members = [
            counter.alignment.where(inside[counter.rows])
            for counter, inside in zip(self.counters.values(), rows, strict=True)
        ]
        documents = np.unique(np.concatenate([one.unit for one in members]))
        units = self.sampling.counted_units(own)
        both = self.sampling.counted_units([*own, *rest])
        found = [
            MetricSlice(metric, (own, rest), (units, both), self.sampling)
            for metric in self.metrics
        ]
        systems = {
            system: SystemSlice(
                *_count(one.res),
                {part.name: part.score(at, is_known=name != field.without) for part in found},
            )
            for at, (system, one) in enumerate(zip(self.prepared, members, strict=True))
        }
        return ScoredSlice(
            field.name,
            name,
            *_count(members[0].key),
            len(documents),
            systems,
            {
                (one, other): {part.name: part.pair(first, second) for part in found}
                for (first, one), (second, other) in self.pairs
            },
            name != field.without,
        )


def _count(entity: Ints) -> tuple[int, int]:
    """Count the mentions and the entities of a side."""
    entity = entity[entity != NOWHERE]
    return len(entity), len(np.unique(entity))


class MetricSlice:
    """One slice of all systems by one metric: scores, intervals and tests.

    `sides` are the results of the slice and of the rest. `units` are the documents that have the
    slice, and those that have either.
    """

    def __init__(
        self,
        metric: Metric,
        sides: tuple[Sequence[Counted], Sequence[Counted]],
        units: tuple[Units, Units],
        sampling: Sampling,
    ) -> None:
        self.name, self.sampling, self.units = metric.name, sampling, units
        self.systems = len(sides[0])
        self.scores = [
            [Score(*one.counts.scores(metric, one.policy).tolist()) for one in side]
            for side in sides
        ]
        self.own_size, self.rest_size = (
            len(sampling.counted_units(side)) if any(one.has_counts().any() for one in side) else 0
            for side in sides
        )
        self.own, self.both = (
            Resampled.of([[one] for one in side], metric, of_side, sampling)
            if self.own_size and len(of_side) > 1
            else None
            for side, of_side in zip((sides[0], [*sides[0], *sides[1]]), units, strict=True)
        )

    def score(self, system: int, *, is_known: bool) -> SliceScore:
        """Return the score of a system, and its difference to the rest if the value is known."""
        score, rest = (side[system] for side in self.scores)
        intervals = self.own.intervals(system) if self.own else None
        difference = score.f1 - rest.f1
        reason = "these mentions have no value"
        if is_known:
            reason = self._refusal(difference, ("it", self.own_size), ("the rest", self.rest_size))
        return SliceScore(score, intervals, rest, self._against_rest(system, difference, reason))

    def _against_rest(self, system: int, difference: float, reason: str) -> SliceTest:
        if reason or self.both is None:
            return SliceTest(difference, reason=reason)
        spread = self.both.difference_spread(system, self.systems + system)
        if not spread.without_variance:
            deviations = self.both.difference_deviations(system, self.systems + system)
            freedom = freedom_of(deviations, math.inf, self.both.units)
            spread = spread._replace(freedom=freedom)
        return _tested(spread, spread.p_different(), self.sampling.level)

    def _refusal(self, difference: float, *sizes: tuple[str, int]) -> str:
        """Return why there is no test, given what is in how many documents, or nothing."""
        for what, units in sizes:
            if units < LEAST_DOCUMENTS:
                have = f"{counted(units, self.units[0].kind)} {'has' if units == 1 else 'have'}"
                return f"{have} {what}, a test requires {LEAST_DOCUMENTS}"
        return "the score is undefined" if math.isnan(difference) else ""

    def pair(self, one: int, other: int) -> SliceTest:
        """Test two systems against each other in this slice."""
        difference = self.scores[0][one].f1 - self.scores[0][other].f1
        reason = self._refusal(difference, ("it", self.own_size))
        if reason or self.own is None:
            return SliceTest(difference, reason=reason)
        found = self.own
        (test,) = randomisation_tests(found.mean_rows, found.f1, [(one, other)], self.sampling)
        return _tested(found.difference_spread(one, other), test.p, self.sampling.level)


def _tested(spread: Spread, p: float, level: float) -> SliceTest:
    if math.isnan(p):
        return SliceTest(spread.value, reason="the score is undefined without a document")
    return SliceTest(spread.value, spread.interval(level), p, p)


def correct(
    rows: Sequence[ScoredSlice], level: float, correction: str
) -> tuple[list[ScoredSlice], int]:
    """Correct the p-values of all tests together; also return their number.

    The two slices of a field with two values are each other's rest: they have one test.
    """
    p_values: dict[tuple[str, ...], float] = {}
    sizes = Counter(row.by for row in rows if row.is_known)

    def place(row: ScoredSlice, system: str, against: str, metric: str) -> tuple[str, ...]:
        is_one_of_two = sizes[row.by] == 2 and against == REST
        return row.by, "" if is_one_of_two else row.name, system, against, metric

    for row in rows:
        for *test, found in row.tests():
            if not math.isnan(found.p):
                p_values.setdefault(place(row, *test), found.p)
    adjusted = [*p_values.values()]
    adjusted = holm(adjusted) if correction == "holm" else adjusted
    of_place = dict(zip(p_values, adjusted, strict=True))

    def corrected(row: ScoredSlice, found: SliceTest, *test: str) -> SliceTest:
        p = math.nan if math.isnan(found.p) else of_place[place(row, *test)]
        return replace(found, adjusted=p, significant=bool(p < level))

    done = [
        replace(
            row,
            systems={
                system: replace(
                    of_system,
                    scores={
                        metric: replace(one, test=corrected(row, one.test, system, REST, metric))
                        for metric, one in of_system.scores.items()
                    },
                )
                for system, of_system in row.systems.items()
            },
            pairs={
                pair: {metric: corrected(row, one, *pair, metric) for metric, one in tests.items()}
                for pair, tests in row.pairs.items()
            },
        )
        for row in rows
    ]
    return done, len(p_values)
