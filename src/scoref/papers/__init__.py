"""The published tables and figures that can be regenerated, by paper.

To add an exhibit, decorate a function that makes it with `PAPER.exhibit`.
"""

from __future__ import annotations

from scoref.exceptions import UsageError
from scoref.papers import chen2013, luo2005, moosavi2016, practices, pradhan2014, recasens2011
from scoref.papers.exhibits import Exhibit

_PAPERS = (luo2005, recasens2011, chen2013, pradhan2014, moosavi2016, practices)
EXHIBITS = tuple(exhibit for module in _PAPERS for exhibit in module.PAPER.exhibits)


def find(name: str) -> tuple[Exhibit, ...]:
    """Return the exhibits of a name: one exhibit, all of a paper, `tables`, `figures`, `all`."""
    wanted = name.strip().lower()
    groups = {
        "all": EXHIBITS,
        "tables": tuple(exhibit for exhibit in EXHIBITS if not exhibit.is_figure),
        "figures": tuple(exhibit for exhibit in EXHIBITS if exhibit.is_figure),
    }
    for exhibit in EXHIBITS:
        for one in (exhibit.name, exhibit.paper.name, *exhibit.aliases):
            groups[one] = (*groups.get(one, ()), exhibit)
    if wanted not in groups:
        from difflib import get_close_matches  # noqa: PLC0415  # only a mistake needs it

        close = get_close_matches(wanted, groups, n=1)
        hint = f"did you mean {close[0]!r}?" if close else "`scoref papers` lists the names"
        raise UsageError(f"no paper, table or figure is called {name!r}", hint)
    return groups[wanted]
