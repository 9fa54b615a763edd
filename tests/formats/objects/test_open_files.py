"""Open files and paths of bytes."""

from __future__ import annotations

import gzip
import io
from pathlib import Path
from typing import Any

import pytest

import scoref
from scoref.exceptions import FormatError, UsageError
from tests.conftest import REPOSITORY

KEY = REPOSITORY / "examples" / "ferry" / "key.conll"
RESPONSE = REPOSITORY / "examples" / "ferry" / "careful.conll"


def test_every_kind_of_file_is_the_file() -> None:
    """Text, bytes, gzip and a path of bytes; with words."""
    expected = scoref.score(KEY, RESPONSE)
    data = RESPONSE.read_bytes()
    with KEY.open(encoding="utf-8") as key, RESPONSE.open("rb") as response:
        assert scoref.score(key, response) == expected
    with gzip.GzipFile(fileobj=io.BytesIO(gzip.compress(data))) as unpacked:
        sources: list[Any] = [
            io.BytesIO(data),
            io.StringIO(data.decode()),
            io.BytesIO(gzip.compress(data)),
            bytes(RESPONSE),
            unpacked,
        ]
        for source in sources:
            assert scoref.score(bytes(KEY), source) == expected
    assert "the ferry" in str(scoref.explain(io.BytesIO(KEY.read_bytes()), RESPONSE, ["muc"]))


def test_an_encoding_applies_to_bytes_only(tmp_path: Path) -> None:
    """Text is decoded already."""
    text = KEY.read_text("utf-8").replace("ferry", "f\u00e9rry")
    expected = scoref.read(io.StringIO(text), encoding="latin-1")
    assert scoref.read(io.BytesIO(text.encode("latin-1")), encoding="latin-1") == expected
    path = tmp_path / "key.conll"
    path.write_bytes(text.encode("latin-1"))
    with path.open("rb") as file:
        assert scoref.read(file, encoding="latin-1").source == str(path)


class _Odd:
    def read(self) -> int:
        return 3


def test_what_cannot_be_read_is_refused(tmp_path: Path) -> None:
    """Files that were read before, are closed, or are not files."""
    used = io.StringIO(KEY.read_text("utf-8"))
    used.read()
    closed = io.StringIO("")
    closed.close()
    with (tmp_path / "new").open("w") as writing:
        cases: list[tuple[Any, str]] = [
            (used, r"^key has been read to its end"),
            (closed, "cannot read key"),
            (writing, r"cannot read .*new"),
            (_Odd(), "`read` of the key, a _Odd, returned an int"),
        ]
        for source, message in cases:
            with pytest.raises(UsageError, match=message):
                scoref.score(source, RESPONSE)
    with pytest.raises(FormatError, match=r"^key:4: found"):
        scoref.score(io.StringIO("#begin document (d); part 000\na\t-\nb\t-\nc\t(0\n"), RESPONSE)
