"""Damaged files: the same score, a refusal, or a noted difference; never a traceback or a crash."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import scoref
from scoref.exceptions import ScorefError

LINE_DAMAGE: dict[str, Callable[[str], str | None]] = {
    "swap tabs for spaces": lambda line: line.replace("\t", "  "),
    "add a carriage return": lambda line: line + "\r",
    "add a trailing space": lambda line: line + "  ",
    "add a trailing tab": lambda line: line + "\t",
    "write another nothing": lambda line: re.sub(r"\t-$", "\t_", line),
    "write an empty cell": lambda line: re.sub(r"\t-$", "\t", line),
    "leave out bars": lambda line: line.replace(")|(", ")("),
    "leave out the line": lambda _: None,
    "leave out the last column": lambda line: line.rpartition("\t")[0],
    "leave out an opening bracket": lambda line: line.replace("\t(", "\t", 1),
    "leave out a closing bracket": lambda line: re.sub(r"\)$", "", line),
    "double the line": lambda line: f"{line}\n{line}",
    "insert a blank line": lambda line: f"\n{line}",
    "insert a comment": lambda line: f"# remark\n{line}",
    "insert an odd byte": lambda line: line.replace("word", "w\xffrd\0"),
    "insert brackets in the word": lambda line: line.replace("word", "(12)"),
    "cut the line": lambda line: line[: len(line) // 2],
    "rename the document": lambda line: line.replace("(doc", "(other"),
    "renumber the part": lambda line: line.replace("part 000", "part 0"),
}


@st.composite
def documents(draw: st.DrawFn) -> str:
    """Draw a valid file of a few documents, tab-separated."""
    lines = []
    for number in range(draw(st.integers(1, 3))):
        length = draw(st.integers(1, 12))
        cells: list[list[str]] = [[] for _ in range(length)]
        places = st.tuples(st.integers(0, length - 1), st.integers(0, length - 1))
        for start, end in draw(st.lists(places.map(sorted), max_size=6, unique_by=tuple)):
            # Entities of one mention each, or of single tokens: brackets cannot be confused.
            name = draw(st.integers(0, 2)) if start == end else 100 * start + end + 3
            cells[start].append(f"({name})" if start == end else f"({name}")
            if start != end:
                cells[end].append(f"{name})")
        lines.append(f"#begin document (doc{number}); part 000")
        lines += [f"doc\t0\t{i}\tword\t{'|'.join(cell) or '-'}" for i, cell in enumerate(cells)]
        lines.append("#end document")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("damage", LINE_DAMAGE)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_one_damaged_line_never_changes_a_score_in_silence(
    damage: str, tmp_path: Path, data: st.DataObject
) -> None:
    """The damaged file as a response to the whole one, and the other way round."""
    text = data.draw(documents())
    lines = text.splitlines()
    at = data.draw(st.integers(0, len(lines) - 1))
    damaged = LINE_DAMAGE[damage](lines[at])
    lines[at : at + 1] = [] if damaged is None else [damaged]
    whole, broken = tmp_path / "whole.conll", tmp_path / "broken.conll"
    whole.write_text(text, "utf-8")
    broken.write_text("\n".join(lines) + "\n", "latin-1")
    expected = scoref.score(whole, whole)
    for key, response in ((whole, broken), (broken, whole)):
        with suppress(ScorefError):  # a refusal; anything else that is raised fails the test
            result = scoref.score(key, response)
            assert same(result.scores, expected.scores) or result.notes, damage


def same(ours: dict[str, scoref.Score], theirs: dict[str, scoref.Score]) -> bool:
    """Whether all scores are equal, those that do not exist included."""
    return repr(ours) == repr(theirs)


@settings(
    max_examples=300,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_any_bytes_are_read_or_refused(tmp_path: Path, data: st.DataObject) -> None:
    """Rubbish in the middle of a file, or nothing but rubbish."""
    text = data.draw(documents()).encode()
    at = data.draw(st.integers(0, len(text)))
    rubbish = data.draw(
        st.binary(max_size=40) | st.text("()|\t \n#-_*12e", max_size=40).map(str.encode)
    )
    path = tmp_path / "broken.conll"
    path.write_bytes(data.draw(st.sampled_from([text[:at] + rubbish + text[at:], rubbish])))
    with suppress(ScorefError):
        corpus = scoref.read(path)
        assert len(corpus.documents) > 0
        assert corpus.start.min(initial=0) >= 0
        assert (corpus.start <= corpus.end).all()
        lengths = [corpus.documents[at].length for at in corpus.document]
        assert all(end < length for end, length in zip(corpus.end, lengths, strict=True))
