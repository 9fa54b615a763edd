"""estimate(): the scores of a response on a whole corpus, from a sample of its key entities.

Scores are ratios of sums over all key entities. What entity c adds to numerator and denominator, if
n of its records are in a response entity of size s:

    pairwise      recall sum n(n-1)/2 of |c|(|c|-1)/2; precision sum n(n-1)/2 of the same plus
                  sum n(s-n)/2, half of the wrong links, since these have two ends
    b3            recall sum n²/|c| of |c|, precision sum n²/s of |c|: means over mentions
    exact_entity  recall whether c is in the response, of 1; precision the same, of |c| times the
                  number of response entities per record
    muc           recall |c| minus the number of its parts, of |c| - 1
    lea           recall |c| times the share of its links that are found, of |c|

So only response entities with records of the sample are needed, and the number of all others.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

import numpy as np

from scoref.analysis.ratio_estimates import (
    Draws,
    EntityTerms,
    SampleEstimate,
    Terms,
    estimate_terms,
)
from scoref.analysis.sample_file import SampledEntities, SampleDesign, read_sample
from scoref.base.arrays import Floats, Ints
from scoref.base.phrases import counted, listed
from scoref.base.viewed import Tabular
from scoref.corpus import fingerprint
from scoref.engines.tables.record_rows import RecordTable, entity_sizes, open_records
from scoref.exceptions import MentionError, UsageError
from scoref.formats.table.columns import NOISE, note_noise
from scoref.matching.inputs import Input, OneOrTwo, ReadOptions
from scoref.metrics.base import links
from scoref.resampling.sampling_options import Sampling
from scoref.version import __version__

_NOISE = fingerprint.of_labels([NOISE]).view(np.int64)
Missing = Literal["refuse", "singleton"]


@dataclass(frozen=True, slots=True, eq=False)
class Estimates(Tabular):
    """Estimates by metric and by `recall`, `precision` and `f1`, from a sample of key entities.

    `entities` and `sampled_records` are those of the sample, `records` and `clusters` those of the
    response. `cautions` say which intervals may not hold.
    """

    by_metric: dict[str, dict[str, SampleEstimate]]
    design: SampleDesign
    entities: int
    sampled_records: int
    records: int
    clusters: int
    sampling: Sampling
    signature: str
    notes: tuple[str, ...]
    cautions: tuple[str, ...]

    def __getitem__(self, metric: str) -> dict[str, SampleEstimate]:
        return self.by_metric[metric]

    def __repr__(self) -> str:
        draws = counted(self.design.draws, "draw")
        return f"<Estimates: {len(self.by_metric)} metrics from {draws} ({self.design.name})>"


class ResponseEntities(NamedTuple):
    """What the response has: of each sampled record its entity and the size of that, and totals.

    A record that the response lacks is an entity of its own. `per_record` is the number of
    response entities divided by the number of records, or NaN if it is not known.
    """

    entity: Ints
    size: Ints
    records: int
    entities: int
    per_record: float


def estimate(
    sample: Input,
    response: Input,
    weights: str | None = None,
    *,
    level: float = 0.05,
    missing: Missing = "refuse",
    format: OneOrTwo = None,  # noqa: A002  # what the command line calls it
    encoding: OneOrTwo = None,
) -> Estimates:
    """Estimate the scores of a response from a sample of the entities of a key.

    * `sample`: Some entities of the key, each with all of its records; best a file that
      `scoref.sample` has drawn.
    * `response`: The whole response. It is read once, and takes 16 bytes of memory per row.
    * `weights`: `uniform` if all entities were equally likely to be drawn, `size` if an entity was
      drawn by its records, or the column of the sample with the weight of each entity; by default,
      what the sample states.
    * `level`: Intervals cover 1 - level.
    * `missing`: What to do if the response lacks a record of the sample: `refuse`, or count it as
      an entity of its own (`singleton`).
    """
    if missing not in get_args(Missing):
        known = ", ".join(get_args(Missing))
        raise UsageError(f"missing is {missing!r}, but must be one of: {known}")
    sampling, reading = Sampling(level=level), ReadOptions(format, encoding)
    tables = open_records(sample, "sample", reading), open_records(response, "response", reading)
    drawn = read_sample(tables[0], weights)
    found, notes = _find_entities(drawn, tables[1], missing)
    design = drawn.design
    terms, draws = entity_terms(drawn.entity, drawn.sizes, found), Draws.of(drawn)
    by_metric, cautions = estimate_terms(terms, draws, design.fraction, sampling)
    stated = {
        "key": drawn.fingerprint(),
        "design": design.name,
        "draws": design.draws,
        **({"population": design.population} if design.population else {}),
        **({"missing": missing} if missing != "refuse" else {}),
        "version": __version__,
    }
    return Estimates(
        by_metric,
        design,
        len(drawn.names),
        len(drawn.record),
        found.records,
        found.entities,
        sampling,
        "|".join(["scoref", *(f"{name}:{value}" for name, value in stated.items())]),
        (*drawn.notes, *notes),
        tuple(cautions),
    )


def _find_entities(
    sample: SampledEntities, response: RecordTable, missing: Missing
) -> tuple[ResponseEntities, list[str]]:
    """Find the records of a sample in the response, and the sizes of their response entities."""
    order = np.argsort(sample.record)
    wanted = sample.record[order]
    times, entity = np.zeros(len(wanted), dtype=np.int64), np.zeros(len(wanted), dtype=np.int64)
    every: list[Ints] = []
    for rows in response.read(False):
        every.append(rows.entity)
        at = np.minimum(np.searchsorted(wanted, rows.record), len(wanted) - 1)
        same = wanted[at] == rows.record
        np.add.at(times, order[at[same]], 1)
        entity[order[at[same]]] = rows.entity[same]
    if (times > 1).any():
        name = sample.record_names[int(np.argmax(times > 1))]
        message = f"{response.shown}: found record `{name}` of the sample in several rows"
        raise MentionError(f"{message}, expected one", "remove the other rows, or make ids unique")
    is_missing, records = times == 0, sum(map(len, every))
    entities, sizes = entity_sizes(every, np.append(entity, _NOISE))
    notes, absent = note_noise(response.shown, int(sizes[-1])), 0.0
    if is_missing.any():
        at = np.flatnonzero(is_missing)
        notes = [_accept_missing(sample, at.tolist(), response.shown, missing), *notes]
        known = sample.design.population if sample.design.by_size else 0
        absent = known - records if known >= records else math.nan
    numbers = np.unique(entity, return_inverse=True)[1]
    alone = np.cumsum(is_missing) + len(numbers)
    found = np.where(is_missing, alone, numbers), np.where(is_missing, 1, sizes[:-1])
    per_record = (entities + absent) / (records + absent)
    return ResponseEntities(*found, records, entities, per_record), notes


def _accept_missing(
    sample: SampledEntities, missing_rows: list[int], response: str, missing: Missing
) -> str:
    """Refuse records that the response lacks, or return a note on them."""
    names = listed([f"`{sample.record_names[one]}`" for one in missing_rows])
    every = len(sample.record)
    if len(missing_rows) == every:
        raise MentionError(
            f"{response} has none of the records of {sample.shown}, such as"
            f" `{sample.record_names[0]}`",
            "use the same ids, and the same columns of ids, in both files",
        )
    what = f"{counted(len(missing_rows), 'record')} of the sample, of {every:,}, such as {names}"
    if missing == "refuse":
        raise MentionError(
            f"{response} lacks {what} ({sample.shown}:{sample.line[missing_rows[0]]})",
            "--missing singleton counts each as an entity of its own, as where a program writes"
            " only entities of several records",
        )
    return f"{response} lacks {what}: each counts as an entity of its own"


def entity_terms(entity: Ints, sizes: Ints, found: ResponseEntities) -> EntityTerms:
    """Return what each entity adds to each score, given the entity of each record."""
    size = sizes.astype(np.float64)
    width = int(found.entity.max()) + 1
    cell, first, shared = np.unique(
        entity * width + found.entity, return_index=True, return_counts=True
    )
    of_cell, cluster = cell // width, found.size[first]

    def total(values: Floats | Ints) -> Floats:
        return np.bincount(of_cell, weights=values, minlength=len(size)).astype(np.float64)

    right, wrong = total(links(shared)), total(shared * (cluster - shared)) / 2
    is_equal = (shared == cluster) & (shared == size[of_cell])
    exact, parts = total(is_equal.astype(np.float64)), total(np.ones(len(cell)))
    pairs, one = links(size), np.ones(len(size))
    resolved = np.where(size == 1, exact, right / np.maximum(pairs, 1))
    return {
        "pairwise": {
            "recall": Terms(right, pairs),
            "precision": Terms(right, right + wrong),
            "f1": Terms(right, (pairs + right + wrong) / 2),
        },
        "b3": {
            "recall": Terms(total(shared**2) / size, size),
            "precision": Terms(total(shared**2 / cluster), size),
        },
        "exact_entity": {
            "recall": Terms(exact, one),
            "precision": Terms(exact, size * found.per_record),
            "f1": Terms(exact, (one + size * found.per_record) / 2),
        },
        "muc": {"recall": Terms(size - parts, size - 1)},
        "lea": {"recall": Terms(size * resolved, size)},
    }
