"""Lines that lost or gained a cell, and files whose last column is another one, are refused."""

from __future__ import annotations

import io
import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scoref.corpus.corpus import Corpus
from scoref.exceptions import Problem
from scoref.formats import Wanted
from scoref.formats.conll import reader
from scoref.formats.conll.lines import TokenLines
from scoref.formats.io.lines import blocks

Sentence = list[list[str]]


def read(text: str | bytes, size: int = 1 << 20) -> tuple[Corpus, list[Problem]]:
    """Read a text as the content of `toy.conll`."""
    data = text.encode() if isinstance(text, str) else text
    return reader.read(io.BytesIO(data), "toy.conll", Wanted(), size)


def refusals(text: str | bytes) -> list[str]:
    """Return the problems of a text, which are the same for small blocks."""
    problems = sorted(read(text)[1])
    assert sorted(read(text, 100)[1]) == problems
    assert all(problem.hint for problem in problems)
    return list(map(str, problems))


def write(sentences: list[Sentence], separator: str = "\t") -> str:
    """Write one document."""
    body = "\n\n".join(
        "\n".join(separator.join(cells) for cells in sentence) for sentence in sentences
    )
    return f"#begin document (nw/d); part 000\n{body}\n\n#end document\n"


PARSES = st.sampled_from(["(TOP(S(NP*", "*", "*)", "(VP*))", "(NP*)", "(TOP(UH*))"])
NAMES = st.sampled_from(["*", "*", "(GPE)", "(PERSON*", "*)", "(DATE)"])
ROLES = st.sampled_from(["*", "(V*)", "(ARG0*", "*)", "(ARG1*)"])


@st.composite
def sentences_2012(draw: st.DrawFn) -> list[Sentence]:
    """Draw the sentences of a document with all columns of CoNLL-2012, predicates included."""
    found = []
    for _ in range(draw(st.integers(1, 4))):
        predicates = draw(st.integers(0, 3))
        found.append(
            [
                [
                    *(
                        "nw/d",
                        "0",
                        str(token),
                        draw(st.sampled_from(["Rome", "(", "-", "*", "5)"])),
                    ),
                    *("NNP", draw(PARSES), "-", "-", "-", "-", draw(NAMES)),
                    *(draw(ROLES) for _ in range(predicates)),
                    draw(st.sampled_from(["-", "-", "(1)", "(23)", "(1)|(4)"])),
                ]
                for token in range(draw(st.integers(1, 4)))
            ]
        )
    assume(sum(line[-1] == "-" for sentence in found for line in sentence) > 1)
    return found


@given(sentences_2012(), st.sampled_from(["\t", "  "]), st.data())
def test_a_lost_cell_is_refused(
    sentences: list[Sentence], separator: str, data: st.DataObject
) -> None:
    """Whatever the cell before it looks like, and however short the sentence."""
    assert refusals(write(sentences, separator)) == []
    line = data.draw(st.sampled_from([line for sentence in sentences for line in sentence]))
    assume(line[-1] != "-" or line[-2] not in ("-", "_"))
    line.pop()
    assert refusals(write(sentences, separator))


@given(sentences_2012(), st.sampled_from(["-", "(9)", "x", "*"]), st.data())
def test_a_cell_too_many_is_refused(
    sentences: list[Sentence], cell: str, data: st.DataObject
) -> None:
    """At any place of a line in a sentence of several lines."""
    lines = [line for sentence in sentences if len(sentence) > 1 for line in sentence]
    assume(lines)
    line = data.draw(st.sampled_from(lines))
    line.insert(data.draw(st.integers(0, len(line))), cell)
    assert any("columns, expected" in text for text in refusals(write(sentences)))


@given(sentences_2012(), st.data())
def test_a_file_without_a_column_of_entities_is_refused(
    sentences: list[Sentence], data: st.DataObject
) -> None:
    """Its last column has named entities or roles of a predicate."""
    without = [[line[:-1] for line in sentence] for sentence in sentences]
    last = [line[-1] for sentence in without for line in sentence]
    assume(any(cell != "*" for cell in last))
    assert refusals(write(without)), data


def one(*lines: str, name: str = "d") -> str:
    """Write a document of lines with blanks for tabs."""
    body = "".join(line.replace(" ", "\t") + "\n" for line in lines)
    return f"#begin document {name}\n{body}#end document\n"


