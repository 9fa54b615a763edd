"""Windows and macOS: line ends, encodings and paths, by tests of the code that deals with them."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest

import scoref
from scoref.cli import main, prepare_output
from scoref.cli.systems import name_systems
from scoref.formats.corpus_writer import encode
from tests import elsewhere
from tests.conftest import REPOSITORY

FERRY = REPOSITORY / "examples" / "ferry" / "key.conll"
ENDINGS = {
    "conll": "x.conll",
    "corefud": "x.conllu",
    "jsonl": "x.jsonl",
    "csv": "x.csv",
    "tsv": "x.tsv",
    "clusters": "x.json",
    "conllua": "x.CONLLUA",
}


@pytest.mark.parametrize("target", ENDINGS)
@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"])
def test_line_ends_of_windows_change_nothing(tmp_path: Path, target: str, start: bytes) -> None:
    """Nor does a byte order mark, which some editors there add."""
    key = scoref.read(FERRY, words=True)
    content, _ = encode(key, target)
    (path := tmp_path / ENDINGS[target]).write_bytes(start + content.replace(b"\n", b"\r\n"))
    plain = tmp_path / f"plain-{path.name}"
    plain.write_bytes(content)
    assert b"\r" not in content
    found, expected = (scoref.read(one, words=True) for one in (path, plain))
    assert found.fingerprint() == expected.fingerprint() == key.fingerprint()
    if expected.text is not None:
        assert found.text is not None
        assert list(found.text.columns["word"]) == list(expected.text.columns["word"])


@pytest.mark.parametrize(
    ("is_windows", "expected"), [(True, "é\n→\n".encode()), (False, b"\xe9\r\n\\u2192\r\n")]
)
def test_standard_output_of_windows(*, is_windows: bool, expected: bytes) -> None:
    """A file that a shell writes there has the bytes that it has elsewhere."""
    data = io.BytesIO()
    stream = io.TextIOWrapper(data, encoding="cp1252", newline="\r\n")
    prepare_output(stream, is_windows=is_windows)
    stream.write("é\n→\n")
    stream.flush()
    assert data.getvalue() == expected


def test_paths_of_windows_are_no_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """`NAME=PATH` may have a drive; a path may have an equals sign in a folder."""
    monkeypatch.setattr("os.sep", "\\")
    assert name_systems([r"ours=C:\runs\out.conll"]) == {"ours": r"C:\runs\out.conll"}
    (path,) = name_systems([r"C:\lr=0.1\out.conll"]).values()
    assert path == r"C:\lr=0.1\out.conll"


@pytest.mark.parametrize("name", ["a:b", "a\\b", "what?", "<a>"])
def test_names_that_windows_cannot_have(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """There, `a:b.txt` would be a hidden part of a file `a`; nothing is written."""
    line = {"doc_key": name, "sentences": [["Ann", "came"]], "clusters": [[[0, 0]], [[1, 1]]]}
    (tmp_path / "key.jsonl").write_text(json.dumps(line))
    words = ["convert", str(tmp_path / "key.jsonl"), "--to", "crac", "-o", str(tmp_path / "out")]
    monkeypatch.setattr("scoref.llm.prompts._IS_WINDOWS", True)
    assert main([*words[:-1], f"{words[-1]}/"]) == 2
    assert not (tmp_path / "out").exists()
    assert main([*words[:-1], f"{words[-1]}.jsonl"]) == 0
    monkeypatch.setattr("scoref.llm.prompts._IS_WINDOWS", False)
    assert main([*words[:-1], f"{words[-1]}/"]) == 0


def test_no_file_is_written_with_the_line_ends_of_the_system() -> None:
    """Files are written as bytes: the same on every system."""
    writes = re.compile(r"\.write_text\(|open\([^)]*[\"'][wax]\+?t?[\"']")
    for path in (REPOSITORY / "src").rglob("*.py"):
        assert not writes.search(path.read_text("utf-8")), path


def test_what_cannot_run_everywhere_exists() -> None:
    """Each entry names a file, or the beginning of a test in it, and a system that is known."""
    for name, (needed, why) in {**elsewhere.SKIPPED, **elsewhere.NOT_IMPORTED}.items():
        file, _, test = name.partition("::")
        path = REPOSITORY / file
        assert path.exists(), name
        assert needed in elsewhere.HAS
        assert why
        assert not test or f"def {test}" in path.read_text("utf-8"), name
    assert not elsewhere.header() or not all(elsewhere.HAS.values())
