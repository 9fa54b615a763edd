"""The published tables and figures that can be regenerated. To add one: see the end of a paper."""

from __future__ import annotations

from scoref.exceptions import UsageError
from scoref.papers import chen2013, luo2005, moosavi2016, pradhan2014, recasens2011
from scoref.papers.exhibits import Exhibit

_PAPERS = (luo2005, recasens2011, chen2013, pradhan2014, moosavi2016)
EXHIBITS = tuple(exhibit for paper in _PAPERS for exhibit in paper.EXHIBITS)


def find(name: str) -> tuple[Exhibit, ...]:
    """Return what a name stands for: an exhibit, all of a paper, `tables`, `figures`, `all`."""
    wanted = name.strip().lower()
    groups = {
        "all": EXHIBITS,
        "tables": tuple(exhibit for exhibit in EXHIBITS if not exhibit.is_figure),
        "figures": tuple(exhibit for exhibit in EXHIBITS if exhibit.is_figure),
    }
    if wanted in groups:
        return groups[wanted]
    found = tuple(
        exhibit
        for exhibit in EXHIBITS
        if wanted in {exhibit.name, exhibit.paper.name, *exhibit.aliases}
    )
    if not found:
        raise UsageError(f"no paper, table or figure is called {name!r}", _suggest(wanted))
    return found


def _suggest(wanted: str) -> str:
    from difflib import get_close_matches  # noqa: PLC0415  # only a mistake needs it

    names = [name for e in EXHIBITS for name in (e.name, e.paper.name, *e.aliases)]
    close = get_close_matches(wanted, [*names, "all", "tables", "figures"], n=1)
    return f"did you mean {close[0]!r}?" if close else "`scoref papers` lists the names"
