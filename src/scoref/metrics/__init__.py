"""Every metric, by name. To add one: write its file, then add one line here."""

from __future__ import annotations

from collections.abc import Iterable

from scoref.exceptions import UsageError
from scoref.metrics.base import Metric
from scoref.metrics.bcubed import B_CUBED
from scoref.metrics.blanc import blanc
from scoref.metrics.ceaf import CEAF_E, CEAF_M, ceaf
from scoref.metrics.conll import CONLL
from scoref.metrics.lea import LEA
from scoref.metrics.mentions import MENTIONS
from scoref.metrics.muc import MUC
from scoref.metrics.names import Family, MetricLike, find, fixed
from scoref.metrics.pairwise import PAIRWISE

__all__ = ["DEFAULT", "FAMILIES", "Family", "Metric", "MetricLike", "find_metrics"]

_ALL = (
    fixed(MENTIONS),
    fixed(MUC),
    fixed(B_CUBED, "bcub", "b-cubed", "bcubed"),
    fixed(CEAF_M),
    fixed(CEAF_E),
    Family("ceaf", ceaf, {"phi": 3}),
    Family("blanc", blanc, {"alpha": 0.5}),
    fixed(LEA),
    fixed(PAIRWISE),
    fixed(CONLL),
)
FAMILIES = {family.name: family for family in _ALL}
DEFAULT = ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll")


def find_metrics(metrics: Iterable[MetricLike] | None) -> tuple[Metric, ...]:
    """Return metrics by name, each once, or the default ones."""
    if isinstance(metrics, str):
        metrics = [metrics]
    found: dict[str, Metric] = {}
    for metric in DEFAULT if metrics is None else metrics:
        one = find(metric, FAMILIES)
        if found.setdefault(one.name, one).count is not one.count:
            raise UsageError(f"two metrics have the name {one.name!r}", "rename your own")
    if not found:
        raise UsageError("no metric is asked for", f"for example: {', '.join(DEFAULT)}")
    return tuple(found.values())
