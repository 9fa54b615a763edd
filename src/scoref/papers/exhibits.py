"""A regenerated table or figure: our values, what the paper printed, and remarks.

Values come from the metrics when an exhibit is made. Only what a paper prints, and why it
differs, is typed in. The responses of most tables are partitions of one-letter mentions, and all
responses to a key are scored in one go.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from scoref.corpus.corpus import Corpus
from scoref.metrics import MetricLike
from scoref.result import Result
from scoref.scoring import score

Chart = Literal["lines", "dots", "panels", "surface", "practices"]
Value = float | str | None
Partition = Sequence[Sequence[Hashable]]
FIELDS = ("R", "P", "F1")
LABELS = {
    "muc": "MUC",
    "b3": "B³",
    "ceafm": "CEAFm",
    "ceafe": "CEAFe",
    "blanc": "BLANC",
    "lea": "LEA",
}


@dataclass(frozen=True, slots=True)
class Claim:
    """What a paper says about its numbers, and whether our values confirm it."""

    text: str
    holds: bool
    comment: str = ""


def claimed(claims: Mapping[str, bool | tuple[bool, str]]) -> tuple[Claim, ...]:
    """Return claims by their texts: whether each holds, perhaps with a comment."""
    return tuple(
        Claim(text, *found) if isinstance(found, tuple) else Claim(text, found)
        for text, found in claims.items()
    )


@dataclass(frozen=True, slots=True)
class ExhibitCell:
    """Our value in the table's unit, the number as printed, and why they differ.

    A count is a whole number.
    """

    value: float | int  # they are shown apart
    printed: str = ""
    reason: str = ""

    def agrees(self, *, cut: bool = False) -> bool:
        """Return whether the printed digits are the value's: rounded, or cut off if `cut`."""
        _, _, decimals = self.printed.partition(".")
        last = 10.0 ** -len(decimals)
        return abs(self.value - float(self.printed)) <= (last if cut else last / 2) + 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class ExhibitContent:
    """What is said about any table or figure.

    `choices` say what we decided where the paper leaves a construction open.
    """

    choices: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True, slots=True)
class ExhibitTable(ExhibitContent):
    """Our values by row, shown to some `digits`, and the numbers that the paper prints.

    `printed` has a line per row, the label first, columns at least two spaces apart, and `-`
    where no number is known; the numbers are cut off, not rounded, if `cut`. `differences` say
    by (row, column) why a printed number differs.
    """

    corner: str
    columns: Sequence[str]
    values: Mapping[str, Sequence[float | int]]
    printed: str = ""
    differences: Mapping[tuple[str, str], str] = field(default_factory=dict)
    unit: str = "percent"
    digits: int = 2
    cut: bool = False

    @property
    def rows(self) -> Iterator[tuple[str, list[ExhibitCell]]]:
        """Go through the labels and cells of the rows."""
        lines = [re.split(r"\s{2,}", line.strip()) for line in self.printed.strip().splitlines()]
        known = {label: ["" if cell == "-" else cell for cell in cells] for label, *cells in lines}
        for label, values in self.values.items():
            in_print = known.get(label, [""] * len(values))
            yield (
                label,
                [
                    ExhibitCell(value, number, self.differences.get((label, column), ""))
                    for column, value, number in zip(self.columns, values, in_print, strict=True)
                ],
            )

    def cells(self) -> Iterator[tuple[str, str, ExhibitCell]]:
        """Go through (row, column, cell)."""
        for label, cells in self.rows:
            for column, cell in zip(self.columns, cells, strict=True):
                yield label, column, cell

    def reasons(self) -> list[str]:
        """List each reason for a difference once, in the order of the table."""
        return list(dict.fromkeys(cell.reason for _, _, cell in self.cells() if cell.reason))


@dataclass(frozen=True, slots=True)
class ExhibitFigure(ExhibitContent):
    """Points: where each lies (`axes`) and what is drawn there (`series`), in percent.

    `legend` explains labels that do not explain themselves.
    """

    chart: Chart
    axes: tuple[str, ...]
    series: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    x_label: str
    y_label: str
    legend: str = ""

    def column(self, name: str) -> list[Value]:
        """Return one column by its name."""
        at = (*self.axes, *self.series).index(name)
        return [row[at] for row in self.rows]


