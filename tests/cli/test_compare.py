"""compare, count, power and agreement as a user meets them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import scoref
from scoref.cli.systems import name_systems
from scoref.exceptions import UsageError
from tests.cli.test_commands import Capture, run
from tests.comparison.systems import make_key, make_system, write_conll

FAST = ("--trials", "300")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key and three systems on thirty documents, as files."""
    folder = tmp_path_factory.mktemp("compare")
    key = make_key(30)
    write_conll(key, folder / "key.conll")
    for name, wrong in (("good", 0.1), ("fair", 0.13), ("bad", 0.5)):
        write_conll(make_system(key, wrong, len(name)), folder / f"{name}.conll", key)
    return folder


def files(folder: Path, *names: str) -> list[Path]:
    """Return the paths of some systems."""
    return [folder / f"{name}.conll" for name in names]


class TestCompare:
    """`scoref compare KEY RESPONSE...`."""

    def test_prints_what_python_prints(self, capsys: Capture, folder: Path) -> None:
        """The command prints the same as `scoref.compare`, with systems named after their files."""
        code, out, err = run(capsys, "compare", *files(folder, "key", "bad", "good", "fair"), *FAST)
        assert (code, err) == (0, "")
        systems = {name: folder / f"{name}.conll" for name in ("bad", "good", "fair")}
        found = scoref.compare(folder / "key.conll", systems, trials=300)
        assert out == f"{found}\n"
        assert "a fair" in out or "a good" in out
        assert out.splitlines()[-1].startswith("scoref|key:")

    @pytest.mark.parametrize("output", ["text", "json", "csv", "latex", "markdown"])
    def test_counts_files_give_the_same_table(
        self, capsys: Capture, folder: Path, tmp_path: Path, output: str
    ) -> None:
        """Bit for bit: with the key, without it, and mixed."""
        names = ("bad", "good", "fair")
        for name in names:
            target = tmp_path / f"{name}.counts.json"
            count = run(capsys, "count", *files(folder, "key", name), "-o", target)
            assert count == (0, "", "")
        counts = [tmp_path / f"{name}.counts.json" for name in names]
        options = (*FAST, "--to", output, "--details")
        key = folder / "key.conll"
        expected = run(capsys, "compare", key, *files(folder, *names), *options)
        assert expected[0] == 0
        mixed = [*files(folder, "bad"), *counts[1:]]
        for given in ([key, *counts], counts, [key, *mixed]):
            assert run(capsys, "compare", *given, *options) == expected

    def test_the_flags_are_the_arguments(self, capsys: Capture, folder: Path) -> None:
        """Every flag reaches the argument of `scoref.compare`."""
        code, out, _ = run(
            capsys, "compare", f"new={folder / 'good.conll'}", *files(folder, "bad"), *FAST
        )
        assert code == 2, "the first file is the key, and takes no name"
        code, out, _ = run(
            capsys, "compare", folder / "key.conll", f"new={folder / 'good.conll'}",
            *files(folder, "bad", "fair"), "-m", "muc", "-m", "lea", "--by", "muc",
            "--baseline", "new", "--test", "bootstrap", "--correction", "none", "--level", "0.1",
            "--trials", "200", "--seed", "0", "--jobs", "2", "--interval-method", "bca",
            "--strata", "^[^/]+", "--to", "json", "--singletons", "drop", "--family", "all",
            "--equivalent", "2",
        )  # fmt: skip
        assert code == 0
        content = json.loads(out)
        assert content["test"] == {
            "kind": "bootstrap", "correction": "none", "baseline": "new", "family": "all",
            "equivalent": 0.02,
        }  # fmt: skip
        assert content["metric"] == "muc"
        assert content["metrics"] == ["muc", "lea"]
        assert content["resampling"] == {
            "level": 0.1, "interval": "bca", "trials": 200, "seed": 0, "unit": "document",
            "units": 30, "strata": ["a", "b"],
        }  # fmt: skip
        assert "singletons:drop" in content["signature"]
        assert len(content["pairs"]["lea"]) == 2

    def test_one_document(self, capsys: Capture, tmp_path: Path) -> None:
        """Scores, the reason, and what would help; no rank, no interval."""
        key = make_key(1)
        one = write_conll(key, tmp_path / "key.conll")
        two = write_conll(make_system(key, 0.5, 1), tmp_path / "two.conll", key)
        code, out, _ = run(capsys, "compare", one, one, two)
        assert code == 0
        assert "intervals and tests require at least 2 documents" in out
        assert "to get them, give each text" in out
        assert "rank" not in out.split("no intervals")[0]
        code, _, err = run(capsys, "score", one, two, "--intervals")
        assert code == 2
        assert "scoref: error: intervals and tests require at least 2 documents" in err
        assert "hint: give each text" in err

    def test_thirty_systems(self, capsys: Capture, folder: Path, tmp_path: Path) -> None:
        """Letters go on after z, with commas between them."""
        key = make_key(30)
        systems = []
        for at in range(30):
            response = make_system(key, 0.02 * at, at)
            systems.append(write_conll(response, tmp_path / f"s{at:02}.conll", key))
        code, out, err = run(capsys, "compare", folder / "key.conll", *systems, "-m", "b3")
        assert (code, err) == (0, "")
        assert "\n1     a s00 " in out
        assert " ad s" in out
        best = next(line for line in out.splitlines() if line.startswith("1     a "))
        assert "-ad" in best
        assert run(capsys, "compare", folder / "key.conll", *systems, *FAST)[0] == 0

    def test_identical_systems(self, capsys: Capture, folder: Path) -> None:
        """The same file twice is two systems of one rank."""
        code, out, _ = run(
            capsys, "compare", *files(folder, "key", "good", "good", "bad"), *FAST,
            "--to", "json",
        )  # fmt: skip
        assert code == 0
        content = json.loads(out)
        assert [(s["name"], s["rank"]) for s in content["systems"]] == [
            ("good", 1), ("good (2)", 1), ("bad", 3),
        ]  # fmt: skip
        assert content["pairs"]["conll"][0]["p"] == 1

    def test_a_missing_document(self, capsys: Capture, folder: Path, tmp_path: Path) -> None:
        """A note names the system, or the policy refuses the response."""
        text = (folder / "good.conll").read_text("utf-8")
        (tmp_path / "part.conll").write_text(text[text.index("#begin document (b/1)") :], "utf-8")
        given = [*files(folder, "key", "good"), tmp_path / "part.conll"]
        code, _, err = run(capsys, "compare", *given, *FAST)
        assert code == 0
        assert err == (
            "scoref: note: part: the response lacks 1 of 30 documents: a/0;"
            " scored as an empty response\n"
        )
        code, _, err = run(capsys, "compare", *given, "--missing-documents", "error")
        assert code == 2
        assert "scoref: error: part: the response lacks 1 of 30 documents" in err

    def test_cautions_of_csv_go_to_standard_error(self, capsys: Capture, example: Path) -> None:
        """A csv table has no column for warnings."""
        given = [example / f"{name}.conll" for name in ("key", "baseline", "careful")]
        _, out, err = run(capsys, "compare", *given, "--to", "csv", *FAST)
        assert "scoref: note: few documents: 2 documents count as 1." in err
        assert "scoref: note: no difference can be significant" in err
        assert "few documents" not in out
        _, _, err = run(capsys, "score", *given[:2], "--intervals", "--to", "csv", *FAST)
        assert "scoref: note: few documents: 2 documents count as 1." in err

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["KEY"], "found a KEY but no RESPONSE"),
            (["KEY", "good", "--baseline", "best"], "unknown baseline 'best'"),
            (["KEY", "good", "--by", "lea", "-m", "b3"], "this result has no metric 'lea'"),
            (["KEY", "good", "--level", "95"], "the level is 95, but must be above 0"),
            (["KEY", "good", "--trials", "0"], "trials is 0, but must be an integer from 1"),
            (["KEY", "good", "--strata", "("], "is not a regular expression"),
            (["KEY", "x=good", "x=bad"], "two systems are called 'x'"),
            (["KEY", "-", "-"], "only one input can be standard input"),
            (["-", "-"], "only one input can be standard input"),
            (["KEY", "good", "--seed", "one"], "'one' is not a whole number of at least 0"),
            (["KEY", "good", "bad", "--figure", "x.pdf"], "a figure is written as .svg or .png"),
            (["KEY", "good", "--scatter", "x.svg"], "requires two systems"),
        ],
    )
    def test_mistakes(
        self, capsys: Capture, folder: Path, arguments: list[str], message: str
    ) -> None:
        """Each mistake gives one message and exit code 2."""
        named = {"KEY": "key", "good": "good", "bad": "bad", "x=good": "good", "x=bad": "bad"}
        given = [
            ("x=" if "=" in a else "") + str(folder / f"{named[a]}.conll") if a in named else a
            for a in arguments
        ]
        code, _, err = run(capsys, "compare", *given, *([] if "--trials" in given else FAST))
        assert code == 2
        assert message in err

    @pytest.mark.parametrize("command", ["compare", "score"])
    def test_a_note_names_what_the_style_leaves_out(
        self, capsys: Capture, folder: Path, command: str
    ) -> None:
        """The table of most papers has three metrics and their average, whatever `-m` says."""
        flags = ("--to", "latex", "--style", "conll")
        paths = files(folder, "key", "good")
        code, out, err = run(capsys, command, *paths, *flags, "-m", "muc,b3,ceafe,lea,conll")
        assert (code, err.count("--style conll leaves out lea: --style full writes")) == (0, 1)
        assert "LEA" not in out
        assert run(capsys, command, *paths, *flags)[2] == ""


