"""Formats of other packages: found by their entry points, imported only when they are needed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import scoref
from scoref.cli import main
from scoref.exceptions import Problem, UsageError
from scoref.formats import Format, find_format, format_of_file, format_of_name
from scoref.formats.registry import detect_format

SPANS = "%spans\nferry 0-1 anna\nferry 3-3 anna\nferry 5-5 bob\n"
PAGE = (Path(__file__).parents[2] / "docs" / "guides" / "write-a-format.md").read_text("utf-8")
EXAMPLE = PAGE.partition("`span_lines.py`:\n\n```python\n")[2].partition("```")[0]
LINE = "span-lines = span_lines:SPAN_LINES"

Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Install packages of one module into a temporary folder on the module search path."""

    def install(package: str, module: str, code: str, *entries: str) -> None:
        folder = tmp_path / package
        info = folder / f"{package.replace('-', '_')}-1.2.dist-info"
        info.mkdir(parents=True)
        (folder / f"{module}.py").write_text(code, "utf-8")
        metadata = f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.2\n"
        (info / "METADATA").write_text(metadata, "utf-8")
        lines = "\n".join(["[scoref.formats]", *entries])
        (info / "entry_points.txt").write_text(lines, "utf-8")
        monkeypatch.syspath_prepend(str(folder))
        monkeypatch.delitem(sys.modules, module, raising=False)

    return install


@pytest.fixture
def spans(install: Install, tmp_path: Path) -> Path:
    """Install the example of the manual, and write a file of its format."""
    install("scoref-spans", "span_lines", EXAMPLE, LINE)
    path = tmp_path / "key.spans"
    path.write_text(SPANS, "utf-8")
    return path


def test_the_example_is_read_and_written_by_name(spans: Path, tmp_path: Path) -> None:
    """`scoref.read(path, format=...)` and `corpus.write`."""
    corpus = scoref.read(spans, "span-lines")
    assert corpus.entities() == {"ferry": [[(0, 1), (3, 3)], [(5, 5)]]}
    corpus.write(tmp_path / "again.spans", "span-lines")
    assert (tmp_path / "again.spans").read_text("utf-8") == SPANS


def test_the_example_is_detected(spans: Path, tmp_path: Path) -> None:
    """From the content when it is read, from the suffix when it is written."""
    assert format_of_file(spans) == "span-lines"
    assert format_of_name("x.spans") == "span-lines"
    assert scoref.score(spans, spans)["conll"].f1 == 1.0
    assert main(["convert", str(spans), "-o", str(tmp_path / "x.csv")]) == 0
    assert main(["convert", str(tmp_path / "x.csv"), "-o", str(tmp_path / "y.spans")]) == 0
    assert (tmp_path / "y.spans").read_text("utf-8") == SPANS


def test_problems_of_the_example_have_their_lines(spans: Path) -> None:
    """As those of any format."""
    spans.write_text(SPANS + "ferry 7\n", "utf-8")
    with pytest.raises(scoref.FormatError, match=r"key\.spans:5: found `ferry 7`, expected a doc"):
        scoref.read(spans)


@pytest.mark.usefixtures("spans")
def test_a_mistyped_name_is_compared_with_those_of_packages_too() -> None:
    """So that the hint can name them."""
    with pytest.raises(UsageError, match="did you mean 'span-lines'"):
        find_format("span-line")


def test_a_built_in_name_cannot_be_taken(install: Install) -> None:
    """The built-in format is used; what is wrong is said where formats of packages are listed."""
    install("scoref-taker", "taker", EXAMPLE, "conll = taker:SPAN_LINES")
    assert find_format("conll").title != "lines of spans"
    found = detect_format(SPANS.encode(), "x")
    assert isinstance(found, Problem)
    assert "the format 'conll' of the package scoref-taker 1.2 is ignored" in found.hint


def test_a_package_does_not_take_files_of_built_in_formats(install: Install) -> None:
    """Installing a package changes nothing for them."""
    greedy = EXAMPLE.replace('head.startswith(b"%spans")', "True")
    install("scoref-greedy", "greedy", greedy, "greedy = greedy:SPAN_LINES")
    for head, name in ((b"#begin document (d)\n", "conll"), (b'{"d": [[[0, 1]]]}', "clusters")):
        found = detect_format(head, "x")
        assert isinstance(found, Format)
        assert found.name == name


BROKEN = {
    "import": ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
    "attribute": ("x = 1", "AttributeError"),
    "type": ("SPAN_LINES = 1", "is of the type int, expected Format"),
}


@pytest.mark.parametrize(("code", "reason"), BROKEN.values(), ids=BROKEN)
def test_a_broken_package_matters_only_when_it_is_needed(
    code: str, reason: str, install: Install, example: Path, tmp_path: Path
) -> None:
    """The message names the package, and says what to do."""
    install("scoref-broken", "broken", code, "broken = broken:SPAN_LINES")
    assert scoref.read(example / "key.conll")
    (tmp_path / "x.json").write_text('{"d": [[[0, 1]]]}', "utf-8")
    assert scoref.read(tmp_path / "x.json")
    with pytest.raises(UsageError, match=r"scoref-broken 1\.2") as error:
        find_format("broken")
    assert reason in error.value.message
    assert "uninstall" in error.value.hint
    found = detect_format(b"%spans\n", "x")
    assert isinstance(found, Problem)
    assert reason in found.hint
    assert format_of_name("x.csv") == "csv"
    with pytest.raises(UsageError, match="no suffix of a format") as error:
        format_of_name("x.broken")
    assert reason in error.value.hint


def test_a_format_whose_detection_fails_is_passed_over(spans: Path, install: Install) -> None:
    """Another package still recognises its file."""
    failing = EXAMPLE.replace('head.startswith(b"%spans")', "head.no_such_method()")
    install("scoref-failing", "failing", failing, "failing = failing:SPAN_LINES")
    assert format_of_file(spans) == "span-lines"
    found = detect_format(b"?", "x")
    assert isinstance(found, Problem)
    assert "the format 'failing' cannot be detected: AttributeError" in found.hint


@pytest.mark.usefixtures("spans")
def test_two_packages_with_one_name_are_refused(install: Install) -> None:
    """Neither is chosen by chance."""
    install("scoref-more", "more_spans", EXAMPLE, LINE.replace("span_lines", "more_spans"))
    with pytest.raises(UsageError, match=r"declared by the package scoref-more.* and .*-spans"):
        find_format("span-lines")


@pytest.mark.parametrize("suffix", [".conll", ".jsonl", ".csv", ".json"])
def test_entry_points_are_not_looked_up_for_built_in_formats(suffix: str, tmp_path: Path) -> None:
    """The lookup takes longer than reading a small file."""
    path = tmp_path / f"x{suffix}"
    scoref.Corpus.from_entities({"d": [[(0, 0), (1, 1)]]}).write(path, format_of_name(path))
    code = f"import sys, scoref; scoref.read({str(path)!r})"
    code += "; print('importlib.metadata' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