Maker = Callable[[], ExhibitTable | ExhibitFigure]
M = TypeVar("M", bound=Maker)


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A table or figure that can be made."""

    name: str
    paper: Paper
    place: str
    title: str
    make: Maker
    aliases: tuple[str, ...] = ()

    @property
    def is_figure(self) -> bool:
        """Whether it is drawn."""
        return self.place.startswith("Fig")

    @property
    def source(self) -> str:
        """Where it comes from, such as `Luo 2005, Table 1`."""
        return f"{self.paper.label}, {self.place}"


@dataclass(frozen=True, slots=True)
class Paper:
    """A publication: its short name, how to cite it in a line, its reference, its exhibits."""

    name: str
    label: str
    reference: str
    exhibits: list[Exhibit] = field(default_factory=list, compare=False, repr=False)

    def exhibit(
        self,
        place: str,
        title: str,
        *,
        name: str = "",
        variant: str = "",
        aliases: Sequence[str] = (),
    ) -> Callable[[M], M]:
        """Add what a function makes, under a name such as `luo2005-table1`."""
        short = place.lower().replace(". ", "").replace(" ", "")
        name = name or f"{self.name}-{short}{variant}"

        def add(make: M) -> M:
            self.exhibits.append(Exhibit(name, self, place, title, make, tuple(aliases)))
            return make

        return add


def labelled(*metrics: str) -> dict[str, str]:
    """Return metrics by the labels that papers use."""
    return {LABELS[metric]: metric for metric in metrics}


def entities(text: str) -> list[list[str]]:
    """Read entities of one-letter mentions: `abc de` is {a, b, c} and {d, e}."""
    return [list(word) for word in text.split()]


def with_singletons(groups: Partition, mentions: Iterable[Hashable]) -> list[list[Hashable]]:
    """Add every mention that is in no group as an entity of its own."""
    grouped = {mention for group in groups for mention in group}
    return [*map(list, groups), *([mention] for mention in mentions if mention not in grouped)]


def score_all(
    key: Partition,
    responses: Mapping[str, Partition],
    metrics: Iterable[MetricLike],
    types: Mapping[str, str] | None = None,
) -> Result:
    """Score each response against the key, as a document of its own in one corpus."""
    return score(
        Corpus.from_entities(dict.fromkeys(responses, key), types, "key"),
        Corpus.from_entities(responses, types, "response"),
        list(metrics),
    )


def f1s(result: Result) -> dict[str, list[float]]:
    """List, for each response, the F1 of each metric in percent."""
    return {
        name: [100 * score.f1 for score in scores.values()]
        for name, scores in result.documents.items()
    }


def score_table(
    key: Partition,
    responses: Mapping[str, Partition],
    metrics: Mapping[str, str],
    *details: Any,
    rows: str = "response",
    columns: str = "metric",
    fields: Sequence[str] = ("F1",),
    types: Mapping[str, str] | None = None,
    corner: str = "",
    **options: Any,
) -> ExhibitTable:
    """Make a table of scores; its rows and columns are `response`, `metric`, `field`, or two."""
    scale = 100 if options.get("unit", "percent") == "percent" else 1
    values: dict[str, dict[str, float]] = {}
    for response, scores in score_all(key, responses, metrics.values(), types).documents.items():
        for metric, found in zip(metrics, scores.values(), strict=True):
            for part in fields:
                names = {"response": response, "metric": metric, "field": part}
                row, column = (
                    " ".join(names[name] for name in layout.split()) for layout in (rows, columns)
                )
                number = found[FIELDS.index(part)] * scale
                values.setdefault(row, {})[column] = number
    titles = list(next(iter(values.values())))
    numbers = {row: list(cells.values()) for row, cells in values.items()}
    return ExhibitTable(corner or rows, titles, numbers, *details, **options)
