"""The rules that the manual states for every format: numbers, repetitions, blanks in ids."""

from __future__ import annotations

from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

import scoref
from scoref.base.limits import no_limits
from scoref.exceptions import FormatError

CONLLUA = """# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY
# newdoc id = d
1 a _ _ _ _ _ _ _ _ (EntityID=1|MarkableID=m1|Min=1)
2 b _ _ _ _ _ _ _ _ (EntityID=1|MarkableID=m2|Min=2)
"""
COREFUD = """# global.Entity = eid-etype-head-other
# newdoc id = d
1\ta\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1--1-)|X=1
2\tb\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1--1-)

"""
BOOKNLP = "COREF\tstart_token\tend_token\tprop\tcat\ttext\n1\t0\t0\tPROP\tPER\ta\n"
WEBANNO = """#FORMAT=WebAnno TSV 3.2
#T_SP=webanno.custom.Referent|entity
#T_RL=webanno.custom.Coref|type|BT_webanno.custom.Referent

1-1\t0-1\ta\tperson\t_\t_
1-2\t2-3\tb\tperson\tana\t1-1
"""
BRAT = "T1\tPerson 0 1\ta\nT2\tPerson 2 3\tb\nR1\tCoref Arg1:T2 Arg2:T1\nE1\tEvent:T1\n"
CONLL = "#begin document (d); part 000\nd 0 a (1)\nd 1 b (1)\n#end document\n"
JSONL = '{"doc_key": "d", "sentences": [["a", "b"]], "clusters": [[[0, 0], [1, 1]]]}\n'
CSV = "document,start,end,entity\nd,0,0,x\nd,1,1,x\n"
CORENLP = """{"docId": "d", "sentences": [{"tokens": [{"word": "a"}]}], "corefs": {"1": [
{"sentNum": 1, "startIndex": 1, "endIndex": 2, "headIndex": 1}]}}"""
APF = """<source_file><document DOCID="d"><entity ID="E1"><entity_mention ID="1" TYPE="NAM"><extent>
<charseq START="0" END="1">ab</charseq></extent></entity_mention></entity></document></source_file>
"""
ECBPLUS = """<Document doc_name="1_1ecb.xml"><token t_id="1" sentence="0" number="0">a</token>
<Markables><LOC_GEO m_id="1"><token_anchor t_id="1"/></LOC_GEO></Markables><Relations/></Document>
"""
FILES = {
    "conll": CONLL,
    "corefud": COREFUD,
    "jsonl": JSONL,
    "csv": CSV,
    "clusters": '{"d": [[[0, 0], [1, 1]]]}',
    "mentionlist": '[{"doc_id": "d", "tokens_ids": [0, 1], "cluster_id": "x"}]',
    "conllua": CONLLUA,
    "apf": APF,
    "ecbplus": ECBPLUS,
    "brat": BRAT,
    "booknlp": BOOKNLP,
    "corenlp": CORENLP,
    "webanno": WEBANNO,
}


def read(folder: Path, name: str, text: str | bytes, **options: Any) -> scoref.Corpus:
    """Read a text or bytes as a file of a format."""
    path = folder / "file"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return scoref.read(path, name, **options)


@pytest.mark.parametrize("name", FILES)
def test_the_files_are_valid(tmp_path: Path, name: str) -> None:
    """Otherwise the tests below would show nothing."""
    assert len(read(tmp_path, name, FILES[name]))


NUMBERS = [
    ("conll", "part 000", "part 00\u0663"),  # is then part of the name
    ("corefud", "e1--1-)|", "e1--\u0661-)|"),
    ("corefud", "(e1--1-)|", "(e1[\u0661/1]--1-)|"),
    ("corefud", "\n2\tb", "\n\u0662\tb"),
    ("jsonl", "[0, 0]", "[\u0660, 0]"),
    ("csv", "d,0,0", "d,\u0660,0"),
    ("clusters", "[0, 0]", "[\uff10, 0]"),
    ("conllua", "Min=1", "Min=\u0661"),
    ("apf", 'START="0"', 'START="\u0660"'),
    ("apf", 'START="0"', 'START="\u00a00"'),
    ("ecbplus", 'sentence="0"', 'sentence="\u0660"'),
    ("ecbplus", 'number="0"', 'number="\u00a00"'),
    ("brat", "Person 0 1", "Person \u0660 1"),
    ("booknlp", "1\t0\t0", "1\t\u0660\t0"),
    ("corenlp", '"sentNum": 1', '"sentNum": "\u0661"'),
    ("webanno", "1-2\t2-3", "1-\u0662\t2-3"),
    ("webanno", "ana\t1-1", "ana\t\u0661-1"),
]


