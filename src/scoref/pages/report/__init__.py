"""A report on one or several systems: one HTML file that works offline."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any, Unpack

from scoref.analysis.errors import KINDS, TITLES
from scoref.base.html import escape
from scoref.base.phrases import counted
from scoref.base.visible import visible
from scoref.comparison.systems import SystemInput
from scoref.exceptions import ScorefError
from scoref.formats.io.output_files import write_whole
from scoref.matching.inputs import Input, OneOrTwo, ReadOptions
from scoref.matching.same_text import AUTO, Checks
from scoref.metrics import MetricLike
from scoref.pages.report.content import Content, gather
from scoref.pages.report.page import page
from scoref.pages.report.page_data import BUDGET
from scoref.policy import Policy, PolicyLike, PolicyOptions
from scoref.views.figures import GRID, SERIES, SOFT, check_matplotlib, draw_file

__all__ = ["Report", "report"]

_BLANKS = "\n\r\t"


@dataclass(frozen=True, eq=False)
class Report:
    """A report; `save` writes the HTML file, `draw` the figures for a paper.

    Two reports are equal if they compare the same results.
    """

    content: Content

    def to_html(
        self, *, with_text: bool | None = None, budget: int = BUDGET, show_paths: bool = False
    ) -> str:
        """Return the HTML page.

        * `with_text`: Whether to include the words of the documents, by default as the report was
          made.
        * `budget`: The number of bytes that the documents may take.
        * `show_paths`: Whether to show the paths of files, not only their names.
        """
        with_text = self.content.with_text if with_text is None else with_text
        shown = with_text and self.content.has_words
        return page(replace(self.content, with_text=shown, show_paths=show_paths), budget)

    def save(
        self,
        path: str | PathLike[str],
        *,
        with_text: bool | None = None,
        budget: int = BUDGET,
        show_paths: bool = False,
    ) -> None:
        """Write the HTML page to a file; the parameters are those of `to_html`."""
        text = self.to_html(with_text=with_text, budget=budget, show_paths=show_paths)
        with write_whole(path) as stream:
            stream.write(text.encode(errors="replace"))

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison, and the number of errors of each kind by system."""
        errors = {one.name: one.errors.counts for one in self.content.analyses}
        return {"comparison": self.content.comparison.to_dict(), "errors": errors}

    def to_pandas(self) -> Any:
        """Return the comparison as a DataFrame of pandas: a row per metric and system."""
        return self.content.comparison.to_pandas()

    def to_polars(self) -> Any:
        """Return the comparison as a DataFrame of polars: a row per metric and system."""
        return self.content.comparison.to_polars()

    def _repr_html_(self) -> str:
        """Show the page in a notebook, in a frame that cannot reach the notebook."""
        style = "width:100%;height:42em;border:1px solid color-mix(in srgb,currentColor 25%,#0000)"
        frame = (
            f'sandbox="allow-scripts allow-downloads" style="{style}" title="Coreference report"'
        )
        return f'<iframe {frame} srcdoc="{escape(self.to_html(), keep=_BLANKS)}"></iframe>'

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Report):
            return NotImplemented
        one, two = self.content, other.content
        return one.with_text == two.with_text and one.comparison == two.comparison

    def __hash__(self) -> int:
        return hash((self.content.comparison, self.content.with_text))

    def __repr__(self) -> str:
        names = ", ".join(system.name for system in self.content.comparison.systems)
        documents = counted(len(self.content.comparison.units), "document")
        return visible(f"<Report on {names}: {documents}; save(path) writes the page>")

    def draw(self, folder: str | PathLike[str]) -> list[Path]:
        """Write the figures as SVG and PNG; return their paths."""
        check_matplotlib()
        place = Path(folder)
        try:
            place.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ScorefError(f"cannot write {place}: {error.strerror or error}") from None
        comparison = self.content.comparison
        figures: dict[str, Callable[[Path], None]] = {
            "errors": partial(_draw_errors, self.content),
            "systems": comparison.draw,
        }
        if len(self.content.analyses) > 1:
            figures["documents"] = comparison.draw_documents
        paths = sorted(place / f"{name}.{kind}" for name in figures for kind in ("svg", "png"))
        for path in paths:
            figures[path.stem](path)
        return paths


def report(
    key: Input,
    systems: Mapping[str, SystemInput] | SystemInput,
    metrics: Iterable[MetricLike] | None = None,
    policy: PolicyLike | None = None,
    format: OneOrTwo = None,  # noqa: A002  # what the command line calls it
    *,
    encoding: OneOrTwo = None,
    check_words: Checks = AUTO,
    with_text: bool = False,
    **choices: Unpack[PolicyOptions],
) -> Report:
    """Compare and analyse systems: `scoref.report(key, {"base": a}).save("report.html")`.

    * `key`: The reference, as in `scoref.score`.
    * `systems`: The systems by name, as in `compare`, or one response that is not a dict. A list of
      responses is several runs of one system.
    * `metrics`: Names such as `"b3"` or `"blanc(alpha=0.2)"`, `Metric` objects, or functions from a
      `Table` to counts of shape (units, 4). By default, those of `scoref score`.
    * `policy`: A `Policy`, or a dict of its fields.
    * `format`: The name of the format, by default detected; a pair of names for key and response.
    * `encoding`: The text encoding, by default UTF-8; a pair for key and response.
    * `check_words`: Whether to compare words, as in `scoref.score`.
    * `with_text`: Whether the page includes the words of the documents.
    * `choices`: Fields of the policy as keywords, such as `singletons="drop"`.
    """
    if isinstance(systems, str | PathLike):
        systems = {Path(systems).stem: systems}
    elif not isinstance(systems, Mapping):
        systems = {"response": systems}
    policy = Policy.of(policy, **choices)
    options = ReadOptions.under(policy, format, encoding, check_words)
    content = gather(key, systems, metrics, policy, options)
    return Report(replace(content, with_text=with_text))


def _draw_errors(content: Content, path: Path) -> None:
    """Draw bars of what each kind of error costs each system."""
    size = (5.0, 0.9 + len(KINDS) * (0.16 + 0.17 * len(content.analyses)))
    draw_file(path, size, partial(_paint, content), {"axes.grid.axis": "x"})


def _paint(content: Content, axes: Any) -> None:
    metric, analyses = content.comparison.metric, content.analyses
    height = 0.8 / len(analyses)
    for at, analysis in enumerate(analyses):
        gains = [100 * one.gains[metric] for one in analysis.summary.repairs[: len(KINDS)]]
        places = [row + (at - (len(analyses) - 1) / 2) * height for row in range(len(KINDS))]
        name = analysis.name.replace("$", r"\$")
        axes.barh(places, gains, height * 0.86, color=SERIES[at % len(SERIES)].colour, label=name)
        for place, gain, one in zip(places, gains, analysis.summary.repairs, strict=False):
            beside = {"xytext": (3, 0), "textcoords": "offset points", "va": "center"}
            axes.annotate(f"{one.count:,}", (max(gain, 0), place), color=SOFT, fontsize=7, **beside)
    axes.axvline(0, color=GRID, linewidth=0.8)
    axes.set_yticks(range(len(KINDS)), [TITLES[kind] for kind in KINDS])
    axes.set_ylim(len(KINDS) - 0.5, -0.5)
    axes.set_xlabel(f"gain in {metric} F1 (points) if repaired; numbers count errors")
    axes.margins(x=0.12)
    if len(analyses) > 1:
        axes.figure.legend(loc="outside upper right", ncols=min(len(analyses), 4))
