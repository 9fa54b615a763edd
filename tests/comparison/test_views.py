"""Every renderer on the same comparison: what a user sees is what the golden files show.

SCOREF_UPDATE_GOLDEN=1 writes them anew; look at what changed before you commit it.
"""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

import scoref
from scoref import Comparison
from scoref.base.phrases import letters
from scoref.exceptions import UsageError
from scoref.policy import short_signature
from scoref.views.comparison_tables import superscript
from scoref.views.writers.latex import write_signature
from tests.comparison.systems import make_key, make_system

GOLDEN = Path(__file__).parent / "golden"
KEY = make_key(24, seed=3)
SYSTEMS = {
    "base_line": make_system(KEY, 0.35, 1),
    "ours|v2": make_system(KEY, 0.12, 2),
    "50% & more": make_system(KEY, 0.15, 3),
    "ours|v2 again": make_system(KEY, 0.12, 2),
}
METRICS = ["muc", "b3", "ceafe", "lea", "conll"]
OUTPUTS = {"text": "txt", "markdown": "md", "latex": "tex", "csv": "csv", "json": "json"}


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    """Four systems with names that every format would like to misread."""
    return scoref.compare(KEY, SYSTEMS, METRICS, trials=1000)


@pytest.fixture(scope="module")
def against_baseline() -> Comparison:
    """The same against one of them, with other intervals and another test."""
    return scoref.compare(
        KEY, SYSTEMS, ["b3"], baseline="base_line", test="bootstrap", method="bca",
        correction="none", strata="^[^/]+", trials=1000,
    )  # fmt: skip


def check_golden(name: str, comparison: Comparison, shown: str) -> None:
    """Compare with a golden file; numbers at full precision up to rounding.

    Signatures change with every version and are left out.
    """
    path = GOLDEN / name
    short = short_signature(comparison.signature)
    for written in (write_signature(comparison.signature), comparison.signature, short):
        shown = shown.replace(written, "SIGNATURE")
    if os.environ.get("SCOREF_UPDATE_GOLDEN"):
        path.write_text(shown + "\n", "utf-8")
    expected = path.read_text("utf-8").removesuffix("\n")
    if path.suffix == ".json":
        assert json.loads(shown) == near(json.loads(expected))
    elif path.suffix == ".csv":
        rows, theirs = (list(csv.reader(io.StringIO(text))) for text in (shown, expected))
        assert [[number(cell) for cell in row] for row in rows] == [
            [near(number(cell)) for cell in row] for row in theirs
        ]
    else:
        assert shown == expected


def number(cell: str) -> float | str:
    """Read a number, if it is one."""
    try:
        return float(cell)
    except ValueError:
        return cell


def near(value: object) -> object:
    """Allow for rounding in numbers, however deep."""
    if isinstance(value, dict):
        return {name: near(one) for name, one in value.items()}
    if isinstance(value, list):
        return [near(one) for one in value]
    return pytest.approx(value, abs=1e-12) if isinstance(value, float) else value


@pytest.mark.parametrize("output", OUTPUTS)
def test_all_pairs(comparison: Comparison, output: str) -> None:
    """With all details."""
    shown = comparison.render(output, details=True)
    assert "scoref|key:" in shown
    check_golden(f"comparison.{OUTPUTS[output]}", comparison, shown)


@pytest.mark.parametrize("output", OUTPUTS)
def test_against_a_baseline(against_baseline: Comparison, output: str) -> None:
    """Without ranks."""
    shown = against_baseline.render(output, digits=1)
    check_golden(f"baseline.{OUTPUTS[output]}", against_baseline, shown)


def test_the_table_of_papers(comparison: Comparison) -> None:
    """Systems as rows, the best in bold, the beaten as superscripts, one short signature."""
    shown = comparison.to_latex(style="conll")
    check_golden("papers.tex", comparison, shown)
    assert shown.count(write_signature(comparison.signature)) == 1
    with pytest.raises(UsageError, match="the style conll is one of LaTeX"):
        comparison.render("text", style="conll")
    with pytest.raises(UsageError, match="unknown style 'acl'"):
        comparison.render("latex", style="acl")


