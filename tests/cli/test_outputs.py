"""What a command writes: never over an input, everything or nothing, whatever the command."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from scoref.cli import COMMANDS, main
from scoref.cli.command import Option, find_command
from tests.conftest import REPOSITORY

FERRY = REPOSITORY / "examples" / "ferry"
VALUES = {"KIND": "one-entity", "NAME": "luo2005"}
"""Values of the positional arguments that are not paths."""

NOT_PATHS = {
    *("N", "P", "POINTS", "SECONDS", "MB", "SIZE", "VALUE", "SIGNATURE", "URL", "NAME=VALUE"),
    *("NAME", "REGEX", "KIND", "FIX", "SHELL", "FIELD=VALUE", "FIELD"),
    "METRIC",
    "DOCUMENT",
    "RUNS",  # view, whose page can be in the folder, but not in the place of a run
}
"""Names of values that are not paths. A path is called OUT, DIR, FILE, KEYFILE, KEY and so on."""

OTHER_RULES = ("playground", "metrics", "view")
"""Commands without inputs, and with a rule of their own (tests/pages/runs)."""


def outputs() -> Iterator[tuple[str, Option]]:
    """Return every option of every command that names something to write."""
    for name in COMMANDS:
        yield from (
            (name, option) for option in find_command(name).every_option if option.is_output
        )


def words_for(command: str, output: Option, path: str) -> list[str]:
    """Return a command line with all inputs, and with one output."""
    words = [command]
    for option in find_command(command).options:
        usage = option.usage.strip("[].")
        if option is output:
            words += [option.names[-1], path] if option.names[0].startswith("-") else [path]
        elif option.names[0].startswith("-"):
            words += [option.names[-1], "other"] if option.is_output and option.is_required else []
        elif option.is_input:
            many = 2 if "..." in usage or " " in usage else 1
            words += ["key.conll", "careful.conll"][:many] if option.dest != "new" else ["l.conll"]
        else:
            words.append(VALUES[usage])
    return words


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the example, in which the command runs."""
    for path in FERRY.glob("*.conll"):
        shutil.copy(path, tmp_path)
    shutil.copy(FERRY / "careful.conll", tmp_path / "l.conll")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names_in(folder: Path) -> list[str]:
    """Return the files of a folder, hidden ones too."""
    return sorted(path.name for path in folder.iterdir())


def test_every_value_is_a_path_or_not() -> None:
    """A new name of a value must be read, written, or not a path."""
    for name in COMMANDS:
        for option in find_command(name).every_option:
            value = str(option.settings.get("metavar") or "NAME")
            if not (option.is_input or option.is_output or value.startswith("{")):
                assert set(value.split()) <= NOT_PATHS, (name, option.usage)


def test_there_are_outputs() -> None:
    """The walk over all commands finds the ones that are known to write."""
    found = {(name, option.names[-1]) for name, option in outputs()}
    assert found >= {
        *(("count", "--out"), ("report", "--out"), ("report", "--figures"), ("convert", "--out")),
        *(("gate", "--junit"), ("gate", "--summary"), ("compare", "--figure")),
        *(("compare", "--scatter"), ("baseline", "--out"), ("papers", "--out")),
    }


@pytest.mark.parametrize("how", ["path", "other path", "symlink", "hard link"])
@pytest.mark.parametrize(
    ("command", "output"),
    [
        pytest.param(name, option, id=f"{name} {option.names[-1]}")
        for name, option in outputs()
        if option.settings.get("metavar") != "DIR" and name not in OTHER_RULES
    ],
)
def test_no_output_replaces_an_input(
    folder: Path, capsys: pytest.CaptureFixture[str], command: str, output: Option, how: str
) -> None:
    """Of any command, by any name of the file."""
    before = (folder / "key.conll").read_bytes()
    path = {"path": "key.conll", "other path": f"../{folder.name}/key.conll"}.get(
        how, "alias.conll"
    )
    if how == "symlink":
        (folder / "alias.conll").symlink_to("key.conll")
    if how == "hard link":
        os.link(folder / "key.conll", folder / "alias.conll")
    names = names_in(folder)
    assert main(words_for(command, output, path)) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert f"{path} would replace an input of this command\n  hint: choose another" in shown.err
    assert (folder / "key.conll").read_bytes() == before
    assert names_in(folder) == names


