"""Every explainer, by the family of its metric. To add one: write its file, then a line here.

An explainer takes the parameters of the family by the same names. A metric that has no explainer
here is explained by the terms that it sums.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from scoref.base.arrays import Floats
from scoref.counts.counts import Counts
from scoref.exceptions import UsageError
from scoref.explanation.explainer import Explainer, score_alone
from scoref.explanation.explainers.ace import ace, score_ace
from scoref.explanation.explainers.anaphora import bridging, nonreferring, zero
from scoref.explanation.explainers.arcs import arcs, score_arcs
from scoref.explanation.explainers.average import average
from scoref.explanation.explainers.bcubed import b_cubed
from scoref.explanation.explainers.blanc import blanc, score_blanc
from scoref.explanation.explainers.ceaf import exact_ceaf
from scoref.explanation.explainers.lea import lea
from scoref.explanation.explainers.linguistic import linguistic
from scoref.explanation.explainers.links import ari, pairwise, rand, score_ari
from scoref.explanation.explainers.mentions import mentions, mor
from scoref.explanation.explainers.muc import muc
from scoref.explanation.explainers.nec import nec
from scoref.explanation.explainers.nmi import nmi, score_nmi
from scoref.explanation.explainers.partial_credit import ceaf
from scoref.explanation.explainers.recorded import record
from scoref.metrics import FAMILIES, Metric
from scoref.metrics.names import parse_name
from scoref.overlap.table import Table

EXPLAINERS: dict[str, Explainer] = {
    "mentions": Explainer(mentions),
    "muc": Explainer(muc),
    "b3": Explainer(b_cubed),
    "ceafm": Explainer(partial(exact_ceaf, phi=3)),
    "ceafe": Explainer(partial(exact_ceaf, phi=4)),
    "ceaf": Explainer(ceaf),
    "blanc": Explainer(blanc, score_blanc),
    "lea": Explainer(lea),
    "pairwise": Explainer(pairwise),
    "rand": Explainer(rand, partial(score_alone, name="Rand index")),
    "ari": Explainer(ari, score_ari),
    "nmi": Explainer(nmi, score_nmi),
    **{
        name: Explainer(partial(linguistic, metric=name))
        for name in ("lmuc", "lb3", "lceafm", "lceafe")
    },
    "arcs": Explainer(arcs, score_arcs),
    "nec": Explainer(nec, partial(score_alone, name="F1")),
    "mor": Explainer(mor),
    "zero": Explainer(zero),
    "bridging": Explainer(bridging),
    "nonreferring": Explainer(nonreferring),
    "ace": Explainer(ace, score_ace),
}


def explainer_of(metric: Metric, table: Table, counts: Floats) -> Explainer:
    """Return the explainer of a metric; `counts` are its own, a row per document."""
    if metric.parts:
        return average(
            [(part, explainer_of(part, table, _count(part, table))) for part in metric.parts]
        )
    try:
        family, arguments = parse_name(metric.name) or ("", {})
        registered = FAMILIES[family].metric(arguments) if family in EXPLAINERS else None
    except UsageError:  # only a metric of the user's own has a name that cannot be parsed
        registered = None
    if registered is None or not _is_same(metric, registered, table, counts):
        return record(metric, counts)
    defaults = FAMILIES[family].parameters
    return EXPLAINERS[family].with_parameters(
        **{name: type(defaults.get(name, 1.0))(text) for name, text in arguments.items()}
    )


def _is_same(metric: Metric, registered: Metric, table: Table, counts: Floats) -> bool:
    """Whether a metric counts and scores as the registered one of its name.

    A metric built in Python can have the name of a registered one and do something else.
    """
    if metric.columns != registered.columns:
        return False
    if metric.count is not registered.count and not np.array_equal(
        counts, _count(registered, table)
    ):
        return False
    return all(
        np.array_equal(metric.scores(of, "skip"), registered.scores(of, "skip"), equal_nan=True)
        for of in (counts, counts.sum(axis=0))
    )


def _count(metric: Metric, table: Table) -> Floats:
    return Counts.of(table, [metric]).rows[metric.name]
