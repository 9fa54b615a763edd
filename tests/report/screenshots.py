"""Pictures of the report for the README and the manual: `make pictures`.

They show the shipped example, in light and dark, and are reduced to few colours, because a
repository should not hold large pictures.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from PIL import Image

from scoref.report import report
from tests.conftest import REPOSITORY
from tests.report.browser import launched, opened

FIGURES = REPOSITORY / "docs" / "figures"
EXAMPLE = REPOSITORY / "examples" / "island"
SYSTEMS = ("sieve", "neural", "chat")
VIEWS = {
    "overview": "#glance",
    "errors": "#cases?s=2&kind=4",
    "documents": "#documents",
    "text": "#doc/10/1/1",
}
THEMES = ("light", "dark")
LARGEST = 150_000
_COLOURS = 255


def names() -> list[str]:
    """Return the names of all pictures."""
    return [f"report-{view}-{theme}.png" for view in VIEWS for theme in THEMES]


def take(folder: Path) -> None:
    """Write all pictures into a folder."""
    systems = {name: EXAMPLE / f"{name}.conll" for name in SYSTEMS}
    made = report(EXAMPLE / "key.conll", systems)
    with tempfile.TemporaryDirectory() as place, launched() as browser:
        path = Path(place) / "report.html"
        made.save(path, with_text=True)
        for theme in THEMES:
            size = {"width": 1280, "height": 800}
            with opened(browser, path, color_scheme=theme, viewport=size) as one:
                for view, fragment in VIEWS.items():
                    one.visit(fragment)
                    one.page.wait_for_timeout(1800)  # until nothing flashes
                    picture = folder / f"report-{view}-{theme}.png"
                    one.page.screenshot(path=picture)
                    reduce_colours(picture)


def reduce_colours(picture: Path) -> None:
    """Write a picture again with few colours, which makes it half as large; rare colours stay."""
    with Image.open(picture) as image:
        few = image.convert("RGB").quantize(
            _COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE
        )
        few.save(picture, optimize=True)


if __name__ == "__main__":
    take(FIGURES)
