"""Metrics of other packages: found by their entry points, imported only when they are used."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

import scoref
from scoref.cli import main
from scoref.exceptions import UsageError
from scoref.metrics import base, find_metric, find_metrics, portable

KEY = {"doc": [["a", "b"], ["c", "d"]]}
RESPONSE = {"doc": [["a", "b"], ["c"], ["d"]]}

CODE, ENTRY = (
    dedent(block) for block in re.findall(r"::\n\n((?:    .*\n|\n)+)", base.__doc__ or "")
)

TVERSKY = """
import numpy as np
from functools import partial
from scoref import Metric
from scoref.metrics import Family

def count(table, alpha):
    found = table.sum_cells(table.count) * alpha
    return np.column_stack([found, table.sum_keys(table.key_size)] * 2)

def tversky(alpha=0.5):
    return Metric("another name", partial(count, alpha=alpha))

TVERSKY = Family("another name", tversky, {"alpha": 0.5})
"""

Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Install packages of one module into a temporary folder on the module search path."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def install(package: str, module: str, code: str, entries: str) -> None:
        (tmp_path / f"{module}.py").write_text(code, "utf-8")
        info = tmp_path / f"{package.replace('-', '_')}-1.2.dist-info"
        info.mkdir()
        metadata = f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.2\n"
        (info / "METADATA").write_text(metadata, "utf-8")
        (info / "entry_points.txt").write_text(entries, "utf-8")
        monkeypatch.syspath_prepend(str(tmp_path / module))  # look entry points up again
        monkeypatch.delitem(sys.modules, module, raising=False)

    return install


@pytest.fixture
def exact(install: Install) -> None:
    """Install the example of `scoref.metrics.base`."""
    group, line = re.fullmatch(r'\[project\.entry-points\."(.*)"\]\n(.*)\n*', ENTRY).groups()  # type: ignore[union-attr]
    install("scoref-exact", "exact_entities", CODE, f"[{group}]\n{line.replace(chr(34), '')}\n")


@pytest.mark.usefixtures("exact")
def test_a_metric_is_found_by_its_name() -> None:
    """In Python, with built-in metrics beside it."""
    result = scoref.score(KEY, RESPONSE, metrics=["muc", "exact"])
    assert list(result) == ["muc", "exact"]
    assert result["exact"].recall == 0.5
    assert result["exact"].precision == pytest.approx(1 / 3)


@pytest.mark.usefixtures("exact")
def test_the_command_line_has_it(capsys: pytest.CaptureFixture[str], example: Path) -> None:
    """In `scoref score -m`, and in the list of metrics."""
    files = [str(example / name) for name in ("key.conll", "careful.conll")]
    assert main(["score", "-m", "exact", "-q", *files]) == 0
    assert float(capsys.readouterr().out) > 0
    assert main(["metrics"]) == 0
    assert "\n+ exact" in capsys.readouterr().out
    assert main(["metrics", "exact"]) == 0
    assert capsys.readouterr().out.startswith("counts   recall_num")


@pytest.mark.usefixtures("exact")
def test_counts_files_have_it(tmp_path: Path, example: Path) -> None:
    """Saved, and read again by name alone."""
    key, response = (str(example / name) for name in ("key.conll", "careful.conll"))
    counts = str(tmp_path / "careful.counts.json")
    assert main(["count", "-m", "exact", "-m", "muc", key, response, "-o", counts]) == 0
    expected = scoref.score(key, response, metrics=["exact"])["exact"]
    assert scoref.score(key, counts)["exact"] == expected


@pytest.mark.usefixtures("exact")
def test_another_process_finds_it_by_name() -> None:
    """But a metric of the user's own that bears its name is sent as it is."""
    assert portable([find_metric("exact")]) == ["exact"]
    own = scoref.Metric("exact", lambda table: table.sum_cells(table.count))
    assert portable([own]) == [own]


def test_names_are_found_in_any_case(install: Install) -> None:
    """As those of built-in metrics are."""
    install(
        "scoref-exact", "exact_entities", CODE, "[scoref.metrics]\nExact = exact_entities:EXACT\n"
    )
    result = scoref.score(KEY, RESPONSE, metrics=["Exact", "exact", "MUC"])
    assert list(result) == ["exact", "muc"]


