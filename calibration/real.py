"""Real corpora, from which documents are drawn with replacement: only the figures are published."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import scoref
from calibration.simulate import Share, corpora, resample
from scoref.counts.counts import Statistic
from scoref.metrics import find_metric
from scoref.metrics.base import F1

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
METRICS = ("conll", "ceafe", "lea", "blanc")


class RealCorpus(NamedTuple):
    """A key, a response, and the policy to score them with."""

    key: str
    response: str
    policy: dict[str, Any]


CORPORA = {
    "LitBank": RealCorpus("litbank/key.conll", "litbank/response.conll", {}),
    "GUM": RealCorpus("gum/gum.key.conllu", "gum/xrenner.response.conllu", {}),
    "OntoGUM": RealCorpus(
        "gum/ontogum.key.conll", "gum/xrenner.response.conll", {"repair": "drop-brackets"}
    ),
    "ECB+": RealCorpus(
        "hypercoref/ecbp.key.conll", "hypercoref/ecbp.01.response.conll", {"unit": "column=3"}
    ),
}


@cache
def _result(name: str) -> scoref.Result:
    key, response, policy = CORPORA[name]
    return scoref.score(DATA / key, DATA / response, METRICS, policy)


def documents(name: str) -> int:
    """Return the number of documents of a corpus that have mentions."""
    return int(np.count_nonzero(_result(name).has_counts()))


def real_coverage(name: str, metric: str, count: int, number: int, seed: int = 13) -> Share:
    """Return how often the interval of a drawn corpus covers the score of the whole corpus."""
    result = _result(name)
    found = result.counts.statistic(find_metric(metric), result.policy)
    statistic = Statistic(found.rows[None, result.has_counts()], found.score)
    truth = float(statistic.score(statistic.rows[0].sum(axis=0))[F1])
    covered = 0
    for rows in corpora(statistic, count, number, seed):
        interval = resample(statistic, rows, metric).interval(0)
        covered += interval.low <= truth <= interval.high
    return Share(covered, number)
