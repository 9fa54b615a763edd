"""Every explainer, by the family of its metric. To add one: write its file, then a line here.

An explainer takes the parameters of the family by the same names. A metric that has no explainer
here, or that has parameters its explainer does not take, is explained by the terms that it sums;
`SCORES` explains what it makes of the sums, if that is more than two ratios. An average has the
explainers of its parts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from inspect import Parameter, signature
from itertools import accumulate
from itertools import pairwise as neighbours

import numpy as np

from scoref.base.arrays import Floats
from scoref.base.viewed import MetricName
from scoref.counts.counts import Counts
from scoref.exceptions import UsageError
from scoref.explanation.blocks import Cell, Formula, Grid
from scoref.explanation.explainer import (
    Columns,
    Explainer,
    Scored,
    Steps,
    mean_of,
    score_alone,
    score_formulas,
    settled,
)
from scoref.explanation.explainers.blanc import blanc, score_blanc
from scoref.explanation.explainers.clusterings import (
    score_ami,
    score_merge_distance,
    score_variation,
    score_vmeasure,
)
from scoref.explanation.explainers.entities import b_cubed, exact_ceaf, lea, muc
from scoref.explanation.explainers.links import ari, nmi, pairwise, rand, score_ari, score_nmi
from scoref.explanation.explainers.mentions import bridging, mentions, mor, nonreferring, zero
from scoref.explanation.explainers.recorded import record, score_ace, score_arcs
from scoref.explanation.expressions import Number
from scoref.metrics import FAMILIES, Metric
from scoref.metrics.names import parse_name
from scoref.metrics.table import Table

EXPLAINERS: dict[str, Explainer] = {
    "mentions": Explainer(mentions),
    "muc": Explainer(muc),
    "b3": Explainer(b_cubed),
    "ceafm": Explainer(partial(exact_ceaf, phi=3)),
    "ceafe": Explainer(partial(exact_ceaf, phi=4)),
    "ceaf": Explainer(exact_ceaf),
    "blanc": Explainer(blanc, score_blanc),
    "lea": Explainer(lea),
    "pairwise": Explainer(pairwise),
    "rand": Explainer(rand, partial(score_alone, name="Rand index")),
    "ari": Explainer(ari, score_ari),
    "nmi": Explainer(nmi, score_nmi),
    "mor": Explainer(mor),
    "zero": Explainer(zero),
    "bridging": Explainer(bridging),
    "nonreferring": Explainer(nonreferring),
}
SCORES: dict[str, Callable[..., Scored]] = {
    "ace": score_ace,
    "arcs": score_arcs,
    "vmeasure": score_vmeasure,
    "vi": score_variation,
    "ami": score_ami,
    "merge_distance": score_merge_distance,
}


def explainer_of(metric: Metric, table: Table, counts: Floats) -> Explainer:
    """Return the explainer of a metric; `counts` are its own, a row per document."""
    if metric.parts:
        return _average(
            [(part, explainer_of(part, table, _count(part, table))) for part in metric.parts]
        )
    try:
        family, arguments = parse_name(metric.name) or ("", {})
        registered = FAMILIES[family].metric(arguments) if family in FAMILIES else None
    except UsageError:  # only a metric of the user's own has a name that cannot be parsed
        registered = None
    if registered is None or not _is_same(metric, registered, table, counts):
        return record(metric, counts)
    defaults = FAMILIES[family].parameters
    parameters = {name: type(defaults.get(name, 1.0))(text) for name, text in arguments.items()}
    if family in EXPLAINERS and _takes(EXPLAINERS[family], parameters):
        return EXPLAINERS[family].with_parameters(**parameters)
    score = partial(SCORES[family], **parameters) if family in SCORES else None
    return record(metric, counts, score)


def _takes(explainer: Explainer, names: Collection[str]) -> bool:
    """Whether an explainer has parameters of these names, or of any name."""
    known = signature(explainer.count).parameters
    return all(name in known for name in names) or any(
        parameter.kind is Parameter.VAR_KEYWORD for parameter in known.values()
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


def _average(parts: Sequence[tuple[Metric, Explainer]]) -> Explainer:
    """Explain the mean F1 of some metrics, each with its explainer."""
    names = [metric.name for metric, _ in parts]
    starts = [0, *accumulate(len(metric.columns) for metric, _ in parts)]
    text = (
        f"The mean of the F1 of {', '.join(names[:-1])} and {names[-1]}. Their own walk-throughs"
        " show how they are counted."
    )

    def count(steps: Steps) -> Columns:
        steps.show(text)
        counts = (explainer.count(Steps(steps.scene)) for _, explainer in parts)
        return tuple(number for columns in counts for number in columns)

    def score(columns: Sequence[Number], undefined: str) -> Scored:
        scored = [
            explainer.score(columns[start:end], undefined)
            for (_, explainer), (start, end) in zip(parts, neighbours(starts), strict=True)
        ]
        values = [found.f1 for found in scored]
        table = Grid(
            {
                "metric": [MetricName(name) for name in names],
                "recall": [_expression(found, "recall") for found in scored],
                "precision": [_expression(found, "precision") for found in scored],
                "F1": values,
            }
        )
        mean = settled(mean_of("F1", values), undefined, "no part has an F1")
        return score_formulas([mean], [table])

    return Explainer(count, score)


def _expression(scored: Scored, name: str) -> Cell:
    """Return the expression of a part's recall or precision."""
    for block in scored.blocks:
        if isinstance(block, Formula) and block.name == name:
            return block.value if block.expression is None else block.expression
    return None
