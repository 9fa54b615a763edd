"""CSV and TSV tables: the names and cells that are understood, and those that are refused."""

from __future__ import annotations

import re
import time
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import scoref
from scoref.base.limits import no_limits
from scoref.corpus.builder import CorpusBuilder
from scoref.corpus.corpus import Corpus
from scoref.exceptions import FormatError, ScorefError, UsageError
from scoref.formats.table.cells import CodedTextColumn, LabelColumn, TableCells, Words
from tests.formats.drawn import NAMES, ODD_NAMES, corpora, problem, read, written

PLAIN = """\
document,start,end,entity
a,0,1,x
a,5,5,x
a,3,3,y
b,0,0,x
"""
ENTITIES = {"a": [[(0, 1), (5, 5)], [(3, 3)]], "b": [[(0, 0)]]}

HEADS = "start,end,entity,head_start,head_end\n"

# fmt: off
TOLERATED = {
    "as it is": PLAIN,
    "semicolons": PLAIN.replace(",", ";"),
    "bars": PLAIN.replace(",", "|"),
    "tabs": PLAIN.replace(",", "\t"),
    "CRLF": PLAIN.replace("\n", "\r\n"),
    "a byte order mark": "\ufeff" + PLAIN,
    "no final newline": PLAIN.rstrip("\n"),
    "blank lines": PLAIN.replace("\n", "\n\n"),
    "blanks after commas": PLAIN.replace(",", ", "),
    "other names": PLAIN.replace("document,start,end,entity", "Doc_ID,Start,End,Cluster-ID"),
    "exclusive ends": "doc,start,stop,label\na,0,2,x\na,5,6,x\na,3,4,y\nb,0,1,x\n",
    "numbers as pandas writes them": PLAIN.replace("5,5", "5.0,5.0"),
    "quotes around everything": re.sub(r"[^,\n]+", r'"\g<0>"', PLAIN),
    "quotes that matter": PLAIN.replace(",x", ',"x,""1"" "').replace(",y", ',"\ny"'),
    "Excel's separator": "sep=;\n" + PLAIN.replace(",", ";"),
    "a tab as Excel's separator": "sep=\t\r\n" + PLAIN.replace(",", "\t"),
    "odd blanks in names": PLAIN.replace("document", "docu\u00a0ment").replace("end", "e\u3000nd"),
    "more columns": PLAIN.replace("\n", ",text\n"),
    "columns in another order": "entity,end,start,document\nx,1,0,a\nx,5,5,a\ny,3,3,a\nx,0,0,b\n",
    "mentions with ids": "doc,id,start,end,entity\na,1,0,1,x\na,2,5,5,x\na,3,3,3,y\nb,4,0,0,x\n",
}

