"""What alpha is for annotations that say nothing: the baselines to read alpha against.

Passonneau's distance is lenient: an annotator who marks nothing puts every mention into a set of
its own, which is contained in the other annotator's set. Both baselines take each annotator in turn
as the partner, and are means over annotators.

    nothing   the partner is compared with an annotator who marks nothing
    random    the partner is compared with an annotator who marks the same mentions, and deals them
              at random to entities of the same sizes
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from scoref.comparison.krippendorff import DISTANCES, EntitySets, score_alpha
from scoref.corpus.corpus import Corpus
from scoref.counts.counts import exact_sum
from scoref.metrics.base import F1, mean_of_defined
from scoref.resampling.draws import Draws, RandomWords

BASELINES = ("nothing", "random")
_DEALS = 10
_PURPOSE = 3


def alpha_baselines(corpora: Mapping[str, Corpus], seed: int) -> dict[str, dict[str, float]]:
    """Return alpha of each baseline by distance."""
    draws = Draws(seed=seed)
    found: dict[str, dict[str, list[float]]] = {
        name: {distance: [] for distance in DISTANCES} for name in BASELINES
    }
    for corpus in corpora.values():
        nothing = Corpus.without_mentions(corpus.documents)
        if corpus.labels is not None:
            nothing = corpus.where(np.zeros(len(corpus), dtype=np.bool_))
        partners = [("nothing", nothing)]
        for deal in range(_DEALS):
            words = draws.random_words(_PURPOSE, deal, len(corpus))
            partners.append(("random", _deal(corpus, words)))
        for name, partner in partners:
            sets = EntitySets.of({"one": corpus, "other": partner})
            for distance, values in found[name].items():
                values.append(float(score_alpha(exact_sum(sets.alpha_rows(distance)))[F1]))
    return {
        name: {
            distance: float(mean_of_defined(np.array(values), axis=0))
            for distance, values in by_distance.items()
        }
        for name, by_distance in found.items()
    }


def _deal(corpus: Corpus, words: RandomWords) -> Corpus:
    """Deal the mentions of each document at random to entities of the same sizes.

    Documents are dealt in the order of their names, so their order in files does not matter.
    """
    names = [document.name for document in corpus.documents]
    rank = np.argsort(np.argsort(names, kind="stable"))[corpus.document]
    rows = np.argsort(rank, kind="stable")
    shuffled = np.empty_like(corpus.entity)
    dealt = rows[np.lexsort((words, rank[rows]))]
    shuffled[dealt] = corpus.entity[rows]
    return replace(corpus, entity=shuffled)
