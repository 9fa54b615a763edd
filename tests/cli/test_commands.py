"""The command line as a user meets it: output, notes, exit codes, messages."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import scoref
from scoref.cli import main
from tests.conftest import REPOSITORY

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def files(example: Path) -> tuple[str, str]:
    """The key and a response of the shipped example."""
    return str(example / "key.conll"), str(example / "baseline.conll")


def run(capsys: Capture, *arguments: str | Path) -> tuple[int, str, str]:
    """Run a command; return its exit code, output and notes."""
    try:
        code = main([str(argument) for argument in arguments])
    except SystemExit as stop:  # argparse
        code = int(stop.code or 0)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


class TestScore:
    """`scoref score KEY RESPONSE`."""

    def test_prints_scores_and_signature(self, capsys: Capture, files: tuple[str, str]) -> None:
        """Scores go to standard output, and nothing to standard error."""
        code, out, err = run(capsys, "score", *files)
        assert code == 0
        assert err == ""
        assert out == str(scoref.score(*files)) + "\n"
        assert "conll" in out
        assert "\nscoref|key:" in out

    @pytest.mark.parametrize("output", ["text", "json", "csv", "latex", "markdown"])
    def test_every_output(self, capsys: Capture, files: tuple[str, str], output: str) -> None:
        """The command prints the same as `Result.render`."""
        code, out, _ = run(capsys, "score", *files, "--to", output, "--per-document")
        assert code == 0
        assert out == scoref.score(*files).render(output, per_document=True) + "\n"

    def test_json_keys(self, capsys: Capture, files: tuple[str, str]) -> None:
        """JSON has `documents` only with --per-document."""
        content = json.loads(run(capsys, "score", *files, "--to", "json")[1])
        assert {"signature", "key", "response", "scores"} <= content.keys()
        assert "documents" not in content

    def test_a_bare_number(self, capsys: Capture, files: tuple[str, str]) -> None:
        """-q prints the F1 of one metric, conll by default."""
        assert run(capsys, "score", "-q", *files) == (0, "75.85\n", "")
        assert run(capsys, "score", "-q", "-m", "lea", "--digits", "0", *files)[1] == "64\n"

    def test_metrics_are_chosen(self, capsys: Capture, files: tuple[str, str]) -> None:
        """Metrics are shown in the order of the flags, each once."""
        _, out, _ = run(capsys, "score", *files, "-m", "lea", "-m", "blanc(alpha=0.2)", "-m", "lea")
        rows = out.split("\n\n")[1].splitlines()[2:]
        assert [row.split()[0] for row in rows] == ["lea", "blanc(alpha=0.2)"]

    def test_policies_are_flags(self, capsys: Capture, files: tuple[str, str]) -> None:
        """The signature states each policy that a flag sets."""
        _, out, _ = run(capsys, "score", *files, "--singletons", "drop", "--average", "macro")
        assert "singletons:drop" in out
        assert "average:macro" in out
        assert "singletons dropped: 11 from the key, 13 from the response" in out

    def test_a_signature_is_replayed(self, capsys: Capture, files: tuple[str, str]) -> None:
        """The same score under the same signature."""
        _, first, _ = run(capsys, "score", *files, "--singletons", "drop")
        signature = first.rstrip().splitlines()[-1]
        code, again, err = run(capsys, "score", *files, "--like", signature)
        assert (code, again, err) == (0, first, "")
        code, _, _ = run(capsys, "score", *files, "--like", signature, "--singletons", "drop")
        assert code == 0

    def test_a_flag_must_not_contradict_a_signature(
        self, capsys: Capture, files: tuple[str, str]
    ) -> None:
        """It is an error, not a silent choice."""
        signature = scoref.score(*files).signature
        code, out, err = run(capsys, "score", *files, "--like", signature, "--singletons", "drop")
        assert (code, out) == (2, "")
        assert "--singletons drop contradicts the signature, which states singletons:keep" in err

    def test_another_key_is_noted(self, capsys: Capture, files: tuple[str, str]) -> None:
        """A replayed signature may belong to another corpus."""
        signature = scoref.score(files[1], files[0]).signature
        code, _, err = run(capsys, "score", *files, "--like", signature)
        assert code == 0
        assert "scoref: note: the signature has the key" in err

    def test_notes_go_to_standard_error(self, capsys: Capture, tmp_path: Path) -> None:
        """Notes are printed also with -q."""
        path = tmp_path / "x.conll"
        path.write_text("#begin document (d)\n(1)|(2)\n(1)\n", "utf-8")
        code, out, err = run(capsys, "score", "-q", "-m", "b3", path, path)
        assert (code, out) == (0, "100.00\n")
        assert "scoref: note: the key repeats 1 mention; the first one is kept: token 0 of" in err
        assert "document d in entities 1 and 2 (line 2)" in err

    def test_standard_input(self, files: tuple[str, str]) -> None:
        """`-` can be the key or the response."""
        expected = f"{100 * scoref.score(*files)['conll'].f1:.2f}"
        for key, response, given in ((files[0], "-", files[1]), ("-", files[1], files[0])):
            command = [sys.executable, "-m", "scoref", "score", "-q", key, response]
            with open(given, "rb") as stream:  # noqa: PTH123
                done = subprocess.run(command, stdin=stream, capture_output=True, check=True)
            assert done.stdout.decode().strip() == expected

    @pytest.mark.parametrize("suffix", ["", ".gz"])
    def test_counts_on_standard_input(
        self, files: tuple[str, str], tmp_path: Path, suffix: str
    ) -> None:
        """They are recognised by their first bytes, wherever a counts file can be."""
        path = tmp_path / f"x.counts.json{suffix}"
        result = scoref.score(*files)
        result.save_counts(path)
        expected = f"{100 * result['conll'].f1:.2f}"
        for command in (["score", files[0], "-"], ["compare", "-", str(path), "-m", "conll"]):
            done = subprocess.run(
                [sys.executable, "-m", "scoref", *command],
                input=path.read_bytes(),
                capture_output=True,
                check=True,
            )
            assert expected in done.stdout.decode()

    def test_a_metric_of_the_user(self, files: tuple[str, str], tmp_path: Path) -> None:
        """module:function is found in the current directory."""
        (tmp_path / "mine.py").write_text(
            "import numpy as np\n"
            "def found(table):\n"
            "    shared = table.sum_cells(table.count)\n"
            "    return np.stack([shared, table.sum_keys(table.key_size),\n"
            "                     shared, table.sum_responses(table.res_size)], axis=-1)\n",
            "utf-8",
        )
        command = [sys.executable, "-m", "scoref", "score", "-m", "mine:found", "-m", "mentions"]
        done = subprocess.run(
            [*command, *files], cwd=tmp_path, capture_output=True, check=True, text=True
        )
        found, mentions = done.stdout.split("\n\n")[1].splitlines()[2:]
        assert found.split()[1:] == mentions.split()[1:]

    def test_a_stress_test_takes_the_same_metrics_and_signatures(
        self, files: tuple[str, str], tmp_path: Path
    ) -> None:
        """`stress` accepts, notes and refuses the same as `score`."""
        (tmp_path / "mine.py").write_text(
            "from scoref.metrics.bcubed import B_CUBED\nfound = B_CUBED.count\n", "utf-8"
        )
        like = "scoref|key:00000000|singletons:drop|version:0.0.9"
        command = [str(Path(sys.executable).with_name("scoref")), "stress", *files]
        done = subprocess.run(
            [*command, "-m", "mine:found", "--like", like],
            cwd=tmp_path,
            capture_output=True,
            check=True,
            text=True,
        )
        assert "singletons:drop" in done.stdout
        assert "the signature has the key 00000000" in done.stderr

    @pytest.mark.parametrize("command", ["score", "stress", "compare", "stats", "validate"])
    def test_two_inputs_from_standard_input(self, capsys: Capture, command: str) -> None:
        """Standard input can be read only once."""
        code, out, err = run(capsys, command, "-", "-")
        assert (code, out) == (2, "")
        assert "only one input can be standard input" in err

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["-", "-"], "only one input can be standard input"),
            (["KEY"], "the following arguments are required: RESPONSE"),
            (["KEY", "nowhere"], "cannot read nowhere: No such file or directory"),
            (["KEY", "KEY", "-m", "mcu"], "unknown metric 'mcu'\n  hint: did you mean 'muc'?"),
            (["KEY", "KEY", "-q", "-m", "muc", "-m", "b3"], "--quiet prints one number"),
            (
                ["KEY", "KEY", "-q", "--per-document"],
                "--quiet cannot be combined with --per-document",
            ),
            (["KEY", "KEY", "--digits", "x"], "'x' is not a whole number from 0 to 15"),
            (
                ["KEY", "KEY", "--singletons", "some"],
                "'some' is not valid, expected one of: keep, drop",
            ),
            (
                ["KEY", "KEY", "--format", "xml"],
                "unknown format 'xml'\n  hint: the formats are conll",
            ),
            (
                ["KEY", "KEY", "--format", "conllu"],
                "unknown format 'conllu'\n  hint: did you mean 'corefud'?",
            ),
            (["KEY", "KEY", "--like", "x"], "'x' is not a signature"),
            (["KEY", "README"], "found a file of an unknown format"),
        ],
    )
    def test_mistakes(
        self, capsys: Capture, files: tuple[str, str], arguments: list[str], message: str
    ) -> None:
        """One clear message, exit code 2, nothing on standard output."""
        places = {"KEY": files[0], "README": str(REPOSITORY / "README.md")}
        code, out, err = run(capsys, "score", *(places.get(a, a) for a in arguments))
        assert (code, out) == (2, "")
        assert err.startswith("scoref: error: ")
        assert message in err
        assert "Traceback" not in err


class TestValidate:
    """`scoref validate FILE...`."""

    def test_nothing_wrong(self, capsys: Capture, files: tuple[str, str]) -> None:
        """A valid file gives one line."""
        code, out, err = run(capsys, "validate", *files)
        assert (code, err) == (0, "")
        assert out == "2 files, 4 documents, 124 mentions, 60 entities: no problems\n"

    def test_every_problem_of_every_file(self, capsys: Capture, tmp_path: Path) -> None:
        """Each problem has one line with its file and line number; the exit code is 1."""
        one, two = tmp_path / "one", tmp_path / "two"
        one.write_text("#begin document (d)\n(1\n2)\n(3)|(4)\n", "utf-8")
        two.write_text("", "utf-8")
        code, out, err = run(capsys, "validate", one, two)
        assert code == 1
        lines = out.splitlines()
        assert lines[0].startswith(f"{one}:2: found `(1`, expected `1)`")
        assert lines[1].startswith(f"{one}:3: found `2)`, expected an earlier `(2`")
        assert lines[2].startswith(f"{one}:4: found token 2 of document d in entities 3 and 4")
        assert lines[3].startswith(f"{two}: found an empty file")
        assert len(lines) == 4
        assert "2 files, 1 document" in err
        assert "4 problems" in err

    def test_a_file_that_cannot_be_read(self, capsys: Capture, files: tuple[str, str]) -> None:
        """The exit code is 2, and the other files are still checked."""
        code, out, err = run(capsys, "validate", "nowhere", *files)
        assert (code, out) == (2, "")
        assert "cannot read nowhere" in err


class TestMetrics:
    """`scoref metrics [NAME]`."""

    def test_lists_all(self, capsys: Capture) -> None:
        """Each metric has one line, with its parameters."""
        _, out, _ = run(capsys, "metrics")
        assert "* b3 " in out
        assert "* blanc           BLANC  [alpha=0.5, boundary=v8, mentions=all]" in out
        assert "  pairwise" in out

    def test_explains_one(self, capsys: Capture) -> None:
        """The description has the formula, the paper, and what the metric rewards and ignores."""
        code, out, _ = run(capsys, "metrics", "muc")
        assert code == 0
        for word in ("formula", "paper", "rewards", "ignores", "Vilain et al. 1995"):
            assert word in out

    def test_an_unknown_one(self, capsys: Capture) -> None:
        """An unknown name gives a message, not a traceback."""
        assert run(capsys, "metrics", "bleu")[0] == 2


class TestProgram:
    """The program as a whole."""

    def test_help_teaches(self, capsys: Capture) -> None:
        """Every command and every flag is described."""
        assert "scoref score key.conll response.conll" in run(capsys, "--help")[1]
        _, out, _ = run(capsys, "score", "--help-all")
        for flag in scoref.Policy.choices():
            assert f"--{flag.replace('_', '-')}" in out
        assert "examples:" in out

    def test_version(self, capsys: Capture) -> None:
        """--version prints the version of the package."""
        assert run(capsys, "--version")[1] == f"scoref {scoref.__version__}\n"
        _, out, _ = run(capsys, "--version", "--verbose")
        rows = dict(line.split(None, 1) for line in out.splitlines())
        assert rows["scoref"] == scoref.__version__
        assert rows["numpy"][0].isdigit()
        assert set(rows) > {"python", "platform", "scipy", "pyspark"}
        code, _, error = run(capsys, "--version", "--loud")
        assert code == 2
        assert "unexpected after --version: --loud" in error

    def test_no_command(self, capsys: Capture) -> None:
        """A call without a command shows what there is."""
        code, out, err = run(capsys)
        assert (code, err) == (0, "")
        assert "score a response against a key" in out

    def test_a_closed_pipe_is_not_an_error(self, files: tuple[str, str]) -> None:
        """`scoref ... | head -1` ends quietly."""
        command = [sys.executable, "-m", "scoref", "score", *files, "--to", "csv"]
        done = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert done.stdout is not None
        assert done.stderr is not None
        done.stdout.close()
        assert done.stderr.read() == b""
        done.stderr.close()
        done.wait()

    def test_output_that_cannot_be_written(self, files: tuple[str, str]) -> None:
        """A full disk is an error, not a traceback."""
        if not Path("/dev/full").exists():
            pytest.skip("this system has no /dev/full")
        command = [sys.executable, "-m", "scoref", "score", *files]
        with open("/dev/full", "wb") as full:  # noqa: PTH123
            done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
        assert done.returncode == 2
        assert done.stderr.decode() == "scoref: error: cannot write: No space left on device\n"

    def test_names_that_the_terminal_cannot_show(self, tmp_path: Path) -> None:
        """An ASCII terminal gets escapes, not a traceback."""
        path = tmp_path / "key"
        path.write_text("#begin document (Zoë)\n(1)\n", "utf-8")
        command = [sys.executable, "-m", "scoref", "score", "--per-document", str(path), str(path)]
        environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
        done = subprocess.run(command, capture_output=True, check=True, env=environment)
        assert b"Zo\\xeb" in done.stdout


@pytest.mark.parametrize("words", [["score", "a", "b", "c"], ["stats", "a", "--per-document"]])
def test_an_unknown_argument_hints_at_the_help_of_its_command(
    capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    """`scoref --help` does not list it."""
    with pytest.raises(SystemExit):
        main(words)
    assert f"hint: `scoref {words[0]} --help` shows the usage" in capsys.readouterr().err
