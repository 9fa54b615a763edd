"""A folder of regenerated tables and figures, with a page that shows them."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from scoref.exceptions import ScorefError, UsageError
from scoref.formats.io.output_files import all_or_nothing, write_whole
from scoref.papers.exhibits import Exhibit, ExhibitFigure
from scoref.papers.views.charts import draw
from scoref.papers.views.exhibit import ExhibitView
from scoref.papers.views.page import GENERATOR, page
from scoref.render.figures import check_matplotlib

PAGE = "index.html"


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
    content[PAGE] = page(views, drawings, files).encode()
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
    there = folder / PAGE
    if there.exists() and GENERATOR not in there.read_text("utf-8", errors="replace"):
        raise UsageError(
            f"{there} is there and was not written by scoref", "name another directory"
        )


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ScorefError(f"cannot make {folder}: {error.strerror or error}") from None
