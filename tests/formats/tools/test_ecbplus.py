"""ECB+: mentions, entities across documents, topics, events and entities, and what is refused."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import scoref
from scoref.cli import main
from scoref.exceptions import FormatError, ScorefError, UsageError
from tests.formats.drawn import problem, read

WORDS = (("Ferry", "runs", "aground"), ("Anna", "left", "it", "at", "noon"))
MARKABLES = """<ACTION_OCCURRENCE m_id="11"  >
  <token_anchor t_id="2"/>
  <token_anchor t_id="3"/>
</ACTION_OCCURRENCE>
<NON_HUMAN_PART m_id="12"  >
  <token_anchor t_id="1"/>
</NON_HUMAN_PART>
<NON_HUMAN_PART m_id="13" note="byCROMER"  >
  <token_anchor t_id="6"/>
</NON_HUMAN_PART>
<HUMAN_PART_PER m_id="14"  >
  <token_anchor t_id="4"/>
</HUMAN_PART_PER>
<ACTION_OCCURRENCE m_id="21" RELATED_TO="" TAG_DESCRIPTOR="aground" instance_id="ACT77" />
<UNKNOWN_INSTANCE_TAG m_id="22" RELATED_TO="" TAG_DESCRIPTOR="" />
"""
RELATIONS = """<CROSS_DOC_COREF r_id="501" note="ACT77" >
  <source m_id="11" />
  <target m_id="21" />
</CROSS_DOC_COREF>
<INTRA_DOC_COREF r_id="502" >
  <source m_id="12" />
  <source m_id="13" />
  <target m_id="22" />
