"""The experiments: how often intervals cover, and how often tests err."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from calibration.pool import Floats, Ints, Shape
from calibration.simulate import TWO_SYSTEMS, Share, corpora, pool, resample, units_of
from scoref.comparison.power import variance_bounds
from scoref.counts.counts import Statistic
from scoref.metrics.base import F1
from scoref.policy import Policy
from scoref.resampling.resampled_scores import Resampled, add_run_variance
from scoref.resampling.sampling_options import Method, Sampling
from scoref.resampling.significance import JointDeviations, bootstrap_tests, randomisation_tests
from scoref.resampling.units import Units

LEVEL = 0.05


def score_coverage(
    metric: str,
    count: int,
    number: int,
    methods: Sequence[Method] = ("jackknife",),
    *,
    shape: Shape = TWO_SYSTEMS,
    policy: Policy | None = None,
    seed: int = 1,
) -> list[Share]:
    """Return how often the interval of a score covers the score of all documents, by method."""
    statistic = pool(shape).statistic(metric, policy)
    truth = float(statistic.score(statistic.rows[0].sum(axis=0))[F1])
    covered = [0] * len(methods)
    for at, rows in enumerate(corpora(statistic, count, number, seed)):
        resampled = resample(statistic, rows[:1], metric, seed=at, policy=policy)
        for place in each_method(resampled, methods):
            found = resampled.interval(0)
            covered[place] += found.low <= truth <= found.high
    return [Share(one, number) for one in covered]


def each_method(resampled: Resampled, methods: Sequence[Method]) -> Iterator[int]:
    """Set the method of the intervals to each of several; all methods see the same draws."""
    for place, method in enumerate(methods):
        resampled.sampling = replace(resampled.sampling, method=method)
        yield place


def difference_coverage(
    metric: str,
    count: int,
    number: int,
    methods: Sequence[Method] = ("jackknife",),
    *,
    shape: Shape = TWO_SYSTEMS,
    seed: int = 2,
) -> list[Share]:
    """Return how often the interval of a difference covers the true difference, by method."""
    statistic = pool(replace(shape, worse=0.15)).statistic(metric)
    scores = statistic.score(statistic.rows.sum(axis=1))[:, F1]
    truth = float(scores[0] - scores[1])
    covered = [0] * len(methods)
    for at, rows in enumerate(corpora(statistic, count, number, seed)):
        resampled = resample(statistic, rows, metric, seed=at)
        for place in each_method(resampled, methods):
            found = resampled.difference(0, 1)
            covered[place] += found.low <= truth <= found.high
    return [Share(one, number) for one in covered]


def false_findings(metric: str, count: int, number: int, test: str, seed: int = 3) -> Share:
    """Return how often a test finds a difference between equal systems."""
    statistic = pool().statistic(metric)
    found = 0
    for at, rows in enumerate(corpora(statistic, count, number, seed, equal=True)):
        resampled = resample(statistic, rows, metric, seed=at, trials=999)
        if test == "randomisation":
            (one,) = randomisation_tests(rows, resampled.f1, [(0, 1)], resampled.sampling)
        else:
            freedom = resampled.difference_spread(0, 1).freedom
            drawn, values = resampled.drawn[..., F1], resampled.values[:, F1]
            (one,) = bootstrap_tests(rows, drawn, values, [(0, 1)], [freedom])
        found += one.p < LEVEL
    return Share(found, number)


def strata_coverage(
    metric: str, strata: int, size: int, number: int, *, difference: bool, seed: int = 4
) -> Share:
    """Return how often intervals cover if documents are drawn within strata.

    Strata are genres of different difficulty: documents are sorted by their score, and each stratum
    is a part of this list.
    """
    statistic = pool(Shape(systems=2, worse=0.15)).statistic(metric)
    by_document = np.nan_to_num(statistic.score(statistic.rows[0])[:, F1])
    parts = np.array_split(np.argsort(by_document, kind="stable"), strata)
    # Every stratum has the same number of documents in the corpus, so it weighs the same.
    totals = np.mean([statistic.rows[:, part].mean(axis=1) for part in parts], axis=0)
    scores = statistic.score(totals)[:, F1]
    truth = float(scores[0] - scores[1]) if difference else float(scores[0])
    rng, units = np.random.default_rng(seed), units_of(strata * size, strata)
    covered = 0
    for _ in range(number):
        chosen = np.concatenate([rng.choice(part, size) for part in parts])
        resampled = resample(statistic, statistic.rows[:, chosen], metric, units=units)
        found = resampled.difference(0, 1) if difference else resampled.interval(0)
        covered += found.low <= truth <= found.high
    return Share(covered, number)


def family_error(
    metric: str, systems: int, count: int, number: int, *, together: bool, seed: int = 5
) -> Share:
    """Return how often some interval of a difference to the best of equal systems excludes 0."""
    statistic = pool(Shape()).statistic(metric)
    statistic = statistic._replace(rows=statistic.rows[:systems])
    excluded = 0
    for at, rows in enumerate(corpora(statistic, count, number, seed, equal=True)):
        resampled = resample(statistic, rows, metric, seed=at, trials=1000)
        level = LEVEL
        if together:
            pairs = list(combinations(range(systems), 2))
            joint = JointDeviations(
                resampled.f1_deviations, pairs, resampled.sampling, resampled.run_variances
            )
            level = joint.individual_level(LEVEL)
        best = int(np.argmax(resampled.values[:, F1]))
        others = [system for system in range(systems) if system != best]
        excluded += any(resampled.difference(best, other, level).low > 0 for other in others)
    return Share(excluded, number)


def margin_errors(metric: str, count: int, number: int, seed: int = 6) -> tuple[Share, Share]:
    """Return how often a gate fails and passes if the true loss is exactly the margin."""
    statistic = pool(Shape(systems=2, worse=0.15)).statistic(metric)
    scores = statistic.score(statistic.rows.sum(axis=1))[:, F1]
    margin = float(scores[0] - scores[1])
    failed = passed = 0
    for rows in corpora(statistic, count, number, seed):
        loss = resample(statistic, rows, metric).difference_spread(0, 1)
        failed += loss.p_above(margin) < LEVEL
        passed += loss._replace(value=-loss.value).p_above(-margin) < LEVEL
    return Share(failed, number), Share(passed, number)


def false_findings_of_runs(
    runs: Floats,
    metric: str,
    of_each: int,
    count: int,
    number: int,
    *,
    seed: int = 7,
) -> tuple[Share, Share]:
    """Return how often equal methods with several runs each seem to differ.

    The first share is of the test that knows about documents alone, the second of the one that
    knows about documents and runs.

    `runs` are (tastes, runs, documents, columns): each run exists in two variants that differ in
    which documents they find difficult. The two methods of a corpus get one variant each, document
    by document at random, and different runs.
    """
    statistic = pool().statistic(metric)
    rng = np.random.default_rng([seed, of_each, count])
    alone = both = 0
    for at in range(number):
        documents = rng.integers(runs.shape[2], size=count)
        chosen = rng.permutation(runs.shape[1])[: 2 * of_each]
        taste = rng.integers(2, size=count)
        one = runs[taste, :, documents].transpose(1, 0, 2)[chosen[:of_each]]
        other = runs[1 - taste, :, documents].transpose(1, 0, 2)[chosen[of_each:]]
        rows = np.concatenate([one, other])
        resampled = resample(statistic, rows, metric, runs=of_each, trials=999, seed=at)
        (test,) = randomisation_tests(
            resampled.mean_rows, resampled.f1, [(0, 1)], Sampling(trials=999, seed=at)
        )
        spread, between = resampled.difference_spread(0, 1), resampled.run_variance([0, 1])
        alone += test.p < LEVEL
        both += add_run_variance(test, spread, between, trials=999).p < LEVEL
    return Share(alone, number), Share(both, number)


def false_findings_of_parts(
    metric: str, texts: int, parts: int, number: int, *, blocks: bool, seed: int = 8
) -> Share:
    """Return how often equal systems seem to differ on parts of texts that each prefers wholly.

    One system is better on all parts of a text, and which one is decided by chance for each text.
    """
    statistic = pool(Shape(systems=2, worse=0.25)).statistic(metric)
    rng = np.random.default_rng([seed, texts, parts])
    text = np.repeat(np.arange(texts), parts)
    names = [f"t{at:03d}/{part:03d}" for at in range(texts) for part in range(parts)]
    units = Units.of(names, blocks=r"^(.+)/\d{3}$" if blocks else None)
    found = 0
    for at in range(number):
        documents: Ints = rng.integers(statistic.rows.shape[1], size=texts * parts)
        better = rng.integers(2, size=texts)[text]
        rows = np.stack([statistic.rows[better, documents], statistic.rows[1 - better, documents]])
        summed = units.sum(rows)
        score = resample(statistic, summed, metric).f1
        (test,) = randomisation_tests(summed, score, [(0, 1)], Sampling(trials=999, seed=at))
        found += test.p < LEVEL
    return Share(found, number)


def pilot_coverage(metric: str, pilot: int, number: int, seed: int = 10) -> tuple[Share, Floats]:
    """Return how often the interval of the documents needed covers, and their quantiles.

    The quantiles at 10, 50 and 90 % are shares of the true number.
    """
    statistic = pool(Shape(systems=2, worse=0.15)).statistic(metric)
    truth = float(
        np.var([_difference(statistic, rows) for rows in corpora(statistic, 400, 3000, seed)])
    )  # the variance of a difference on 400 documents
    found, covered = [], 0
    for rows in corpora(statistic, pilot, number, seed + 1):
        spread = resample(statistic, rows, metric).difference_spread(0, 1)
        ratio = spread.error**2 * pilot / (truth * 400)
        low, high = variance_bounds(spread.freedom, LEVEL)
        covered += ratio * low <= 1 <= ratio * high
        found.append(ratio)
    return Share(covered, number), np.quantile(found, [0.1, 0.5, 0.9])


def _difference(statistic: Statistic, rows: Floats) -> float:
    scores = statistic.score(rows.sum(axis=1))[:, F1]
    return float(scores[0] - scores[1])