REFUSED = {
    "another delimiter": (f"sep=-\n{PLAIN}", 1, "the header `sep=-`"),
    "a missing column": (PLAIN.replace("entity", "what"), 1, "`document`, `start`, `end`, `what`"),
    "two columns of one meaning": (PLAIN.replace("document", "label"), 1, "`label` and `entity`"),
    "two ends": ("start,end,stop,entity\n0,1,2,x\n", 1, "`end` and `stop`"),
    "an empty entity": (PLAIN.replace("5,x", "5,"), 3, "the entity ``"),
    "no entity by name": (PLAIN.replace("5,x", "5,NA"), 3, "the entity `NA`"),
    "an empty start": (PLAIN.replace("a,5", "a,"), 3, "an empty cell in the column of `start`"),
    "an empty document": (PLAIN.replace("a,5", ",5"), 3, "an empty document cell"),
    "a document of odd blanks": (PLAIN.replace("a,5", "\u00a0,5"), 3, "an empty document cell"),
    "an entity of odd blanks": (PLAIN.replace("5,x", "5,\u3000 "), 3, "the entity"),
    "no entity and odd blanks": (PLAIN.replace("5,x", "5,NA\u2003"), 3, "the entity `NA"),
    "a mention of odd blanks": ("mention,entity\n \u2028,x\n", 2, "an empty mention cell"),
    "an empty mention": ("mention,entity\n,x\n", 2, "an empty mention cell"),
    "too few cells": (PLAIN.replace("5,x", "5"), 3, "a row of 3 cells"),
    "too many cells": (PLAIN.replace("5,x", "5,x,"), 3, "a row of 5 cells"),
    "a word for a number": (PLAIN.replace("a,5", "a,five"), 3, "`five` in the column `start`"),
    "a negative number": (PLAIN.replace("a,5", "a,-5"), 3, "`-5` in the column `start`"),
    "a fraction": (PLAIN.replace("a,5", "a,4.5"), 3, "`4.5` in the column `start`"),
    "an endless number": (PLAIN.replace("a,5", "a," + "5" * 30), 3, "5555"),
    "an end before its start": (PLAIN.replace("5,5", "5,4"), 3, "a mention from 5 to 4"),
    "an empty exclusive span": ("start,stop,entity\n5,5,x\n", 2, "a mention from 5 to 5"),
    "a head outside": (f"{HEADS}5,6,x,6,7\n", 2, "a head from 6 to 7"),
    "a column of half a head": ("start,end,entity,head_end\n5,6,x,6\n", 1, "without `head_start`"),
    "quotes in the header": (PLAIN.replace("entity", '""entity'), 1, "the header"),
    "open quotes in the header": (PLAIN.replace("entity", '"entity'), 1, "the header"),
    "a carriage return in the header": (PLAIN.replace("entity\n", "entity\r"), 1, "the header"),
    "an odd blank in a number": (PLAIN.replace("5,5", "5\u00a0,5"), 3, "in the column `start`"),
    "nodes of another span": ("start,end,entity,nodes\n3,5,x,3 4\n", 2, "the nodes `3 4`"),
    "nodes out of order": ("start,end,entity,nodes\n3,5,x,3 5 4 5\n", 2, "the nodes `3 5 4 5`"),
    "nodes that are words": ("start,end,entity,nodes\n3,5,x,_\n", 2, "the nodes `_`"),
    "nodes with a zero before": ("start,end,entity,nodes\n3,5,x,03 5\n", 2, "the nodes `03 5`"),
    "nodes with a fraction": ("start,end,entity,nodes\n3,3,x,3.0\n", 2, "the nodes `3.0`"),
    "half a head": (f"{HEADS}5,6,x,6,\n", 2, "a head from 6 to -1"),
    "odd quotes": (PLAIN.replace("5,x", '5,"x'), 3, "a row that cannot be split"),
    "a NUL byte": (PLAIN.replace("5,x", "5,\0"), 3, "a NUL byte"),
    "another encoding": (PLAIN.replace("5,x", "5,é").encode("latin-1"), 3, "0xe9"),
    "two types of an entity": ("mention,entity,entity_type\n1,x,PER\n2,x,ORG\n", 3, "`ORG`"),
}
# fmt: on


@pytest.mark.parametrize("text", TOLERATED.values(), ids=TOLERATED)
def test_reads_without_complaint(text: str, tmp_path: Path) -> None:
    """With any delimiter and any of the names; detected from the content."""
    path = tmp_path / "table"
    path.write_bytes(text.encode())
    assert scoref.read(path).entities() == ENTITIES


@pytest.mark.parametrize(("text", "line", "found"), REFUSED.values(), ids=REFUSED)
def test_refuses(text: str | bytes, line: int, found: str) -> None:
    """With the line, and what stands there."""
    first = problem("csv", text)
    assert first.line == line
    assert found in first.found


def test_without_a_document_column_there_is_one_document() -> None:
    """As in entity resolution: records and clusters."""
    corpus, problems = read("csv", "record_id,cluster_id\nr1,a\nr2,a\nr3,b\n")
    assert not problems
    assert corpus.entities() == {"#1": [["r1", "r2"], ["r3"]]}
    result = scoref.score(corpus, {"#1": [["r1"], ["r2", "r3"]]}, ["pairwise"])
    assert result["pairwise"].recall == 0.0


def test_a_row_without_a_mention_that_has_other_cells() -> None:
    """A column that is read describes a mention; another one can describe the document."""
    header, rows = "document,start,end,entity,type,text,role\n", "a,0,1,x,name,Bob,\n"
    corpus, problems = read("csv", f"{header}{rows}b,,,,,,\n")
    assert not problems
    assert not corpus.notes
    corpus, problems = read("csv", f'{header}{rows}\nb,,, ,,"Al",\nc,,,,,x,\nd,,,,,,\n')
    assert not problems
    assert corpus.entities() == {"a": [[(0, 1)]], "b": [], "c": [], "d": []}
    assert corpus.notes[-1].endswith(
        "2 rows have a document but no mention, and a cell in a column that is not read,"
        " such as line 4"
    )
    assert problem("csv", f"{header}{rows}b,,,,name,,\n").line == 3


def test_noise_is_pointed_out() -> None:
    """A clustering program's -1 is an entity here, and a note says so."""
    corpus, _ = read("csv", "mention,cluster\na,-1\nb,-1\nc,1\n")
    assert "3 mentions" not in corpus.notes[0]
    assert "2 mentions are in the entity `-1`" in corpus.notes[0]