def test_a_counts_file_says_why_a_metric_is_ignored(
    install: Install, tmp_path: Path, example: Path
) -> None:
    """A package that cannot be imported is not an unknown metric."""
    key, response = (str(example / name) for name in ("key.conll", "careful.conll"))
    counts = str(tmp_path / "careful.counts.json")
    result = scoref.score(
        key, response, metrics=["muc", scoref.Metric("odd", find_metric("b3").count)]
    )
    result.save_counts(counts)
    install("broken", "broken", "import no_such_module\n", "[scoref.metrics]\nodd = broken:ODD\n")
    (note,) = scoref.score(key, counts).notes
    assert "odd (cannot import the metric 'odd' from 'broken:ODD' of the package broken 1.2" in note


def test_a_family_has_parameters(install: Install) -> None:
    """Under the name of the entry point, whatever its authors call it in their code."""
    install("tversky", "tversky", TVERSKY, "[scoref.metrics]\ntversky = tversky:TVERSKY\n")
    result = scoref.score(KEY, RESPONSE, metrics=["tversky", "Tversky(alpha=0.25)"])
    assert {name: result[name].recall for name in result} == {
        "tversky": 0.5,
        "tversky(alpha=0.25)": 0.25,
    }


def test_a_function_is_enough(install: Install) -> None:
    """The name of the entry point is the name of the metric."""
    code = "def count(table):\n    return __import__('numpy').ones((len(table.units), 4))\n"
    install("ones", "ones", code, "[scoref.metrics]\nall-ones = ones:count\n")
    assert scoref.score(KEY, RESPONSE, metrics=["all-ones"])["all-ones"].f1 == 1


def test_built_in_names_win(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    """The package is not imported, and the list of metrics says what is wrong."""
    entries = "[scoref.metrics]\nmuc = greedy:COUNT\nbcub = greedy:COUNT\n"
    install("greedy", "greedy", "raise RuntimeError('imported')\n", entries)
    assert scoref.score(KEY, RESPONSE, metrics=["muc", "bcub"])["b3"].recall == 0.75
    assert main(["metrics"]) == 0
    shown = capsys.readouterr()
    assert "+" not in shown.out
    assert "the metric 'muc' of the package greedy 1.2 is ignored" in shown.err
    assert "hint: rename the entry point" in shown.err


def test_a_package_that_cannot_be_imported(
    install: Install, capsys: pytest.CaptureFixture[str], example: Path
) -> None:
    """It disturbs nobody who does not ask for its metric."""
    install("broken", "broken", "import no_such_module\n", "[scoref.metrics]\nodd = broken:ODD\n")
    assert find_metrics(["muc"])
    files = [str(example / name) for name in ("key.conll", "careful.conll")]
    assert main(["score", "-m", "odd", *files]) == 2
    error = capsys.readouterr().err
    assert "cannot import the metric 'odd' from 'broken:ODD' of the package broken 1.2" in error
    assert "No module named 'no_such_module'" in error
    assert "hint: reinstall the package" in error
    assert main(["metrics"]) == 0
    shown = capsys.readouterr()
    assert "* muc" in shown.out
    assert "warning: cannot import the metric 'odd'" in shown.err


def test_what_is_not_a_metric_is_refused(install: Install) -> None:
    """With what was found, and what was expected."""
    install("number", "number", "THREE = 3\n", "[scoref.metrics]\nthree = number:THREE\n")
    with pytest.raises(UsageError, match=r"number 1\.2 is not usable: .* the type int"):
        find_metric("three")


def test_two_packages_with_one_name(install: Install) -> None:
    """Nobody can know which is meant."""
    for package in ("one", "two"):
        install(package, package, CODE, f"[scoref.metrics]\nexact = {package}:EXACT\n")
    with pytest.raises(UsageError, match=r"'exact' is declared by the package .* and the package"):
        find_metric("exact")


@pytest.mark.usefixtures("exact")
def test_a_typing_error_is_noticed() -> None:
    """Names of packages are among those suggested."""
    with pytest.raises(UsageError, match="did you mean 'exact'"):
        find_metric("exakt")


def test_built_in_metrics_cost_no_look_at_packages() -> None:
    """The standard library's reader of metadata is not even imported."""
    code = (
        "import sys, scoref\n"
        "scoref.score({'d': [['a']]}, {'d': [['a']]}, metrics=['muc', 'blanc(alpha=0.2)'])\n"
        "print([name for name in sys.modules if name.startswith('importlib.metadata')])\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert run.stdout == "[]\n"
