"""sampled(): cases of which `make test` tries every n-th, and `make test-long` the others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def sampled(cases: Iterable[Any], *, every: int) -> list[Any]:
    """Return the cases of one parameter, all but every n-th with the mark `long`."""
    return [
        case if number % every == 0 else pytest.param(case, marks=pytest.mark.long)
        for number, case in enumerate(cases)
    ]
