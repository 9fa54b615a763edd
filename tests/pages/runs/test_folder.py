"""The runs of a folder: order, steps, series."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoref.exceptions import UsageError
from scoref.pages.runs.scored_runs import find_runs, step_numbers


def make(folder: Path, *names: str) -> None:
    """Make empty files."""
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def test_names_are_in_natural_order(tmp_path: Path) -> None:
    """Step 20 comes before step 100; hidden and ignored files are no runs."""
    make(tmp_path, "step-100.conll", "step-20.conll", ".step-30.tmp", "page.html")
    runs = find_runs(tmp_path, [tmp_path / "page.html"])
    assert [(run.title, run.step) for run in runs] == [("step-20", 20), ("step-100", 100)]


def test_a_subfolder_is_a_series(tmp_path: Path) -> None:
    """Each seed has a curve of its own."""
    make(tmp_path, "seed2/e2.counts.json", "seed10/e1.conll", "seed2/e1.counts.json")
    runs = find_runs(tmp_path)
    assert [run.title for run in runs] == ["seed2/e1", "seed2/e2", "seed10/e1"]
    assert [(run.series, run.step) for run in runs] == [("seed2", 1), ("seed2", 2), ("seed10", 1)]


def test_files_that_differ_in_their_suffix_only(tmp_path: Path) -> None:
    """They keep it, so that each has a name."""
    make(tmp_path, "a.conll", "a.jsonl")
    assert [run.name for run in find_runs(tmp_path)] == ["a.conll", "a.jsonl"]


@pytest.mark.parametrize(
    ("names", "steps"),
    [
        (["s1-e10", "s1-e20"], [10, 20]),
        (["a", "b"], [None, None]),
        (["a1", "b"], [None, None]),
        (["a1", "b1"], [None, None]),
        ([], []),
    ],
)
def test_steps(names: list[str], steps: list[int | None]) -> None:
    """The last number, if every name has one and all differ."""
    assert step_numbers(names) == steps


def test_a_file_is_not_a_folder(tmp_path: Path) -> None:
    """The message says what to name."""
    make(tmp_path, "a")
    with pytest.raises(UsageError, match="is not a folder"):
        find_runs(tmp_path / "a")
