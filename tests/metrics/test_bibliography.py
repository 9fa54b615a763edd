"""Every metric can be cited, with the papers that it names."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from scoref.cli import main
from scoref.metrics import FAMILIES, find_metric
from scoref.metrics.bibliography import references, references_of

OTHER_YEARS = {"ace": {"2005"}}
"""Years in the texts on metrics that are not those of a publication."""


@pytest.mark.parametrize("name", FAMILIES)
def test_every_metric_has_its_papers(name: str) -> None:
    """Authors and years that the description of a metric names are in its references."""
    about = find_metric(name).about
    assert about is not None
    found = references_of([name])
    assert found
    main_part = about.paper.split(";")[0]
    for surname, year in re.findall(r"(\w+)(?: et al\.| & \w+)? (\d{4})", main_part):
        if year in OTHER_YEARS.get(name, ()):
            continue
        assert any(
            surname in one.fields["author"] and one.fields["year"] == year for one in found
        ), (surname, year)


def test_parameters_have_papers() -> None:
    """A variant is cited with those who proposed it."""
    assert [one.key for one in references_of(["ceafe(twinless=rn)"])] == [
        "luo2005ceaf",
        "rahman2009supervised",
    ]


def test_every_entry_is_used_and_whole() -> None:
    """The file has no entry without a metric."""
    names = [*FAMILIES, "mentions(match=half)"]
    names += [f"b3(twinless={way})" for way in ("all", "rn", "sys", "v4")]
    assert {one.key for one in references_of(names)} == {*references()}
    for one in references().values():
        assert {"author", "title", "year"} <= {*one.fields}
        assert one.fields.keys() & {"journal", "booktitle", "note"}
        assert one.bibtex.count("{") == one.bibtex.count("}")
        assert re.search(r"\. (19|20)\d\d\. .+[.?] ", str(one))


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    """As text, and as BibTeX."""
    assert main(["metrics", "lea", "--cite"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "Nafise Sadat Moosavi and Michael Strube. 2016. Which Coreference" in shown
    assert "https://aclanthology.org/P16-1060/" in shown
    assert "Vilain" not in shown
    assert main(["metrics", "--cite", "--to", "bibtex"]) == 0
    shown = capsys.readouterr().out
    assert shown.count("@") == 11
    assert shown.index("@software{scoref,") < shown.index("@inproceedings{vilain1995muc,")


def test_links_are_whole(capsys: pytest.CaptureFixture[str]) -> None:
    """A link that is longer than a line has a line of its own, so that it can be clicked."""
    assert main(["metrics", "blanc", "--cite"]) == 0
    link = references()["recasens2011blanc"].fields["url"]
    assert link in capsys.readouterr().out.split()


@pytest.mark.skipif(not shutil.which("bibtex"), reason="no BibTeX on this machine")
def test_bibtex_reads_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a warning about a field or a brace."""
    assert main(["metrics", *FAMILIES, "--cite", "--to", "bibtex"]) == 0
    (tmp_path / "x.bib").write_text(capsys.readouterr().out, "utf-8")
    lines = [r"\citation{*}", r"\bibstyle{plain}", r"\bibdata{x}"]
    (tmp_path / "x.aux").write_text("\n".join(lines), "utf-8")
    done = subprocess.run(
        ["bibtex", "x"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    problems = [line for line in done.stdout.splitlines() if line.startswith("Warning")]
    assert [line for line in problems if "scoref" not in line] == [], done.stdout
    assert "error message" not in done.stdout
