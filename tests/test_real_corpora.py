"""Real files, where they are: the numbers that others published for them."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import scoref
from scoref import FormatError, Policy
from scoref.formats import inspect
from scoref.matching.duplicates_and_singletons import duplicate_problems

OTHER_FOLDERS = ("corpora", "generated", "gerdracor", "gum", "hypercoref", "litbank")


def test_litbank(data: Path) -> None:
    """CoNLL F1 69.39 by the reference scorer and three others."""
    result = scoref.score(data / "litbank" / "key.conll", data / "litbank" / "response.conll")
    assert round(100 * result["conll"].f1, 2) == 69.39
    assert result.key[1:4] == (100, 29_103, 7_927)
    assert len(result.documents) == 100
    assert result.notes == ()


def test_openboek(data: Path) -> None:
    """A Dutch novel and the output of dutchcoref: 68.69 by coval."""
    folder = data / "openboek"
    result = scoref.score(folder / "titaantjes.gold.conll", folder / "titaantjes.dutchcoref.conll")
    assert round(100 * result["conll"].f1, 2) == 68.69


def test_gerdracor(data: Path) -> None:
    """Two annotators of a play, mentions across sentences, CRLF: agreement is symmetric."""
    one, other = sorted((data / "gerdracor").glob("*.conll"))
    there, back = scoref.score(one, other), scoref.score(other, one)
    assert there["conll"].f1 == pytest.approx(back["conll"].f1)
    assert round(100 * there["conll"].f1, 1) == 72.6


def test_ontogum_has_two_real_defects(data: Path) -> None:
    """Line 11019 closes an entity that was never opened; nine spans stand in two entities."""
    path = data / "gum" / "ontogum.key.conll"
    with pytest.raises(FormatError, match=r"ontogum.key.conll:11009: found `\(1`"):
        scoref.read(path)
    corpus, problems = inspect(path)
    assert {problem.line for problem in problems} == {11009, 11019}
    assert len(duplicate_problems(corpus)) == 9


def test_ontogum_repaired(data: Path, tmp_path: Path) -> None:
    """Ignoring both brackets is the same as writing `-` into their cells."""
    path, response = data / "gum" / "ontogum.key.conll", data / "gum" / "xrenner.response.conll"
    lines = path.read_bytes().splitlines(keepends=True)
    for at, cell in ((11008, b"(1"), (11018, b"2)")):
        assert lines[at].endswith(b"\t%b\n" % cell)
        lines[at] = lines[at].replace(b"\t%b\n" % cell, b"\t-\n")
    without = tmp_path / "key.conll"
    without.write_bytes(b"".join(lines))
    result = scoref.score(path, response, policy=Policy(repair="drop-brackets"))
    assert repr(result.scores) == repr(scoref.score(without, response).scores)
    repairs = [note for note in result.notes if "repair drop-brackets" in note]
    assert [note.split(": ")[0].rpartition(":")[2] for note in repairs] == ["11009", "11019"]
    assert "|repair:drop-brackets|" in result.signature


def test_ontogum_mended(data: Path, tmp_path: Path) -> None:
    """With the bracket mended, and without singletons.

    Coval gives 52.54 too when the repeated spans are taken out of its files, and 52.37 when
    they are left in, because it then counts some of them twice.
    """
    lines = (data / "gum" / "ontogum.key.conll").read_bytes().splitlines(keepends=True)
    assert b"2)" in lines[11018]
    lines[11018] = lines[11018].replace(b"2)", b"1)")
    path = tmp_path / "key.conll"
    path.write_bytes(b"".join(lines))
    response = data / "gum" / "xrenner.response.conll"
    result = scoref.score(path, response, policy=Policy(singletons="drop"))
    assert round(100 * result["conll"].f1, 2) == 52.54
    assert any("the key repeats 9 mentions" in note for note in result.notes)


def test_hypercoref_reproduces_its_archived_scores(data: Path) -> None:
    """Eight outputs of a neural system and the scores that its authors archived, to 1e-9."""
    folder = data / "hypercoref"
    with (folder / "archived_scores.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 8
    for row in rows:
        result = scoref.score(folder / row["key"], folder / row["response"])
        for metric in ("muc", "b3", "ceafe", "lea"):
            archived = [float(row[f"{metric}_{field}"]) for field in ("recall", "precision", "f1")]
            assert result[metric] == pytest.approx(archived, abs=1e-9), (row["response"], metric)


@pytest.mark.parametrize(
    "folder",
    ["openboek", *(pytest.param(one, marks=pytest.mark.long) for one in OTHER_FOLDERS)],
)
def test_every_file_survives_small_blocks(data: Path, folder: str) -> None:
    """How a file is cut into blocks does not matter, wherever the cuts fall."""
    from scoref.formats import Wanted
    from scoref.formats.conll.reader import read as read_conll

    paths = sorted((data / folder).rglob("*.conll"))
    assert paths
    for path in paths:
        with path.open("rb") as stream:
            whole, problems = read_conll(stream, "x", Wanted())
        for size in (1 << 12, 100_003):
            with path.open("rb") as stream:
                again, same_problems = read_conll(stream, "x", Wanted(), size)
            assert sorted(same_problems) == sorted(problems)
            assert again.fingerprint() == whole.fingerprint()
