"""What tools write: BookNLP, CoreNLP, WebAnno and GUM."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import scoref
from scoref.exceptions import ScorefError
from scoref.formats import inspect
from tests.formats.drawn import problem, read

ENTITIES = """\
COREF\tstart_token\tend_token\tprop\tcat\ttext
1\t0\t1\tPROP\tPER\tMr Bennet
1\t3\t3\tPRON\tPER\the
7\t4\t5\tNOM\tFAC\tthe house
"""
TOKENS = "\n".join(
    [
        "paragraph_ID\tsentence_ID\ttoken_ID_within_sentence\ttoken_ID_within_document\tword\tlemma",
        *(f"0\t{at // 3}\t{at % 3}\t{at}\tw{at}\tl{at}" for at in range(7)),
        "",
    ]
)


def booknlp(folder: Path, entities: str = ENTITIES, tokens: str | None = TOKENS) -> Path:
    """Write a book as BookNLP does."""
    if tokens is not None:
        (folder / "book.tokens").write_text(tokens, "utf-8")
        (folder / "book.quotes").write_text("quote_start\n", "utf-8")
    path = folder / "book.entities"
    path.write_text(entities, "utf-8")
    return path


def test_booknlp_reads_entities_and_tokens(tmp_path: Path) -> None:
    """From the file, or from a directory that has all that BookNLP writes."""
    path = booknlp(tmp_path)
    for source in (path, tmp_path):
        corpus = scoref.read(source, words=True)
        assert list(corpus.entities().values()) == [[[(0, 1), (3, 3)], [(4, 5)]]]
        assert corpus.attributes["type"].tolist() == ["name", "pronoun", "nominal"]
        assert corpus.attributes["label"].tolist() == ["PER", "PER", "FAC"]
        assert corpus.documents[0].length == 7
        assert corpus.text is not None
        assert corpus.text.words(0, 4, 5) == ["w4", "w5"]
        assert corpus.text.starts_sentence.tolist() == [True, False, False] * 2 + [True]
    assert scoref.read(tmp_path).documents[0].name == "book"


def test_booknlp_without_tokens_is_noted(tmp_path: Path) -> None:
    """The length is not known then."""
    corpus = scoref.read(booknlp(tmp_path, tokens=None), words=True)
    assert corpus.documents[0].length == -1
    assert "the .tokens file is missing" in corpus.notes[0]


def test_booknlp_checks_that_tokens_are_complete(tmp_path: Path) -> None:
    """A lost line would move all mentions after it."""
    lines = TOKENS.splitlines(keepends=True)
    for tokens in ("".join(lines[:3] + lines[4:]), TOKENS.replace("ID_within_document", "ID")):
        first = min(inspect(booknlp(tmp_path, tokens=tokens), "booknlp")[1])
        assert first.path.endswith("book.tokens")


BAD_BOOKS = {
    "a token past the end": (ENTITIES.replace("4\t5", "4\t7"), 4, "the token 7"),
    "an end before its start": (ENTITIES.replace("4\t5", "4\t3"), 4, "from `4` to `3`"),
    "a word for a number": (ENTITIES.replace("4\t5", "4\tfive"), 4, "to `five`"),
    "no entity": (ENTITIES.replace("7\t4\t5", "\t4\t5"), 4, "an empty COREF"),
    "too few cells": (ENTITIES.replace("\tFAC", ""), 4, "a row of 5 cells"),
    "no header": (ENTITIES.replace("COREF", "X"), 1, "the header X"),
}


@pytest.mark.parametrize(("text", "line", "found"), BAD_BOOKS.values(), ids=BAD_BOOKS)
def test_booknlp_refuses(text: str, line: int, found: str, tmp_path: Path) -> None:
    """With the line, and what stands there."""
    first = min(inspect(booknlp(tmp_path, text), "booknlp")[1])
    assert (first.line, found in first.found) == (line, True), first


def corenlp(**changes: Any) -> dict[str, Any]:
    """Make CoreNLP's output for two sentences, with a mention changed."""
    mentions = [
        {"type": "PROPER", "sentNum": 1, "startIndex": 1, "endIndex": 3, "headIndex": 2},
        {"type": "PRONOMINAL", "sentNum": 2, "startIndex": 1, "endIndex": 2, "headIndex": 1},
    ]
    mentions[1].update(changes)
    sentences = [
        {"index": at, "tokens": [{"index": i + 1, "word": f"w{i}", "pos": "X"} for i in range(3)]}
        for at in range(2)
    ]
    return {"docId": "x", "sentences": sentences, "corefs": {"4": mentions}}


