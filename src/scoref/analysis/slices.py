"""slices(): scores by kind of mention, of entity or of document, and what is significant in them.

Each value of a field is a slice. A slice has a score and an interval for every metric, and a
difference to the rest: all other mentions of the same system whose value is known. P-values are
corrected for all tests that are shown.
"""

from __future__ import annotations

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
from scoref.analysis.slice_tests import (
    MetricSlice,
    ScoredSlice,
    SystemSlice,
    correct,
)
from scoref.base.arrays import Bools, Ints
from scoref.base.phrases import counted
from scoref.base.progress import progress
from scoref.base.viewed import Tabular, find_view
from scoref.comparison.comparison import check_choice, ranking_metric
from scoref.comparison.pairwise_tests import CORRECTIONS
from scoref.comparison.systems import named_errors, shared_notes
from scoref.counts.counted import is_counts_file
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
from scoref.resampling.sampling_options import ComparisonOptions, Sampling
from scoref.result import Result, Score

_MOST = 200
_SELECTED = "slice=yes"  # documents without the slice have no score, as under `where`


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
