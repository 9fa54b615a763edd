"""Pictures of reports and runs for the README and the manual: `make pictures`.

They show the shipped example, in light and dark, and are reduced to few colours, because a
repository should not hold large pictures.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from PIL import Image

from scoref.cli import main
from scoref.pages.report import report
from tests.conftest import REPOSITORY
from tests.pages.report.browser import launched, opened

FIGURES = REPOSITORY / "docs" / "figures"
EXAMPLE = REPOSITORY / "examples" / "island"
SYSTEMS = ("sieve", "neural", "chat")
VIEWS = {
    "overview": "#glance",
    "errors": "#cases?s=2&kind=4",
    "documents": "#documents",
    "text": "#doc/10/1/1",
}
EDITOR = "editor"
EDITED = "#doc/2/0"
"""The document in which the two annotators of the example disagree about a name."""
COMMANDS = {
    "runs": ["view", str(EXAMPLE / "checkpoints"), "--key", str(EXAMPLE / "key.conll")],
    "playground": ["playground"],
}
THEMES = ("light", "dark")
SIZE = {"width": 1280, "height": 800}
LARGEST = 150_000
_COLOURS = 255


def names() -> list[str]:
    """Return the names of all pictures."""
    shown = [*(f"report-{view}" for view in (*VIEWS, EDITOR)), *COMMANDS]
    return [f"{view}-{theme}.png" for view in shown for theme in THEMES]


def take(folder: Path) -> None:
    """Write all pictures into a folder."""
    systems = {name: EXAMPLE / f"{name}.conll" for name in SYSTEMS}
    made = report(EXAMPLE / "key.conll", systems)
    with tempfile.TemporaryDirectory() as place, launched() as browser:
        path = Path(place) / "report.html"
        made.save(path, with_text=True)
        for theme in THEMES:
            with opened(browser, path, color_scheme=theme, viewport=SIZE) as one:
                for view, fragment in VIEWS.items():
                    one.visit(fragment)
                    one.page.wait_for_timeout(1800)  # until nothing flashes
                    picture = folder / f"report-{view}-{theme}.png"
                    one.page.screenshot(path=picture)
                    reduce_colours(picture)
        take_editor(browser, folder)
        take_pages(browser, folder)


def take_editor(browser: Any, folder: Path) -> None:
    """Write the pictures of the what-if editor, which has two annotations and a chosen mention."""
    made = report(EXAMPLE / "key.conll", {"second": EXAMPLE / "second.conll"})
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "report.html"
        made.save(path, with_text=True)
        for theme in THEMES:
            with opened(browser, path, EDITED, color_scheme=theme, viewport=SIZE) as one:
                one.page.get_by_role("button", name="What if").click()
                one.page.wait_for_selector(".wi-chip[data-side=response]")
                one.page.locator(".wi-chip[data-side=response]").last.click()
                picture = folder / f"report-{EDITOR}-{theme}.png"
                one.page.screenshot(path=picture)
                reduce_colours(picture)


def take_pages(browser: Any, folder: Path) -> None:
    """Write the pictures of the pages that other commands write."""
    with tempfile.TemporaryDirectory() as place:
        for name, command in COMMANDS.items():
            path = Path(place) / f"{name}.html"
            main([*command, "-o", str(path)])
            for theme in THEMES:
                with opened(browser, path, color_scheme=theme, viewport=SIZE) as one:
                    one.page.wait_for_timeout(1000)
                    picture = folder / f"{name}-{theme}.png"
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
