"""Every explainer, by the family of its measure. To add one: write its file, then a line here.

What stands here takes the parameters of the family by the same names. A measure whose family
is not here, or that has a parameter which its explainer does not take, is shown by its counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature

import numpy as np

from scoref.base.arrays import Floats
from scoref.counts.counts import Counts
from scoref.exceptions import UsageError
from scoref.explanation.ace import ace
from scoref.explanation.anaphora import bridging, nonreferring
from scoref.explanation.arcs import arcs
from scoref.explanation.average import average
from scoref.explanation.bcubed import b_cubed
from scoref.explanation.blanc import blanc
from scoref.explanation.ceaf import ceaf, ceaf_e, ceaf_m
from scoref.explanation.explainer import Explainer
from scoref.explanation.lea import lea
from scoref.explanation.linguistic import linguistic
from scoref.explanation.mentions import mentions
from scoref.explanation.muc import muc
from scoref.explanation.nec import nec
from scoref.explanation.nmi import nmi
from scoref.explanation.overlap import mor
from scoref.explanation.own import own
from scoref.explanation.pairwise import pairwise
from scoref.explanation.rand import ari, rand
from scoref.explanation.zero import zero
from scoref.metrics import FAMILIES, Metric
from scoref.metrics.names import Parameter
from scoref.overlap.table import Table

EXPLAINERS: dict[str, Callable[..., Explainer]] = {
    "mentions": mentions,
    "muc": muc,
    "b3": b_cubed,
    "ceafm": ceaf_m,
    "ceafe": ceaf_e,
    "ceaf": ceaf,
    "blanc": blanc,
    "lea": lea,
    "pairwise": pairwise,
    "rand": rand,
    "ari": ari,
    "nmi": nmi,
    **{name: linguistic(name) for name in ("lmuc", "lb3", "lceafm", "lceafe")},
    "arcs": arcs,
    "nec": nec,
    "mor": mor,
    "zero": zero,
    "bridging": bridging,
    "nonreferring": nonreferring,
    "ace": ace,
}


def explainer_of(metric: Metric, table: Table, counts: Floats) -> Explainer:
    """Return what explains a measure; `counts` are its own, a row per document."""
    if metric.parts:
        return average(
            [(part, explainer_of(part, table, _count(part, table))) for part in metric.parts]
        )
    family, _, inside = metric.name.partition("(")
    explainer = EXPLAINERS.get(family)
    parts = [part.partition("=") for part in inside[:-1].split(",")]
    given = {name: value for name, _, value in parts if value}
    if explainer is None or not _takes(explainer, given):
        return own(metric, counts)
    try:
        registered = FAMILIES[family].metric(given)
    except UsageError:  # only a metric of the user's own has a name that cannot be read
        return own(metric, counts)
    if not _is_same(metric, registered, table, counts):
        return own(metric, counts)
    return explainer(**_values(family, given))


def _values(family: str, given: Mapping[str, str]) -> dict[str, Parameter]:
    """Read the parameters of a metric's name, which are written as the family writes them."""
    defaults = FAMILIES[family].parameters
    return {name: type(defaults.get(name, 1.0))(text) for name, text in given.items()}


def _takes(explainer: Callable[..., Explainer], given: Mapping[str, str]) -> bool:
    """Whether an explainer takes some parameters; one for any name takes all."""
    parameters = signature(explainer).parameters
    any_name = any(one.kind is one.VAR_KEYWORD for one in parameters.values())
    return any_name or given.keys() <= parameters.keys()


def _is_same(metric: Metric, registered: Metric, table: Table, counts: Floats) -> bool:
    """Whether a metric is the one that its name says, and not one of the user's own.

    A metric built in Python can bear the name of a registered one and do something else.
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
