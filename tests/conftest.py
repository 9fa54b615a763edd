"""What all tests share: where the real corpora are, and how hard Hypothesis tries."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests import elsewhere

REPOSITORY = Path(__file__).resolve().parent.parent
SHARED = REPOSITORY.parent / "shared"

os.environ["SCOREF_RAISE"] = "1"  # a test sees an unexpected exception, not a message about it

settings.register_profile(
    "default",
    deadline=None,
    max_examples=15,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
)
settings.register_profile("quick", parent=settings.get_profile("default"), max_examples=5)
settings.register_profile("thorough", parent=settings.get_profile("default"), max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def pytest_collection_finish() -> None:
    """Leave what was collected out of searches for garbage, which would take longer than tests."""
    gc.collect()
    gc.freeze()


def pytest_report_header() -> list[str]:
    """Name the files of tests that this system cannot run."""
    return elsewhere.header()


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out files that this system cannot import."""
    return elsewhere.is_left_out(collection_path, REPOSITORY) or None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what this system cannot run, with the reason."""
    for item in items:
        if why := elsewhere.reason(item.nodeid):
            item.add_marker(pytest.mark.skip(reason=why))


def pytest_unconfigure() -> None:
    """At the end, extensions complain about what was not found."""
    gc.unfreeze()


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real corpora, which are next to a checkout and not part of it."""
    folder = SHARED / "data"
    if not folder.is_dir():
        pytest.skip("the real corpora (../shared/data) are not on this machine")
    return folder


@pytest.fixture(scope="session")
def example() -> Path:
    """The folder of the shipped example."""
    return REPOSITORY / "examples" / "ferry"


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium, started once for all tests of pages."""
    from tests.pages.report.browser import launched  # it imports this module

    with launched() as running:
        yield running


@pytest.fixture
def heeded_interruptions() -> Iterator[None]:
    """Shells let background jobs ignore SIGINT, and a child would inherit that from pytest.

    Packages that other tests of this process have used may handle SIGTERM.
    """
    usual: dict[int, Any] = {
        signal.SIGINT: signal.default_int_handler,
        signal.SIGTERM: signal.SIG_DFL,
    }
    before = {number: signal.signal(number, handler) for number, handler in usual.items()}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)