class TestCountsFiles:
    """`scoref count`, and what is refused."""

    @pytest.fixture
    def counts(self, capsys: Capture, folder: Path, tmp_path: Path) -> Path:
        """The counts of one system."""
        path = tmp_path / "good.counts.json"
        assert run(capsys, "count", *files(folder, "key", "good"), "-o", path)[0] == 0
        return path

    def test_score_takes_them(self, capsys: Capture, folder: Path, counts: Path) -> None:
        """`score` accepts a counts file as the response."""
        from_file = run(capsys, "score", *files(folder, "key", "good"))[1].split("\n\n")
        from_counts = run(capsys, "score", folder / "key.conll", counts)[1].split("\n\n")
        assert from_file[1:] == from_counts[1:]

    def test_standard_output(self, capsys: Capture, folder: Path, counts: Path) -> None:
        """Without -o, the counts go to standard output."""
        out = run(capsys, "count", *files(folder, "key", "good"))[1]
        assert out == counts.read_text("utf-8")

    def test_a_tampered_file(self, capsys: Capture, folder: Path, counts: Path) -> None:
        """A counts file with a wrong checksum is refused."""
        text = counts.read_text("utf-8").replace('"muc": {', '"muc": {\n   "was": "here",', 1)
        counts.write_text(text, "utf-8")
        code, _, err = run(capsys, "compare", folder / "key.conll", counts)
        assert code == 2
        assert "good.counts.json: found content that does not match its checksum" in err
        assert "hint: the file was changed or damaged" in err

    def test_another_key(self, capsys: Capture, folder: Path, counts: Path) -> None:
        """The message shows both fingerprints."""
        code, _, err = run(capsys, "compare", folder / "good.conll", counts)
        assert code == 2
        assert "good.counts.json was counted against another key: its fingerprint is" in err

    def test_other_policies(self, capsys: Capture, folder: Path, counts: Path) -> None:
        """The hint names the flag that helps."""
        given = [folder / "key.conll", counts]
        code, _, err = run(capsys, "compare", *given, "--singletons", "drop")
        assert code == 2
        assert "counted with singletons:keep, expected singletons:drop" in err
        assert "hint: score everything with --singletons keep" in err

    def test_counts_alone_state_their_policy(
        self, capsys: Capture, folder: Path, tmp_path: Path
    ) -> None:
        """No flag is needed to compare them, and a wrong one is refused."""
        path = tmp_path / "x.counts.json"
        run(capsys, "count", *files(folder, "key", "good"), "-o", path, "--singletons", "drop")
        code, out, _ = run(capsys, "compare", path, *FAST)
        assert code == 0
        assert "singletons:drop" in out
        assert run(capsys, "compare", path, "--singletons", "keep")[0] == 2

    def test_a_file_that_cannot_be_written(self, capsys: Capture, folder: Path) -> None:
        """The message names the file."""
        target = folder / "no" / "x.counts.json"
        code, _, err = run(capsys, "count", *files(folder, "key", "good"), "-o", target)
        assert code == 2
        assert "cannot write" in err