def test_corenlp_reads_chains(tmp_path: Path) -> None:
    """Sentences put together, ends exclusive, all counted from 1."""
    path = tmp_path / "out"
    path.write_text(json.dumps(corenlp()), "utf-8")
    corpus = scoref.read(path, words=True)
    assert corpus.entities() == {"x": [[(0, 1), (3, 3)]]}
    assert corpus.attributes["head_start"].tolist() == [1, 3]
    assert corpus.attributes["type"].tolist() == ["name", "pronoun"]
    assert corpus.documents[0].length == 6
    assert corpus.text is not None
    assert corpus.text.words(0, 0, 1) == ["w0", "w1"]


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"sentNum": 3}, "sentNum 3"),
        ({"sentNum": 0}, "sentNum 0"),
        ({"endIndex": 5}, "endIndex 5"),
        ({"endIndex": 1}, "endIndex 1"),
        ({"startIndex": "1"}, "startIndex 1"),
        ({"headIndex": [1]}, "headIndex [1]"),
        ({"headIndex": 0}, "headIndex 0"),
        ({"headIndex": 2}, "headIndex 2"),
    ],
)
def test_corenlp_refuses(changes: dict[str, Any], found: str) -> None:
    """Tokens that are not there."""
    assert found in problem("corenlp", json.dumps(corenlp(**changes))).found


@pytest.mark.parametrize(
    "text", ["{}", "[1]", '{"sentences": [], "corefs": []}', '{"sentences": 1']
)
def test_corenlp_refuses_other_json(text: str) -> None:
    """Without sentences or chains."""
    assert "JSON" in problem("corenlp", text).found


@pytest.mark.parametrize(
    ("chain", "kind"),
    [(corenlp()["corefs"]["4"][0], "object"), (None, "null"), ("4", "string"), (4, "number")],
)
def test_corenlp_refuses_a_chain_that_is_not_a_list(chain: Any, kind: str) -> None:
    """A chain that has become one of its mentions has lost the others."""
    found = problem("corenlp", json.dumps({**corenlp(), "corefs": {"4": chain}})).found
    assert found == f"chain 4 that is a JSON {kind}"


GUM = """\
#FORMAT=WebAnno TSV 3.2
#T_SP=webanno.custom.Referent|entity|infstat
#T_RL=webanno.custom.Coref|type|BT_webanno.custom.Referent


#Text=The old man and Eve saw a \\| boat
1-1\t0-3\tThe\tperson[1]|person[2]\tnew[1]|new[2]\t_\t_\t
1-2\t4-7\tman\tperson[1]|person[2]\tnew[1]|new[2]\t_\t_\t
1-3\t8-11\tand\tperson[1]\tnew[1]\t_\t_\t
1-4\t12-15\tEve\tperson[1]|person[3]\tnew[1]|new[3]\t_\t_\t

#Text=He saw it
2-1\t17-19\tHe\tperson\tgiv\tana|bridge:aggr\t1-1[2_0]|1-1[1_0]\t
2-2\t20-23\tsaw\t_\t_\t_\t_\t
2-3\t24-26\tit\tobject\t_\tana\t2-1\t
"""


def test_webanno_reads_relations(tmp_path: Path) -> None:
    """Bridging is no identity; a note says what was left out."""
    path = tmp_path / "some.tsv"
    path.write_text(GUM, "utf-8")
    corpus = scoref.read(path, words=True)
    assert corpus.entities() == {"#1": [[(0, 3)], [(0, 1), (4, 4), (6, 6)], [(3, 3)]]}
    assert corpus.attributes["label"].tolist()[0] == "person"
    assert "bridge:aggr (1)" in corpus.notes[0]
    assert corpus.text is not None
    assert corpus.text.words(0, 0, 1) == ["The", "man"]