def test_types_of_mentions_are_read_and_others_pointed_out() -> None:
    """`NAM` is a name; `PER` is not a type of mentions."""
    corpus, _ = read("csv", "mention,entity,type\na,1,NAM\nb,1,pronoun\nc,2,\n")
    assert corpus.attributes["type"].tolist() == ["name", "pronoun", ""]
    corpus, _ = read("csv", "mention,entity,type\na,1,PER\n")
    assert "type" not in corpus.attributes
    assert "`PER`" in corpus.notes[0]


@given(
    corpus=corpora(st.one_of(NAMES, ODD_NAMES), attributes=True),
    name=st.sampled_from(["csv", "tsv"]),
)
def test_a_round_trip_keeps_everything(corpus: Corpus, name: str) -> None:
    """Mentions, entities, documents without mentions, types and heads."""
    again, problems = read(name, written(corpus, name))
    assert not problems
    assert again.fingerprint() == corpus.fingerprint()
    for attribute in corpus.attributes:
        assert sorted(again.attributes[attribute].tolist()) == sorted(
            corpus.attributes[attribute].tolist()
        )


@given(st.dictionaries(st.one_of(NAMES, ODD_NAMES), st.integers(0, 3)))
def test_a_round_trip_keeps_labels(mentions: dict[str, int]) -> None:
    """Whatever characters they have."""
    entities = [[m for m, e in mentions.items() if e == at] for at in set(mentions.values())]
    corpus = Corpus.from_entities({"d": entities})
    again, problems = read("csv", written(corpus, "csv"))
    assert not problems
    assert again.fingerprint() == corpus.fingerprint()


def test_characters_stay_characters() -> None:
    """Their columns have names of their own."""
    corpus, _ = read("csv", "document,start_character,end_character,entity\nd,0,3,x\n")
    assert corpus.unit == "character"
    again, _ = read("csv", written(corpus, "csv"))
    assert again.unit == "character"
    assert scoref.score(corpus, again)["b3"].f1 == 1.0
    with pytest.raises(ScorefError, match="character spans"):
        written(corpus, "clusters")


def test_what_a_table_cannot_hold_is_refused() -> None:
    """Pairs that are not spans."""
    with pytest.raises(ScorefError, match="cannot be written"):
        written(Corpus.from_entities({"d": [[(1, "x")]]}), "csv")


