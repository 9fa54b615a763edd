"""`scoref gate` as a build server meets it: three outcomes, and never a pass for a great loss."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import scoref
from scoref.comparison.gate import EXIT_CODES
from tests.cli.test_commands import Capture, run
from tests.comparison.systems import Documents, make_key, make_system, write_conll
from tests.conftest import REPOSITORY


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key and three systems on sixty documents, as files."""
    folder = tmp_path_factory.mktemp("gate")
    key = make_key(60)
    write_conll(key, folder / "key.conll")
    for name, wrong in (("good", 0.1), ("fair", 0.12), ("bad", 0.5)):
        write_conll(make_system(key, wrong, len(name)), folder / f"{name}.conll", key)
    return folder


def files(folder: Path, *names: str) -> list[Path]:
    """Return the paths of some systems."""
    return [folder / f"{name}.conll" for name in names]


def empty_in(key: Documents, response: Documents, documents: list[str]) -> Documents:
    """Remove all entities of some documents."""
    return {name: [] if name in documents else response[name] for name in key}


class TestOutcomes:
    """Exit code 0, 1 or 3."""

    def test_a_loss_above_the_margin_fails(
        self, capsys: Capture, folder: Path, tmp_path: Path
    ) -> None:
        """One clear line, JUnit, JSON and a summary for GitHub, all with the interval."""
        junit, summary = tmp_path / "gate.xml", tmp_path / "summary.md"
        given: list[str | Path] = [*files(folder, "key", "good", "bad"), "--max-drop-hard", "90"]
        code, out, err = run(capsys, "gate", *given, "--junit", junit, "--summary", summary)
        assert (code, err) == (1, "")
        assert out.startswith("gate failed: conll ")
        assert "90 % interval of the loss [" in out
        assert "the loss is more than the limit of 1 (p < 0.0001)" in out
        assert out.count("\n") == 1
        suite = ET.parse(junit).getroot()  # noqa: S314  # our own
        assert suite.attrib == {"tests": "1", "failures": "1"}
        (failure,) = suite.iter("failure")
        assert failure.attrib == {"type": "failed", "message": out.strip()}
        text = summary.read_text("utf-8")
        assert text.startswith("## scoref gate: failed\n")
        assert "| 1 | a old |" in text
        content = json.loads(run(capsys, "gate", *given, "--to", "json")[1])
        assert (content["outcome"], content["exit_code"]) == ("failed", 1)
        one = content["metrics"]["conll"]
        assert one["interval"][0] < one["loss"] < one["interval"][1]
        assert one["p_above"] < 0.05

    def test_a_gain_passes(self, capsys: Capture, folder: Path, tmp_path: Path) -> None:
        """By every metric asked for; the summary is appended, and JUnit has the interval."""
        summary = tmp_path / "summary.md"
        summary.write_text("before\n", "utf-8")
        code, out, _ = run(
            capsys, "gate", *files(folder, "key", "bad", "good"), "-m", "lea", "-m", "muc",
            "--summary", summary, "--junit", tmp_path / "x.xml",
        )  # fmt: skip
        assert code == 0
        assert [line.split(":")[0] for line in out.splitlines()] == ["gate passed"] * 2
        assert summary.read_text("utf-8").startswith("before\n## scoref gate: passed")
        suite = ET.parse(tmp_path / "x.xml").getroot()  # noqa: S314  # our own
        assert suite.attrib == {"tests": "2", "failures": "0"}
        said = [one.text for one in suite.iter("system-out")]
        assert said == out.splitlines()

    def test_a_loss_within_the_margin_passes(self, capsys: Capture, folder: Path) -> None:
        """Even if it is significantly different from none."""
        code, out, _ = run(capsys, "gate", *files(folder, "key", "good", "bad"), "--max-drop", "90")
        assert code == 0
        assert "the loss is at most the limit of 90" in out

    def test_undecided(self, capsys: Capture, folder: Path, tmp_path: Path) -> None:
        """A small loss, a small margin: more documents would decide, or the user."""
        given: list[str | Path] = [*files(folder, "key", "good", "fair"), "--max-drop", "0.5"]
        given += ["--to", "json"]
        junit = tmp_path / "gate.xml"
        code, out, _ = run(capsys, "gate", *given, "--junit", junit)
        content = json.loads(out)
        assert code == content["exit_code"] == 3
        one = content["metrics"]["conll"]
        assert one["interval"][0] < 0.005 < one["interval"][1]
        assert one["units_to_decide"] > 60
        assert f"about {one['units_to_decide']:,} documents would decide" in one["reason"]
        suite = ET.parse(junit).getroot()  # noqa: S314  # our own
        (failure,) = suite.iter("failure")
        assert failure.attrib["type"] == "undecided"
        code, out, _ = run(capsys, "gate", *given, "--undecided", "pass", "--junit", junit)
        assert code == json.loads(out)["exit_code"] == 0
        suite = ET.parse(junit).getroot()  # noqa: S314  # our own
        assert suite.attrib["failures"] == "0"
        assert len(list(suite.iter("skipped"))) == 1

    def test_identical_files_pass(self, capsys: Capture, folder: Path, example: Path) -> None:
        """With any margin, also on few documents."""
        twice = files(folder, "key", "good", "good")
        assert run(capsys, "gate", *twice, "--max-drop", "0")[0] == 0
        twice = [example / f"{name}.conll" for name in ("key", "careful", "careful")]
        code, out, _ = run(capsys, "gate", *twice, "--max-drop", "0")
        assert code == 0
        assert "no document differs; with 95 % confidence, the loss on all documents is at" in out
        assert "[0.00, 0.00]" not in out


