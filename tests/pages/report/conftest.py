"""Reports and a browser, made once for all tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scoref.pages.report import Report, report
from tests.conftest import REPOSITORY
from tests.pages.report.browser import Opened, opened

FERRY = REPOSITORY / "examples" / "ferry"
SYSTEMS = ("baseline", "careful", "hasty")


@pytest.fixture(scope="session")
def ferry() -> Report:
    """The shipped example with three systems."""
    return report(FERRY / "key.conll", {name: FERRY / f"{name}.conll" for name in SYSTEMS})


@pytest.fixture(scope="session")
def ferry_page(ferry: Report, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its report, with words."""
    path = tmp_path_factory.mktemp("report") / "ferry.html"
    ferry.save(path, with_text=True)
    return path


@pytest.fixture(scope="session")
def session_page(browser: Any, ferry_page: Path) -> Iterator[Opened]:
    """The report of the example in one window for many tests."""
    with opened(browser, ferry_page, permissions=["clipboard-read", "clipboard-write"]) as one:
        yield one


@pytest.fixture
def report_page(session_page: Opened) -> Iterator[Opened]:
    """The window of the example; a test may leave any view open, but nothing to complain about."""
    yield session_page
    session_page.check()
