"""A share of the fuzzer in the suite, and proof that it notices what it is there for."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from scoref.corpus.corpus import Corpus
from scoref.exceptions import Problem
from scoref.formats.corpus_reader import inspect
from scoref.formats.format import Wanted
from scoref.formats.registry import MODULES
from tests.fuzz import judge as judging
from tests.fuzz import spacy_stand_in
from tests.fuzz.__main__ import main
from tests.fuzz.generators import GENERATORS
from tests.fuzz.judge import (
    CRASH,
    FAILURES,
    HANG,
    REFUSED,
    SAME,
    SILENT,
    FuzzInput,
    Judge,
    draw_input,
)
from tests.reference.strict import READERS
from tests.reference.strict.reading import InvalidFileError

INPUTS = 100
"""How many inputs of each format the suite tries. `make fuzz` tries many more."""


@pytest.fixture(autouse=True)
def _stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `import spacy` find the stand-in while a test runs."""
    for name, module in spacy_stand_in.modules().items():
        monkeypatch.setitem(__import__("sys").modules, name, module)


def test_every_format_has_a_generator_and_a_strict_reader() -> None:
    """A new format cannot be forgotten."""
    assert GENERATORS.keys() == MODULES.keys()
    assert READERS.keys() == MODULES.keys()


@pytest.mark.parametrize("name", GENERATORS)
def test_files_without_damage_are_read_by_both(name: str) -> None:
    """What generators write is valid, and says the same to both readers."""
    if name == "parquet":
        pytest.importorskip("pyarrow")
    with Judge() as judge:
        for number in range(30):
            files = GENERATORS[name](Random(f"whole {name} {number}"))
            found = judge.judge(FuzzInput(name, files, files, (), number))
            assert found.kind == SAME, f"{found}\n{files[''].decode('utf-8', 'replace')}"


@pytest.mark.parametrize("name", GENERATORS)
def test_damage_is_refused_or_read_as_it_stands(name: str) -> None:
    """No crash, no hang, and no silent change; `make fuzz` goes on where this ends."""
    if name == "parquet":
        pytest.importorskip("pyarrow")
    with Judge() as judge:
        for number in range(INPUTS):
            given = draw_input("suite", name, number)
            found = judge.judge(given)
            repeat = f"python -m tests.fuzz --seed suite --format {name} --index {number}"
            assert found.kind not in FAILURES, f"{found}\n{given.damage}\n{repeat}"


# What readers did before they were mended: each mutant is found within some hundred inputs.
Read = Callable[..., tuple[Corpus, list[Problem]]]


def mending(mend: Callable[[bytes], bytes]) -> Read:
    """Make a reader that mends a file in silence before it reads it."""

    def read(
        path: Path, name: str | None = None, wanted: Wanted | None = None
    ) -> tuple[Corpus, list[Problem]]:
        data = path.read_bytes()
        path.write_bytes(mend(data))
        try:
            return inspect(path, name, wanted)
        finally:
            path.write_bytes(data)

    return read


def pad_rows(data: bytes) -> bytes:
    """Read a lost last cell as nothing, and ignore what is one too many."""
    lines = data.split(b"\n")
    rows = [line.split(b"\t") for line in lines]
    width = max((len(row) for row in rows if len(row) > 1), default=0)
    return b"\n".join(
        b"\t".join([*row, b"-"]) if 1 < len(row) == width - 1 else line
        for row, line in zip(rows, lines, strict=True)
    )


def ignore_problems(path: Path, name: str | None = None, wanted: Any = None) -> Any:
    """Read what can be read."""
    return inspect(path, name, wanted)[0], []


def lose_a_mention(path: Path, name: str | None = None, wanted: Any = None) -> Any:
    """Lose the last mention of a file that has many."""
    corpus, problems = inspect(path, name, wanted)
    rows = corpus.start >= 0
    rows[12:13] = False
    return corpus.where(rows), problems


def raise_an_error(path: Path, name: str | None = None, wanted: Any = None) -> Any:
    """Fail on text that is not UTF-8, as careless code does."""
    path.read_bytes().decode()
    return inspect(path, name, wanted)


def never_end(path: Path, name: str | None = None, wanted: Any = None) -> Any:
    """Need forever for NUL bytes."""
    if b"\0" in path.read_bytes():
        for _ in count():
            pass
    return inspect(path, name, wanted)


MUTANTS: dict[str, tuple[str, Read, str]] = {
    "a lost cell is nothing": ("conll", mending(pad_rows), SILENT),
    "NUL bytes are not there": ("conll", mending(lambda data: data.replace(b"\0", b"")), SILENT),
    "odd blanks are blanks": (
        "booknlp",
        mending(lambda data: data.replace(b"\xc2\xa0", b"").replace(b"\x0b", b"")),
        SILENT,
    ),
    "quotes are ignored": ("csv", mending(lambda data: data.replace(b'"', b"")), SILENT),
    "other numbers are tolerated": (
        "tsv",
        mending(lambda data: data.replace(b"-1\t", b"1\t")),
        SILENT,
    ),
    "problems are ignored": ("corefud", ignore_problems, SILENT),
    "a mention is lost": ("jsonl", lose_a_mention, SILENT),
    "an error escapes": ("brat", raise_an_error, CRASH),
    "a loop never ends": ("clusters", never_end, HANG),
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_the_net_catches(mutant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that is wrong on purpose is found."""
    name, read, kind = MUTANTS[mutant]
    monkeypatch.setattr(judging, "SECONDS", 0.5)
    with Judge(read) as judge:
        kinds = (judge.judge(draw_input("mutants", name, number)).kind for number in range(3000))
        assert any(found == kind for found in kinds)


TWO = b"""#begin document (d); part 000
d 0 0 w NN * - - - - * (V*) (1)
d 0 1 w NN * - - - - * * (1)
"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"* * (1)", b"* *"),
        (b"(V*) (1)", b"(V*)"),
        (b"* * (1)", b"* * (1) *"),
        (b"(V*) (1)", b"(V*) (\0001)"),
        (b"(V*) (1)", b"(V*) (\xc2\xa01)"),
    ],
)
def test_strict_columns_refuse_what_changed_scores_in_silence(before: bytes, after: bytes) -> None:
    """The examples for which the net was made."""
    assert READERS["conll"]({"": TWO})
    with pytest.raises(InvalidFileError):
        READERS["conll"]({"": TWO.replace(before, after)})
    with Judge() as judge:
        given = FuzzInput("conll", {"": TWO}, {"": TWO.replace(before, after)}, ("by hand",), 1)
        assert judge.judge(given).kind == REFUSED


def test_a_run_ends_with_a_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A seed is printed, inputs are counted by format, and one input can be repeated."""
    monkeypatch.chdir(tmp_path)
    arguments = ["--seconds", "1", "--jobs", "1", "--format", "clusters", "--seed", "suite"]
    assert main(arguments) == 0
    said = capsys.readouterr().out
    assert "seed suite" in said
    assert "clusters" in said
    assert main([*arguments, "--index", "3"]) == 0
    assert (tmp_path / "build" / "fuzz" / "clusters-suite-3").exists()
