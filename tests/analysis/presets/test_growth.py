"""Time grows linearly: four times the examples take at most eight times as long."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from scoref.analysis import presets
from tests.analysis.presets.test_gap import example, write
from tests.analysis.presets.test_winopron import rows_of, scores

EXAMPLES = 2000
LEAST_SECONDS = 0.05


def gap(n: int, folder: Path) -> None:
    """Score examples, half of them without an answer."""
    key = [example(f"e{at}", "she", "TRUE", "FALSE") for at in range(n)]
    presets.gap(*write(folder, key, [f"e{at}\tTRUE\tFALSE" for at in range(0, n, 2)]))


def winobias(n: int, _: Path) -> None:
    """Score documents of both sides."""
    names = [f"type1/{side}/{at}" for side in ("pro", "anti") for at in range(n // 2)]
    documents = {name: [[(0, 1), (2, 2)]] for name in names}
    presets.winobias([(documents, documents)])


def winopron(n: int, folder: Path) -> None:
    """Score the same items again and again, which are one template."""
    scores(folder, (rows_of() * n)[:n])


def mei(n: int, _: Path) -> None:
    """Score one document with many entities, which have names."""
    lists = {"d": [[at] for at in range(n)]}
    presets.mei(lists, lists, {"d": [f"n{at}" for at in range(n)]})


@pytest.mark.parametrize("run", [gap, winobias, winopron, mei])
def test_time_grows_linearly(run: Callable[[int, Path], None], tmp_path: Path) -> None:
    """Of each preset; once more if other programs disturb."""

    def seconds(n: int) -> float:
        start = time.process_time()
        run(n, tmp_path)
        return time.process_time() - start

    least = max(seconds(EXAMPLES), LEAST_SECONDS)
    assert min(seconds(4 * EXAMPLES) for _ in range(2)) <= 8 * least