def test_texts_that_share_a_hash_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if all hashes were equal."""

    def all_equal(words: list[Words], _: object) -> Words:
        return words[0] * 0

    monkeypatch.setattr("scoref.formats.table.cells._mixed", all_equal)
    rows = "".join(f"{i},a long name of {i % 7}\n" for i in range(50))
    corpus, problems = read("csv", f"mention,entity\n{rows}")
    assert not problems
    assert corpus.entity_count == 7


def test_a_file_larger_than_a_block() -> None:
    """With lines counted through, and the same labels in each block."""
    rows = "".join(f"d{i // 9},{i},{i},entity number {i % 5}\n" for i in range(60_000))
    corpus, problems = read("csv", f"document,start,end,entity\n{rows}")
    assert not problems
    assert len(corpus) == 60_000
    assert corpus.line.tolist() == list(range(2, 60_002))
    assert corpus.entity_names[corpus.entity[59_999]] == f"entity number {59_999 % 5}"
    assert problem("csv", f"document,start,end,entity\n{rows}d,1,x,y\n").line == 60_002


def test_columns_of_no_rows() -> None:
    """Are empty."""
    corpus, problems = read("csv", "document,mention,entity\n")
    assert (len(corpus), len(corpus.documents), problems) == (0, 0, [])
    assert list(LabelColumn(0).all()) == []
    assert isinstance(CodedTextColumn(0).all(), tuple)
    assert TableCells(b"", *(corpus.start,) * 3).raw == b""


@pytest.mark.parametrize("filler", ["x", '"', ",", " ", "1", "\0"])
def test_a_line_of_ten_megabytes_gets_an_answer(filler: str) -> None:
    """Quickly."""
    began = time.process_time()
    read("csv", PLAIN + filler * 10_000_000)
    assert time.process_time() - began < 10


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damage_is_refused_or_noted_or_harmless(tmp_path: Path, data: st.DataObject) -> None:
    """Rubbish anywhere in a table never gives a traceback."""
    text = written(data.draw(corpora()), "csv")
    at = data.draw(st.integers(0, len(text)))
    rubbish = data.draw(st.binary(max_size=20) | st.text(',";\n\r 1-x', max_size=8).map(str.encode))
    cut = data.draw(st.integers(0, 6))
    path = tmp_path / "broken.csv"
    path.write_bytes(text[:at] + rubbish + text[at + cut :])
    with suppress(ScorefError):
        corpus = scoref.read(path, "csv")
        assert (corpus.start <= corpus.end).all()
        assert corpus.start.min(initial=0) >= 0


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_lost_cell_never_changes_a_score_in_silence(tmp_path: Path, data: st.DataObject) -> None:
    """A row that lost a cell or its middle is refused."""
    text = written(data.draw(corpora(attributes=True)), "csv").decode()
    lines = text.splitlines()
    at = data.draw(st.integers(0, len(lines) - 1))
    cells = lines[at].split(",")
    del cells[data.draw(st.integers(0, len(cells) - 1))]
    lines[at] = ",".join(cells)
    path = tmp_path / "broken.csv"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    with pytest.raises(ScorefError):
        scoref.read(path, "csv")


def test_a_bad_cell_is_one_problem() -> None:
    """Not one for the cell and one for the span."""
    _, problems = read("csv", PLAIN.replace("a,5", "a,five"))
    assert len(problems) == 1


ANY_NAME = st.text(
    st.one_of(
        st.sampled_from(" \t\n\r\v\f\0,;|\"'#\\\ufeff\u00a0\u2028\ud800NA-1é"),
        st.characters(max_codepoint=0x2FFF),
    ),
    max_size=4,
) | st.sampled_from(["NA", " NA", "None", "#1", "-1", "0", "00", " ", "sep=;", "document"])


@given(
    entities=st.dictionaries(
        ANY_NAME, st.dictionaries(ANY_NAME, st.sets(ANY_NAME, min_size=1, max_size=3), max_size=3)
    ),
    name=st.sampled_from(["csv", "tsv", "parquet"]),
)
@example(entities={"\x1f": {}}, name="parquet")
@example(entities={"\u00a0": {}}, name="csv")
@example(entities={"d": {"\u3000": {"m"}}}, name="parquet")
@example(entities={"d": {"\x0b": {"m"}}}, name="parquet")
def test_what_is_written_is_read_back_or_refused(
    entities: dict[str, dict[str, set[str]]], name: str
) -> None:
    """For every string as the name of a document, an entity or a mention."""
    corpus = Corpus.from_entities(entities)
    try:
        data = written(corpus, name)
    except UsageError:
        return
    again, problems = read(name, data)
    assert not problems
    assert [one.id for one in again.documents] == [one.id for one in corpus.documents]
    assert again.entities() == corpus.entities()
    assert list(again.entity_names) == list(corpus.entity_names)


@pytest.mark.parametrize(
    ("corpus", "message"),
    [
        (Corpus.from_entities({"d": [["\ud800"]]}), r"the mention '\\ud800' cannot be written"),
        (Corpus.from_entities({"d": [["a\0"]]}), r"the mention 'a\\x00' cannot be written"),
        (Corpus.from_entities({"d": [[" "]]}), "the mention ' ' cannot be written"),
        (Corpus.from_entities({"d": [[3, "3"]]}), "two mentions would be written as `3`"),
        (Corpus.from_entities({"d": [[True]]}), "the mention True cannot be written"),
        (Corpus.from_entities({"": [["a"]]}), "the document '' cannot be written"),
        (Corpus.from_entities({"d": {" NA": ["a"]}}), "the entity ' NA' cannot be written"),
        (Corpus.from_entities({"d": [[(0, 10**18)]]}), "a mention that ends at 1,000,000,000,000"),
    ],
)
def test_names_that_a_table_cannot_hold_are_refused(corpus: Corpus, message: str) -> None:
    """By a message that shows the name."""
    with pytest.raises(UsageError, match=message):
        written(corpus, "csv")


def test_an_unnamed_document_never_merges_with_a_named_one() -> None:
    """Although both are shown as `#1`."""
    builder = CorpusBuilder("toy")
    for document in (builder.document(""), builder.document("#1")):
        builder.mention(document, (0, 0), builder.entity(document, "x"))
    for name in ("csv", "parquet"):
        with pytest.raises(UsageError, match="two documents would be written as '#1'"):
            written(builder.corpus(), name)


@pytest.mark.parametrize("name", ["csv", "tsv", "parquet"])
def test_an_unnamed_document_without_mentions_has_no_row(name: str) -> None:
    """And is an unnamed document again."""
    builder = CorpusBuilder("toy")
    builder.document("")
    again, problems = read(name, written(builder.corpus(), name))
    assert not problems
    assert [one.is_unnamed for one in again.documents] == [True]
    assert len(again) == 0


@pytest.mark.parametrize("name", ["csv", "tsv", "parquet"])
def test_blanks_are_part_of_an_id(name: str) -> None:
    """As in every other program; `a` and `a ` are two entities."""
    corpus = Corpus.from_entities({"d": {"a": ["m", " m"], "a ": ["n\t"]}})
    again, _ = read(name, written(corpus, name))
    assert again.entities() == {"d": [["m", " m"], ["n\t"]]}
    assert list(again.entity_names) == ["a", "a "]


def test_ids_with_outer_blanks_are_noted() -> None:
    """Since two programs may write them differently."""
    corpus, _ = read("csv", "document, mention, entity\nd, m, e\n")
    assert len(corpus.notes) == 1
    assert corpus.notes[0].endswith("blanks, which are part of the id, such as ` m`")
    assert not read("csv", "document, start, end, entity\nd, 1, 2,e\n")[0].notes
    assert not read("csv", "mention,entity\n東京,、é\n")[0].notes
    for odd in ("\u00a0e", "e\u00a0", "é\u3000", "\u2009é"):
        assert f"such as `{odd}`" in read("csv", f"mention,entity\nm,{odd}\n")[0].notes[0]
    for row, found in (("d, m, NA", "the entity ` NA`"), ("d,  ,e", "an empty mention cell")):
        assert problem("csv", f"document,mention,entity\n{row}\n").found == found


QUOTED = 'a,"x\n,""y""",e\n'


