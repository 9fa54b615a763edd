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
from importlib import import_module
from typing import Any

from scoref.base.phrases import split_names
from scoref.exceptions import UsageError
from scoref.metrics.base import Metric
from scoref.metrics.names import (
    NO,
    YES,
    Family,
    MetricLike,
    fixed,
    import_metric,
    parse_name,
)

ALL = "all"
"""The name that stands for every metric that requires only entities."""

_GROUP = "scoref.metrics"


def _import(path: str) -> Any:
    module, _, attribute = path.partition(":")
    return getattr(import_module(f"scoref.metrics.{module}"), attribute)


def _family(
    name: str,
    path: str,
    *given: str,
    aliases: tuple[str, ...] = (),
    open: bool = False,  # noqa: A002  # as in Family
    **parameters: Any,
) -> Family:
    """Return a family whose file is imported when a metric is built.

    `path` is a metric, or a function that takes what is `given`, then the parameters.
    """

    def build(**values: float | str) -> Metric:
        found = _import(path)
        metric: Metric = found if isinstance(found, Metric) else found(*given, **values)
        return metric

    return Family(name, build, parameters, aliases, open)


def _twinless_family(
    path: str, name: str, aliases: tuple[str, ...] = (), **switches: str
) -> Family:
    def build(twinless: str = "none", extended: str = NO) -> Metric:
        metric: Metric = _import(path)
        if extended == YES:
            of_several: Metric = _import("extended_bcubed:extended_bcubed")(twinless)
            return of_several
        if twinless == "none":
            return metric
        changed: Metric = _import("derived_tables:with_twinless")(metric, twinless)
        return changed

    return Family(name, build, {"twinless": "none", **switches}, aliases)


_TYPES: dict[str, Any] = {"nam": 1.0, "nom": 0.75, "pro": 0.5}
_CREDIT: dict[str, Any] = dict.fromkeys(("nam_nom", "nam_pro", "nom_pro", "nam", "nom", "pro"), 1.0)
ACE_PARAMETERS: dict[str, Any] = {
    "year": 2005, "nam": 1.0, "nom": 0.5, "pro": 0.1, "pre": 0.0,
    "specific": 1.0, "generic": "year",
    **dict.fromkeys(("per", "org", "gpe", "loc", "fac", "veh", "wea"), 1.0),
    "type_error": 0.5, "subtype_error": 0.9, "class_error": 0.75,
    "mention_type_error": 0.9, "role_error": 0.9, "style_error": 0.9,
    "false_alarm": 0.75, "mention_false_alarm": 0.75, "coreference": "year",
    "overlap": 0.3, "text": "year", "valuation": "level",
}  # fmt: skip
_BUILT_IN = (
    _family("mentions", "mentions:mentions", match="strict", credit="1", typed=NO),
    _family("muc", "muc:MUC"),
    _twinless_family("bcubed:B_CUBED", "b3", ("bcub", "b-cubed", "bcubed"), extended=NO),
    _twinless_family("ceaf:CEAF_M", "ceafm"),
    _twinless_family("ceaf:CEAF_E", "ceafe"),
    _family("ceaf", "ceaf:ceaf", phi=3, overlap="exact", **_CREDIT),
    _family("blanc", "blanc:blanc", alpha=0.5, boundary="v8", mentions="all"),
    _family("lea", "lea:lea", open=True, importance="size", **_TYPES, other=1.0),
    _family("pairwise", "typed:pairwise", typed=NO),
    _family("conll", "conll:CONLL"),
    _family("rand", "partition:partition_metric", "rand", mentions="same"),
    _family("ari", "partition:partition_metric", "ari", mentions="same"),
    _family("nmi", "partition:partition_metric", "nmi", mentions="same"),
    _family("vmeasure", "information:information_metric", "vmeasure", mentions="same"),
    _family("vi", "information:information_metric", "vi", unit="nats", mentions="same"),
    _family("ami", "information:information_metric", "ami", mentions="same"),
    _family("fowlkes_mallows", "clusters:FOWLKES_MALLOWS"),
    _family("purity", "clusters:PURITY"),
    _family("closest", "clusters:CLOSEST"),
    _family("exact_entity", "clusters:EXACT_ENTITY"),
    _family("merge_distance", "clusters:merge_distance", split=1.0, merge=1.0, mentions="same"),
    _family("lmuc", "linguistic:linguistic", "lmuc", **_TYPES, sing=1.0),
    _family("lb3", "linguistic:linguistic", "lb3", **_TYPES, sing=1.0),
    _family("lceafm", "linguistic:linguistic", "lceafm", **_TYPES, sing=1.0),
    _family("lceafe", "linguistic:linguistic", "lceafe", **_TYPES, sing=1.0),
    _family("arcs", "arcs:arcs", kind="immediate", of="all"),
    _family("mor", "mention_spans:MOR"),
    _family("zero", "zero:ZERO"),
    _family("bridging", "bridging:bridging", level="entity"),
    _family("nonreferring", "mention_spans:NONREFERRING"),
    _family("ace", "ace:ace", **ACE_PARAMETERS),
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


def find_metrics(metrics: Iterable[MetricLike] | None, scores_for: str = "") -> tuple[Metric, ...]:
    """Return metrics by name, each once; the default metrics if `metrics` is None.

    Distances are refused for what `scores_for` names, where higher scores are better.
    """
    if isinstance(metrics, str):
        metrics = [metrics]
    found: dict[str, Metric] = {}
    by_name: set[str] = set()
    for given in DEFAULT if metrics is None else _expand(metrics):
        metric = find_metric(given)
        if scores_for and metric.is_distance:
            raise UsageError(
                f"{metric.name} is a distance: lower is better, but {scores_for} requires scores of"
                " which 1 is the best",
                f"leave out {metric.name}, which `scoref score` shows; vmeasure and ami are scores",
            )
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
    from scoref.base import plugins  # noqa: PLC0415  # few look for them

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
    from scoref.base import plugins  # noqa: PLC0415  # few look for them

    name = name.lower()
    declared = {entry.lower(): entry for entry in plugins.plugin_names(_GROUP)}
    if name not in declared:
        return None
    found = plugins.load_plugin(_GROUP, declared[name], (Metric, Family, Callable), "metric")
    if isinstance(found, Family):
        return found._replace(name=name, aliases=())
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

    from scoref.base import plugins  # noqa: PLC0415

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