@pytest.mark.parametrize(("name", "before", "after"), NUMBERS)
def test_other_digits_are_not_numbers(tmp_path: Path, name: str, before: str, after: str) -> None:
    """Python takes digits of all scripts for numbers; no other program does."""
    assert before in FILES[name]
    text = FILES[name].replace(before, after, 1)
    if name == "conll":
        assert read(tmp_path, name, text).documents[0].part == ""
    elif "e1[" in after:  # it is part of the id
        assert len(set(read(tmp_path, name, text).entity)) == 2
    else:
        with pytest.raises(FormatError):
            read(tmp_path, name, text)


REPEATED = [
    ("corefud", "|X=1", "|Entity=(e2--1-)", "the attribute `Entity` twice"),
    ("corefud", "|X=1", "|Bridge=e1<e2|Bridge=e1<e2", "the attribute `Bridge` twice"),
    ("corefud", "eid-etype-head-other", "eid-etype-head-eid", "the field `eid` of the header"),
    ("jsonl", '"doc_key": "d"', '"doc_key": "d", "doc_key": "e"', "'doc_key' twice"),
    ("csv", "document,start,end", "document,start,start", "both mean `start`"),
    ("clusters", '{"d"', '{"d": [], "d"', "'d' twice"),
    ("conllua", "DEPS MISC IDENTITY", "DEPS IDENTITY IDENTITY", "the column IDENTITY twice"),
    ("conllua", "|Min=1", "|EntityID=2", "EntityID=1|MarkableID=m1|EntityID=2"),
    ("apf", 'START="0"', 'START="0" START="1"', "duplicate attribute"),
    ("ecbplus", 't_id="1"', 't_id="1" t_id="2"', "duplicate attribute"),
    ("ecbplus", "</LOC_GEO>", '</LOC_GEO><LOC_GEO m_id="1"/>', "the m_id `1` again"),
    ("brat", "E1\t", "R1\t", "R1 again"),
    ("brat", "E1\tEvent:T1", "E1\tEvent:T1\nE1\tEvent:T2", "E1 again"),
    ("booknlp", "\ttext", "\tCOREF", "the column COREF twice"),
    ("corenlp", '"sentNum": 1', '"sentNum": 1, "sentNum": 2', "'sentNum' twice"),
    (
        "webanno",
        "#T_RL",
        "#T_SP=webanno.custom.Referent|entity\n#T_RL",
        "the layer webanno.custom.Referent twice",
    ),
]


@pytest.mark.parametrize(("name", "before", "after", "message"), REPEATED)
def test_what_is_read_once_is_written_once(
    tmp_path: Path, name: str, before: str, after: str, message: str
) -> None:
    """Of two columns, attributes, fields or keys of one name, one would be ignored."""
    assert before in FILES[name]
    with pytest.raises(FormatError) as caught:
        read(tmp_path, name, FILES[name].replace(before, after, 1))
    assert message in str(caught.value)


ODD_IDS = [
    ("conll", "(1)", "(1\u00a0)"),
    ("corefud", "(e1--1-)|", "(e\u20281--1-)|"),
    ("corefud", "(e1--1-)|", "(e 1--1-)|"),
    ("conllua", "EntityID=1", "EntityID=\u20281"),
    ("conllua", "MarkableID=m1", "MarkableID=m\u200b1"),
    ("booknlp", "\n1\t", "\n1\u00a0\t"),
]


@pytest.mark.parametrize(("name", "before", "after"), ODD_IDS)
def test_odd_blanks_are_not_part_of_ids(tmp_path: Path, name: str, before: str, after: str) -> None:
    """They make two ids of what looks like one."""
    assert before in FILES[name]
    with pytest.raises(FormatError):
        read(tmp_path, name, FILES[name].replace(before, after, 1))


@pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity"])
@pytest.mark.parametrize("name", ["jsonl", "clusters", "corenlp"])
def test_json_has_no_constants_of_its_own(tmp_path: Path, name: str, constant: str) -> None:
    """Python writes and reads them, but they are not JSON."""
    text = FILES[name].replace("{", '{"x": ' + constant + ", ", 1)
    with pytest.raises(FormatError):
        read(tmp_path, name, text)
    if name == "jsonl":
        with pytest.raises(FormatError):
            read(tmp_path, name, f"[{text}]")


