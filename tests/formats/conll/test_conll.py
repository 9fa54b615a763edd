"""The CoNLL reader: what it takes without complaint, and what it refuses and how it says so."""

from __future__ import annotations

import gzip
import io
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref.corpus.corpus import Corpus
from scoref.exceptions import FormatError, Problem
from scoref.formats import Wanted, inspect
from scoref.formats.conll import reader, writer

PLAIN = (
    """\
#begin document (toy/one); part 000
toy/one 0 0 The (1
toy/one 0 1 dog 1)
toy/one 0 2 saw -
toy/one 0 3 it (2)|(3
toy/one 0 4 self 3)

toy/one 0 0 It (1)
toy/one 0 1 barked -
#end document
#begin document (toy/two); part 000
toy/two 0 0 Cats (1)
toy/two 0 1 sleep -
#end document
""".replace(" ", "\t")
    .replace("#begin\tdocument\t", "#begin document ")
    .replace(";\tpart\t", "; part ")
    .replace("#end\tdocument", "#end document")
)

ENTITIES = {
    "toy/one": [[(0, 1), (5, 5)], [(3, 3)], [(3, 4)]],
    "toy/two": [[(0, 0)]],
}


def read(text: str | bytes, size: int = 1 << 20) -> tuple[Corpus, list[Problem]]:
    """Read a text as the content of `toy.conll`."""
    data = text.encode() if isinstance(text, str) else text
    return reader.read(io.BytesIO(data), "toy.conll", Wanted(), size)


def entities(text: str | bytes) -> dict[str, list[list[Any]]]:
    """Read a text that has nothing wrong, and return its entities."""
    corpus, problems = read(text)
    assert problems == []
    return corpus.entities()


def problem(text: str | bytes) -> str:
    """Read a text that has something wrong, and return the first complaint."""
    _, problems = read(text)
    assert problems
    return str(FormatError(problems).args[0]).splitlines()[0]


def one(*cells: str, name: str = "(d); part 000") -> str:
    """Write a document of one-word lines with these cells."""
    lines = "".join(f"d\t0\t{i}\tword\t{cell}\n" for i, cell in enumerate(cells))
    return f"#begin document {name}\n{lines}#end document\n"


# fmt: off
TOLERATED = {
    "as it is": PLAIN,
    "runs of spaces": PLAIN.replace("\t", "    "),
    "tabs and spaces mixed": PLAIN.replace("\t0\t", "  0\t "),
    "CRLF": PLAIN.replace("\n", "\r\n"),
    "a byte order mark": "\ufeff" + PLAIN,
    "trailing spaces": PLAIN.replace("\n", "   \n"),
    "underscore for nothing": PLAIN.replace("\t-\n", "\t_\n"),
    "asterisk for nothing": PLAIN.replace("\t-\n", "\t*\n"),
    "an empty last cell": PLAIN.replace("\t-\n", "\t\n"),
    "a space after the hash": PLAIN.replace("#begin", "# begin").replace("#end", "# end"),
    "names without parentheses": re.sub(r"\((toy/\w+)\)", r"\1", PLAIN),
    "no part": PLAIN.replace("; part 000", ""),
    "part 0": PLAIN.replace("part 000", "part 0"),
    "a semicolon and no part": PLAIN.replace("; part 000", ";"),
    "no space after document": PLAIN.replace("document (", "document("),
    "no blank lines": PLAIN.replace("\n\n", "\n"),
    "blank lines anywhere": PLAIN.replace("\n", "\n\n").replace("\n\ntoy", "\n \t \ntoy"),
    "alphanumeric ids": re.sub(r"\b([123])(?=[)|]|$)", r"e\1-x", PLAIN, flags=re.MULTILINE),
    "ids without digits": PLAIN.translate(str.maketrans("123", "abc")),
    "long ids": re.sub(r"\b1(?=\)?$)", "17740950239373139", PLAIN, flags=re.MULTILINE),
    "no bar between brackets": PLAIN.replace("(2)|(3", "(2)(3"),
    "brackets in another order": PLAIN.replace("(2)|(3", "(3|(2)"),
    "bare ids on inside tokens": PLAIN.replace("\t1)\n", "\t1\n", 1).replace("saw\t-", "saw\t1)"),
    "no final newline": PLAIN.rstrip("\n"),
    "no ends of documents": PLAIN.replace("#end document\n", ""),
    "comments": PLAIN.replace("toy/one\t0\t3", "# a comment (7\ntoy/one\t0\t3"),
    "brackets and digits in words": PLAIN.replace("saw", "(9)").replace("dog", "9)|"),
    "a word that starts with a hash": PLAIN.replace("toy/one\t0\t2\tsaw", "#saw\t0\t2\tsaw"),
    "odd blanks in words": PLAIN.replace("saw", "s\u00a0a\u200bw\u3000"),
    "one column": "".join(
        line if line.startswith("#") else line.split("\t")[-1] for line in PLAIN.splitlines(True)
    ),
}
# fmt: on