class TestRuns:
    """`NAME=FILE,FILE,...`: several runs of one system."""

    def test_compare(self, capsys: Capture, folder: Path) -> None:
        """The command prints what Python prints."""
        key = folder / "key.conll"
        two = {"x": files(folder, "good", "fair"), "y": files(folder, "bad", "fair")}
        given = [f"{name}={','.join(map(str, runs))}" for name, runs in two.items()]
        code, out, err = run(capsys, "compare", key, *given, *FAST)
        assert (code, err) == (0, "")
        assert out == f"{scoref.compare(key, two, trials=300)}\n"
        assert "mean ± sd of 2 runs" in out

    def test_counts_files(self, capsys: Capture, folder: Path, tmp_path: Path) -> None:
        """Without the key."""
        paths = []
        for name in ("good", "fair", "bad"):
            paths.append(tmp_path / f"{name}.counts.json")
            run(capsys, "count", *files(folder, "key", name), "-o", paths[-1])
        given = [f"x={paths[0]},{paths[1]}", f"y={paths[2]},{paths[1]}"]
        code, out, _ = run(capsys, "compare", *given, *FAST, "--to", "json")
        assert code == 0
        assert [len(system["runs"]) for system in json.loads(out)["systems"]] == [2, 2]
        assert run(capsys, "power", *given, "--difference", "1")[0] == 0

    def test_a_comma_in_the_name_of_a_file(
        self, capsys: Capture, folder: Path, tmp_path: Path
    ) -> None:
        """A file that exists is one run."""
        odd = tmp_path / "a,b.conll"
        odd.write_bytes((folder / "good.conll").read_bytes())
        code, out, _ = run(capsys, "compare", folder / "key.conll", odd, *FAST, "-m", "b3")
        assert code == 0
        assert "a a,b" in out

    def test_an_empty_name(self, capsys: Capture, folder: Path) -> None:
        """Is a mistake."""
        code, _, err = run(capsys, "compare", folder / "key.conll", f"x={folder}/good.conll,")
        assert code == 2
        assert "found an empty name" in err