</INTRA_DOC_COREF>
"""


def ecbplus(
    name: str = "1_1ecb.xml",
    markables: str = MARKABLES,
    relations: str = RELATIONS,
    words: Sequence[Sequence[str]] = WORDS,
) -> str:
    """Write a document, with a token per line."""
    lines, at = [f'<Document doc_name="{name}" doc_id="DOC15653">'], 0
    for sentence, content in enumerate(words):
        for number, word in enumerate(content):
            at += 1
            lines.append(
                f'<token t_id="{at}" sentence="{sentence}" number="{number}">{word}</token>'
            )
    lines += ["<Markables>", f"{markables}</Markables>", "", "<Relations>"]
    return "\n".join([*lines, f"{relations}</Relations>", "</Document>", ""])


def test_reads_mentions_and_entities() -> None:
    """A note and a relation within the document make entities, other mentions are singletons."""
    corpus, problems = read("ecbplus", ecbplus())
    assert not problems
    assert corpus.entities() == {"1_1ecb": [[(0, 0), (5, 5)], [(1, 2)], [(3, 3)]]}
    assert corpus.entity_names == ("1_1ecb/r502", "ACT77", "1_1ecb/m14")
    assert corpus.documents[0].length == 8
    labels = ["NON_HUMAN_PART", "ACTION_OCCURRENCE", "HUMAN_PART_PER", "NON_HUMAN_PART"]
    assert corpus.attributes["label"].tolist() == labels
    assert corpus.line.tolist() == [15, 11, 21, 18]
    assert not corpus.notes


def test_events_and_entities_are_read_separately() -> None:
    """An event is an action, with or without negation; a relation can connect both kinds."""
    mixed = MARKABLES.replace('NON_HUMAN_PART m_id="12"', 'NEG_ACTION_STATE m_id="12"')
    mixed = mixed.replace("</NON_HUMAN_PART>", "</NEG_ACTION_STATE>", 1)
    text = ecbplus(markables=mixed)
    events, entities = (read(f"ecbplus-{kind}", text)[0] for kind in ("events", "entities"))
    assert events.entities() == {"1_1ecb": [[(0, 0)], [(1, 2)]]}
    assert entities.entities() == {"1_1ecb": [[(3, 3)], [(5, 5)]]}
    assert events.documents == entities.documents


def test_a_mention_can_have_gaps_and_its_tokens_any_order() -> None:
    """As in other formats, the tokens of a mention with gaps are its nodes."""
    gap = MARKABLES.replace('<token_anchor t_id="3"/>', '<token_anchor t_id="4"/>').replace(
        '<token_anchor t_id="2"/>', '<token_anchor t_id="6"/><token_anchor t_id="2"/>'
    )
    corpus, problems = read("ecbplus", ecbplus(markables=gap))
    assert not problems
    row = corpus.attributes["nodes"].tolist().index("1 3 5")
    assert (corpus.start[row], corpus.end[row]) == (1, 5)


def test_a_token_twice_is_noted() -> None:
    """The release has one such mention; the token counts once."""
    twice = MARKABLES.replace('<token_anchor t_id="3"/>', '<token_anchor t_id="2"/>')
    corpus, problems = read("ecbplus", ecbplus(markables=twice))
    assert not problems
    assert corpus.notes == ("toy:13: token 2 is twice in markable 11",)
    assert (1, 1) in [mention for entity in corpus.entities()["1_1ecb"] for mention in entity]


def test_a_relation_without_a_source_is_an_entity_without_mentions() -> None:
    """The release has seven of them."""
    relations = RELATIONS.replace('  <source m_id="11" />\n', "")
    corpus, problems = read("ecbplus", ecbplus(relations=relations))
    assert not problems
    assert "1_1ecb/m11" in corpus.entity_names
    assert "ACT77" not in corpus.entity_names


def test_words_and_sentences_on_request(tmp_path: Path) -> None:
    """A word without characters stays a token."""
    path = tmp_path / "1_1ecb.xml"
    path.write_text(ecbplus(words=(("R&amp;D", " ", "x "), WORDS[1])), "utf-8")
    assert scoref.read(path).text is None
    assert scoref.read(path, words=["pos"]).text is None
    text = scoref.read(path, words=["word", "sentence", "column=1", "column=2"]).text
    assert text is not None
    assert text.columns["word"][:4] == ["R&D", "", "x", "Anna"]
    assert text.columns["sentence"] == ["0"] * 3 + ["1"] * 5
    assert text.columns["column=1"] == ["1"] * 8
    assert text.columns["column=2"] == ["1_ecb"] * 8
    assert text.starts_sentence.tolist() == [True, False, False, True, *[False] * 4]


def corpus_folder(folder: Path, *names: str, note: str = "ACT77") -> Path:
    """Write the same annotation for several documents, with one note."""
    folder.mkdir()
    for name in names:
        (folder / name).write_text(ecbplus(name).replace("ACT77", note), "utf-8")
    return folder


FILES = ("1_1ecb.xml", "1_1ecbplus.xml", "1_2ecbplus.xml", "2_1ecb.xml")


@pytest.mark.parametrize(
    ("unit", "units", "sizes"),
    [
        ("document", 4, [1, 1, 1, 1]),
        ("column=2", 3, [1, 1, 2]),
        ("topic", 2, [1, 3]),
        ("corpus", 1, [4]),
    ],
)
def test_the_note_names_an_entity_in_all_documents(
    unit: str, units: int, sizes: list[int], tmp_path: Path
) -> None:
    """Entities of relations within a document and singletons never cross a document."""
    key = corpus_folder(tmp_path / "key", *FILES)
    result = scoref.score(key, key, ["b3"], unit=unit)
    assert result["b3"].f1 == 1
    assert len(result.documents) == units
    events = scoref.score(key, key, ["b3"], unit=unit, format="ecbplus-events")
    assert events.key.entities == len(sizes)
    assert result.key.entities == len(sizes) + 2 * len(FILES)


def test_topics_require_names_of_ecb(tmp_path: Path) -> None:
    """Another name has no topic, and the message says so."""
    key = corpus_folder(tmp_path / "key", "1_1ecb.xml", "ferry.xml")
    assert scoref.score(key, key, ["b3"], unit="corpus")["b3"].f1 == 1
    with pytest.raises(UsageError, match="has no tokens with the column=1"):
        scoref.score(key, key, ["b3"], unit="topic")


def test_the_directory_of_the_corpus_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A directory per topic; the format is detected."""
    for topic in ("1", "2"):
        corpus_folder(tmp_path / topic, *(name for name in FILES if name.startswith(topic)))
    assert main(["validate", str(tmp_path)]) == 0
    assert "4 documents, 16 mentions, 12 entities: no problems" in capsys.readouterr().out


def markable(text: str) -> str:
    """Add something after the markables, in line 26."""
    return ecbplus(markables=MARKABLES + text + "\n")


def relation(text: str) -> str:
    """Add something after the relations, in line 38."""
    return ecbplus(relations=RELATIONS + text + "\n")


def changed(before: str, after: str) -> str:
    """Change something once."""
    text = ecbplus()
    assert before in text
    return text.replace(before, after, 1)


