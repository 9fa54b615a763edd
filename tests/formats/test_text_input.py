"""What every text format refuses: control characters, other encodings, gzip out of proportion."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref.base.limits import no_limits
from scoref.exceptions import FormatError, Problem, ScorefError, UsageError
from scoref.formats.io import sources
from scoref.formats.io.lines import MarkedBytes
from scoref.formats.io.text import control_character, odd_character
from scoref.formats.registry import detect_format
from tests.cli.test_commands import Capture, run
from tests.formats.test_detection import SAMPLES

KEY = "#begin document (d); part 000\nd\t0\t0\tx\t(1)\nd\t0\t1\ty\t-\n#end document\n"


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("byte", [0, 1, 11, 12, 27])
def test_every_text_format_refuses_control_characters(name: str, byte: int, tmp_path: Path) -> None:
    """In any of its lines; the message has the line, or the place in the line."""
    lines = SAMPLES[name].splitlines(keepends=True)
    lines[-1] = lines[-1][:3] + chr(byte) + lines[-1][3:]
    path = tmp_path / "toy"
    path.write_text("".join(lines), "utf-8", newline="")
    with pytest.raises(ScorefError):
        scoref.read(path, name)


@given(st.binary(max_size=300))
def test_control_characters_are_found_where_they_are(data: bytes) -> None:
    """The first byte below 32 that is not a tab or a line end."""
    places = [at for at, byte in enumerate(data) if byte < 32 and byte not in b"\t\n\r"]
    assert control_character(data) == (places[0] if places else None)


@given(st.text(max_size=8))
def test_odd_characters_are_those_that_are_not_seen(text: str) -> None:
    """As Python defines what is printable; a blank is not part of an id."""
    assert (odd_character(text) is None) == (text.isprintable() and " " not in text)


@given(st.lists(st.booleans(), max_size=400), st.data())
def test_marked_bytes_are_counted_up_to_any_place(marks: list[bool], data: st.DataObject) -> None:
    """As a sum counts them."""
    array = np.array(marks, dtype=bool)
    places = data.draw(st.lists(st.integers(0, len(marks))))
    found = MarkedBytes(array).before(np.array(places, dtype=np.int64))
    assert found.tolist() == [sum(marks[:place]) for place in places]


@given(st.lists(st.booleans(), min_size=1, max_size=400))
def test_the_last_mark_is_found(marks: list[bool]) -> None:
    """Up to 32 bytes before a place."""
    array = np.array([True, *marks])
    places = np.arange(1, len(array) + 1)
    expected = [min(int(np.argmax(array[:place][::-1])) + 1, 33) for place in places]
    assert MarkedBytes(array).distance(places).tolist() == expected


CODECS = ["undefined", "punycode", "unicode_escape", "raw_unicode_escape", "idna", "base64", "hex"]


@pytest.mark.parametrize("encoding", [*CODECS, "rot13", "zip", "no such", "a\0b", "", "mbcs"])
def test_only_text_encodings_are_known(encoding: str, tmp_path: Path) -> None:
    """A codec of Python that is not an encoding of files is refused like an unknown name."""
    path = tmp_path / "key.conll"
    path.write_text(KEY, "utf-8")
    with pytest.raises(UsageError, match="is not a known text encoding") as error:
        scoref.read(path, encoding=encoding)
    assert "latin-1" in error.value.hint


@pytest.mark.parametrize(
    "encoding", ["latin-1", "utf-8-sig", "utf-16", "utf-16-be", "cp1252", "utf-7", "shift_jis"]
)
def test_text_encodings_are_read(encoding: str, tmp_path: Path) -> None:
    """Also those with more than one byte per character."""
    path = tmp_path / "key.conll"
    path.write_text(KEY, encoding)
    assert len(scoref.read(path, encoding=encoding)) == 1


def test_a_text_that_cannot_be_utf_8_is_refused(tmp_path: Path) -> None:
    """UTF-7 can hold half a character."""
    path = tmp_path / "key.conll"
    path.write_bytes(KEY.encode() + b"+2AA-")
    with pytest.raises(FormatError, match="not valid utf-7"):
        scoref.read(path, encoding="utf-7")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_utf_16_is_recognised_and_named(encoding: str, tmp_path: Path) -> None:
    """With a byte order mark, or by its NUL bytes; the hint works."""
    path = tmp_path / "key.conll"
    path.write_text(f"\n{KEY}", encoding)
    with pytest.raises(FormatError, match="found what looks like UTF-") as error:
        scoref.read(path)
    assert error.value.hint == f"name the encoding with --encoding {encoding}"
    assert len(scoref.read(path, encoding=encoding)) == 1


WORD = "1\tRome\tRome\tPROPN\t_\t_\t0\troot\t_\t"
UNKNOWN = {
    "CoNLL-U without a header": f"{WORD}Entity=(e1-place-1)\n\n",
    "CoNLL-U": f"{WORD}_\n\n",
    "damaged brat annotation": "X1 foo\nT1\tplace 0 4\tRome\n",
    "CoNLL columns without documents": "a\t0\tRome\t(1)\na\t1\tfell\t-\n",
    "a zip archive": "PK\x03\x04",
    "a binary file": "abc\0def\x01",
    "XML or HTML": "<html>",
}


@pytest.mark.parametrize(("name", "text"), UNKNOWN.items(), ids=UNKNOWN)
def test_a_message_says_what_a_file_looks_like(name: str, text: str) -> None:
    """And what would help; no other format is mentioned as if it had been expected."""
    found = detect_format(text.encode(), "toy")
    assert isinstance(found, Problem)
    assert found.found == f"what looks like {name}"
    assert "#begin document" not in found.found
    assert found.hint


def test_a_file_that_looks_like_nothing() -> None:
    """Is of an unknown format."""
    found = detect_format(b"hello world\n", "toy")
    assert isinstance(found, Problem)
    assert found.found == "a file of an unknown format"


@pytest.fixture
def bomb(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A file of 20 kB that expands to 4 MB, where 1 MB is free."""
    monkeypatch.setattr(sources, "_LARGE", 1 << 20)
    monkeypatch.delenv("SCOREF_LIMITS", raising=False)
    path = tmp_path / "key.conll.gz"
    path.write_bytes(gzip.compress(KEY.encode() + b"\n" * (1 << 22)))
    return path


