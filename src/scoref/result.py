"""Result: the scores of one response, with their counts, notes and signature."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Unpack, overload

from scoref.base.exact_sums import exact_sum
from scoref.base.phrases import counted
from scoref.base.viewed import Tabular, Viewed
from scoref.base.visible import visible
from scoref.counts.counted import Counted
from scoref.counts.counts import Counts
from scoref.exceptions import UsageError
from scoref.matching.alignment import Alignment
from scoref.matching.summary import Side
from scoref.metrics import Metric, find_metric
from scoref.policy import ALL_MENTIONS, read_signature, short_signature

if TYPE_CHECKING:
    from scoref.llm.fidelity import Fidelity
    from scoref.resampling.intervals import Intervals
    from scoref.resampling.sampling_options import SamplingOptions

__all__ = ["Result", "Score", "Side"]


class Score(NamedTuple):
    """Recall, precision and F1 between 0 and 1; NaN if a value is undefined.

    Undefined values are equal, so that a score is equal to itself.
    """

    recall: float
    precision: float
    f1: float

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, tuple):
            return NotImplemented
        return _comparable(self) == _comparable(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(_comparable(self))

    def to_dict(self) -> dict[str, float | None]:
        """Return the scores by name; what does not exist is None."""
        return {
            name: None if math.isnan(value) else value for name, value in self._asdict().items()
        }

    def _repr_html_(self) -> str:
        """Show the scores in a notebook, from 0 to 1: the metric may be a distance."""
        from scoref.base import html  # noqa: PLC0415  # only notebooks need it

        shown = ["" if math.isnan(value) else f"{value:.4f}" for value in self]
        return html.block(html.table(["recall", "precision", "F1"], [shown], left=()))


def _comparable(values: tuple[object, ...]) -> tuple[object, ...]:
    return tuple(None if value != value else value for value in values)  # noqa: PLR0124  # NaN


def show_f1(metrics: Iterable[Metric], scores: Mapping[str, Score]) -> str:
    """Write F1 in percent by metric, and distances as they are."""
    shown = {one: f"{one.name} {one.scale * scores[one.name].f1:.2f}" for one in metrics}
    in_percent = ", ".join(text for one, text in shown.items() if not one.is_distance)
    distances = [text for one, text in shown.items() if one.is_distance]
    return ", ".join([*([f"{in_percent} (percent)"] if in_percent else []), *distances])


def flat_scores(scores: Mapping[str, Score], prefix: str = "") -> dict[str, float]:
    """Return scores as one number per name, such as `b3/f1`, without those that do not exist.

    Loggers allow letters, digits and few signs in names: `blanc(alpha=0.2)` is `blanc_alpha_0.2`.
    """
    names = {name: re.sub(r"[^\w.-]+", "_", name).strip("_") for name in scores}
    if len(set(names.values())) < len(names):
        names = {name: name for name in scores}
    return {
        f"{prefix}{names[name]}/{field}": value
        for name, score in scores.items()
        for field, value in score._asdict().items()
        if not math.isnan(value)
    }


@dataclass(frozen=True, slots=True, eq=False)
class Result(Counted, Tabular, Mapping[str, Score]):
    """Scores by metric name: `result["b3"].f1`, `result.documents["doc1"]["lea"].recall`.

    A result is a mapping, so `dict(result)` has the score of each metric. Two results are equal if
    their signatures, documents, metrics and counts are, to the last bit. Where the sides were read
    from, and notes, do not matter.

    * `key`, `response`: The numbers of documents, mentions and entities of each side.
    * `policy`: The `Policy` that was used.
    * `signature`: The signature to publish with the scores.
    * `notes`: What a user should know about the data, as the command prints it.
    * `counts`: What each metric counted in each document.
    * `alignment`: The single mentions, if they are in memory.
    * `reread`: Reads the single mentions again, if they are not.
    * `fidelity`: How well a response that a language model wrote keeps the source.
    """

    alignment: Alignment | None = None
    reread: Callable[[], Alignment] | None = None
    fidelity: Fidelity | None = None

    @classmethod
    def of(cls, counted: Counted) -> Result:
        """Return the result of counts from a file."""
        return cls(**{field.name: getattr(counted, field.name) for field in fields(Counted)})

    @property
    def short_signature(self) -> str:
        """The signature without the choices that are defaults, for captions."""
        return short_signature(self.signature)

    def where(self, *conditions: str) -> Result:
        """Return the scores of some mentions, as if the other mentions did not exist.

        `result.where("type=pronoun", "entity_size>5")` takes the conditions of the policy `where`.
        A condition on mention types requires a result with types: if no metric of this result
        requires types, score with `Policy(where=...)` instead.
        """
        alignment = self.reread() if self.alignment is None and self.reread else self.alignment
        if alignment is None:
            raise UsageError(
                "this result has counts, but no single mentions",
                "score the files with Policy(where=...)",
            )
        from scoref.matching.where import select_mentions  # noqa: PLC0415  # few ask for it

        before = [self.policy.where] if self.policy.where != ALL_MENTIONS else []
        policy = replace(self.policy, where="&".join([*before, *conditions]) or ALL_MENTIONS)
        alignment = select_mentions(alignment, "&".join(conditions) or ALL_MENTIONS)
        return replace(
            self,
            counts=Counts.of(alignment.table(), self.counts.metrics),
            policy=policy,
            signature=policy.signature(read_signature(self.signature).key),
            alignment=alignment,
        )

    def __getitem__(self, metric: str) -> Score:
        return Score(*self.counts.scores(self.metric(metric), self.policy).tolist())

    def metric(self, name: str) -> Metric:
        """Find a metric of this result by its name or an alias."""
        names = {metric.name: metric for metric in self.counts.metrics}
        if name not in names and (known := find_metric(name).name) in names:
            name = known
        if name not in names:
            raise UsageError(f"this result has no metric {name!r}", f"it has: {', '.join(self)}")
        return names[name]

    def __contains__(self, name: object) -> bool:
        try:
            return isinstance(name, str) and bool(self.metric(name))
        except UsageError:
            return False

    def get(self, name: str, default: Any = None) -> Any:
        """Return the score of a metric, or a default if the result does not have the metric."""
        return self[name] if name in self else default  # noqa: SIM401  # this is `get`

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Result):
            return NotImplemented
        return self.signature == other.signature and self.counts == other.counts

    def __hash__(self) -> int:
        return hash((self.signature, self.counts.units))

    def __iter__(self) -> Iterator[str]:
        return (metric.name for metric in self.counts.metrics)

    def __len__(self) -> int:
        return len(self.counts.metrics)

    @property
    def scores(self) -> dict[str, Score]:
        """The scores of the whole corpus, by metric."""
        return {name: self[name] for name in self}

    @property
    def documents(self) -> Mapping[str, Mapping[str, Score]]:
        """The scores of each document, by name and by metric.

        The scores of a document without mentions in the slice of `where` are NaN.
        """
        by_metric = {
            metric.name: self.counts.unit_scores(metric, self.policy).tolist()
            for metric in self.counts.metrics
        }
        return {
            unit: {name: Score(*rows[at]) for name, rows in by_metric.items()}
            for at, unit in enumerate(self.counts.units)
        }

    def totals(self, metric: str) -> dict[str, float]:
        """Return the sums of what a metric counted, by column."""
        one = self.metric(metric)
        sums = exact_sum(self.counts.rows[one.name])
        return dict(zip(one.columns, sums.tolist(), strict=True))

    def intervals(self, **resampling: Unpack[SamplingOptions]) -> Intervals:
        """Return the confidence interval of every score, by resampling documents.

        * `resampling`: The keywords of `compare`: `level`, `method`, `trials`, `seed`, `jobs`,
          `blocks` and `strata`. The confidence is 1 - level, by default 95 %.
        """
        from scoref.resampling.intervals import intervals  # noqa: PLC0415  # rarely needed
        from scoref.resampling.sampling_options import Sampling  # noqa: PLC0415  # rarely needed

        return intervals(self, Sampling(**resampling))

    def save_counts(self, path: str | PathLike[str]) -> None:
        """Write a counts file, which is enough for scores and tests and contains no text.

        * `path`: The file to write; a name that ends in `.gz` is compressed.
        """
        from scoref.counts.counts_file import save  # noqa: PLC0415  # rarely needed

        save(self, path)

    def to_json(self, *, per_document: bool = True) -> str:  # type: ignore[override]  # its options
        """Render as JSON, scores from 0 to 1 at full precision."""
        return self.render("json", per_document=per_document)

    @overload
    def to_dict(self, *, per_document: bool = ...) -> dict[str, Any]: ...
    @overload
    def to_dict(self, *, flat: Literal[True], prefix: str = ...) -> dict[str, float]: ...

    def to_dict(
        self, *, per_document: bool = True, flat: bool = False, prefix: str = ""
    ) -> dict[str, Any]:
        """Return the content of `to_json` as a dict.

        * `per_document`: Whether to include the scores of each document.
        * `flat`: Return one number per name instead, for loggers such as W&B and MLflow:
          `{"b3/recall": 0.71, "b3/precision": 0.91, "b3/f1": 0.8, ..., "conll/f1": 0.79}`.
        * `prefix`: With `flat`, what comes before each name, such as `dev/`.
        """
        if flat:
            return dict(flat_scores(self.scores, prefix))
        content: dict[str, Any] = self.view(per_document=per_document).to_dict()
        return content

    def render(  # type: ignore[override]  # its options are named
        self,
        output: str,
        *,
        per_document: bool = False,
        digits: int = 2,
        intervals: Intervals | None = None,
        style: str = "full",
    ) -> str:
        """Render as `text`, `json`, `csv`, `latex` or `markdown`.

        * `output`: One of these names.
        * `per_document`: Whether to include the scores of each document.
        * `digits`: The decimals of percentages.
        * `intervals`: What `intervals()` returned, to show an interval for every score.
        * `style`: With `latex`, `conll` is the table of most papers: MUC, B³, CEAF_e, the average.
        """
        return Viewed.render(  # `super()` does not know a dataclass with slots
            self, output, per_document=per_document, digits=digits, intervals=intervals, style=style
        )

    def __repr__(self) -> str:
        documents = counted(len(self.counts.units), "document")
        return visible(f"<Result: F1 {show_f1(self.counts.metrics, self)}; {documents}>")