class TestIntervalMethods:
    """`--interval-method`."""

    @pytest.mark.parametrize("command", ["score", "compare"])
    def test_methods(self, capsys: Capture, folder: Path, command: str) -> None:
        """Each gives other intervals; the default is the jackknife."""
        more = ["--intervals"] if command == "score" else []
        given = [command, *map(str, files(folder, "key", "good")), *more]
        given += ["-m", "b3", "--to", "json"]
        found = {
            flags: json.loads(run(capsys, *given, *FAST, *flags)[1])["resampling"]["interval"]
            for flags in (
                (), ("--interval-method", "jackknife"), ("--interval-method", "percentile"),
                ("--interval-method", "bca"),
            )
        }  # fmt: skip
        assert list(found.values()) == ["jackknife", "jackknife", "percentile", "bca"]


class TestPower:
    """`scoref power KEY RESPONSE [RESPONSE]`."""

    def test_post_hoc(self, capsys: Capture, folder: Path) -> None:
        """The observed difference is labelled, and one that is asked for is not."""
        given = files(folder, "key", "good", "fair")
        out = " ".join(run(capsys, "power", *given)[1].split())
        assert "the difference to detect is the observed one, which is post hoc" in out
        out = run(capsys, "power", *given, "--difference", "1")[1]
        assert "post hoc" not in out
        assert "95 %: interval of the documents needed" in out

    def test_figure_and_systems(self, capsys: Capture, folder: Path, tmp_path: Path) -> None:
        """A curve per metric; the test is corrected for all pairs."""
        pytest.importorskip("matplotlib")
        path = tmp_path / "power.svg"
        given = [*map(str, files(folder, "key", "good", "fair")), "--difference", "1"]
        code, out, _ = run(capsys, "power", *given, "--systems", "4", "--figure", path)
        assert code == 0
        assert "corrected for 6 tests" in " ".join(out.split())
        assert "probability of finding the difference" in path.read_text("utf-8")
        alone = [*map(str, files(folder, "key", "good")), "--figure", str(path)]
        code, _, err = run(capsys, "power", *alone)
        assert code == 2
        assert "add --difference POINTS" in err

    def test_four_documents(self, capsys: Capture, tmp_path: Path) -> None:
        """The test cannot reject, and at least six are needed."""
        key = make_key(4)
        write_conll(key, tmp_path / "key.conll")
        for at, name in enumerate(("x", "y")):
            write_conll(make_system(key, 0.3, at), tmp_path / f"{name}.conll", key)
        given = [*map(str, files(tmp_path, "key", "x", "y")), "--difference", "50", "-m", "conll"]
        content = json.loads(run(capsys, "power", *given, "--to", "json")[1])
        one = content["metrics"]["conll"]
        assert one["detectable"] is None
        assert one["needed"] >= one["needed_low"] >= content["fewest_units"] == 6
        assert "no difference can be significant on 4 documents" in content["cautions"][0]

    @pytest.mark.parametrize("output", ["text", "json", "csv", "latex", "markdown"])
    def test_every_output(self, capsys: Capture, folder: Path, output: str) -> None:
        """Every output shows the number of documents."""
        given = [*map(str, files(folder, "key", "good", "fair")), "--difference", "0.5"]
        code, out, err = run(capsys, "power", *given, "--to", output)
        assert (code, err) == (0, "")
        content = json.loads(run(capsys, "power", *given, "--to", "json")[1])
        needed = content["metrics"]["conll"]["needed"]
        assert (f"{needed:,}" if output in {"text", "latex", "markdown"} else str(needed)) in out

    def test_one_system(self, capsys: Capture, folder: Path) -> None:
        """The output says what is assumed about a second system."""
        code, out, _ = run(capsys, "power", *files(folder, "key", "good"), "-m", "lea")
        assert code == 0
        assert "from good alone, on 30 documents, as if another system erred" in out
        assert "difference  " not in out

    def test_mistakes(self, capsys: Capture, folder: Path) -> None:
        """Three systems are too many."""
        given = files(folder, "key", "good", "fair", "bad")
        assert run(capsys, "power", *given)[0] == 2
        assert run(capsys, "power", *given[:3], "--difference", "0")[0] == 2


