"""Mentions: how many were found, whatever entity they were put into."""

from __future__ import annotations

import numpy as np

from scoref.arrays import Floats
from scoref.metrics.base import About, Metric
from scoref.table import Table


def count(table: Table) -> Floats:
    """Count the mentions that both sides have, the key has, and the response has."""
    shared = table.sum_cells(table.count)
    in_key, in_response = table.sum_keys(table.key_size), table.sum_responses(table.res_size)
    return np.stack([shared, in_key, shared, in_response], axis=-1)


MENTIONS = Metric(
    name="mentions",
    count=count,
    about=About(
        title="Mention detection",
        formula="R = shared mentions / key mentions, P = shared mentions / response mentions",
        paper="Pradhan et al. 2014; Recasens & Hovy 2011, section 4.2",
        rewards="finding the spans that the key annotates",
        ignores="which entity a mention was put into",
    ),
)