@pytest.mark.parametrize("blank", ["\u00a0", "\u3000", "\u2028", "\u0085"])
def test_other_blanks_are_part_of_words(tmp_path: Path, blank: str) -> None:
    """A column after such a word stays the same column."""
    conll = "#begin document (d); part 000\n" + "".join(
        f"d 0 {at} x{blank}y N{at} * - - - - * (1)\n" for at in range(3)
    )
    corpora = [read(tmp_path, "conll", conll, words=True)]
    conllua = CONLLUA.replace(" a ", f" x{blank}y ").replace(" b ", f" x{blank}y ")
    corpora.append(read(tmp_path, "conllua", conllua, words=True))
    for corpus in corpora:
        assert corpus.text is not None
        assert set(corpus.text.columns["word"]) == {f"x{blank}y"}
    assert corpora[0].text is not None
    assert list(corpora[0].text.columns["pos"]) == ["N0", "N1", "N2"]


def test_sentences_are_lists_of_words(tmp_path: Path) -> None:
    """A sentence that is a string would count as one token."""
    with pytest.raises(FormatError, match="expected a list of words for each sentence"):
        read(tmp_path, "jsonl", JSONL.replace('[["a", "b"]]', '["a b", "c"]'))
    tokens = JSONL.replace('"sentences": [["a", "b"]]', '"tokens": ["a", "b"]')
    assert read(tmp_path, "jsonl", tokens).documents[0].length == 2


@pytest.mark.parametrize("ends", ["inclusive", "exclusive"])
def test_what_a_file_states_is_not_overruled(tmp_path: Path, ends: str) -> None:
    """`--format` can name ends for both sides, of which one states other ends."""
    other = "exclusive" if ends == "inclusive" else "inclusive"
    spans = "[[0, 1], [1, 2]]" if ends == "exclusive" else "[[0, 0], [1, 1]]"
    text = JSONL.replace("[[0, 0], [1, 1]]", spans)
    stated = text.replace("{", f'{{"offsets": "token-{ends}", ', 1)
    assert len(read(tmp_path, f"jsonl-{ends}", stated)) == 2
    with pytest.raises(FormatError, match="as --format says"):
        read(tmp_path, f"jsonl-{other}", stated)


@pytest.mark.parametrize(
    "header",
    [
        "document,start,mention,entity",
        "document,mention,end,entity",
        "start,end,end_character,entity",
        "mention,start_character,entity,x",
        "mention,entity,head_start,x",
        "start,end,start_character,entity",
    ],
)
def test_half_of_a_span_is_refused(tmp_path: Path, header: str) -> None:
    """A header that lost a name would be read as a table of another kind."""
    with pytest.raises(FormatError) as caught:
        read(tmp_path, "csv", f"{header}\n0,0,0,0\n")
    assert caught.value.problems[0].line == 1


@pytest.mark.parametrize("line", ["\t", "\t\t\t\t", '\t""\t""', " \t"])
@pytest.mark.parametrize("quote", ["", '"'])
def test_a_row_of_empty_cells_is_not_a_blank_line(tmp_path: Path, line: str, quote: str) -> None:
    """The rest of a row that was cut, in a table with tabs."""
    text = f"document\tmention\tentity\nd\t{quote}a{quote}\tx\n"
    assert len(read(tmp_path, "tsv", f"{text}\n  \n")) == 1
    with pytest.raises(FormatError):
        read(tmp_path, "tsv", f"{text}{line}\n")


def test_cells_of_blanks_are_empty_cells(tmp_path: Path) -> None:
    """In optional columns, too: a mention without nodes has all tokens of its span."""
    text = "start,end,entity,nodes,role\n0,1,a,  ,  \n2,4,a,2 4,X\n"
    corpus = read(tmp_path, "csv", text)
    assert corpus.attributes["nodes"].tolist() == ["", "2 4"]
    assert corpus.attributes["role"].tolist() == ["", "X"]


