"""Reports and a browser, made once for all tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scoref.report import Report, report
from tests.conftest import REPOSITORY
from tests.report.browser import launched

FERRY = REPOSITORY / "examples" / "ferry"
SYSTEMS = ("baseline", "careful", "hasty")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium."""
    with launched() as running:
        yield running


@pytest.fixture(scope="session")
def ferry() -> Report:
    """The shipped example with three systems."""
    return report(FERRY / "key.conll", {name: FERRY / f"{name}.conll" for name in SYSTEMS})


@pytest.fixture(scope="session")
def ferry_page(ferry: Report, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its report, with words."""
    path = tmp_path_factory.mktemp("report") / "ferry.html"
    ferry.write(path, with_text=True)
    return path