def test_the_table_of_papers_requires_its_metrics(against_baseline: Comparison) -> None:
    """A column that was not scored is not left empty."""
    with pytest.raises(UsageError, match="requires muc, b3, ceafe and conll, but muc was not"):
        against_baseline.to_latex(style="conll")


def test_methods_are_outputs(comparison: Comparison) -> None:
    """`print(comparison)` is the text."""
    assert str(comparison) == comparison.to_text() == comparison.render("text")
    assert comparison.to_json() == comparison.render("json")
    assert comparison.to_csv() == comparison.render("csv")
    assert comparison.to_latex(details=True) == comparison.render("latex", details=True)
    assert comparison.to_markdown(digits=1) == comparison.render("markdown", digits=1)
    with pytest.raises(UsageError, match="unknown output 'html'"):
        comparison.render("html")


@pytest.mark.skipif(not shutil.which("pdflatex"), reason="no LaTeX (pdflatex) on this machine")
def test_latex_compiles(
    comparison: Comparison, against_baseline: Comparison, tmp_path: Path
) -> None:
    """With the packages it names, and without a line that is too wide for a page."""
    document = [
        r"\documentclass{article}\usepackage{booktabs}\usepackage[T1]{fontenc}",
        r"\begin{document}",
        comparison.to_latex(details=True),
        comparison.to_latex(style="conll", digits=1),
        against_baseline.to_latex(),
        _with_intervals(),
        r"\end{document}",
    ]
    (tmp_path / "x.tex").write_text("\n".join(document), "utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "x.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]


def _with_intervals() -> str:
    result = scoref.score(KEY, SYSTEMS["ours|v2"], METRICS)
    return result.render("latex", intervals=result.intervals(trials=100), per_document=True)


class TestIntervalsOfScore:
    """`score --intervals` in every output."""

    def test_text(self) -> None:
        """An interval behind each score, how it was made, and what moved it most."""
        result = scoref.score(KEY, SYSTEMS["base_line"], ["b3", "conll"])
        found = result.intervals(trials=1000)
        text = result.render("text", intervals=found)
        low, high = (f"{100 * end:.2f}" for end in found["b3"].recall)
        assert f"[{low}, {high}]" in text
        assert "95 % intervals: jackknife over 24 documents, Student's t" in text
        document, moved = found.influences["conll"][0]
        f1 = result["conll"].f1 - moved
        assert f"without {document}, conll is {100 * f1:.2f} ({-100 * moved:+.2f})" in text
        assert "caution" not in text
        assert result.render("text") == result.to_text()
        few = scoref.score(make_key(3), make_key(3), ["b3"])
        assert "caution: few documents: 3 documents count as" in few.render(
            "text", intervals=few.intervals(trials=9)
        )

    def test_json_and_csv(self) -> None:
        """New keys and columns; the old ones stay."""
        result = scoref.score(KEY, SYSTEMS["base_line"], ["b3", "conll"])
        found = result.intervals(trials=100, method="bca", blocks="^[^/]+")
        content = json.loads(result.render("json", intervals=found))
        assert content["intervals"]["b3"]["f1"] == list(found["b3"].f1)
        assert content["intervals"]["conll"]["recall"] == [None, None]
        assert content["resampling"]["unit"] == "block"
        assert content["influences"]["b3"][0].keys() == {"document", "difference"}
        assert content["cautions"] == found.cautions
        assert "intervals" not in json.loads(result.to_json())
        rows = list(csv.DictReader(io.StringIO(result.render("csv", intervals=found))))
        assert float(rows[0]["f1_low"]) == found["b3"].f1.low
        assert rows[1]["recall_low"] == ""
        rows = list(
            csv.DictReader(io.StringIO(result.render("csv", intervals=found, per_document=True)))
        )
        assert rows[0]["f1_low"] == ""

    def test_markdown(self) -> None:
        """The how is a list below the table."""
        result = scoref.score(KEY, SYSTEMS["base_line"], ["b3"])
        text = result.render("markdown", intervals=result.intervals(trials=100))
        assert "| metric | recall | 95 % | precision | 95 % | F1 | 95 % |" in text
        assert "- 95 % intervals: jackknife over 24 documents" in text


