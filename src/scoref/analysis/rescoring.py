"""Score a response after it has been changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from scoref.counts.counts import Counts
from scoref.matching.alignment import Alignment
from scoref.metrics import Metric
from scoref.metrics.table import NOWHERE
from scoref.policy import Policy
from scoref.result import Score


def score_alignment(
    alignment: Alignment, metrics: Sequence[Metric], policy: Policy
) -> dict[str, Score]:
    """Return the score of an alignment in each metric."""
    counts = Counts.of(alignment.table(), metrics)
    return {m.name: Score(*counts.scores(m, policy).tolist()) for m in metrics}


def drop_response_singletons(alignment: Alignment) -> Alignment:
    """Remove response entities of one mention."""
    size = np.bincount(alignment.res[alignment.res != NOWHERE], minlength=1)
    alone = (alignment.res != NOWHERE) & (size[alignment.res] == 1)
    return replace(alignment, res=np.where(alone, NOWHERE, alignment.res))
