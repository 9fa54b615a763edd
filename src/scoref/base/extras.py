"""Packages that only some features need."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from scoref.exceptions import UsageError


def import_extra(package: str, what: str, extra: str | None = None) -> Any:
    """Import a package, or say which extra of scoref installs it."""
    try:
        return import_module(package)
    except ImportError:
        name = package.partition(".")[0]
        raise UsageError(
            f"{what} requires {name}, which is not installed",
            f"pip install 'scoref[{extra or name}]', or pip install {name}",
        ) from None