ID = "toy.conll:{}: found the entity id `{}`"
NO_DIGIT = "and no id with a digit, expected entity ids such as `5` in the last column"
REFUSED = {
    "fewer columns": (
        one("d a (1", "d b 1)", "d -", "d c -"),
        ["toy.conll:4: found a line of 2 columns, expected 3 as in line 2"],
    ),
    "more columns": (
        one("d a (1", "d b 1) -", "d c -"),
        [
            "toy.conll:3: found a line of 4 columns, expected 3 as in line 2",
            "toy.conll:2: found `(1`, expected `1)` before document d ends",
        ],
    ),
    "fewer columns in the next sentence": (
        one("d a (1)", "", "b -"),
        ["toy.conll:4: found a line of 2 columns, expected 3 as in line 2"],
    ),
    "fewer columns after a comment": (
        one("d a (1)", "#b", "b -"),
        ["toy.conll:4: found a line of 2 columns, expected 3 as in line 2"],
    ),
    "one column": (
        one("a (1)", "(1)"),
        ["toy.conll:3: found a line of 1 column, expected 2 as in line 2"],
    ),
    "another mark": (
        one("a -", "b *", "c -", "d (1)"),
        ["toy.conll:3: found the cell `*`, expected `-` for no mention as in line 2"],
    ),
    "another mark first": (
        one("a -", "b *", "c *", "d (1)"),
        [
            "toy.conll:3: found the cell `*`, expected `-` for no mention as in line 2",
            "toy.conll:4: found the cell `*`, expected `-` for no mention as in line 2",
        ],
    ),
    "a word among numbers": (
        one("a (1)", "b (GPE)", "c (2)"),
        [f"{ID.format(3, 'GPE')}, expected a whole number, such as `1` in line 2"],
    ),
    "a damaged number": (
        one("a (1)", "b (1e)", "c (2)"),
        [f"{ID.format(3, '1e')}, expected a whole number, such as `1` in line 2"],
    ),
    "a number among words": (
        one("a (e1)", "b (7)", "c (e2)"),
        [f"{ID.format(3, 7)}, expected an id that is not a number, such as `e1` in line 2"],
    ),
    "named entities with asterisks": (
        one("a (Rome)", "b *"),
        [f"toy.conll:2: found the id `Rome` {NO_DIGIT}"],
    ),
    "named entities": (
        one("a (org)", "b _", "c (person", "d person)"),
        [f"toy.conll:2: found the id `org` {NO_DIGIT}"],
    ),
}


@pytest.mark.parametrize(("text", "messages"), REFUSED.values(), ids=REFUSED)
@pytest.mark.parametrize("separator", ["\t", "  "])
def test_refuses(text: str, messages: list[str], separator: str) -> None:
    """With the line, what was found and what was expected."""
    assert sorted(refusals(text.replace("\t", separator))) == sorted(messages)


@pytest.mark.parametrize("cell", ["(V*)", "(GPE*", "*)", "(TOP(S(NP*", "(1*)"])
def test_an_asterisk_is_not_part_of_an_id(cell: str) -> None:
    """It is another column."""
    assert f"found the cell `{cell}`" in refusals(one("a -", f"b {cell}"))[0]


@pytest.mark.parametrize(
    "odd", ["\u00a0", "\u200b", "\u2003", "\u3000", "\ufeff", "\u00ad", "\u0085", "\x7f", "\udcff"]
)
@pytest.mark.parametrize("cell", ["(5{})", "({}5)", "({})"])
def test_an_id_has_no_odd_blanks(odd: str, cell: str) -> None:
    """`5` and `5` with an invisible character would be two entities; in words, they are fine."""
    text = one("a (5)", "b " + cell.format(odd)).encode(errors="surrogateescape")
    assert any("toy.conll:3: found the cell" in found for found in refusals(text))
    if odd != "\u0085":
        assert refusals(one(f"a{odd}b (5)", "b -").encode(errors="surrogateescape")) == []


@pytest.mark.parametrize("odd", ["\0", "\x01", "\x08", "\x0b", "\x0c", "\x1b", "\x1f", "\r"])
@pytest.mark.parametrize("line", ["a{} (5)", "a ({}5)", "a (5{})", "{}a (5)"])
def test_control_characters_are_refused(odd: str, line: str) -> None:
    """Anywhere in a line."""
    problems = refusals(one("a -", line.format(odd)))
    shown = {"\0": "a NUL byte", "\r": "a carriage return"}.get(odd, f"0x{ord(odd):02x}")
    assert any(text.startswith("toy.conll:3: found ") and shown in text for text in problems)


def test_sentences_of_many_columns_can_differ() -> None:
    """As in CoNLL-2012, where the number of predicates adds columns; fewer columns cannot."""
    wide = [[["x"] * 11 + ["-"]], [["x"] * 13 + ["(1)"]] * 2, [["x"] * 12 + ["-"]]]
    assert refusals(write(wide)) == []
    assert len(refusals(write([wide[0], [["x"] * 10 + ["-"]]]))) == 1
    assert refusals(write([[wide[0][0], wide[1][0]]])) != []


