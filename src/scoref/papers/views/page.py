"""One page that shows exhibits: no script, no other host, light and dark, wide and narrow."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from itertools import groupby

from scoref.base.phrases import counted
from scoref.papers.exhibits import Cell, Exhibit, Figure, Table
from scoref.papers.views.remarks import remarks, unit
from scoref.papers.views.rows import body, header, mark, ours
from scoref.papers.views.style import GRID, INK, PAPER, SOFT
from scoref.version import __version__

GENERATOR = '<meta name="generator" content="scoref'
_ROLES = {INK: "--ink", SOFT: "--soft", GRID: "--line", PAPER: "--paper"}
_CLASSES = {"holds:": "good", "does not hold:": "bad", "our choice:": "choice", "note:": "soft"}

_STYLE = """
:root { color-scheme: light dark; --ink: #1f2328; --soft: #656d76; --line: #d0d7de;
  --paper: #ffffff; --wash: #f6f8fa; --mark: #fff1c2; --link: #0969da; --good: #1a7f37;
  --bad: #b35900; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9198a1; --line: #30363d;
  --paper: #0d1117; --wash: #161b22; --mark: #4a3a0a; --link: #58a6ff; --good: #4ac26b;
  --bad: #e3a04f; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1.5rem 1rem 4rem; background: var(--paper);
  color: var(--ink); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
h1 { font-size: 1.6rem; margin: 0 0 .5rem; }
h2 { font-size: 1.3rem; margin: 3rem 0 .25rem; padding-top: 1rem;
  border-top: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 2.2rem 0 .5rem; }
h3 small { font-weight: normal; color: var(--soft); }
a { color: var(--link); text-decoration: none; } a:hover { text-decoration: underline; }
nav p { margin: .3rem 0; display: flex; flex-wrap: wrap; gap: 0 .9rem; }
nav b { flex: 0 0 12rem; font-weight: 600; }
.soft, .files, .reference { color: var(--soft); }
.files, .reference, .remarks, nav { font-size: .9rem; }
.scroll { overflow-x: auto; }
table { border-collapse: separate; border-spacing: 0; font-variant-numeric: tabular-nums;
  font-size: .9rem; }
th, td { padding: .3rem .7rem; text-align: right; white-space: nowrap; vertical-align: top; }
th:first-child { padding-left: .15rem; text-align: left; position: sticky; left: 0;
  background: var(--paper); }
thead th { border-bottom: 1.5px solid var(--soft); vertical-align: bottom; }
tbody tr + tr > * { border-top: 1px solid var(--line); }
tbody th { font-weight: 600; }
td small { display: block; color: var(--soft); font-size: .82rem; }
td.differs { background: var(--mark); } td.differs small { color: var(--ink); }
.remarks { list-style: none; padding: 0; margin: .6rem 0; max-width: 48rem; }
.remarks li { margin: .2rem 0; } .remarks b { font-weight: 600; }
.good b { color: var(--good); } .bad b { color: var(--bad); }
figure { margin: 0; } figure svg { display: block; width: 100%; max-width: 40rem; height: auto; }
details { margin: .4rem 0; font-size: .9rem; } summary { cursor: pointer; color: var(--link); }
"""


def page(
    made: Sequence[tuple[Exhibit, Table | Figure]],
    drawings: Mapping[str, str],
    files: Mapping[str, Sequence[str]],
) -> str:
    """Write the page of some exhibits, with the SVG of figures by name and the files of each."""
    by_paper = [(paper, list(some)) for paper, some in groupby(made, lambda one: one[0].paper)]
    contents = "".join(
        f'<p><b><a href="#{paper.name}">{escape(paper.label)}</a></b>'
        + " ".join(f'<a href="#{e.name}">{escape(e.place)}</a>' for e in _firsts(some))
        + "</p>"
        for paper, some in by_paper
    )
    sections = "".join(
        f'<h2 id="{paper.name}">{escape(paper.label)}</h2>'
        f'<p class="reference">{escape(paper.reference)}</p>'
        + "".join(_section(*one, drawings, files[one[0].name]) for one in some)
        for paper, some in by_paper
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
{GENERATOR} {__version__}">
<title>Published tables and figures, regenerated</title>
<style>{_STYLE}</style>
</head>
<body>
<h1>Published tables and figures, regenerated</h1>
{_summary(made)}
<nav>{contents}</nav>
{sections}
</body>
</html>
"""


def _firsts(some: Sequence[tuple[Exhibit, Table | Figure]]) -> list[Exhibit]:
    """Keep one exhibit of each place: two constructions of a figure stand together."""
    places = {exhibit.place: exhibit for exhibit, _ in reversed(some)}
    return list(places.values())[::-1]


def _summary(made: Sequence[tuple[Exhibit, Table | Figure]]) -> str:
    tables = [content for _, content in made if isinstance(content, Table)]
    cells = [cell for table in tables for _, _, cell in table.cells() if cell.printed]
    differ = sum(bool(cell.reason) for cell in cells)
    claims = [claim for _, content in made for claim in content.claims]
    fail = sum(not claim.holds for claim in claims)
    parts = [f"Regenerated by scoref {__version__}: every value is computed by its measures."]
    if cells:
        parts.append(
            f"Of {counted(len(cells), 'printed number')}, {len(cells) - differ} agree and"
            f" {differ} differ, each with the reason. Our value stands above, the printed one"
            " below; where nothing stands below, we have no printed number."
        )
    if claims:
        parts.append(
            f"What the papers claim of them was checked {counted(len(claims), 'time')}, each"
            f" construction of a figure by itself: {len(claims) - fail} hold, {fail} do not."
        )
    return "".join(f"<p>{part}</p>" for part in parts)


def _section(
    exhibit: Exhibit,
    content: Table | Figure,
    drawings: Mapping[str, str],
    files: Sequence[str],
) -> str:
    place, title = (text[0].upper() + text[1:] for text in (exhibit.place, exhibit.title))
    links = " · ".join(
        f'<a href="{escape(name)}">{escape(name.rpartition(".")[2])}</a>' for name in files
    )
    shown = (
        _table(exhibit, content)
        if isinstance(content, Table)
        else f"<figure>{_inlined(drawings[exhibit.name], exhibit)}</figure>"
        f"<details><summary>Data</summary>{_data(content)}</details>"
    )
    listed = "".join(_remark(exhibit, *remark) for remark in remarks(content))
    return (
        f'<section id="{exhibit.name}"><h3>{escape(place)}: {escape(title)}'
        f" <small>({escape(unit(content))})</small></h3>{shown}"
        f'<ul class="remarks">{listed}</ul>'
        f'<p class="files">{exhibit.name}: {links}</p></section>'
    )


def _remark(exhibit: Exhibit, kind: str, text: str) -> str:
    if kind not in _CLASSES:
        anchor = f"{exhibit.name}-{kind.strip('[]')}"
        return f'<li id="{anchor}"><b>{kind}</b> {escape(text)}</li>'
    return f'<li class="{_CLASSES[kind]}"><b>{kind}</b> {escape(text)}</li>'


def _table(exhibit: Exhibit, table: Table) -> str:
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in header(table))
    rows = "".join(
        f'<tr><th scope="row">{escape(row.label)}</th>'
        + "".join(_cell(exhibit, table, cell) for cell in row.cells)
        + "</tr>"
        for row in table.rows
    )
    return (
        f'<div class="scroll"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _cell(exhibit: Exhibit, table: Table, cell: Cell) -> str:
    sign = mark(table, cell)
    below = escape(cell.printed)
    if sign:
        below += f' <a href="#{exhibit.name}-{sign.strip("[]")}">{sign}</a>'
    kind = ' class="differs"' if sign else ""
    printed = f"<small>{below}</small>" if below else ""
    return f"<td{kind}>{ours(cell, table.digits)}{printed}</td>"


def _data(figure: Figure) -> str:
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in header(figure))
    rows = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>'
        + "".join(f"<td>{escape(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row in body(figure)
    )
    return (
        f'<div class="scroll"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _inlined(svg: str, exhibit: Exhibit) -> str:
    """Fit a drawing into the page: its own names, and the page's ink and paper."""
    drawing = svg[svg.index("<svg") :]
    drawing = re.sub(r"<metadata>.*?</metadata>", "", drawing, flags=re.DOTALL)
    drawing = re.sub(r'(\sid="|"#|url\(#)', rf"\g<1>{exhibit.name}-", drawing)
    label = escape(f"{exhibit.source}: {exhibit.title}", quote=True)
    drawing = re.sub(r"<svg[^>]*?(viewBox=\"[^\"]*\")[^>]*>", _opened(label), drawing, count=1)
    for colour, role in _ROLES.items():
        drawing = drawing.replace(colour, f"var({role})")
    return drawing


def _opened(label: str) -> str:
    namespaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    return rf'<svg {namespaces} \g<1> role="img" aria-label="{label}">'
