"""Published tables and figures, regenerated: a folder of files, and a page that shows them.

The page has no script and loads nothing from another host.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from os import PathLike
from pathlib import Path

from scoref.base.html import Markup, escape, join, tag
from scoref.base.phrases import counted
from scoref.exceptions import ScorefError, UsageError
from scoref.formats.io.output_files import all_or_nothing, write_whole
from scoref.pages.toolkit import assets, html_file
from scoref.papers.exhibits import Exhibit, ExhibitCell, ExhibitFigure, ExhibitTable
from scoref.version import __version__
from scoref.views.exhibit import ExhibitView, Remark, reason_mark, shown_value
from scoref.views.figures import GRID, INK, PAPER, SOFT, check_matplotlib
from scoref.views.paper_charts import draw

_INDEX = "index.html"
_GENERATOR = '<meta name="generator" content="scoref'
_TITLE = "Published tables and figures, regenerated"
_ROLES = {INK: "--ink", SOFT: "--soft", GRID: "--line", PAPER: "--paper"}
_CLASSES = {"holds:": "holds", "does not hold:": "fails", "our choice:": "choice", "note:": "soft"}


def write(exhibits: Sequence[Exhibit], directory: str | PathLike[str]) -> list[Path]:
    """Write the files of exhibits and their page, which comes last; return their paths.

    Nothing is written if anything cannot be made, or if a page is there that is not ours.
    """
    folder = Path(directory)
    _check(folder)
    if any(exhibit.is_figure for exhibit in exhibits):
        check_matplotlib("; `scoref papers tables -o DIR` does not require it")
    views = [ExhibitView(exhibit, exhibit.make()) for exhibit in exhibits]
    content: dict[str, bytes] = {}
    files: dict[str, list[str]] = {}
    drawings: dict[str, str] = {}
    for view in views:
        name, made = view.exhibit.name, view.made
        if isinstance(made, ExhibitFigure):
            svg, png = draw(view.exhibit, made)
            drawings[name] = svg.decode()
            parts = {"svg": svg, "png": png}
        else:
            parts = {"md": _text(view, "markdown"), "tex": _text(view, "latex")}
        parts["csv"] = _text(view, "csv")
        files[name] = [f"{name}.{kind}" for kind in parts]
        content.update(zip(files[name], parts.values(), strict=True))
    content[_INDEX] = _page(views, drawings, files).encode()
    _make(folder)
    with all_or_nothing():
        for name, data in content.items():
            with write_whole(folder / name) as stream:
                stream.write(data)
    return [folder / name for name in content]


def _text(view: ExhibitView, output: str) -> bytes:
    return f"{view.render(output)}\n".encode()


def _check(folder: Path) -> None:
    """Refuse a place where we would overwrite what is not ours."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file, expected a directory to write into")
    there = folder / _INDEX
    if there.exists() and _GENERATOR not in there.read_text("utf-8", errors="replace"):
        raise UsageError(
            f"{there} is there and was not written by scoref", "name another directory"
        )


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ScorefError(f"cannot make {folder}: {error.strerror or error}") from None


def _page(
    views: Sequence[ExhibitView], drawings: Mapping[str, str], files: Mapping[str, Sequence[str]]
) -> str:
    """Write the page of some exhibits, with the SVG of figures by name and the files of each."""
    contents, sections = [], []
    for paper, group in groupby(views, lambda view: view.exhibit.paper):
        some = list(group)
        title = tag("b", tag("a", paper.label, href=f"#{paper.name}"))
        links = [tag("a", one.place, href=f"#{one.name}") for one in _firsts(some)]
        contents.append(tag("p", title, links))
        sections.append(tag("h2", paper.label, id=paper.name))
        sections.append(tag("p", paper.reference, class_="soft small"))
        sections += [_section(view, drawings, files[view.exhibit.name]) for view in some]
    style = f"{assets('toolkit', 'base.css')}\n{assets('papers', 'papers.css')}"
    return html_file(
        _TITLE, style, tag("h1", _TITLE), _summary(views), tag("nav", contents), *sections
    )


def _firsts(views: Sequence[ExhibitView]) -> list[Exhibit]:
    """Keep one exhibit of each place: two constructions of a figure are next to each other."""
    places = {view.exhibit.place: view.exhibit for view in reversed(views)}
    return list(places.values())[::-1]


