"""The pages that people read: README, manual and examples."""

from __future__ import annotations

from tests.conftest import REPOSITORY

MANUAL = REPOSITORY / "docs"
PAGES = [
    REPOSITORY / "README.md",
    *sorted(page for page in MANUAL.rglob("*.md") if "_generated" not in page.parts),
    *sorted((REPOSITORY / "examples").rglob("*.md")),
]
