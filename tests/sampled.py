"""sampled(): cases of which `make test` tries every n-th, and `make test-long` the others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def sampled(cases: Iterable[Any], *, every: int, several: bool = False) -> list[Any]:
    """Return the cases, all but every n-th with the mark `long`.

    If they have `several` parameters, they are tuples.
    """
    return [
        case
        if number % every == 0
        else pytest.param(*(case if several else [case]), marks=pytest.mark.long)
        for number, case in enumerate(cases)
    ]