class TestAgreement:
    """`scoref agreement A B [C...]`."""

    def test_prints_what_python_prints(self, capsys: Capture, folder: Path) -> None:
        """The command prints the same as `scoref.agreement`."""
        code, out, err = run(capsys, "agreement", *files(folder, "good", "fair", "bad"), *FAST)
        assert (code, err) == (0, "")
        people = {name: folder / f"{name}.conll" for name in ("good", "fair", "bad")}
        assert out == f"{scoref.agreement(people, trials=300)}\n"
        assert "good / fair" in out
        assert "Krippendorff's alpha" in out

    def test_one_file(self, capsys: Capture, folder: Path) -> None:
        """Agreement requires two annotators."""
        code, _, err = run(capsys, "agreement", *files(folder, "good"))
        assert code == 2
        assert "at least 2 annotators" in err


class TestNames:
    """The names of systems."""

    @pytest.mark.parametrize(
        ("paths", "names"),
        [
            (["base.conll", "ours.conll.gz"], ["base", "ours"]),
            (["x/base.counts.json", "x/ours.counts.json.gz"], ["base", "ours"]),
            (
                ["gvc.00.response.conll", "gvc.02.response.conll"],
                ["gvc.00.response", "gvc.02.response"],
            ),
            (["run1/out.conll", "run2/out.conll", "b.conll"], ["run1/out", "run2/out", "b"]),
            (["a/x/out.conll", "b/x/out.conll"], ["a/x/out", "b/x/out"]),
            (["out.conll", "out.conll"], ["out", "out (2)"]),
            (["ours=a/out.conll", "out.conll"], ["ours", "out"]),
            (["ours=out.conll", "ours.conll"], ["ours", "ours (2)"]),
            (["-", "a.conll"], ["-", "a"]),
            (["a/=b.conll"], ["=b"]),
            (["x/base-1.conll,x/base-2.conll", "ours.json"], ["base", "ours"]),
            (["a/seed1.json,a/seed2.json", "b/seed1.json,b/seed2.json"], ["a/seed", "b/seed"]),
            (["first.conll,second.conll"], ["first"]),
        ],
    )
    def test_names(self, paths: list[str], names: list[str]) -> None:
        """A system is named after its file, with folders if files share a name."""
        assert list(name_systems(paths)) == names

    def test_two_of_one_name(self) -> None:
        """Two systems cannot have the same name."""
        with pytest.raises(UsageError, match="two systems are called 'x'"):
            name_systems(["x=a", "x=b"])


def test_a_figure_without_matplotlib(folder: Path, tmp_path: Path) -> None:
    """The message says what to install; there is no half result."""
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "from scoref.cli import main\n"
        f"sys.exit(main({['compare', *map(str, files(folder, 'key', 'good')), *FAST]!r}"
        f" + ['--figure', {str(tmp_path / 'x.svg')!r}]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "scoref: error: figures require matplotlib" in done.stderr
    assert "  hint: pip install 'scoref[figures]'\n" in done.stderr