CHAINS = """\
#FORMAT=WebAnno TSV 3.2
#T_SP=de.POS|PosValue
#T_CH=de.CoreferenceLink|referenceRelation|referenceType

#Text=He shot himself
1-1\t0-2\tHe\tPRP\tcoref->1-1\tpr[1]\t
1-2\t3-7\tshot\tVBD\t_\t_\t
1-3\t8-15\tthe\tDT\t*->2-1\t*[2]\t
1-4\t8-15\tman\tNN\t*->2-1|coref->1-2\t*[2]|pr[1]\t
"""


def test_webanno_reads_chains() -> None:
    """`->1-2` is the second mention of chain 1, of as many tokens as say so."""
    corpus, problems = read("webanno", CHAINS)
    assert not problems
    assert corpus.entities() == {"#1": [[(0, 0), (3, 3)], [(2, 3)]]}


def test_webanno_reads_chains_by_the_header() -> None:
    """The feature `referenceRelation` has the links, first or last."""
    rows = CHAINS.replace("coref->1-1\tpr[1]", "pr[1]\tcoref->1-1")
    rows = rows.replace("*->2-1\t*[2]", "*[2]\t*->2-1")
    rows = rows.replace("*->2-1|coref->1-2\t*[2]|pr[1]", "*[2]|pr[1]\t*->2-1|coref->1-2")
    for header in ("referenceType|referenceRelation", "one|other"):
        text = rows.replace("referenceRelation|referenceType", header)
        assert read("webanno", text)[0].entities() == {"#1": [[(0, 0), (3, 3)], [(2, 3)]]}


def test_webanno_reads_more_cells_without_annotation() -> None:
    """As in nine files of GUM and OntoGUM."""
    corpus, problems = read("webanno", GUM.replace("saw\t_\t_\t", "saw\t_\t_\t_\t_\t_\t"))
    assert (len(corpus), problems) == (5, [])


def test_webanno_reads_labels_with_brackets() -> None:
    """A bracket that is a part of the label has a backslash before it."""
    corpus, problems = read("webanno", GUM.replace("\tperson\tgiv", "\ta\\[b\\]\tgiv"))
    assert not problems
    assert "a\\[b\\]" in corpus.attributes["label"].tolist()