ANCHOR = '<token_anchor t_id="1"/>'
INSTANCE = '<LOC_GEO m_id="23" TAG_DESCRIPTOR="x" />\n'
REFUSED = {
    "no document": ("<Text></Text>", 1, "<Text>"),
    "another root": (changed("Document", "Dokument").replace("/Document", "/Dokument"), 1, "<Dok"),
    "no name": (changed(' doc_name="1_1ecb.xml"', ""), 1, "without a doc_name"),
    "an empty name": (changed("1_1ecb.xml", ".xml"), 1, "without a doc_name"),
    "no tokens": (ecbplus(words=(), markables="", relations=""), 1, "without <token>"),
    "no markables": (changed(f"<Markables>\n{MARKABLES}</Markables>", ""), 1, "out <Markables>"),
    "no relations": (changed(f"<Relations>\n{RELATIONS}</Relations>", ""), 1, "out <Relations>"),
    "relations twice": (changed("</Document>", "<Relations/></Document>"), 39, "a second <Rel"),
    "another element": (changed("</Document>", "<Events/></Document>"), 39, "<Events> in <Doc"),
    "text": (changed("<Relations>", "x <Relations>"), 1, "the text `x` in <Document>"),
    "text of markables": (changed("<Markables>", "<Markables>x"), 10, "the text `x`"),
    "an element in a token": (changed("Ferry", "Fer<b/>ry"), 2, "<b> in <token>"),
    "a token without an id": (changed('t_id="1"', 'id="1"'), 2, '<token id="1"'),
    "a token without a sentence": (changed('sentence="0"', ""), 2, "<token t_id"),
    "a word for a number": (changed('number="0"', 'number="x"'), 2, 'number="x"'),
    "a token twice": (changed('t_id="2"', 't_id="1"'), 3, "the token 1 again"),
    "a token is missing": (
        changed('<token t_id="2" sentence="0" number="1">runs</token>\n', ""),
        3,
        "token 2 of sentence 0",
    ),
    "a sentence before": (
        changed('t_id="8" sentence="1" number="4"', 't_id="8" sentence="0" number="3"'),
        9,
        "token 3 of sentence 0",
    ),
    "an unknown tag": (markable(f'<PLACE m_id="9">{ANCHOR}</PLACE>'), 26, "<PLACE>"),
    "a mention of an unknown tag": (
        markable(f'<UNKNOWN_INSTANCE_TAG m_id="9">{ANCHOR}</UNKNOWN_INSTANCE_TAG>'),
        26,
        "<UNKNOWN_INSTANCE_TAG>",
    ),
    "a markable without an id": (markable(f"<LOC_GEO>{ANCHOR}</LOC_GEO>"), 26, "without m_id"),
    "a markable twice": (
        markable(f'<LOC_GEO m_id="11">{ANCHOR}</LOC_GEO>'),
        26,
        "the m_id `11` again",
    ),
    "a mention without tokens": (markable('<LOC_GEO m_id="9" />'), 26, "has no tokens and has no"),
    "an instance with tokens": (
        markable(f'<LOC_GEO m_id="9" TAG_DESCRIPTOR="">{ANCHOR}</LOC_GEO>'),
        26,
        "has tokens and has a TAG_DESCRIPTOR",
    ),
    "an anchor to nothing": (changed('anchor t_id="6"', 'anchor t_id="66"'), 19, "`66`"),
    "something in a markable": (changed("<token_anchor", "<anchor"), 12, "<anchor> in <ACTION"),
    "something in an anchor": (
        changed('<token_anchor t_id="6"/>', '<token_anchor t_id="6">6</token_anchor>'),
        19,
        "the text `6` in <token_anchor>",
    ),
    "another relation": (relation('<REFERS_TO r_id="9" />'), 38, "<REFERS_TO> in <Relations>"),
    "a relation without an id": (changed(' r_id="501"', ""), 29, "without r_id"),
    "a relation twice": (changed('r_id="502"', 'r_id="501"'), 33, "the r_id `501` again"),
    "no note": (changed(' note="ACT77"', ""), 29, "<CROSS_DOC_COREF> without a note"),
    "a note like the name of a singleton": (
        ecbplus().replace("ACT77", "1_1ecb/m14"),
        29,
        "the note `1_1ecb/m14`",
    ),
    "a note within": (
        changed('r_id="502"', 'r_id="502" note="NON1"'),
        33,
        "<INTRA_DOC_COREF> with a note",
    ),
    "another instance": (changed('note="ACT77"', 'note="ACT78"'), 31, "instance_id `ACT77`"),
    "an instance of all documents": (
        changed('<target m_id="22"', '<target m_id="21"'),
        36,
        "instance_id `ACT77`",
    ),
    "no target": (changed('<target m_id="22" />', ""), 33, "a relation with 0 targets"),
    "two targets": (changed('<source m_id="13" />', '<target m_id="22" />'), 33, "with 2 targets"),
    "a target that is a mention": (
        changed('<target m_id="22" />', '<target m_id="14" />'),
        36,
        "the target `14`, which is a mention",
    ),
    "an unknown target": (changed('target m_id="22"', 'target m_id="99"'), 36, "the target `99`"),
    "a source that is an instance": (
        changed('<source m_id="13" />', '<source m_id="21" />'),
        35,
        "the source `21`, which is an instance",
    ),
    "an unknown source": (changed('source m_id="13"', 'source m_id="99"'), 35, "the source `99`"),
    "a mention in two entities": (changed('source m_id="13"', 'source m_id="11"'), 35, "second"),
    "a source twice": (changed('source m_id="13"', 'source m_id="12"'), 35, "twice in one"),
    "an entity twice": (
        ecbplus(
            markables=MARKABLES + INSTANCE,
            relations=RELATIONS
            + '<CROSS_DOC_COREF r_id="7" note="ACT77"><target m_id="23"/></CROSS_DOC_COREF>',
        ),
        39,
        "the entity ACT77 again (the first is in line 30)",
    ),
    "broken": (changed("</Markables>", "</Markable>"), 26, "invalid XML (mismatched tag)"),
    "cut": (ecbplus()[:300], 6, "invalid XML"),
    "empty": ("", 1, "invalid XML (no element found)"),
    "an entity": ('<!DOCTYPE a [<!ENTITY b "c">]>\n' + ecbplus(), 1, "an entity declaration"),
}