@pytest.mark.parametrize("text", TOLERATED.values(), ids=TOLERATED)
def test_reads_without_complaint(text: str) -> None:
    """What real files do, and what does not change what they say."""
    found = entities(text)
    if "bare" in next(name for name, one in TOLERATED.items() if one is text):
        assert found["toy/one"][0] == [(0, 2), (5, 5)]
        found["toy/one"][0][0] = (0, 1)
    in_order = {name: sorted(sorted(e) for e in lists) for name, lists in found.items()}
    assert in_order == ENTITIES


@pytest.mark.parametrize("size", [64, 100, 1000])
@pytest.mark.parametrize("text", TOLERATED.values(), ids=TOLERATED)
def test_blocks_do_not_matter(text: str, size: int) -> None:
    """However small the blocks in which a file is read, it says the same."""
    corpus, problems = read(text, size)
    whole, _ = read(text)
    assert problems == []
    assert corpus.entities() == whole.entities()
    assert corpus.fingerprint() == whole.fingerprint()


def test_latin_1_words_are_no_obstacle() -> None:
    """Only the last column is read."""
    assert entities(PLAIN.encode().replace(b"saw", b"s\xe4w")) == entities(PLAIN)


def test_sentence_breaks_do_not_matter_to_a_span() -> None:
    """A mention may go across."""
    assert entities("#begin document d\nx\t(1\n\nx\t-\n\n\nx\t1)\n") == {"d": [[(0, 2)]]}


def test_crossing_mentions() -> None:
    """Entities may overlap without one being inside the other."""
    assert entities(one("(1", "(2", "1)", "2)")) == {"d": [[(0, 2)], [(1, 3)]]}


def test_a_mention_inside_a_mention_of_the_same_entity() -> None:
    """A closing bracket closes the latest that is open."""
    assert entities(one("(1", "(1", "1)", "1)")) == {"d": [[(0, 3), (1, 2)]]}
    assert entities(one("(1|(1", "-", "1)", "1)")) == {"d": [[(0, 3), (0, 2)]]}


def test_one_token_opened_and_closed_separately() -> None:
    """`(1|1)` is `(1)`."""
    assert entities(one("(1|1)")) == entities(one("(1)"))


def test_a_token_opens_before_it_closes() -> None:
    """As in the reference scorer; a note says so, since the file may mean something else."""
    corpus, problems = read(one("(1", "1)|(1", "1)"))
    assert not problems
    assert corpus.entities() == {"d": [[(0, 2), (1, 1)]]}
    assert "openings are read first" in corpus.notes[0]


def test_two_antecedents_are_left_out_with_a_note() -> None:
    """The reference scorer discards `(1+2)`."""
    corpus, problems = read(one("(1+2)", "(1)"))
    assert not problems
    assert corpus.entities() == {"d": [[(1, 1)]]}
    assert "(3+4)" in corpus.notes[0]


def test_documents_are_shown_with_their_part_where_a_name_has_several() -> None:
    """The part is shown as it is written."""
    text = (
        one("(1)", name="(x); part 000") + one("(1)", name="(x); part 001") + one("-", name="(y)")
    )
    corpus, problems = read(text)
    assert not problems
    assert [document.name for document in corpus.documents] == ["x/000", "x/001", "y"]
    assert [document.id for document in corpus.documents] == ["x", ("x", 1), "y"]


@pytest.mark.parametrize("end", ["", " ", ";", "\u3000", "\u00a0 ", "\t"])
def test_blanks_after_a_name_do_not_belong_to_it(end: str) -> None:
    """Also those that only Unicode calls blanks, which nobody sees."""
    for name in (f"(x); part 001{end}", f"({end}x); part 001".replace(";x", "x")):
        corpus, problems = read(one("(1)", name=name))
        assert not problems
        assert [document.id for document in corpus.documents] == [("x", 1)]


@pytest.mark.parametrize("name", ["", "()", "();", "; part 000", "(); part 000"])
def test_documents_without_a_name_are_numbered(name: str) -> None:
    """They can be paired by position only."""
    corpus, problems = read(one("(1)", name=name) + one("-", name=name))
    assert not problems
    assert [document.name for document in corpus.documents] == ["#1", "#2"]
    assert all(document.is_unnamed for document in corpus.documents)