LOST = "2-2\t20-23\tsaw\t_\t_\t_\t_\t\n"
PART = "2-2.1\t20-21\tx\tperson\t_\t_\t_\t"
BAD_TSV = {
    "a chain of one column": (CHAINS.replace("|referenceType", ""), 3, "the chain layer de.Coref"),
    "a relation of nobody": (GUM.replace("1-1[2_0]|", "1-1[9_0]|"), 13, "a relation to a span [9]"),
    "a relation to no span": (GUM.replace("\t2-1\t\n", "\t2-2\t\n"), 15, "at token 2-2"),
    "a broken end": (GUM.replace("\t2-1\t\n", "\t2_1\t\n"), 15, "`2_1`"),
    "too few cells": (GUM.replace("\tana\t2-1\t", ""), 15, "a row of 5 cells"),
    "a token twice": (GUM.replace("2-2\t20", "2-1\t20"), 14, "the token 2-1 again"),
    "no layer of coreference": (GUM.replace("Coref", "Other"), 7, "the layers webanno"),
    "no layer of spans": (GUM.replace("#T_SP=webanno.custom.Referent", "#T_SP=x"), 7, "no layer"),
    "no layer of spans, and no spans": (
        GUM[: GUM.index("1-1\t")].replace("BT_webanno", "BT_x") + "1-1\t0-1\ta\t_\t_\t_\t_\t\n",
        7,
        "no layer x.custom.Referent",
    ),
    "a layer of spans behind all cells": (
        GUM.replace("#T_SP=webanno.custom.Referent|entity|infstat\n", "").replace(
            "\n\n\n#Text", "\n#T_SP=x|a|b|c|d\n#T_SP=webanno.custom.Referent\n\n#Text"
        ),
        7,
        "a row of 8 cells",
    ),
    "a part of a token": (
        GUM.replace("2-3\t", "2-2.1\t20-21\tx\tperson\t_\t_\t_\t\n2-3\t"),
        15,
        "part",
    ),
    "too many cells": (GUM.replace("\tana\t2-1\t", "\tana\t2-1\t_\t"), 15, "a row of 9 cells"),
    "more types than relations": (GUM.replace("\tana\t2-1", "\tana|ana\t2-1"), 15, "`ana|ana`"),
    "a relation at another token": (GUM.replace("1-1[2_0]", "1-4[2_0]"), 13, "a span [2] at"),
    "a token twice in a span": (GUM.replace("person[2]\tnew", "person[1]\tnew", 1), 7, "twice"),
    "a number with a slash": (GUM.replace("and\tperson[1]", "and\tperson[1/]"), 9, "`person[1/]`"),
    "half a number": (GUM.replace("and\tperson[1]", "and\tperson[1"), 9, "`person[1`"),
    "text after a number": (GUM.replace("and\tperson[1]", "and\tperson[1]x"), 9, "`person[1]x`"),
    "an empty label": (GUM.replace("and\tperson[1]", "and\t|person[1]"), 9, "`|person[1]`"),
    "bridging of nobody": (GUM.replace("|1-1[1_0]", "|1-1[9_0]"), 13, "a relation to a span [9]"),
    "relations without spans": (GUM.replace("|BT_webanno.custom.Referent", "|x"), 7, "the layers"),
    "relations and chains": (
        GUM.replace("\n#T_RL", "\n#T_CH=x|a|b\n#T_RL").replace("\t\n", "\t_\t_\t\n"),
        8,
        "the layers",
    ),
    "a lost line": (GUM.replace(LOST, ""), 14, "the token 2-3"),
    "moved lines": (GUM.replace(LOST, "").replace("1-1\t", f"{LOST}1-1\t"), 7, "the token 2-2"),
    "cells of a chain exchanged": (
        CHAINS.replace("*->2-1|coref->1-2\t*[2]|pr[1]", "*[2]|pr[1]\t*->2-1|coref->1-2"),
        9,
        "`*[2]|pr[1] *->2-1",
    ),
    "features of a chain exchanged": (
        CHAINS.replace("Relation|referenceType", "Type|referenceRelation"),
        6,
        "`coref->1-1 pr[1]`",
    ),
    "a chain of a part of a token": (
        f"{CHAINS}1-4.1\t8-9\tm\tNN\t*->3-1\t*[3]\t\n",
        10,
        "a mention of a part of a token, `1-4.1`",
    ),
    "a chain without a link": (CHAINS.replace("coref->1-1", "coref"), 6, "`coref pr[1]`"),
    "a carriage return": (GUM.replace("He\t", "H\re\t"), 13, "a carriage return inside a line"),
    "text between": (GUM.replace("\n\n#Text=He", "\nrubbish\n#Text=He"), 11, "`rubbish`"),
    "nothing": (GUM[:30], 0, "no tokens"),
}


@pytest.mark.parametrize(("text", "line", "found"), BAD_TSV.values(), ids=BAD_TSV)
def test_webanno_refuses(text: str, line: int, found: str) -> None:
    """With the line, and what stands there."""
    first = problem("webanno", text)
    assert (first.line, found in first.found) == (line, True), first


@pytest.mark.parametrize("name", ["booknlp", "corenlp", "webanno"])
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damage_is_refused_or_harmless(name: str, tmp_path: Path, data: st.DataObject) -> None:
    """Rubbish anywhere never gives a traceback."""
    text = {"booknlp": ENTITIES, "corenlp": json.dumps(corenlp()), "webanno": GUM}[name].encode()
    at = data.draw(st.integers(0, len(text)))
    rubbish = data.draw(
        st.binary(max_size=9) | st.text('[]{},:"1-_|\t\n', max_size=4).map(str.encode)
    )
    path = tmp_path / "broken"
    path.write_bytes(text[:at] + rubbish + text[at + data.draw(st.integers(0, 4)) :])
    with suppress(ScorefError):
        corpus = scoref.read(path, name)
        assert (corpus.start <= corpus.end).all()


@pytest.mark.parametrize("name", ["booknlp", "corenlp", "webanno"])
@pytest.mark.parametrize("data", [b"", b"\0", b"\xff\xfe", b"\n" * 100_000, b"x" * 10_000_000])
def test_what_is_nothing_like_it_is_refused(name: str, data: bytes) -> None:
    """Quickly, and with a message."""
    assert read(name, data)[1]
