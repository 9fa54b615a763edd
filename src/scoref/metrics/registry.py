"""The registry: find a metric by its name.

To add a metric to scoref, write its file in this package and add a line to `_BUILT_IN`. The
tests then ask for a second implementation (`tests/reference`) and for a page (`docs/metrics`), and
`scoref.explanation` shows its counts until it has an explainer. To add a metric from another
package, without a change here, declare an entry point in the group `scoref.metrics`: `base.py` has
a complete example. Its name is the name of the metric; its object is a `Metric`, a function that
counts a table or, for a metric with parameters, a `Family`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial

from scoref.base import plugins
from scoref.base.names import split_names
from scoref.exceptions import UsageError
from scoref.metrics.ace import PARAMETERS as ACE_PARAMETERS
from scoref.metrics.ace import ace
from scoref.metrics.arcs import arcs
from scoref.metrics.base import Metric
from scoref.metrics.bcubed import B_CUBED
from scoref.metrics.blanc import blanc
from scoref.metrics.bridging import bridging
from scoref.metrics.ceaf import CEAF_E, CEAF_M, ceaf
from scoref.metrics.conll import CONLL
from scoref.metrics.lea import lea
from scoref.metrics.linguistic import linguistic
from scoref.metrics.mention_overlap import MOR
from scoref.metrics.mentions import mentions
from scoref.metrics.muc import MUC
from scoref.metrics.names import Family, MetricLike, fixed, import_metric, parse_name
from scoref.metrics.nec import NEC
from scoref.metrics.nonreferring import NONREFERRING
from scoref.metrics.pairwise import PAIRWISE
from scoref.metrics.partial_credit import PARAMETERS as CEAF_PARAMETERS
from scoref.metrics.partition import ARI, NMI, RAND, partition_metric
from scoref.metrics.twinless import with_twinless
from scoref.metrics.zero import ZERO

ALL = "all"
"""The name that stands for every metric that requires only entities."""

_GROUP = "scoref.metrics"
_TWINLESS = {"twinless": "none"}
_TYPE_WEIGHTS = {"nam": 1.0, "nom": 0.75, "pro": 0.5}
_BUILT_IN = (
    Family("mentions", mentions, {"match": "strict", "credit": "1"}),
    fixed(MUC),
    Family("b3", partial(with_twinless, B_CUBED), _TWINLESS, ("bcub", "b-cubed", "bcubed")),
    Family("ceafm", partial(with_twinless, CEAF_M), _TWINLESS),
    Family("ceafe", partial(with_twinless, CEAF_E), _TWINLESS),
    Family("ceaf", ceaf, CEAF_PARAMETERS),
    Family("blanc", blanc, {"alpha": 0.5, "boundary": "v8", "mentions": "all"}),
    Family("lea", lea, {"importance": "size", **_TYPE_WEIGHTS, "other": 1.0}, open=True),
    fixed(PAIRWISE),
    fixed(CONLL),
    *(
        Family(metric.name, partial(partition_metric, metric), {"mentions": "same"})
        for metric in (RAND, ARI, NMI)
    ),
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
FAMILIES = {family.name: family for family in _BUILT_IN}
_BY_NAME = {name: family for family in _BUILT_IN for name in (family.name, *family.aliases)}
DEFAULT = ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll")


def find_metric(metric: MetricLike) -> Metric:
    """Return the metric of a name, a metric as it is, or a counting function as a metric."""
    if isinstance(metric, Metric):
        return metric
    if callable(metric):
        return Metric(getattr(metric, "__name__", "metric").strip("<>"), count=metric)
    if ":" in metric:
        return find_metric(import_metric(metric))
    parsed = parse_name(metric)
    family = None
    if parsed is not None:
        name, arguments = parsed
        family = _BY_NAME.get(name) or _find_plugin(name)
    if parsed is None or family is None:
        raise UsageError(f"unknown metric {metric!r}", _suggest(metric))
    return family.metric(arguments)


def find_metrics(metrics: Iterable[MetricLike] | None) -> tuple[Metric, ...]:
    """Return metrics by name, each once; the default metrics if `metrics` is None."""
    if isinstance(metrics, str):
        metrics = [metrics]
    found: dict[str, Metric] = {}
    by_name: set[str] = set()
    for given in DEFAULT if metrics is None else _expand(metrics):
        metric = find_metric(given)
        known = found.setdefault(metric.name, metric)
        is_name = isinstance(given, str)
        if known.count is not metric.count and not (is_name and metric.name in by_name):
            raise UsageError(f"two metrics have the name {metric.name!r}", "rename your own")
        by_name.update([metric.name] if is_name else [])
    if not found:
        raise UsageError("the list of metrics is empty", f"for example: {', '.join(DEFAULT)}")
    return tuple(found.values())


def _expand(metrics: Iterable[MetricLike]) -> Iterator[MetricLike]:
    """Split `muc,b3`, and replace `all` by every metric that requires only entities."""
    for given in metrics:
        for one in split_names(given) if isinstance(given, str) else [given]:
            if one == ALL:
                yield from (name for name, family in FAMILIES.items() if _is_plain(family))
            else:
                yield one


def _is_plain(family: Family) -> bool:
    metric = family.metric({})
    return not any(part.needs for part in (metric, *metric.parts))


def plugin_families() -> Iterator[Family | UsageError]:
    """Import the metrics of other packages; yield an error for each that cannot be used."""
    for name in plugins.plugin_names(_GROUP):
        if name.lower() in _BY_NAME:
            yield plugins.name_conflict(_GROUP, name, "metric")
            continue
        try:
            family = _find_plugin(name)
        except UsageError as error:
            yield error
        else:
            yield from [family] if family else []


def _find_plugin(name: str) -> Family | None:
    """Import the metric that a package declares under a name, in any case, or return None."""
    name = name.lower()
    declared = {entry.lower(): entry for entry in plugins.plugin_names(_GROUP)}
    if name not in declared:
        return None
    found = plugins.load_plugin(_GROUP, declared[name], (Metric, Family, Callable), "metric")
    if isinstance(found, Family):
        return replace(found, name=name, aliases=())
    return fixed(replace(find_metric(found), name=name))


def portable(metrics: Iterable[Metric]) -> list[str | Metric]:
    """Return metrics for another process: names where these find the metrics, else the metrics.

    The functions of a metric cannot always be pickled; its name can.
    """
    return [metric.name if _is_found_by_name(metric) else metric for metric in metrics]


def _is_found_by_name(metric: Metric) -> bool:
    try:
        found = find_metric(metric.name)
    except UsageError:
        return False
    if metric.about is None:  # nothing but the function distinguishes two metrics of one name
        return found.count is metric.count
    return found.columns == metric.columns and found.about == metric.about


def _suggest(metric: str) -> str:
    from difflib import get_close_matches  # noqa: PLC0415  # only an error needs it

    others = plugins.plugin_names(_GROUP)
    name = metric.lower().split("(")[0].replace("³", "3").replace("φ", "phi")
    plain = _plain(name)
    if plain in _MEANT:
        return f"did you mean {_MEANT[plain]!r}?"
    known = [*_BY_NAME, *others]
    close = [one for one in known if _plain(one) == plain] or get_close_matches(name, known, n=1)
    if close:
        return f"did you mean {close[0]!r}?"
    return f"known metrics: {', '.join(sorted({*FAMILIES, *others}))}"


def _plain(name: str) -> str:
    return "".join(filter(str.isalnum, name))


_MEANT = {
    **dict.fromkeys(("avg", "average", "avgf1", "conllf1", "conll2012", "conllscore"), "conll"),
    **dict.fromkeys(("ceafphi4", "phi4", "phi4ceaf", "entityceaf", "eceaf", "ceafentity"), "ceafe"),
    **dict.fromkeys(("ceafphi3", "phi3", "phi3ceaf", "mentionceaf", "ceafmention"), "ceafm"),
    **dict.fromkeys(("mention", "md", "mentiondetection"), "mentions"),
}
"""What other tools and papers call a metric, without signs."""
