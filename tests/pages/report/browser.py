"""A real browser for tests of the report: Chromium through Playwright, where both are there."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@contextmanager
def launched() -> Iterator[Any]:
    """Start a browser, or skip and say what is missing."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="Playwright is not installed (pip install playwright)"
    )
    path = next(filter(None, map(shutil.which, _NAMES)), None)
    if path is None:
        pytest.skip("no Chromium is installed (Debian: apt install chromium)")
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@dataclass
class Opened:
    """A page, and all that it should not do: complain, ask for anything, or open a dialog."""

    page: Any
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)

    def check(self) -> None:
        """Nothing of that has happened."""
        assert self.complaints == []
        assert self.requests == []
        assert self.dialogs == []

    def visit(self, fragment: str) -> Any:
        """Go to an address of this page, as if it had just been opened there."""
        self.page.evaluate("location.hash = '#glance'")
        until(self.page, "document.body.dataset.view === 'overview'")
        self.page.evaluate("fragment => { location.hash = fragment; }", fragment)
        until(self.page, f"document.body.dataset.view === '{_view_of(fragment)}'")
        return self.page


def _view_of(fragment: str) -> str:
    views = {"#doc/": "reader", "#cases": "cases", "#search": "results"}
    return next((view for start, view in views.items() if fragment.startswith(start)), "overview")


def until(page: Any, expression: str) -> None:
    """Wait until an expression is true; the policy of the page forbids Playwright's own way."""
    for _ in range(250):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(20)
    raise AssertionError(expression)


def overflow(page: Any) -> int:
    """Return by how many pixels the page is wider than its window."""
    wide: int = page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    return wide


@contextmanager
def opened(browser: Any, path: Path, fragment: str = "", **options: Any) -> Iterator[Opened]:
    """Open a file in a page of its own, and check at the end that it behaved."""
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
    page = context.new_page()
    one = Opened(page)
    page.on("console", lambda message: one.complaints.append(message.text))
    page.on("pageerror", lambda error: one.complaints.append(str(error)))

    def refuse(dialog: Any) -> None:
        one.dialogs.append(dialog.message)
        dialog.dismiss()

    def note(request: Any) -> None:
        if not request.url.startswith(("file:", "data:")):
            one.requests.append(request.url)

    page.on("dialog", refuse)
    page.on("request", note)
    page.goto(f"{path.as_uri()}{fragment}")
    yield one
    one.check()
    context.close()
