"""A hint names what helps in exactly that situation: the tests do what it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scoref.cli import main
from tests.conftest import REPOSITORY

KEY = (REPOSITORY / "examples" / "ferry" / "key.conll").read_text("utf-8")


def follow(words: list[str], message: str, hint: str) -> list[str]:
    """Return the words of a command after a user has done what a hint says."""
    if meant := re.search(r"did you mean '(.+?)'", hint):
        found = re.search(r"unknown option (\S+)|'(.+?)'", message)
        assert found, message
        wrong = found[1] or found[2]
        return [meant[1] if word == wrong else word for word in words]
    if left := re.search(r"leave (--[\w-]+)(?: \S+)? out", hint):
        at = words.index(left[1])
        return [*words[:at], *words[at + 2 :]]
    flag = re.search(r"(--[a-z-]+) ([a-z0-9][\w=-]*)", hint)
    assert flag, f"the hint names no flag: {hint}"
    return [*words, flag[1], flag[2]]


def run(words: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    """Return the exit code, and the first message with its hint; a note is its own hint."""
    try:
        code = main(words)
    except SystemExit as error:
        code = int(str(error.code))
    shown = capsys.readouterr().err
    message = re.search(r"scoref: (?:error|note): (.*)\n(?:  hint: (.*)\n)?", shown)
    if message is None:
        return code, "", ""
    return code, message[1], message[2] or message[1]


def utf16(text: str) -> bytes:
    """Encode a text as Windows does."""
    return text.encode("utf-16")


TEXT = "#begin document (d);\n" + "d 0 0 Ann (1)\nd 0 1 saw -\nd 0 2 her (1)\nd 0 3 dog -\n"
# The end of [0, 1] can be inclusive or exclusive, and nothing else in the file decides.
UNCLEAR = b'{"doc_key": "d", "sentences": [["Ann", "saw", "her", "dog"]], "clusters": [[[0, 1]]]}\n'
CASES: dict[str, tuple[bytes, bytes, list[str]]] = {
    "a response in UTF-16": (KEY.encode(), utf16(KEY), []),
    "a key in UTF-16": (utf16(KEY), KEY.encode(), []),
    "both in UTF-16": (utf16(KEY), utf16(KEY), []),
    "UTF-16 in a format that is named": (KEY.encode(), utf16(KEY), ["--format", "conll"]),
    "UTF-16 named for both": (KEY.encode(), utf16(KEY), ["--encoding", "utf-16"]),
    "a response in Latin-1": (KEY.encode(), KEY.replace("old", "alt\xe9").encode("latin-1"), []),
    "names in capitals": (KEY.encode(), KEY.replace("harbour/", "Harbour/").encode(), []),
    "a format that is wrong": (KEY.encode(), KEY.encode(), ["--format", "jsonl"]),
    "a format that is wrong for one": (KEY.encode(), KEY.encode(), ["--response-format", "csv"]),
    "a format with a slip": (KEY.encode(), KEY.encode(), ["--format", "conl"]),
    "a metric with a sign": (KEY.encode(), KEY.encode(), ["-m", "ceaf_e"]),
    "a metric as in papers": (KEY.encode(), KEY.encode(), ["-m", "b^3"]),
    "a metric of another tool": (KEY.encode(), KEY.encode(), ["-m", "ceaf-phi4"]),
    "a value with a slip": (KEY.encode(), KEY.encode(), ["--singletons", "dorp"]),
    "an open value with a slip": (KEY.encode(), KEY.encode(), ["--match", "exat"]),
    "an option with a slip": (KEY.encode(), KEY.encode(), ["--singeltons", "drop"]),
    "broken brackets": (KEY.encode(), KEY.replace("(1\n", "(1|(9\n", 1).encode(), []),
    "a response with unclear ends": (TEXT.encode(), UNCLEAR, []),
    "a key with unclear ends": (UNCLEAR, TEXT.encode(), []),
    "ends named for both": (TEXT.encode(), UNCLEAR, ["--format", "jsonl-exclusive"]),
    "text with brackets": (TEXT.encode(), b"[Ann]#1 saw [her]#1 dog\n", []),
    "text with brackets in JSON": (
        TEXT.encode(),
        b'{"doc_id": "d", "completion": "[Ann]#1 saw [her]#1 dog"}\n',
        [],
    ),
    "one topic": (KEY.encode(), KEY.encode(), ["--intervals", "--unit", "corpus"]),
    "a repeated mention": (
        KEY.encode(),
        KEY.replace("(1\n", "(1|(91)|(92)\n", 1).encode(),
        ["--duplicates", "error"],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_hint_helps(case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever does what the messages say, one after the other, gets a score."""
    *files, flags = CASES[case]
    paths = [tmp_path / name for name in ("key.conll", "response.conll")]
    for path, content in zip(paths, files, strict=True):
        path.write_bytes(content)
    words = ["score", *map(str, paths), *flags]
    code, message, hint = run(words, capsys)
    assert code == 2
    for _ in range(3):
        words = follow(words, message, hint)
        code, message, hint = run(words, capsys)
        if code == 0:
            return
    pytest.fail(f"{words}: {message} ({hint})")


def test_a_mistyped_command(capsys: pytest.CaptureFixture[str]) -> None:
    """The suggestion is a command."""
    code, message, hint = run(["metrcis"], capsys)
    assert code == 2
    assert run(follow(["metrcis"], message, hint), capsys)[0] == 0


def test_positions_that_nearly_match(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A note can be a hint, too."""
    key, response = tmp_path / "key.csv", tmp_path / "response.csv"
    for path, more in ((key, 0), (response, 1)):
        rows = [f"d,{3 * n},{3 * n + n % 2 + more},{n % 4}" for n in range(30)]
        path.write_text("\n".join(["document,start,end,entity", *rows, ""]), encoding="utf-8")
    words = ["score", "-q", str(key), str(response)]
    code, message, hint = run(words, capsys)
    assert code == 0
    words = follow(words, message, hint)
    assert main(words) == 0
    assert capsys.readouterr().out == "100.00\n"
