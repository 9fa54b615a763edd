"""Fixes: each does what it says, nothing that is read changes, and a second run changes nothing."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
from scoref.exceptions import UsageError
from scoref.formats.fixes import FIXES, Fix, FixedFile, find_fixes, fix_file, same_content
from scoref.formats.io.sources import sources
from tests.conftest import REPOSITORY

GOOD = b"""\
#begin document (a); part 000
a 0 0 Ann - (1)
a 0 1 saw - -
a 0 2 her - (1)|(2
a 0 3 dog - 2)

#end document
#begin document (b); part 000
b 0 0 He - (1)
b 0 1 it - (2)
#end document
"""


def fixed(path: Path, data: bytes, fixes: list[Fix] | None = None) -> FixedFile:
    """Write a file, and fix it in memory."""
    path.write_bytes(data)
    (source,) = sources(path)
    return fix_file(source, FIXES if fixes is None else fixes)


@pytest.mark.parametrize(
    ("name", "damaged", "lines"),
    [
        ("byte-order-mark", b"\xef\xbb\xbf" + GOOD, [1]),
        ("line-ends", GOOD.replace(b"\n", b"\r\n"), [*range(1, 12)]),
        ("line-ends", GOOD.replace(b"saw - -\n", b"saw - -\r\r\n"), [3]),
        ("trailing-blanks", GOOD.replace(b"-\n", b"-  \n").replace(b"\n\n", b"\n \n"), [3, 6]),
        ("final-newline", GOOD[:-1], [11]),
        ("document-ends", GOOD.replace(b"#end document\n", b""), [7, 11]),
        ("repeated-mentions", GOOD.replace(b"it - (2)", b"it - (2)|(2)"), [10]),
        ("repeated-mentions", GOOD.replace(b"(1)|(2\n", b"(1)|(1)|(1)|(2\n"), [4]),
        (
            "repeated-mentions",
            GOOD.replace(b"(2\n", b"(2|(2\n").replace(b"dog - 2)", b"dog - 2)|2)"),
            [4, 5],
        ),
    ],
)
def test_each_fix_restores_the_file(
    tmp_path: Path, name: str, damaged: bytes, lines: list[int]
) -> None:
    """It makes its change alone, and says in which lines."""
    outcome = fixed(tmp_path / "key.conll", damaged)

    assert outcome.fixed == GOOD
    assert outcome.changes == {name: lines}
    assert (outcome.skipped, outcome.before, outcome.problems) == ([], [], [])
    assert fixed(tmp_path / "key.conll", outcome.fixed).is_changed is False
    assert fixed(tmp_path / "key.conll", damaged, find_fixes([])).is_changed is False


@pytest.mark.parametrize(
    ("name", "damaged", "found"),
    [
        ("document-ends", GOOD[: -len(b"#end document\n")], "document b/000 without"),
        ("trailing-blanks", GOOD.replace(b"saw - -\n", b"saw - -\t\n"), "a line of 2 columns"),
    ],
)
def test_a_fix_can_make_a_file_readable(
    tmp_path: Path, name: str, damaged: bytes, found: str
) -> None:
    """The problems that the file had are kept."""
    outcome = fixed(tmp_path / "key.conll", damaged)
    assert outcome.fixed == GOOD
    assert list(outcome.changes) == [name]
    assert any(found in problem.found for problem in outcome.before)
    assert outcome.problems == []


def damage(rng: random.Random, data: bytes) -> bytes:
    """Undo some fixes at random places."""
    lines = data.split(b"\n")
    has_ends = rng.random() < 0.5
    for at, line in enumerate(lines):
        if rng.random() < 0.3 and line.endswith(b"\t(1)"):
            lines[at] += b"|(1)"
        if line.startswith(b"#end") and not has_ends:
            lines[at] = b""
        if rng.random() < 0.2:
            lines[at] += rng.choice([b" ", b"  ", b"\r"])
    found = b"\n".join(lines)
    found = found.removesuffix(b"\n") if rng.random() < 0.3 else found
    return b"\xef\xbb\xbf" + found if rng.random() < 0.3 else found


@settings(max_examples=10)
@given(st.integers(0, 10**6))
def test_what_is_read_and_scored_does_not_change(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    """A damaged file is read as before, and fixing it again changes nothing."""
    before = tmp_path_factory.mktemp("damaged") / "before.conll"
    after = before.with_name("after.conll")
    example = REPOSITORY / "examples" / "ferry"
    rng = random.Random(seed)  # noqa: S311
    outcome = fixed(before, damage(rng, (example / "key.conll").read_bytes()))
    after.write_bytes(outcome.fixed)

    assert not outcome.problems
    assert same_content(*(scoref.read(path, words=True) for path in (before, after)))
    old, new = (scoref.score(path, example / "careful.conll") for path in (before, after))
    assert str(old.scores) == str(new.scores)
    assert fixed(after, outcome.fixed).is_changed is False


def test_a_fix_that_changes_what_is_read_is_not_made(tmp_path: Path) -> None:
    """Proof by reading: a fix that is wrong on purpose."""
    wrong = Fix("wrong", frozenset({"conll"}), lambda data: data.replace(b"it - (2)", b"it - -"))
    breaking = wrong._replace(name="breaking", apply=lambda data: data.replace(b"2)", b"2"))
    outcome = fixed(tmp_path / "key.conll", GOOD, [wrong, breaking])
    assert outcome.skipped == ["wrong", "breaking"]
    assert outcome.is_changed is False


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"saw", b"sees"),
        (b"(2)", b"(3)"),
        (b"(b)", b"(c)"),
        (b"a 0 3 dog - 2)\n", b"a 0 3 dog - 2)\na 0 4 . - -\n"),
        (b"a 0 1 saw", b"\na 0 1 saw"),
    ],
    ids=["word", "entity", "document", "token", "sentence"],
)
def test_what_counts_as_other_content(tmp_path: Path, old: bytes, new: bytes) -> None:
    """Words, entities, documents, tokens and sentences."""
    (one, other) = tmp_path / "a.conll", tmp_path / "b.conll"
    one.write_bytes(GOOD)
    other.write_bytes(GOOD.replace(old, new))
    assert not same_content(scoref.read(one, words=True), scoref.read(other, words=True))


def test_a_file_with_problems_is_left_alone(tmp_path: Path) -> None:
    """Nothing proves that it would be read alike."""
    outcome = fixed(tmp_path / "key.conll", GOOD.replace(b"2)\n", b"2\n").replace(b"\n", b"\r\n"))
    assert outcome.problems
    assert outcome.is_changed is False
    assert outcome.changes == {}
    other = fixed(tmp_path / "notes.txt", b"some text\r\n")
    assert other.problems
    assert other.is_changed is False


def test_fixes_are_for_formats(tmp_path: Path) -> None:
    """In CSV a line end can be a part of a value, so it is left as it is."""
    table = b"document,mention,entity\r\nd,a,1\r\nd,b,1\r\n"
    assert fixed(tmp_path / "x.csv", table).changes == {}
    lines = b'{"doc_key": "d", "sentences": [["a", "b"]], "clusters": [[[0, 0], [1, 1]]]} \r\n'
    outcome = fixed(tmp_path / "x.jsonl", lines[:-1])
    assert outcome.fixed == lines.replace(b" \r", b"")
    assert list(outcome.changes) == ["final-newline", "line-ends", "trailing-blanks"]


def test_names_of_fixes() -> None:
    """The help of the command lists them."""
    from scoref.cli.commands import validate

    for one in FIXES:
        assert f"\n  {one.name} " in (validate.__doc__ or "")
    with pytest.raises(UsageError, match="unknown fix 'line-end'"):
        find_fixes(["line-end"])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["litbank", "openboek", "gerdracor"])
def test_real_corpora(data: Path, name: str) -> None:
    """They have no problems, and every fix keeps their content."""
    source = sources(data / name)[0]
    assert source.path is not None
    clean = fix_file(source)
    assert (clean.skipped, clean.problems) == ([], [])