def test_gzip_out_of_proportion_is_refused(bomb: Path, capsys: Capture) -> None:
    """As a file; without limits it is read."""
    with pytest.raises(FormatError, match="gzip data that expands to 1,") as error:
        scoref.read(bomb)
    assert "--no-limits" in error.value.hint
    with no_limits():
        assert len(scoref.read(bomb)) == 1
    assert run(capsys, "validate", bomb)[0] == 2
    assert run(capsys, "validate", bomb, "--no-limits")[0] == 0


def test_gzip_from_a_pipe_is_limited_too(bomb: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe does not say how much was read from it."""

    class Pipe(io.BufferedReader):
        def seekable(self) -> bool:
            return False

        def tell(self) -> int:
            raise OSError

    class Standard:
        buffer = Pipe(io.BytesIO(bomb.read_bytes()))

    monkeypatch.setattr("sys.stdin", Standard)
    with pytest.raises(FormatError, match="standard input: found gzip data that expands"):
        scoref.read("-")


def test_real_compression_is_within_the_limit(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Columns without a word, which is as regular as a corpus can be, are read."""
    monkeypatch.setattr(sources, "_LARGE", 1 << 20)
    lines = "".join(f"bc/d\t0\t{i % 23}\tword{i % 97}\t-\n" for i in range(100_000))
    path = tmp_path / "key.conll.gz"
    path.write_bytes(gzip.compress(f"#begin document (d)\n{lines}".encode()))
    assert scoref.read(path).documents[0].length == 100_000


def test_validate_counts_files(tmp_path: Path, capsys: Capture) -> None:
    """A directory is as many as it has."""
    for name in "abc":
        (tmp_path / f"{name}.conll").write_text(KEY.replace("(d)", f"({name})"), "utf-8")
    code, out, _ = run(capsys, "validate", tmp_path)
    assert (code, out) == (0, "3 files, 3 documents, 3 mentions, 3 entities: no problems\n")


def test_the_hint_at_validate_has_the_format(tmp_path: Path) -> None:
    """As it was given: the file may not be detected without it."""
    path = tmp_path / "key.conll"
    path.write_text(KEY.replace("(1)", "(1").replace("-", "2)"), "utf-8")
    with pytest.raises(FormatError) as error:
        scoref.read(path, "conll")
    assert f"`scoref validate --format conll {path}` lists all" in error.value.hint
    with pytest.raises(FormatError) as error:
        scoref.read(path)
    assert f"`scoref validate {path}` lists all" in error.value.hint