def test_several_metrics_are_corrected(capsys: Capture, folder: Path) -> None:
    """Any metric can fail the gate, so failures are corrected; passes need no correction."""
    given: list[str | Path] = [*files(folder, "key", "good", "fair"), "--to", "json"]
    given += ["--max-drop", "0"]
    names = ("muc", "b3", "ceafe")
    alone = {
        name: json.loads(run(capsys, "gate", *given, "-m", name)[1])["metrics"][name]
        for name in names
    }
    flags = [flag for name in names for flag in ("-m", name)]
    together = json.loads(run(capsys, "gate", *given, *flags)[1])["metrics"]
    smallest = min(names, key=lambda name: alone[name]["p_above"])
    assert together[smallest]["p_above"] == pytest.approx(3 * alone[smallest]["p_above"])
    for name in names:
        assert together[name]["p_above"] >= alone[name]["p_above"]
        assert together[name]["p_below"] == alone[name]["p_below"]
        assert together[name]["interval"] == alone[name]["interval"]


@pytest.mark.parametrize("margin", ["0.1", "0.3", "0.7", "1"])
def test_documents_to_decide_include_the_correction(capsys: Capture, margin: str) -> None:
    """The documents at hand did not decide, so more of them are needed by every metric."""
    island = REPOSITORY / "examples" / "island"
    given: list[str | Path] = [*files(island, "key", "neural", "chat"), "--to", "json"]
    given += ["--max-drop", margin]
    alone = json.loads(run(capsys, "gate", *given, "-m", "muc")[1])["metrics"]["muc"]
    assert alone["outcome"] == "failed"
    content = json.loads(run(capsys, "gate", *given, "-m", "muc,b3,ceafe,lea,blanc")[1])
    for one in content["metrics"].values():
        if one["outcome"] == "undecided":
            assert one["units_to_decide"] > content["units"]
    together = content["metrics"]["muc"]
    if margin != "0.1":
        assert together["outcome"] == "undecided"
        assert "after Holm's correction for 5 metrics" in together["reason"]


def test_more_documents_do_not_help_against_runs_that_vary(capsys: Capture, folder: Path) -> None:
    """If the runs of a system differ more than the margin, no number of documents decides."""
    old = ",".join(map(str, files(folder, "good", "bad")))
    new = ",".join(map(str, files(folder, "bad", "good")))
    given = [folder / "key.conll", old, new, "--to", "json"]
    code, out, _ = run(capsys, "gate", *given)  # type: ignore[arg-type]
    assert code == 3
    one = json.loads(out)["metrics"]["conll"]
    assert one["units_to_decide"] is None
    assert "no number of documents would decide" in one["reason"]


def test_documents_that_look_like_parts_are_noted(capsys: Capture, tmp_path: Path) -> None:
    """The note names a flag that helps."""
    key = {f"book{at // 4}_part{at % 4}": one for at, one in enumerate(make_key(16).values())}
    write_conll(key, tmp_path / "key.conll")
    given = [tmp_path / "key.conll"] * 3
    code, _, err = run(capsys, "gate", *given)
    assert code == 0
    assert "16 documents look like parts of 4 texts" in err
    blocks = err.split("--blocks '")[1].split("'")[0]
    assert "parts of" not in run(capsys, "gate", *given, "--blocks", blocks)[2]