@pytest.mark.parametrize("separator", ["\t", " ", "   "])
@pytest.mark.parametrize("first", [0, 1, 4, 9])
def test_a_word_that_starts_with_a_hash_is_a_token(separator: str, first: int) -> None:
    """The first of the file, the first of a block, and any other; a lost token moves all others."""
    words = [
        ["#tag" if at in (first, first + 1) else f"w{at}", "(1)" if at % 3 else "-"]
        for at in range(12)
    ]
    text = write([words[:5], words[5:]], separator)
    for size in (*range(100 if first == 0 else 20, 200, 7), 1 << 20):
        corpus, problems = read(text, size)
        assert not problems, size
        assert corpus.documents[0].length == 12, size
        assert corpus.start.tolist() == [1, 2, 4, 5, 7, 8, 10, 11], size


@pytest.mark.parametrize("size", [40, 60, 1 << 20])
def test_other_documents_do_not_decide_what_a_line_with_a_hash_is(size: int) -> None:
    """Their columns can be others; without another token, such a line is a comment."""
    text = (
        "#begin document (one)\nw x y (1)\n#end document\n"
        "#begin document (two)\n#tag -\nw (1)\n#end document\n"
        "#begin document (three)\n#see (1)\n#end document\n"
        "#begin document (four)\nw (1)\n#end document\n"
    )
    corpus, problems = read(text, size)

    assert not problems
    assert [document.length for document in corpus.documents] == [1, 2, 0, 1]
    assert corpus.start.tolist() == [0, 1, 0]


def test_tabs_and_blanks_do_not_mix() -> None:
    """Two lines with blanks that a tab joined have as many columns as one of them."""
    heading, wide = "#begin document (d)", " ".join("x" * 12)

    found = refusals(f"{heading}\na -\nb -\tc (1)\nd -\n")
    assert "toy.conll:3: found columns separated by tabs, expected blanks as in line 2" in found
    assert refusals(f"{heading}\na\t-\nb -\nd\t-\n") != []
    assert refusals(f"{heading}\n{wide} -\n\n{wide}\t-\n") != []


@pytest.mark.parametrize("cell", ["(5) -", "(1) (2)", "1 2)", "x (1)", "x -"])
def test_the_last_cell_has_no_blanks(cell: str) -> None:
    """In a line with tabs: what is before the blank would be lost."""
    text = f"#begin document d\na\t(2)\nb\t{cell}\nc\t-\n"
    found = refusals(text)
    assert any(f"toy.conll:3: found the cell `{cell}` with a blank" in one for one in found)
    padded = read("#begin document d\na\t (2) \nb\t  -\n")
    assert padded[1] == []


def test_a_word_with_a_hash_can_have_an_empty_cell() -> None:
    """It has a tab, and no blank after the #; other lines with a # are comments."""
    text = "#begin document d\na\t(1)\n{}\nb\t(1)\n"
    for line, tokens in {"#tag\t": 3, "#(1)\t": 3, "# a tag\t": 2, "#tag": 2}.items():
        corpus, problems = read(text.format(line))
        assert problems == []
        assert corpus.documents[0].length == tokens, line
    assert refusals(text.format("#tag\t\t"))  # a line with a tab conforms, or is refused


def test_a_word_with_a_hash_can_follow_another_one() -> None:
    """The token before it can be one whose word starts with a hash, too."""
    corpus, problems = read("#begin document d\n#a\t-\t(1)\n#b\t-\t\n#c\t-\t(1)\n")
    assert problems == []
    assert corpus.entities() == {"d": [[(0, 0), (2, 2)]]}


def test_documents_can_differ() -> None:
    """A file can be put together from several."""
    assert refusals(one("a -") + one("d a -", name="e") + one("a\t0\t0\tb\t(1)", name="f")) == []


def test_an_empty_cell_is_a_mark_like_others() -> None:
    """A file has one mark, so a cell that lost its content is refused where `-` is the mark."""
    assert refusals(one("d a (1)", "d b -", "d c ")) == [
        "toy.conll:4: found an empty last cell, expected `-` for no mention as in line 3"
    ]
    assert refusals(one("d a (1)", "d b ", "d c -")) == [
        "toy.conll:4: found the cell `-`, expected an empty cell for no mention as in line 3"
    ]
    assert refusals(one("d a (1)", "d b ", "d c ")) == []


