"""`scoref validate --fix`: files change in their places, or not at all."""

from __future__ import annotations

from pathlib import Path

from tests.cli.test_commands import Capture, run

GOOD = "#begin document (a); part 000\na 0 0 x - (1)\na 0 1 y - (1)\n#end document\n"


def write(folder: Path, **files: str) -> list[Path]:
    """Write CoNLL files."""
    paths = [folder / f"{name}.conll" for name in files]
    for path, text in zip(paths, files.values(), strict=True):
        path.write_bytes(text.encode())
    return paths


def test_files_are_fixed_in_their_places(tmp_path: Path, capsys: Capture) -> None:
    """Only those that need it."""
    good, crlf = write(tmp_path, good=GOOD, crlf=GOOD.replace("\n", "\r\n").replace("\r\n#end", ""))
    crlf.write_bytes(GOOD.replace("\n", "\r\n").encode())
    crlf.chmod(0o600)
    before = good.stat()
    code, out, err = run(capsys, "validate", "--fix", good, crlf)
    assert (code, err) == (0, "")
    assert out == f"{crlf}: fixed line-ends (4 lines)\n2 files: 1 changed\n"
    assert crlf.read_text("utf-8") == GOOD
    assert crlf.stat().st_mode & 0o777 == 0o600
    assert good.stat().st_mtime_ns == before.st_mtime_ns
    assert run(capsys, "validate", "--fix", tmp_path) == (0, "2 files: 0 changed\n", "")


def test_nothing_is_changed_if_it_is_only_shown(tmp_path: Path, capsys: Capture) -> None:
    """The exit code says that something would be."""
    (path,) = write(tmp_path, key=GOOD[:-1])
    code, out, _ = run(capsys, "validate", "--fix", path, "--diff")
    assert code == 1
    assert out.startswith(f"{path}: would fix final-newline (line 4)\n")
    assert out.endswith("1 file: 1 would change\n")
    assert "+++" in out
    assert path.read_text("utf-8") == GOOD[:-1]


def test_only_some_fixes(tmp_path: Path, capsys: Capture) -> None:
    """By name."""
    (path,) = write(tmp_path, key=GOOD.replace("\n", "\r\n")[:-2])
    assert run(capsys, "validate", "--fix", path, "--only", "final-newline")[0] == 0
    assert path.read_bytes() == GOOD.replace("\n", "\r\n").encode()[:-2] + b"\n"
    code, _, err = run(capsys, "validate", "--fix", path, "--only", "newline")
    assert code == 2
    assert "unknown fix 'newline'" in err


def test_a_file_with_problems_is_left_as_it_is(tmp_path: Path, capsys: Capture) -> None:
    """The others are fixed; the message says what to do."""
    bad, short = write(tmp_path, bad=GOOD.replace("(1)\n#", "(1\n#")[:-1], short=GOOD[:-1])
    code, out, err = run(capsys, "validate", "--fix", bad, short)
    assert code == 1
    assert out.endswith("2 files: 1 changed\n")
    assert f"{bad} was left as it is, since it cannot be read: {bad}:3: found `(1`" in err
    assert f"`scoref validate {bad}` lists all problems" in err
    assert not bad.read_bytes().endswith(b"\n")
    assert short.read_text("utf-8") == GOOD


def test_nothing_is_written_if_a_file_cannot_be_read(tmp_path: Path, capsys: Capture) -> None:
    """No file, standard input, gzip: code 2, and the others are as they were."""
    (short,) = write(tmp_path, short=GOOD[:-1])
    (tmp_path / "x.gz").write_bytes(b"\x1f\x8b")
    for other, message in (
        (tmp_path / "no.conll", "cannot read"),
        ("-", "standard input cannot be fixed in its place"),
        (tmp_path / "x.gz", "is compressed"),
    ):
        code, out, err = run(capsys, "validate", "--fix", short, other)
        assert (code, out) == (2, "")
        assert message in err
        assert short.read_text("utf-8") == GOOD[:-1]