END = "`#end document`"
REFUSED: dict[str, tuple[str | bytes, str]] = {
    "a close without an open": (
        one("-", "7)"),
        "toy.conll:3: found `7)`, expected an earlier `(7` in document d",
    ),
    "an open never closed": (
        one("(7", "-"),
        "toy.conll:2: found `(7`, expected `7)` before document d ends",
    ),
    "an open closed in the next document": (
        one("(7") + one("7)", name="(e)"),
        "toy.conll:2: found `(7`, expected `7)` before document d ends",
    ),
    "a token before any document": (
        "x\t(1)\n" + PLAIN,
        "toy.conll:1: found a token outside a document, expected",
    ),
    "a token between documents": (
        PLAIN.replace("#end document\n#begin", "#end document\nx\t-\n#begin"),
        "toy.conll:11: found a token outside a document, expected",
    ),
    "a token after the last document": (
        PLAIN + "x\t-\n",
        "toy.conll:15: found a token outside a document, expected",
    ),
    "no document": ("a text\n", "toy.conll: found no `#begin document` line in the file"),
    "columns without a document": (
        "x\t(1)\ny\t-\n",
        "toy.conll: found no `#begin document` line in what looks like CoNLL columns",
    ),
    "no document after many blanks": ("\n" * 9999 + "x\t-\n", "found no `#begin document` line"),
    "an empty file": ("", "toy.conll: found an empty file, expected a document"),
    "a newline": ("\n", "toy.conll: found an empty file, expected a document"),
    "nothing but blanks": (" \n\n\t\n", "toy.conll: found an empty file, expected a document"),
    "two documents of one name": (
        PLAIN.replace("toy/two); part 000", "toy/one); part 0"),
        "toy.conll:11: found document toy/one/0 again (the first is in line 1)",
    ),
    "a bracket without an id": (one("()"), "toy.conll:2: found the cell `()`, expected `-`"),
    "a bracket too many": (one("(1))"), "toy.conll:2: found the cell `(1))`, expected `-`"),
    "a word for a cell": (one("-", "dog"), "toy.conll:3: found the cell `dog`, expected `-`"),
    "a blank between brackets": (
        one("(1) (2)"),
        "toy.conll:2: found the cell `(1) (2)` with a blank, expected `-`",
    ),
    "JSON lines": ('{"doc_key": "x", "clusters": []}\n', "in what looks like JSON"),
    "CoNLL-U": ("# newdoc id = x\n1\ta\tb\n", "in what looks like CoNLL-U"),
    "XML": ("<?xml version='1.0'?>\n<a/>\n", "in what looks like XML"),
    "UTF-16": (PLAIN.encode("utf-16"), "in what looks like UTF-16 text"),
    "a line that ends in a tab": (
        PLAIN.replace("0\t1\tbarked\t-", "(5)\t"),
        "toy.conll:9: found a line of 3 columns, expected 5 as in line 2",
    ),
    "two tabs at the end of some lines": (
        PLAIN.replace("-\n", "-\t\t\n"),
        "toy.conll:4: found a line of 7 columns, expected 5 as in line 2",
    ),
    "a tab at the end of every line": (
        PLAIN.replace("\n", "\t\n"),
        "toy.conll:2: found an empty last cell on every line, expected brackets in some of them",
    ),
    "a file cut after a tab": (
        PLAIN[: PLAIN.rindex("-")],
        f"toy.conll:11: found document toy/two/000 without {END}, expected {END} as after",
    ),
    "no end of the first document": (
        PLAIN.replace("#end document\n#begin", "#begin"),
        f"toy.conll:1: found document toy/one/000 without {END}, expected {END} as after",
    ),
}


@pytest.mark.parametrize(("text", "message"), REFUSED.values(), ids=REFUSED)
def test_refuses(text: str | bytes, message: str) -> None:
    """With the file, the line, what was found and what was expected."""
    assert message in problem(text)


def test_every_refusal_says_what_to_do() -> None:
    """Where, what was found, what was expected, and a hint."""
    for text, _ in REFUSED.values():
        _, problems = read(text)
        assert all(problem.hint for problem in problems), problems


def test_lists_every_problem() -> None:
    """Not just the first, and in the order of the file."""
    _, problems = read(one("(1", "2)", "()", "dog"))
    assert [p.line for p in sorted(problems)] == [2, 3, 4, 5]


def test_an_error_points_to_validate() -> None:
    """When there is more to see."""
    _, problems = read(one("(1", "2)", "()", "dog"))
    assert "3 more problems here: `scoref validate toy.conll` lists all" in str(
        FormatError(problems)
    )


def test_a_named_entity_column_is_not_taken_for_entities() -> None:
    """With an empty last cell, the column before it must not count."""
    text = "#begin document d\na\t(ORG)\t(1\nb\t(PER)\t\nc\t*\t1)\n"
    assert entities(text) == {"d": [[(0, 2)]]}


def test_a_very_long_line(tmp_path: Path) -> None:
    """Longer than any block: read, not refused."""
    text = PLAIN.replace("saw", "w" * 3_000_000)
    assert entities(text) == entities(PLAIN)
    path = tmp_path / "long.conll"
    path.write_text(text, "utf-8")
    assert len(scoref.read(path)) == 5