def test_a_file_with_empty_cells_has_one_number_of_columns() -> None:
    """A tab after the cells of a document or a sentence would empty all of them."""
    problem = "toy.conll:6: found a line of 4 columns in a file with empty last cells, expected 3"
    text = one("d a (1)", "d b ") + one("d a (1) ", "d b (2) ", name="e")
    assert refusals(text) == [f"{problem} as in line 2"]
    twelve = "\t".join("x" * 11)
    assert refusals(f"#begin document d\n{twelve}\t(1)\n{twelve}\t\n\n{twelve}\t(1)\t\n") != []


def test_a_file_with_empty_cells_only_is_refused() -> None:
    """Whatever is before the tab at the end of every line."""
    for cell in ("(1)", "-", "x"):
        assert refusals(one(f"d {cell} ", f"d {cell} ")) == [
            "toy.conll:2: found an empty last cell on every line, expected brackets in some of them"
        ]


def test_the_problems_of_a_kind_are_limited() -> None:
    """If the first line is the one that is damaged, all others deviate from it."""
    assert len(refusals(one("-", *["b -"] * 200))) == 100


def test_one_tab_too_many_at_the_end_of_a_line_is_ignored() -> None:
    """The test files of the reference scorer have it; two of them, or a lost cell, are refused."""
    plain = read(one("d a (1", "d b -", "d c 1)"))
    for at in (1, 2):
        lines = ["d a (1", "d b -", "d c 1)"]
        lines[at] += " "
        corpus, problems = read(one(*lines))
        assert (corpus.entities(), problems) == (plain[0].entities(), [])
        lines[at] += " "
        assert refusals(one(*lines)) != []
    assert refusals(one("d a (1)", "d  ", "d c -")) != []
    assert refusals(one("d a (1)", "d b c d ", "d c -")) != []
    assert refusals(one("d a (1)", "d b c ", "d c -")) != []


def test_a_tab_after_blanks_is_refused() -> None:
    """Where blanks separate the columns; where tabs do, a word such as `New York` has blanks."""
    assert refusals("#begin document d\na b (1)\na b -\t\n") != []
    assert refusals("#begin document d\na b (1)\t\na b c\t\n") != []
    assert refusals("#begin document d\na\t(1)\nNew York\t\n") == []


@given(
    sentences=st.lists(
        st.lists(
            st.tuples(st.integers(12, 14), st.sampled_from(["-", "(1)", ""]), st.booleans()),
            min_size=1,
            max_size=3,
        ),
        min_size=1,
        max_size=5,
    ),
    size=st.integers(50, 300),
)
def test_blocks_do_not_change_what_is_refused(
    sentences: list[list[tuple[int, str, bool]]], size: int
) -> None:
    """What is read and what is refused in small blocks and at once is the same."""
    rows = [
        [[*"x" * (width - 1), cell + "\t" * tab] for width, cell, tab in sentence]
        for sentence in sentences
    ]
    (one, problems), (other, more) = read(write(rows)), read(write(rows), size)
    assert sorted(problems) == sorted(more)
    assert problems or one.entities() == other.entities()


@given(st.binary(max_size=300).map(lambda data: re.sub(rb"[^\t \n#(1)]", b"x", data)))
def test_columns_are_counted_as_they_are_split(data: bytes) -> None:
    """Tabs divide a line that has any; otherwise blanks do, and the number is negative."""
    for block in blocks(io.BytesIO(data), 64):
        lines = TokenLines(block, inside=None)
        for line in range(len(block.start)):
            text = block.data[block.start[line] : block.full_end[line]].tobytes()
            if text.strip():
                (found,) = lines.columns(block.start[line : line + 1] * 0 + line)
                expected = len(text.split(b"\t")) if b"\t" in text else -len(text.split())
                assert found == expected, text


def test_blocks_end_with_sentences() -> None:
    """A word with a # is known by the other lines of its sentence, wherever a file is divided."""
    document = "#begin document {}\n#w 0 (1)\nx 1 -\n\n#end document\n"
    text = "".join(document.format(number) for number in range(30))
    whole, problems = read(text, 1 << 20)
    assert problems == []
    assert {one.length for one in whole.documents} == {2}
    for size in range(64, 200):
        found, problems = read(text, size)
        assert problems == []
        assert found.fingerprint() == whole.fingerprint(), size


@pytest.mark.parametrize("end", ["", "\r", "\r\r", " \t\r"])
def test_a_cell_that_ends_with_a_control_character(end: str) -> None:
    """Blanks behind it are no cells."""
    text = f"#begin document (d)\nd 0 0 a -{end}\nd 0 1 b -\x1b{end}\n#end document\n"
    assert any("the control character 0x1b" in one.found for one in read(text)[1])
