"""How often the intervals of `scoref estimate` cover, by design and by number of draws."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from calibration.pool import Floats, Ints
from calibration.simulate import Share
from scoref.analysis.estimation import (
    ResponseEntities,
    entity_terms,
)
from scoref.analysis.ratio_estimates import Draws, EntityTerms, estimate_terms
from scoref.resampling.sampling_options import Sampling


class Corpus(NamedTuple):
    """All entities of a key: what each adds to the scores of a response, its size, the truth."""

    terms: EntityTerms
    size: Ints
    truth: dict[tuple[str, str], float]


@cache
def corpus(entities: int, tail: str, seed: int = 21) -> Corpus:
    """Return a corpus; the sizes of its entities are geometric, or have a Pareto tail."""
    rng = np.random.default_rng(seed)
    if tail == "geometric":
        size = rng.geometric(0.4, entities)
    else:
        size = np.minimum(np.floor(rng.pareto(2.0, entities) + 1), 300).astype(np.int64)
    entity = np.repeat(np.arange(entities), size)
    wrong = rng.beta(0.4, 3.6, entities)[entity]  # a tenth, and more in some entities
    chance = rng.random(len(entity))
    other = entity[rng.integers(len(entity), size=len(entity))]
    merged = np.where(rng.random(entities) < 0.04, rng.permutation(entities), np.arange(entities))
    response = merged[entity]
    response = np.where(chance < wrong / 2, other, response)
    response = np.where((chance >= wrong / 2) & (chance < wrong), entities + entity, response)
    _, response, sizes = np.unique(response, return_inverse=True, return_counts=True)
    found = ResponseEntities(
        response, sizes[response], len(entity), len(sizes), len(sizes) / len(entity)
    )
    terms = entity_terms(entity, size, found)
    truth = {
        (metric, score): float(one.numerator.sum() / one.denominator.sum())
        for metric, scores in terms.items()
        for score, one in scores.items()
    }
    recall, precision = (truth["b3", one] for one in ("recall", "precision"))
    truth["b3", "f1"] = 2 * recall * precision / (recall + precision)
    return Corpus(terms, size, truth)


class Coverage(NamedTuple):
    """How often intervals cover, by metric and score, and how often a caution is given."""

    covered: dict[tuple[str, str], Share]
    warned: Share


def estimate_coverage(whole: Corpus, by: str, draws: int, number: int, seed: int = 22) -> Coverage:
    """Draw entities or records as `scoref sample` does, and estimate."""
    entities = len(whole.size)
    rng = np.random.default_rng([seed, draws])
    of_record = np.repeat(np.arange(entities), whole.size)
    population = entities if by == "entity" else len(of_record)
    covered = dict.fromkeys(whole.truth, 0)
    warned = 0
    for _ in range(number):
        drawn = rng.choice(population, draws, replace=False)
        entity = drawn if by == "entity" else of_record[drawn]
        weights: Floats = np.ones(draws) if by == "entity" else 1 / whole.size[entity]
        some = Draws(entity, tuple(map(str, entity.tolist())), weights)
        found, cautions = estimate_terms(whole.terms, some, draws / population, Sampling())
        warned += any("few entities decide" in one for one in cautions)
        for (metric, score), truth in whole.truth.items():
            one = found[metric][score]
            covered[metric, score] += one.low <= truth <= one.high
    shares = {name: Share(times, number) for name, times in covered.items()}
    return Coverage(shares, Share(warned, number))
