"""Every metric, by name. To add one: write its file, then add one line here."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from scoref.exceptions import UsageError
from scoref.metrics.ace import PARAMETERS as ACE_PARAMETERS
from scoref.metrics.ace import ace
from scoref.metrics.arcs import arcs
from scoref.metrics.base import Metric
from scoref.metrics.bcubed import b_cubed
from scoref.metrics.blanc import blanc
from scoref.metrics.bridging import bridging
from scoref.metrics.ceaf import PARAMETERS as CEAF_PARAMETERS
from scoref.metrics.ceaf import ceaf, ceaf_e, ceaf_m
from scoref.metrics.conll import CONLL
from scoref.metrics.lea import lea
from scoref.metrics.linguistic import linguistic
from scoref.metrics.mentions import mentions
from scoref.metrics.muc import MUC
from scoref.metrics.names import Family, MetricLike, find, fixed
from scoref.metrics.nec import NEC
from scoref.metrics.nonreferring import NONREFERRING
from scoref.metrics.overlap import MOR
from scoref.metrics.pairwise import PAIRWISE
from scoref.metrics.partition import ari, nmi, rand
from scoref.metrics.zero import ZERO

__all__ = ["DEFAULT", "FAMILIES", "Family", "Metric", "MetricLike", "find_metrics", "portable"]

_TYPE_WEIGHTS = {"nam": 1.0, "nom": 0.75, "pro": 0.5}
_ALL = (
    Family("mentions", mentions, {"match": "strict", "credit": "1"}),
    fixed(MUC),
    Family("b3", b_cubed, {"twinless": "none"}, ("bcub", "b-cubed", "bcubed")),
    Family("ceafm", ceaf_m, {"twinless": "none"}),
    Family("ceafe", ceaf_e, {"twinless": "none"}),
    Family("ceaf", ceaf, CEAF_PARAMETERS),
    Family("blanc", blanc, {"alpha": 0.5, "boundary": "v8", "mentions": "all"}),
    Family("lea", lea, {"importance": "size", **_TYPE_WEIGHTS, "other": 1.0}, open=True),
    fixed(PAIRWISE),
    fixed(CONLL),
    Family("rand", rand, {"mentions": "same"}),
    Family("ari", ari, {"mentions": "same"}),
    Family("nmi", nmi, {"mentions": "same"}),
    *(
        Family(name, partial(linguistic, name), {**_TYPE_WEIGHTS, "sing": 1.0})
        for name in ("lmuc", "lb3", "lceafm", "lceafe")
    ),
    Family("arcs", arcs, {"kind": "immediate", "of": "all"}),
    fixed(NEC),
    fixed(MOR),
    fixed(ZERO),
    Family("bridging", bridging, {"level": "entity"}),
    fixed(NONREFERRING),
    Family("ace", ace, ACE_PARAMETERS),
)
FAMILIES = {family.name: family for family in _ALL}
DEFAULT = ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll")


def find_metrics(metrics: Iterable[MetricLike] | None) -> tuple[Metric, ...]:
    """Return metrics by name, each once, or the default ones."""
    if isinstance(metrics, str):
        metrics = [metrics]
    found: dict[str, Metric] = {}
    by_name: set[str] = set()
    for metric in DEFAULT if metrics is None else metrics:
        one = find(metric, FAMILIES)
        known = found.setdefault(one.name, one)
        if known.count is not one.count and not (isinstance(metric, str) and one.name in by_name):
            raise UsageError(f"two metrics have the name {one.name!r}", "rename your own")
        by_name.update([one.name] if isinstance(metric, str) else [])
    if not found:
        raise UsageError("no metric is asked for", f"for example: {', '.join(DEFAULT)}")
    return tuple(found.values())


def portable(metrics: Iterable[Metric]) -> list[str | Metric]:
    """Return metrics for another process: by name where that finds them, else as they are.

    The functions of a metric cannot always be pickled; its name can.
    """
    return [metric.name if _is_found_by_name(metric) else metric for metric in metrics]


def _is_found_by_name(metric: Metric) -> bool:
    try:
        found = find(metric.name, FAMILIES)
    except UsageError:
        return False
    return found.columns == metric.columns and found.about == metric.about
