"""Repairs: files with a few broken brackets are read under a stated rule, each repair in a note."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref.exceptions import FormatError, UsageError
from scoref.formats import Wanted
from scoref.formats.conll import reader
from scoref.formats.io.problems import DROP_BRACKETS, REPAIRS
from scoref.policy import Policy
from tests.cli.test_commands import Capture, run

OTHER = "#begin document (e); part 000\na\t(1)\nb\t(1)\n#end document\n"
BROKEN = (
    "#begin document (d); part 000\na\t(1\nb\t1)\nc\t(2\nd\t3)\ne\t(1)\n#end document\n" + OTHER
)
WHOLE = BROKEN.replace("(2", "-").replace("3)", "-")
POLICY = Policy(repair="drop-brackets")


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A file with a bracket that is not closed, and one that was not opened."""
    path = tmp_path / "broken.conll"
    path.write_text(BROKEN, "utf-8")
    (tmp_path / "whole.conll").write_text(WHOLE, "utf-8")
    return path


def test_the_policy_has_the_repairs_of_the_readers() -> None:
    """In their order."""
    assert get_args(get_type_hints(Policy)["repair"]) == REPAIRS


def test_brackets_without_a_partner_are_ignored(broken: Path) -> None:
    """Each with its file and line."""
    corpus = scoref.read(broken, repair="drop-brackets")
    assert corpus.entities() == {"d": [[(0, 1), (4, 4)]], "e": [[(0, 0), (1, 1)]]}
    assert list(corpus.notes) == [
        f"{broken}:4: ignored `(2`, without `2)` before document d ends (repair drop-brackets)",
        f"{broken}:5: ignored `3)`, without an earlier `(3` in document d (repair drop-brackets)",
    ]


def test_without_a_repair_the_file_is_refused_and_the_hint_names_it(broken: Path) -> None:
    """By default, nothing is repaired."""
    with pytest.raises(FormatError, match="4: found `\\(2`") as error:
        scoref.read(broken)
    assert "--repair drop-brackets" in error.value.hint
    with pytest.raises(UsageError, match="repair is 'all', but must be one of: none"):
        scoref.read(broken, repair="all")


def test_other_problems_are_not_repaired(tmp_path: Path) -> None:
    """A word in place of a cell is still refused, and so is a bracket without an id."""
    path = tmp_path / "broken.conll"
    path.write_text(BROKEN.replace("e\t(1)", "e\t()"), "utf-8")
    with pytest.raises(FormatError, match="found the cell"):
        scoref.read(path, repair="drop-brackets")


def test_the_signature_states_a_repair(broken: Path) -> None:
    """And only then; `--like` repeats it."""
    whole = broken.with_name("whole.conll")
    result = scoref.score(broken, whole, policy=POLICY)
    assert "|repair:drop-brackets|" in result.signature
    assert "repair" not in scoref.score(whole, whole).signature
    assert Policy.like(result.signature) == result.policy
    assert result["conll"].f1 == 1
    assert sum("ignored `" in note for note in result.notes) == 2


COMMANDS = {
    "score": ["BROKEN", "WHOLE"],
    "compare": ["BROKEN", "WHOLE", "BROKEN"],
    "count": ["BROKEN", "WHOLE", "-o", "OUT"],
    "explain": ["BROKEN", "WHOLE"],
    "errors": ["BROKEN", "WHOLE"],
    "report": ["BROKEN", "WHOLE", "-o", "OUT"],
    "stress": ["BROKEN", "WHOLE"],
    "agreement": ["BROKEN", "WHOLE"],
    "gate": ["BROKEN", "WHOLE", "WHOLE"],
    "power": ["BROKEN", "WHOLE", "BROKEN"],
    "validate": ["BROKEN"],
    "stats": ["BROKEN"],
    "convert": ["BROKEN", "-o", "OUT"],
    "baseline": ["one-entity", "BROKEN", "-o", "OUT"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_that_reads_files_repairs(
    command: str, broken: Path, capsys: Capture
) -> None:
    """Without the flag it refuses the file; with it, it lists the repairs."""
    places = {"BROKEN": broken, "WHOLE": broken.with_name("whole.conll")}
    places["OUT"] = broken.with_name("out.conll")
    arguments = [places.get(word, word) for word in COMMANDS[command]]
    code, out, err = run(capsys, command, *arguments)
    assert code == (1 if command == "validate" else 2)
    assert "found `(2`" in out + err
    code, out, err = run(capsys, command, *arguments, "--repair", "drop-brackets")
    assert code == 0, err
    assert "ignored `(2`" in err
    assert "ignored `3)`" in err


@given(
    st.lists(
        st.sampled_from(["-", "(1", "1)", "(2", "2)", "(1)", "(1|(2", "1)|2)", "(3)|1)"]),
        min_size=1,
        max_size=12,
    ),
    st.integers(30, 200),
)
def test_repaired_is_what_is_left_without_those_brackets(cells: list[str], size: int) -> None:
    """Taking out the brackets that the notes name gives a file that needs no repair."""
    lines = ["#begin document (d); part 000", *(f"w\t{cell}" for cell in cells), "#end document"]
    wanted = Wanted(repair=DROP_BRACKETS)
    data = "\n".join(lines).encode()
    repaired, problems = reader.read(io.BytesIO(data), "toy", wanted, size)
    assert problems == []
    for note in repaired.notes:
        if found := re.match(r"toy:(\d+): ignored `([^`]+)`", note):
            at = int(found[1]) - 1
            word, cell = lines[at].split("\t")
            left = cell.split("|")
            # Of equal openings on a token, any can be the one; of one token, they are the same.
            left.remove(found[2])
            lines[at] = f"{word}\t{'|'.join(left) or '-'}"
    whole, problems = reader.read(io.BytesIO("\n".join(lines).encode()), "toy", Wanted())
    assert problems == []
    assert repaired.entities() == whole.entities()


def test_corefud_is_repaired_too(tmp_path: Path) -> None:
    """The same rule for the brackets of every format."""
    rows = "\n".join(
        f"{number}\tw\t_\t_\t_\t_\t0\t_\t_\t{misc}"
        for number, misc in enumerate(["Entity=(e1)", "Entity=(e2", "Entity=e3)"], 1)
    )
    path = tmp_path / "broken.conllu"
    path.write_text(f"# global.Entity = eid\n# newdoc id = d\n{rows}\n\n", "utf-8")
    with pytest.raises(FormatError, match="--repair drop-brackets"):
        scoref.read(path)
    corpus = scoref.read(path, repair="drop-brackets")
    assert corpus.entities() == {"d": [[(0, 0)]]}
    assert len(corpus.notes) == 2