@pytest.mark.parametrize(("text", "line", "found"), REFUSED.values(), ids=REFUSED)
def test_refuses(text: str, line: int, found: str) -> None:
    """With the line, what was found, what was expected, and a hint."""
    first = problem("ecbplus", text)
    assert (first.line, found in first.found) == (line, True), first
    assert first.expected
    assert first.hint
    for kind in ("events", "entities"):
        assert problem(f"ecbplus-{kind}", text) == first


def test_the_message_says_what_to_do(tmp_path: Path) -> None:
    """One message in full, as users see it."""
    path = tmp_path / "x.xml"
    path.write_text(changed('source m_id="13"', 'source m_id="99"'), "utf-8")
    with pytest.raises(FormatError) as caught:
        scoref.read(path)
    assert str(caught.value) == (
        f"{path}:35: found the source `99`, expected the m_id of a mention, which is a markable"
        " with tokens\n  hint: add the markable, or remove the source"
    )


def test_other_xml_is_pointed_to_what_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A name that people use for the format is pointed to its name."""
    path = tmp_path / "x.xml"
    path.write_text("<TEI/>\n", "utf-8")
    assert main(["validate", str(path)]) == 1
    assert "ACE's APF (apf) and ECB+ (ecbplus) are read" in capsys.readouterr().out
    assert main(["validate", str(path), "--format", "ecb+"]) == 2
    assert "did you mean 'ecbplus'?" in capsys.readouterr().err


PROLOGUES = (
    "\n",
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    "<!-- a --> <!-- <b> -->\n",
    '<!DOCTYPE Document SYSTEM "x.dtd">\n',
)


@pytest.mark.parametrize("prologue", PROLOGUES)
def test_what_comes_before_the_root_does_not_matter(prologue: str, tmp_path: Path) -> None:
    """For the detection of the format, either."""
    path = tmp_path / "x.xml"
    path.write_text(prologue.lstrip("\n") + ecbplus(), "utf-8")
    assert len(scoref.read(path)) == 4


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damage_is_refused_or_harmless(tmp_path: Path, data: st.DataObject) -> None:
    """Rubbish anywhere never gives a traceback."""
    text = ecbplus().encode()
    at = data.draw(st.integers(0, len(text)))
    rubbish: Any = st.binary(max_size=9) | st.text('<>/"=&;0x ', max_size=4).map(str.encode)
    path = tmp_path / "broken"
    cut = at + data.draw(st.integers(0, 3))
    path.write_bytes(text[:at] + data.draw(rubbish) + text[cut:])
    with suppress(ScorefError):
        corpus = scoref.read(path, "ecbplus")
        assert (corpus.start <= corpus.end).all()