def test_a_line_that_is_almost_a_cell_takes_no_time() -> None:
    """Text that a careless pattern would try in exponentially many ways."""
    almost = "#define " + "abcdefgh_" * 2000 + "(("
    assert entities(PLAIN.replace("toy/one\t0\t3", f"{almost}\ntoy/one\t0\t3")) == entities(PLAIN)


def test_a_directory_stops_at_the_first_foreign_file(tmp_path: Path) -> None:
    """Whoever names the wrong directory should not wait for all of it to be read."""
    for name in ("a", "b"):
        (tmp_path / name).write_text("rubbish", "utf-8")
    with pytest.raises(FormatError) as error:
        scoref.read(tmp_path)
    assert [Path(problem.path).name for problem in error.value.problems] == ["a"]
    assert len(inspect(tmp_path)[1]) == 2


def test_gzip_is_told_by_its_bytes(tmp_path: Path) -> None:
    """Whatever the file is called."""
    path = tmp_path / "key.conll"
    path.write_bytes(gzip.compress(PLAIN.encode()))
    assert len(scoref.read(path)) == 5


def test_damaged_gzip(tmp_path: Path) -> None:
    """A message, not a traceback."""
    path = tmp_path / "key.conll.gz"
    path.write_bytes(gzip.compress(PLAIN.encode() * 1000)[:-20])
    with pytest.raises(FormatError, match="found damaged gzip data"):
        scoref.read(path)


def test_a_directory_is_one_corpus(tmp_path: Path) -> None:
    """Its files in order of their names, hidden ones left out."""
    (tmp_path / "b.conll").write_text(PLAIN, "utf-8")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.conll").write_text(one("(1)", name=""), "utf-8")
    (tmp_path / ".hidden").write_text("rubbish", "utf-8")
    corpus = scoref.read(tmp_path)
    assert [document.name for document in corpus.documents] == ["a/x", "toy/one", "toy/two"]
    assert len(corpus) == 6
    assert corpus.entity_count == 5


def test_documents_of_one_name_in_two_files_of_a_directory(tmp_path: Path) -> None:
    """Refused like two in one file."""
    for name in ("a", "b"):
        (tmp_path / name).write_text(PLAIN, "utf-8")
    with pytest.raises(FormatError, match="document toy/one again") as error:
        scoref.read(tmp_path)
    assert f"`scoref validate {tmp_path}` lists all" in str(error.value)


def test_parts_of_a_document_in_several_files(tmp_path: Path) -> None:
    """Are shown as parts."""
    for part in ("000", "001"):
        text = one("(1)", name=f"(x); part {part}")
        (tmp_path / f"x.{part}").write_text(text, "utf-8")
    assert [d.name for d in scoref.read(tmp_path).documents] == ["x/000", "x/001"]


def test_an_empty_directory(tmp_path: Path) -> None:
    """Refused."""
    with pytest.raises(scoref.ScorefError, match="empty directory"):
        scoref.read(tmp_path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    """Refused with its name."""
    with pytest.raises(scoref.ScorefError, match=r"cannot read .*nowhere: No such file"):
        scoref.read(tmp_path / "nowhere")


spans = st.tuples(st.integers(0, 12), st.integers(0, 6)).map(lambda s: (s[0], s[0] + s[1]))


@given(
    st.lists(st.lists(st.lists(spans, min_size=1, unique=True), max_size=5), min_size=1, max_size=4)
)
def test_what_is_written_is_read_back(documents: list[list[list[tuple[int, int]]]]) -> None:
    """For entities whose own mentions are nested or apart; others cannot be written in columns."""
    corpus = Corpus.from_entities(
        {f"d{i}": [_without_crossing(e) for e in entities] for i, entities in enumerate(documents)}
    )
    stream = io.BytesIO()
    writer.write(corpus, stream)
    again, problems = read(stream.getvalue())
    assert problems == []
    assert again.fingerprint() == corpus.fingerprint()


def _without_crossing(entity: list[tuple[int, int]]) -> list[tuple[int, int]]:
    kept: list[tuple[int, int]] = []
    for start, end in entity:
        if all(
            end < s
            or e < start
            or (s <= start and end <= e and (s < start or e > end) and end != s)
            or (start <= s and e <= end)
            for s, e in kept
        ):
            kept.append((start, end))
    return kept


def test_inspecting_returns_problems_and_corpus(tmp_path: Path) -> None:
    """`validate` needs both."""
    path = tmp_path / "x.conll"
    path.write_text(one("(1", "-"), "utf-8")
    corpus, problems = inspect(path)
    assert len(problems) == 1
    assert len(corpus.documents) == 1
