"""Metric names in LaTeX, in every view that has them."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from scoref.base.viewed import MetricName
from scoref.metrics.registry import DEFAULT, FAMILIES
from scoref.views.writers.latex import (
    TYPESET,
    typeset_metric,
    typeset_prose,
    write_caption,
    write_cell,
)
from tests.cli.test_commands import Capture, run
from tests.conftest import REPOSITORY

FERRY, ISLAND = (REPOSITORY / "examples" / name for name in ("ferry", "island"))
KEY, CAREFUL, HASTY = (FERRY / f"{name}.conll" for name in ("key", "careful", "hasty"))
RUNS = ",".join(str(ISLAND / "runs" / f"seed{at}.json") for at in (1, 2, 3))
SHORT = ("-m", "muc,b3,ceafm,ceafe,conll")
VIEWS: dict[str, tuple[str | Path, ...]] = {
    "score": ("score", KEY, CAREFUL, "--per-document", "--intervals"),
    "score --style conll": ("score", KEY, CAREFUL, "--style", "conll"),
    "compare": (
        *("compare", ISLAND / "key.conll", f"ours={RUNS}", ISLAND / "sieve.conll", "--details"),
        *(ISLAND / "chat.conll", "--trials", "100", *SHORT),
    ),
    "compare --style conll": (
        *("compare", ISLAND / "key.conll", f"ours={RUNS}", ISLAND / "sieve.conll"),
        *("--style", "conll", "--trials", "100"),
    ),
    "compare --datasets": ("compare", "--datasets", "datasets.toml", "--by", "b3", *SHORT),
    "power": ("power", KEY, CAREFUL, HASTY, *SHORT),
    "agreement": ("agreement", KEY, CAREFUL, *SHORT),
    "stress": ("stress", KEY, CAREFUL),
    "errors": ("errors", KEY, CAREFUL),
    "explain": ("explain", KEY, CAREFUL, *SHORT),
    "papers": ("papers", "tables"),
}
DATASETS = f"""
one = {{key = "{KEY}", systems = {{careful = "{CAREFUL}", hasty = "{HASTY}"}}}}
two = {{key = "{CAREFUL}", systems = {{careful = "{KEY}", hasty = "{HASTY}"}}}}
"""
RAW = re.compile(r"(?<![\w/.({\[-])(b3|ceafe|ceafm|muc|blanc|lea|conll|CEAFm|CEAFe)(?![\w/-]|\.\w)")


def printed(shown: str) -> str:
    """Return what LaTeX prints: no comments, no identifiers in typewriter."""
    lines = (re.sub(r"(?<!\\)%.*", "", line) for line in shown.splitlines())
    return re.sub(r"\\texttt\{[^}]*\}", "", "\n".join(lines))


def test_every_built_in_metric_is_typeset() -> None:
    """A new metric needs an entry."""
    assert TYPESET.keys() == FAMILIES.keys()


def test_names_and_words() -> None:
    """Parameters stay; names of files, of users' metrics and English words are left alone."""
    assert typeset_metric("b3(twinless=sys)") == "B$^3$(twinless=sys)"
    assert typeset_metric("my\\_b3") == "my\\_b3"
    assert write_cell("b3") == "b3"  # a document or a system can have this name
    assert write_cell(MetricName("b3")) == "B$^3$"
    text = "b3, lea and ceafe of key.conll: mentions/b3, b3\\_x, zero mentions, CEAFm"
    expected = "B$^3$, LEA and CEAF$_e$ of key.conll: mentions/b3, b3\\_x, zero mentions, CEAF$_m$"
    assert typeset_prose(text) == expected


def test_sentences_of_captions_start_with_a_capital_letter() -> None:
    """Also where the sentence is a remark in other outputs."""
    assert write_caption(["scores: mean", "b3: at least", "95 %"]) == (
        "Scores: mean. B$^3$: at least. 95 \\%."
    )


@pytest.mark.parametrize("name", VIEWS)
def test_every_view(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """No raw names, balanced groups and formulas, capital letters; it compiles where LaTeX is."""
    monkeypatch.chdir(tmp_path)
    Path("datasets.toml").write_text(DATASETS, "utf-8")
    code, shown, _ = run(capsys, *VIEWS[name], "--to", "latex")
    assert code == 0
    text = printed(shown)
    assert RAW.findall(text) == []
    assert any(TYPESET[one] in text for one in DEFAULT)
    plain = re.sub(r"\\[\\{}$]", "", text)
    assert plain.count("{") == plain.count("}")
    assert plain.count("$") % 2 == 0
    for kind in ("begin", "end"):
        assert text.count(rf"\{kind}{{tabular}}") == text.count(r"\toprule")
    for caption in re.findall(r"\\caption\{(.*)\}", text):
        assert not caption[0].islower()
        assert not re.search(r"(?<!al)\. [a-z]", caption)
    if pdflatex := shutil.which("pdflatex"):
        head = r"\documentclass{article}\usepackage{booktabs}\begin{document}"
        (tmp_path / "x.tex").write_text(f"{head}\n{shown}\n\\end{{document}}\n", "utf-8")
        command = [pdflatex, "-interaction=nonstopmode", "-halt-on-error", "x.tex"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
        assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]