class TestGreatLosses:
    """A great loss never passes."""

    @pytest.mark.parametrize("documents", [1, 2, 4])
    @pytest.mark.parametrize("hard", [[], ["--max-drop-hard", "100"]])
    def test_an_empty_response_on_few_documents(
        self, capsys: Capture, tmp_path: Path, documents: int, hard: list[str]
    ) -> None:
        """With the hard limit it fails; without it, it is at best undecided."""
        key = make_key(documents, seed=2)
        write_conll(key, tmp_path / "key.conll")
        write_conll(make_system(key, 0.2, 1), tmp_path / "old.conll", key)
        write_conll(empty_in(key, key, list(key)), tmp_path / "new.conll", key)
        junit = tmp_path / "gate.xml"
        code, out, _ = run(
            capsys, "gate", *files(tmp_path, "key", "old", "new"), *hard, "--junit", junit
        )
        assert code == 1 if not hard else code in {1, 3}
        assert "passed" not in out
        assert ET.parse(junit).getroot().attrib["failures"] == "1"  # noqa: S314  # our own

    def test_a_loss_in_five_of_sixty_documents(self, capsys: Capture, tmp_path: Path) -> None:
        """The randomisation test cannot reject there, and the gate does not pass."""
        key = make_key(60, seed=4)
        old = make_system(key, 0.1, 1)
        largest = sorted(key, key=lambda name: -sum(map(len, key[name])))[:5]
        write_conll(key, tmp_path / "key.conll")
        write_conll(old, tmp_path / "old.conll", key)
        write_conll(empty_in(key, old, largest), tmp_path / "new.conll", key)
        given = files(tmp_path, "key", "old", "new")
        assert scoref.compare(
            given[0], {"old": given[1], "new": given[2]}, ["conll"]
        ).pair("old", "new").p == pytest.approx(1 / 16)  # fmt: skip
        code, out, _ = run(capsys, "gate", *given)
        assert (code, "a loss of more than 5 fails without a test" in out) == (1, True)
        code, _, _ = run(capsys, "gate", *given, "--max-drop-hard", "100")
        assert code in {1, 3}

    def test_the_hard_limit(self, capsys: Capture, folder: Path) -> None:
        """Makes a gate of the scores alone, together with --undecided pass."""
        given = files(folder, "key", "good", "fair")
        loss = json.loads(run(capsys, "gate", *given, "--to", "json")[1])["metrics"]["conll"]
        points = 100 * loss["loss"]
        assert points > 0
        for limit, expected in ((points - 0.01, 1), (points + 0.01, 0)):
            more = ["--max-drop", limit, "--max-drop-hard", limit, "--undecided", "pass"]
            assert run(capsys, "gate", *given, *more)[0] == expected
        code, _, err = run(capsys, "gate", *given, "--max-drop", "3", "--max-drop-hard", "2")
        assert code == 2
        assert "--max-drop-hard 2 is below --max-drop 3" in err


class TestInputs:
    """Counts files, runs, mistakes."""

    def test_counts_files_do_not_require_the_key(
        self, capsys: Capture, folder: Path, tmp_path: Path
    ) -> None:
        """The same result, bit for bit."""
        for name in ("good", "bad"):
            target = tmp_path / f"{name}.counts.json"
            run(capsys, "count", *files(folder, "key", name), "-o", target)
        counts = [tmp_path / f"{name}.counts.json" for name in ("good", "bad")]
        expected = run(capsys, "gate", *files(folder, "key", "good", "bad"), "--to", "json")
        assert expected[0] == 1
        assert run(capsys, "gate", *counts, "--to", "json") == expected
        mixed = [folder / "key.conll", counts[0], folder / "bad.conll"]
        assert run(capsys, "gate", *mixed, "--to", "json") == expected

    def test_several_runs(self, capsys: Capture, folder: Path) -> None:
        """Separated by commas; the loss is between means."""
        old = ",".join(map(str, files(folder, "good", "fair")))
        new = ",".join(map(str, files(folder, "bad", "fair")))
        code, out, _ = run(capsys, "gate", folder / "key.conll", old, new, "--to", "json")
        content = json.loads(out)["metrics"]["conll"]
        f1 = {
            name: scoref.score(folder / "key.conll", folder / f"{name}.conll")["conll"].f1
            for name in ("good", "fair", "bad")
        }
        assert content["loss"] == pytest.approx((f1["good"] - f1["bad"]) / 2)
        assert code == 1

    def test_an_undefined_score_is_refused(self, capsys: Capture, tmp_path: Path) -> None:
        """It is not a pass."""
        key = {f"d{at}": [[f"m{at}"]] for at in range(8)}
        write_conll(key, tmp_path / "key.conll")
        given = [tmp_path / "key.conll"] * 3
        code, out, err = run(capsys, "gate", *given, "-m", "muc", "--undefined", "skip")
        assert (code, out) == (2, "")
        assert "the F1 of muc is undefined for the old response" in err

    @pytest.mark.parametrize(
        ("more", "message"),
        [
            (["--max-drop", "-1"], "'-1' is not a number of at least 0"),
            (["--level", "0"], "the level is 0"),
            (["--level", "1"], "--max-drop-hard POINTS fails a loss without a test"),
            (["--junit", "no/such/folder/x.xml"], "cannot write no/such/folder/x.xml"),
        ],
    )
    def test_mistakes(self, capsys: Capture, folder: Path, more: list[str], message: str) -> None:
        """Each mistake gives a message and exit code 2."""
        code, _, err = run(capsys, "gate", *files(folder, "key", "good", "bad"), *more)
        assert code == 2
        assert message in err

    def test_too_few_files(self, capsys: Capture, folder: Path) -> None:
        """Without a key, only counts files can be compared."""
        code, _, err = run(capsys, "gate", *files(folder, "good", "bad"))
        assert code == 2
        assert "only counts files can be compared without KEY" in err
        assert run(capsys, "gate", folder / "good.conll")[0] == 2


def test_help_and_manual_state_the_same_exit_codes(capsys: Capture) -> None:
    """As the code has them."""
    _, text, _ = run(capsys, "gate", "--help")
    manual = (REPOSITORY / "docs" / "guides" / "gate.md").read_text("utf-8")
    for outcome, code in EXIT_CODES.items():
        assert f"exit code {code}  {outcome}:" in text
        assert f"| {code} | {outcome} |" in manual