def test_a_file_of_an_input_directory_is_an_input(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And so is the text that belongs to an annotation."""
    for side in ("keys", "responses"):
        (folder / side).mkdir()
        shutil.copy(folder / "key.conll", folder / side / "a.conll")
    assert main(["count", "keys", "responses", "-o", "keys/a.conll"]) == 2
    (folder / "x.txt").write_text("Anna")
    (folder / "x.ann").write_text("T1\tPerson 0 4\tAnna\n")
    assert main(["report", "x.ann", "x.ann", "-o", "x.txt"]) == 2
    assert (folder / "x.txt").read_text() == "Anna"
    assert capsys.readouterr().err.count("would replace an input") == 2


@pytest.mark.parametrize(
    "named", ["ours=l.conll", "careful.conll,l.conll", "x=careful.conll,l.conll"]
)
def test_a_named_input_is_an_input(
    folder: Path, capsys: pytest.CaptureFixture[str], named: str
) -> None:
    """With the name of its system, or as one of several runs."""
    before = (folder / "l.conll").read_bytes()
    assert main(["compare", "key.conll", named, "--figure", "./l.conll"]) == 2
    assert "--figure ./l.conll would replace an input" in capsys.readouterr().err
    assert (folder / "l.conll").read_bytes() == before


def test_the_second_file_of_a_format_is_not_an_input(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not even with `--force`."""
    (folder / "one.txt").write_text("#begin document (d)\n0\tAnna\t(1)\n#end document\n")
    for force in ([], ["--force"]):
        assert main(["convert", "one.txt", "-o", "one.ann", *force]) == 2
        assert "writing one.txt would replace an input" in capsys.readouterr().err
    assert (folder / "one.txt").read_text().startswith("#begin")
    assert not (folder / "one.ann").exists()


@pytest.mark.usefixtures("folder")
def test_two_outputs_are_two_files(capsys: pytest.CaptureFixture[str]) -> None:
    """The second would replace the first."""
    words = ["gate", "key.conll", "careful.conll", "l.conll", "--trials", "9", "--junit"]
    assert main([*words, "x", "--summary", "./x"]) == 2
    assert "--junit and --summary would both write ./x" in capsys.readouterr().err
    assert main([*words, "/dev/null", "--summary", "/dev/null"]) != 2


@pytest.mark.parametrize(
    ("last", "what"),
    [
        (["--junit", "gate.xml", "--summary", "absent/x"], "No such file or directory"),
        (["--summary", "s.md", "--junit", "absent/x"], "No such file or directory"),
        (["--summary", "s.md", "--junit", "."], "Is a directory"),
    ],
)
def test_everything_or_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str], last: list[str], what: str
) -> None:
    """If one output cannot be written, no other is there, nor a result on standard output."""
    names = names_in(folder)
    words = ["gate", "key.conll", "careful.conll", "key.conll", "--trials", "9", *last]
    assert main(words) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert f"scoref: error: cannot write {last[3]}: {what}\n" in shown.err
    assert names_in(folder) == names


def test_validate_prints_no_half_result(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """If a file cannot be read, the problems of the others go to standard error."""
    (folder / "bad.conll").write_text("#begin document (d)\n0 a (1\n#end document\n")
    assert main(["validate", "bad.conll", "key.conll"]) == 1
    assert "bad.conll:2" in capsys.readouterr().out
    assert main(["validate", "bad.conll", "absent.conll", "key.conll"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "bad.conll:2" in shown.err
    assert "cannot read absent.conll" in shown.err