@pytest.mark.parametrize("quoted", ["", QUOTED], ids=["plain", "quoted"])
@pytest.mark.parametrize(
    ("rows", "line", "found"),
    [
        ("a,m\r,e\n", 3, "a carriage return inside a row"),
        ("a,m,e\r\na,n,e\r\n \t\r\n\n", 0, ""),
        ("a,m,e\n  \na,n\n", 5, "a row of 2 cells"),
        ("a,m,e\n,\n", 4, "a row of 2 cells"),
        ("a,m,e\r", 0, ""),
        ("a,,e\n", 3, "an empty mention cell"),
    ],
)
def test_quotes_elsewhere_change_nothing(quoted: str, rows: str, line: int, found: str) -> None:
    """Both ways to split a table refuse and accept the same."""
    corpus, problems = read("csv", f"document,mention,entity\na,o,e\n{quoted}{rows}")
    if not found:
        assert not problems
        assert [label for label in corpus.labels or () if "y" not in str(label)][:2] == ["o", "m"]
    else:
        line += quoted.count("\n")
        assert (problems[0].line, problems[0].found) == (line, found)


def test_a_position_out_of_proportion_is_refused(tmp_path: Path) -> None:
    """Unless the limits are lifted."""
    text = "start,end,entity\n0,900000000,x\n"
    assert problem("csv", text).found == "900,000,000 in the column of `end`"
    with no_limits():
        assert read("csv", text)[1] == []
    far = Corpus.from_entities({"d": [[(0, 900_000_000)]]})
    path = tmp_path / "far.parquet"
    path.write_bytes(written(far, "parquet"))
    for use in (scoref.read, lambda one: scoref.score(one, one)):
        with pytest.raises(FormatError, match="found 900,000,000 in the column of `end`"):
            use(path)
    with no_limits():
        assert scoref.score(path, path)["b3"].f1 == 1


@pytest.mark.parametrize("name", ["corefud", "conllua"])
def test_empty_nodes_are_written_as_conllu(name: str) -> None:
    """With those before them, and not inside of a mention that does not have them."""
    rows = "0,3,e,\n0,1,f,0.-998 1\n2,3,g,2 2.3 3\n2,2,h,2.1\n"
    corpus, _ = read("csv", f"start,end,entity,nodes\n{rows}")
    again, problems = read(name, written(corpus, name))
    assert not problems
    nodes = [sorted(one.attributes["nodes"].tolist()) for one in (again, corpus)]
    assert nodes[0] == nodes[1]


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        (
            "start_character,end_character,entity\n0,1,x\n",
            "jsonl",
            "the text of document #1 is",
        ),
        ("start,end,entity\n", "corefud", "a corpus without tokens"),
        ("start,end,entity\n", "conllua", "a corpus without tokens"),
    ],
)
def test_what_would_not_be_read_back_is_not_written(text: str, name: str, message: str) -> None:
    """Since the reader of the format refuses it."""
    corpus, problems = read("csv", text)
    assert not problems
    with pytest.raises(UsageError, match=message):
        written(corpus, name)
