"""A report on one or several systems: one HTML file that works offline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from scoref.comparison.systems import SystemInput
from scoref.formats.io.output_files import write_whole
from scoref.metrics import MetricLike
from scoref.policy import PolicyLike
from scoref.preparation.inputs import Input, ReadOptions
from scoref.preparation.same_text import AUTO, Checks
from scoref.report.content import Content, gather
from scoref.report.page import page
from scoref.report.page_data import BUDGET

__all__ = ["Report", "report"]


@dataclass(frozen=True, eq=False)
class Report:
    """A report; `write` writes the HTML file, `draw` the figures for a paper."""

    content: Content

    def to_html(
        self, *, with_text: bool = False, budget: int = BUDGET, show_paths: bool = False
    ) -> str:
        """Return the HTML page.

        `with_text` includes the words of the documents. `budget` is the number of bytes that the
        documents may take. `show_paths` includes the paths of files, not only their names.
        """
        return page(self.content, with_text=with_text, budget=budget, show_paths=show_paths)

    def write(
        self,
        path: str | PathLike[str],
        *,
        with_text: bool = False,
        budget: int = BUDGET,
        show_paths: bool = False,
    ) -> None:
        """Write the HTML page to a file."""
        text = self.to_html(with_text=with_text, budget=budget, show_paths=show_paths)
        with write_whole(path) as stream:
            stream.write(text.encode(errors="replace"))

    def draw(self, folder: str | PathLike[str]) -> list[Path]:
        """Write the figures as SVG and PNG; return their paths."""
        from scoref.report.figures import draw_all  # noqa: PLC0415  # matplotlib is an extra

        return draw_all(self.content, Path(folder))


def report(
    key: Input,
    systems: Mapping[str, SystemInput],
    metrics: Iterable[MetricLike] | None = None,
    policy: PolicyLike | None = None,
    format: str | None = None,  # noqa: A002  # what the command line calls it
    *,
    encoding: str | None = None,
    check_words: Checks = AUTO,
) -> Report:
    """Compare and analyse systems: `report(key, {"base": a}).write("report.html")`.

    A list of responses is several runs of one system.
    """
    options = ReadOptions.under(policy, format, encoding, check_words)
    return Report(gather(key, systems, metrics, policy, options))