def _summary(views: Sequence[ExhibitView]) -> Markup:
    tables = [view.made for view in views if isinstance(view.made, ExhibitTable)]
    cells = [cell for table in tables for _, _, cell in table.cells() if cell.printed]
    differ = sum(bool(cell.reason) for cell in cells)
    claims = [claim for view in views for claim in view.made.claims]
    fail = sum(not claim.holds for claim in claims)
    parts = [f"Regenerated by scoref {__version__}: every value is computed by its metrics."]
    if cells:
        parts.append(
            f"Of {counted(len(cells), 'printed number')}, {len(cells) - differ} agree and"
            f" {differ} differ, each with the reason. Our value is above, the printed one below;"
            " where nothing is below, we have no printed number."
        )
    if claims:
        parts.append(
            f"Claims that the papers make about them were checked {counted(len(claims), 'time')},"
            " each construction of a figure separately:"
            f" {len(claims) - fail} hold, {fail} do not."
        )
    return join(tag("p", part) for part in parts)


def _section(view: ExhibitView, drawings: Mapping[str, str], files: Sequence[str]) -> Markup:
    exhibit, made = view.exhibit, view.made
    place, title = (text[0].upper() + text[1:] for text in (exhibit.place, exhibit.title))
    links = [tag("a", name.rpartition(".")[2], href=name) for name in files]
    if isinstance(made, ExhibitTable):
        cells = ((label, [_cell(exhibit, made, cell) for cell in row]) for label, row in made.rows)
        shown = _table([made.corner, *made.columns], cells)
    else:
        header, *points = ([str(cell) for cell in row] for row in view.rows())
        data = _table(header, ((row[0], [tag("td", cell) for cell in row[1:]]) for row in points))
        drawing = tag("figure", _inlined(drawings[exhibit.name], exhibit))
        shown = join(drawing, tag("details", tag("summary", "Data"), data))
    return tag(
        "section",
        tag("h3", f"{place}: {title} ", tag("small", f"({view.unit})")),
        shown,
        tag("ul", [_remark(exhibit, remark) for remark in view.remarks], class_="remarks"),
        tag("p", f"{exhibit.name}: ", Markup(" · ".join(links)), class_="soft small"),
        id=exhibit.name,
    )


def _remark(exhibit: Exhibit, remark: Remark) -> Markup:
    kind, text = remark
    name = None if kind in _CLASSES else f"{exhibit.name}-{kind.strip('[]')}"
    return tag("li", tag("b", kind), f" {text}", class_=_CLASSES.get(kind), id=name)


def _table(header: Sequence[str], rows: Iterable[tuple[str, Sequence[Markup]]]) -> Markup:
    """Write a table of labels and cells that are markup already."""
    head = tag("tr", [tag("th", name, scope="col") for name in header])
    body = [tag("tr", tag("th", label, scope="row"), cells) for label, cells in rows]
    return tag("div", tag("table", tag("thead", head), tag("tbody", body)), class_="scroll")


def _cell(exhibit: Exhibit, table: ExhibitTable, cell: ExhibitCell) -> Markup:
    sign = reason_mark(table, cell)
    link = tag("a", sign, href=f"#{exhibit.name}-{sign.strip('[]')}") if sign else ""
    printed = tag("small", cell.printed, " " if sign else "", link) if cell.printed or sign else ""
    value = shown_value(cell, table.digits)
    return tag("td", value, printed, class_="differs" if sign else None)


def _inlined(svg: str, exhibit: Exhibit) -> Markup:
    """Fit a drawing into the page: its own names, and the page's ink and paper."""
    drawing = svg[svg.index("<svg") :]
    drawing = re.sub(r"<metadata>.*?</metadata>", "", drawing, flags=re.DOTALL)
    drawing = re.sub(r'(\sid="|"#|url\(#)', rf"\g<1>{exhibit.name}-", drawing)
    label = escape(f"{exhibit.source}: {exhibit.title}")
    drawing = re.sub(r"<svg[^>]*?(viewBox=\"[^\"]*\")[^>]*>", _opened(label), drawing, count=1)
    for colour, role in _ROLES.items():
        drawing = drawing.replace(colour, f"var({role})")
    return Markup(drawing)


def _opened(label: str) -> str:
    namespaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    return rf'<svg {namespaces} \g<1> role="img" aria-label="{label}">'
