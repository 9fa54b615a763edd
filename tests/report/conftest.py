"""Reports and a browser, made once for all tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoref.report import Report, report
from tests.conftest import REPOSITORY

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
    ferry.write(path, with_text=True)
    return path
