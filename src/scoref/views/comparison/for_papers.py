"""A comparison as the table of most papers: systems as rows, three metrics and their average."""

from __future__ import annotations

from scoref.comparison.comparison import Comparison, System
from scoref.views.comparison.remarks import level_legend, runs_line, test_line
from scoref.views.comparison.tables import superscript
from scoref.views.formatting import percent
from scoref.views.paper_table import AVERAGE, PaperRow, write_paper_table


def write_papers(comparison: Comparison, digits: int) -> str:
    """Write the LaTeX table: the best in bold, the letters of beaten systems as superscripts."""
    tested = not comparison.refusal and len(comparison.systems) > 1
    caption = ["Recall, precision and F1 in percent", *runs_line(comparison)]
    if tested:
        caption += [level_legend(comparison), test_line(comparison)]
    rows = [_row(comparison, system, digits, tested=tested) for system in comparison.systems]
    return write_paper_table(rows, caption, comparison.signature, digits)


def _row(comparison: Comparison, system: System, digits: int, *, tested: bool) -> PaperRow:
    many = len(comparison.systems)
    spread = ""
    if AVERAGE in system.deviations:
        spread = f" ± {percent(system.deviations[AVERAGE].f1, digits)}"
    return PaperRow(
        system.name,
        system.scores,
        system.label if tested else "",
        {name: superscript(beaten, many) for name, beaten in system.beats.items()},
        spread,
    )