@pytest.mark.parametrize("written", ["1-2\u2028", "1-x", "1-", "1-2-3", "1-\u0662"])
def test_ranges_of_words_are_two_numbers(tmp_path: Path, written: str) -> None:
    """A range annotates nothing, but one that is damaged may have been another line."""
    row = "\ta b\t_\t_\t_\t_\t_\t_\t_\t_\n1\ta"
    assert len(read(tmp_path, "corefud", COREFUD.replace("1\ta", f"1-2{row}", 1))) == 2
    with pytest.raises(FormatError, match="expected a range such as"):
        read(tmp_path, "corefud", COREFUD.replace("1\ta", f"{written}{row}", 1))


def test_parts_that_overlap_are_noted(tmp_path: Path) -> None:
    """A markable whose parts share a token is probably a repeated line."""
    corpus = read(
        tmp_path, "conllua", CONLLUA.replace("m1|Min=1)", "m1)(EntityID=1|MarkableID=m1)")
    )
    assert any("1 markable has parts that overlap" in note for note in corpus.notes)


class TestParquet:
    """What pyarrow reads from damaged data."""

    @pytest.fixture(autouse=True)
    def _pyarrow(self) -> None:
        pytest.importorskip("pyarrow")

    def write(self, entities: Any, **options: Any) -> bytes:
        """Write a table of one column of names and one of entities."""
        pa, pq = import_module("pyarrow"), import_module("pyarrow.parquet")
        stream = BytesIO()
        columns = {"mention": pa.array(["a", "b"]), "entity": entities}
        pq.write_table(pa.table(columns), stream, compression="NONE", **options)
        return stream.getvalue()

    def test_texts_are_utf8(self, tmp_path: Path) -> None:
        """Pyarrow finds this only where the text is used."""
        data = self.write(["house", "house"])
        assert len(read(tmp_path, "parquet", data)) == 2
        with pytest.raises(FormatError, match="damaged Parquet data"):
            read(tmp_path, "parquet", data.replace(b"house", b"hou\xffe"))

    @pytest.mark.parametrize("entities", [["a", "a\0"], ["a\x1b", "b"]])
    def test_no_control_characters(self, tmp_path: Path, entities: list[str]) -> None:
        """As in all other formats; a table is read as such and in pieces."""
        pa = import_module("pyarrow")
        for column in (pa.array(entities), pa.array(entities).dictionary_encode()):
            data = self.write(column)
            with pytest.raises(FormatError, match="in the column of `entity`"):
                read(tmp_path, "parquet", data)
            with pytest.raises(FormatError, match="in the column of `entity`"):
                scoref.score(tmp_path / "file", tmp_path / "file")

    def test_checksums_are_written_and_checked(self, tmp_path: Path) -> None:
        """A letter that changed in a file of scoref is found."""
        corpus = scoref.Corpus.from_entities({"d": [["house", "b"], ["c"]]})
        path = tmp_path / "x.parquet"
        corpus.write(path, "parquet")
        data = path.read_bytes()
        assert b"house" in data
        with pytest.raises(FormatError, match="damaged Parquet data"):
            read(tmp_path, "parquet", data.replace(b"house", b"mouse"))


DISTANT = {
    "mentionlist": '[{"doc_id": "d", "tokens_ids": [2147483648], "cluster_id": "x"}]',
    "clusters": '{"d": [[[5, 2147483648], [1, 1]]]}',
    "booknlp": BOOKNLP.replace("\t0\t0\t", "\t0\t2147483648\t"),
    "apf": APF.replace('END="1"', 'END="2147483648"'),
    "csv": CSV.replace("1,1,x", "1,2147483648,x"),
}


@pytest.mark.parametrize(("name", "text"), DISTANT.items(), ids=DISTANT)
def test_a_mention_out_of_proportion_is_refused(name: str, text: str, tmp_path: Path) -> None:
    """Where the length of the text is unknown; unless limits are lifted."""
    assert "2147483648" in text
    path = tmp_path / "x"
    path.write_text(text)
    with pytest.raises(FormatError, match="expected at most 16,777,216 in a file of"):
        scoref.read(path, name)
    with no_limits():
        assert scoref.read(path, name).end.max() == 2147483648


def test_a_distant_mention_of_a_known_text_is_read(tmp_path: Path) -> None:
    """The text is as large as it is."""
    (tmp_path / "x.txt").write_text("a" * 17_000_000)
    (tmp_path / "x.ann").write_text("T1\tPerson 16999990 16999991\ta\nR1\tCoref Arg1:T1 Arg2:T1\n")
    assert scoref.read(tmp_path / "x.ann").end.tolist() == [16999990]