class TestFigures:
    """Dot and whisker, and documents: drawn from what a comparison says."""

    @pytest.fixture(autouse=True)
    def _matplotlib(self) -> None:
        pytest.importorskip("matplotlib")

    def test_svg_is_the_same_twice(self, comparison: Comparison, tmp_path: Path) -> None:
        """Byte for byte; its text is text."""
        comparison.draw(tmp_path / "one.svg")
        comparison.draw(tmp_path / "two.svg")
        one = (tmp_path / "one.svg").read_text("utf-8")
        assert one == (tmp_path / "two.svg").read_text("utf-8")
        assert "<dc:date>" not in one
        for text in ("a ours|v2", "50% &amp; more", "ceafe", "F1 in percent, 95 % intervals"):
            assert text in one

    def test_documents(self, comparison: Comparison, tmp_path: Path) -> None:
        """Two systems; those farthest apart are named."""
        comparison.draw_documents(tmp_path / "x.svg", "base_line", "ours|v2", "b3")
        text = (tmp_path / "x.svg").read_text("utf-8")
        assert "b3 F1 of d base_line, by document" in text
        assert "b3 F1 of a ours|v2, by document" in text
        assert "farthest apart" in text
        ours, theirs = (
            scoref.score(KEY, SYSTEMS[name], ["b3"]).documents for name in ("ours|v2", "base_line")
        )
        gaps = {name: abs(ours[name]["b3"].f1 - theirs[name]["b3"].f1) for name in KEY}
        assert max(gaps, key=gaps.__getitem__) in text
        comparison.draw_documents(tmp_path / "y.svg")
        assert "conll F1 of b ours|v2 again" in (tmp_path / "y.svg").read_text("utf-8")

    def test_the_baseline_is_one_of_the_two(
        self, against_baseline: Comparison, tmp_path: Path
    ) -> None:
        """Unless others are asked for."""
        against_baseline.draw_documents(tmp_path / "x.svg")
        assert "b3 F1 of d base_line, by document" in (tmp_path / "x.svg").read_text("utf-8")

    def test_png(self, comparison: Comparison, tmp_path: Path) -> None:
        """By the name of the file."""
        comparison.draw(tmp_path / "x.PNG")
        assert (tmp_path / "x.PNG").read_bytes().startswith(b"\x89PNG")
        comparison.draw_documents(tmp_path / "y.png")
        assert (tmp_path / "y.png").stat().st_size > 1000

    def test_without_intervals_and_with_odd_names(self, tmp_path: Path) -> None:
        """One document, undefined scores, dollars in names."""
        key = {"$x$_1": [["a"], ["b"]]}
        policy = scoref.Policy(undefined="skip")
        found = scoref.compare(key, {"$a$": key, "b": {"$x$_1": [["a"]]}}, policy=policy)
        found.draw(tmp_path / "x.svg")
        assert "F1 in percent<" in (tmp_path / "x.svg").read_text("utf-8")
        found.draw_documents(tmp_path / "y.svg", metric="b3")
        assert "$x$_1" in (tmp_path / "y.svg").read_text("utf-8")

    def test_a_place_that_cannot_be_written(self, comparison: Comparison, tmp_path: Path) -> None:
        """Says so."""
        with pytest.raises(scoref.ScorefError, match="cannot write"):
            comparison.draw(tmp_path / "no" / "x.svg")


@pytest.mark.parametrize(
    ("labels", "systems", "written"),
    [
        ("", 5, ""),
        ("bc", 5, "bc"),
        ("bcd", 5, "bcd"),
        ("bcde", 6, "b-e"),
        ("bdefg", 9, "b,d-g"),
    ],
)
def test_letters_of_the_beaten(labels: str, systems: int, written: str) -> None:
    """Runs of four and more are ranges."""
    assert superscript(list(labels), systems) == written


def test_letters_of_many_systems() -> None:
    """With commas, since some have two letters."""
    beaten = [letters(at) for at in (1, 3, 25, 26, 27, 28)]
    assert superscript(beaten, 30) == "b,d,z-ac"
