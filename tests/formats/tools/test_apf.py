"""ACE APF: what it says of entities and mentions, ACE-Value from files, and XML's dangers."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import scoref
from scoref.cli import main
from scoref.exceptions import ScorefError
from tests.conftest import REPOSITORY
from tests.formats.drawn import problem, read
from tests.metrics.test_ace import METRIC_OF

CASES = json.loads((REPOSITORY / "tests" / "cases" / "seed_cases.json").read_text("utf-8"))


def place(name: str, span: list[Any], text: str = "x") -> str:
    """Write an extent or a head."""
    return f'<{name}><charseq START="{span[0]}" END="{span[1]}">{text}</charseq></{name}>'


def _mention(told: dict[str, Any], name: str) -> str:
    kind, head = told["TYPE"], told["head"]
    metonymic = "TRUE" if told.get("STYLE") == "METONYMIC" else "FALSE"
    return (
        f'<entity_mention ID="{name}" TYPE="{kind}" METONYMY_MENTION="{metonymic}">'
        f"{place('extent', head)}{place('head', head, f'name{head[0]}')}</entity_mention>"
    )


def apf(side: list[dict[str, Any]], name: str = "d") -> str:
    """Write entities as the cases have them: a mention is its head, whose text is its place."""
    entities = []
    for number, entity in enumerate(side):
        mentions = "\n".join(
            _mention(m, f"E{number}-{at}") for at, m in enumerate(entity["mentions"])
        )
        entities.append(
            f'<entity ID="E{number}" TYPE="{entity["TYPE"]}" SUBTYPE="{entity["SUBTYPE"]}"'
            f' CLASS="{entity["CLASS"]}">\n{mentions}\n</entity>'
        )
    content = "\n".join(entities)
    return (
        '<?xml version="1.0"?>\n<!DOCTYPE source_file SYSTEM "apf.v5.1.1.dtd">\n'
        f'<source_file URI="{name}.sgm" SOURCE="newswire" TYPE="text">\n'
        f"<document DOCID={quoteattr(name)}>\n{content}\n</document>\n</source_file>\n"
    )


@pytest.mark.parametrize("case", CASES["ace_cases"], ids=lambda case: case["id"])
def test_equals_the_values_of_nists_scorers(case: dict[str, Any], tmp_path: Path) -> None:
    """All years, through files, formats detected from the content."""
    key, response = tmp_path / "key.apf.xml", tmp_path / "response.apf.xml"
    key.write_text(apf(case["key"]), "utf-8")
    response.write_text(apf(case["response"]), "utf-8")
    result = scoref.score(key, response, METRIC_OF.values())
    assert case["expected"].keys() == METRIC_OF.keys()
    for name, expected in case["expected"].items():
        assert result[METRIC_OF[name]].f1 == pytest.approx(expected, abs=case["tolerance"]), name


def test_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`scoref score key response -m ace`."""
    (case,) = [case for case in CASES["ace_cases"] if case["id"] == "ace-a"]
    paths = [str(tmp_path / name) for name in ("key.xml", "response.xml")]
    for path, side in zip(paths, ("key", "response"), strict=True):
        Path(path).write_text(apf(case[side]), "utf-8")
    assert main(["score", *paths, "-m", "ace", "-m", "ace(year=2007)"]) == 0
    assert "66.67" in (out := capsys.readouterr().out)
    assert "57.18" in out


def test_reads_all_that_it_says() -> None:
    """Types, subtypes, classes, heads and their texts, roles, styles."""
    text = f"""<source_file><document DOCID="x">
    <entity ID="E1" TYPE="GPE" SUBTYPE="Nation" CLASS="SPC">
    <entity_mention ID="1" TYPE="NAM" ROLE="ORG" METONYMY_MENTION="TRUE">
    {place("extent", [3, 9])}{place("head", [5, 9], "N&amp;B")}</entity_mention>
    <entity_mention ID="2" TYPE="PRE">{place("extent", [20, 21])}</entity_mention>
    <entity_attributes><name>{place("head", [0, 1])}</name></entity_attributes>
    </entity>
    <relation><relation_mention>{place("extent", [0, 99])}</relation_mention></relation>
    </document></source_file>"""
    corpus, problems = read("apf", text)
    assert not problems
    assert corpus.entities() == {"x": [[(3, 9), (20, 21)]]}
    assert corpus.unit == "character"
    told = {name: column.tolist() for name, column in corpus.attributes.items()}
    assert told == {
        "type": ["name", "premodifier"],
        "head_start": [5, 20],
        "head_end": [9, 21],
        "head_text": ["N&B", "x"],
        "role": ["ORG", ""],
        "style": ["METONYMIC", "LITERAL"],
    }
    entities = {name: column.tolist() for name, column in corpus.entity_attributes.items()}
    assert entities == {"type": ["GPE"], "subtype": ["Nation"], "class": ["SPC"]}


def one(mention: str, document: str = 'DOCID="x"') -> str:
    """Write a file of one mention, in line 4."""
    return (
        f'<source_file>\n<document {document}>\n<entity ID="E1" TYPE="PER">\n{mention}\n'
        "</entity></document></source_file>"
    )


NAME = '<entity_mention TYPE="NAM">'
REFUSED = {
    "a colon in a name": (
        one(f"{NAME}{place('extent', [3, 5])}</entity_mention>").replace(
            "<entity ID=", "<entity I:="
        ),
        3,
        "invalid XML",
    ),
    "an entity inside another": (
        one(f'<entity ID="E9">{NAME}{place("extent", [3, 5])}</entity_mention></entity>'),
        4,
        "<entity> inside <entity>",
    ),
    "a mention inside another": (
        one(f"{NAME}{place('extent', [3, 5])}{NAME}</entity_mention></entity_mention>"),
        4,
        "<entity_mention> inside <entity_mention>",
    ),
    "no extent": (one(f"{NAME}</entity_mention>"), 4, "without the offsets of its extent"),
    "a word for a number": (one(f"{NAME}{place('extent', ['a', 1])}</entity_mention>"), 4, '"a"'),
    "no number": (one(f"{NAME}<extent><charseq/></extent></entity_mention>"), 4, 'START=""'),
    "an end before its start": (
        one(f"{NAME}{place('extent', [3, 1])}</entity_mention>"),
        4,
        "3 to 1",
    ),
    "a head outside": (
        one(f"{NAME}{place('extent', [3, 5])}{place('head', [5, 6])}</entity_mention>"),
        4,
        "a head from 5 to 6",
    ),
    "another type": (
        one(f'<entity_mention TYPE="ABC">{place("extent", [3, 5])}</entity_mention>'),
        4,
        "TYPE `ABC`",
    ),
    "an entity twice": (one('</entity><entity ID="E1">'), 4, "the entity `E1` again"),
    "an entity without ID": (one("</entity><entity>"), 4, "without an ID"),
    "a document twice": (
        one('</entity></document><document DOCID="x"><entity ID="E1">'),
        4,
        "again",
    ),
    "no document": ("<source_file></source_file>", 1, "without <document>"),
    "broken": (one("<a></b>"), 4, "invalid XML (mismatched tag)"),
    "cut": (one("")[:60], 3, "invalid XML"),
    "empty": ("", 1, "invalid XML (no element found)"),
    "a NUL byte": (one("\0"), 4, "a NUL byte"),
    "another encoding": (one("é").encode("latin-1"), 4, "0xe9"),
    "depth": ("<a>" * 100_000, 1, "nested more than 100 deep"),
    "an entity": ('<!DOCTYPE a [<!ENTITY b "c">]>\n' + one("&b;"), 1, "an entity declaration"),
    "an outside entity": (
        '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>\n' + one("&b;"),
        1,
        "an entity declaration",
    ),
    "an outside parameter": (
        '<!DOCTYPE a [<!ENTITY % b SYSTEM "file:///etc/passwd"> %b;]>\n' + one(""),
        1,
        "an entity declaration",
    ),
    "an unknown entity": (one("&b;"), 4, "invalid XML (undefined entity)"),
    "an unknown entity after a DOCTYPE": (
        '<!DOCTYPE source_file SYSTEM "apf.dtd">' + one("<!-- &b; &amp; --><![CDATA[&b;]]>&mp;"),
        4,
        "the unknown entity `&mp;`",
    ),
    "an unknown entity in a name": (
        '<!DOCTYPE source_file SYSTEM "apf.dtd">' + one("").replace('"x"', '"x&mp;y"'),
        2,
        "the unknown entity `&mp;`",
    ),
    "an ID of another namespace": (
        one("").replace("<entity ID=", "<entity xml:ID="),
        3,
        "an entity without an ID",
    ),
    "a document inside another": (
        one('</entity><x><document DOCID="y"/></x><entity ID="E2">'),
        4,
        "<document> inside <document>",
    ),
}


@pytest.mark.parametrize(("text", "line", "found"), REFUSED.values(), ids=REFUSED)
def test_refuses(text: str | bytes, line: int, found: str) -> None:
    """With the line, and what stands there."""
    first = problem("apf", text)
    assert (first.line, found in first.found) == (line, True), first


def test_a_billion_laughs_are_not_heard() -> None:
    """The first declaration ends it."""
    laughs = "".join(f'<!ENTITY l{i + 1} "{f"&l{i};" * 10}">' for i in range(9))
    text = f'<!DOCTYPE a [<!ENTITY l0 "ha">{laughs}]>' + one("&l9;")
    began = time.process_time()
    assert "an entity declaration" in problem("apf", text).found
    assert time.process_time() - began < 1


def test_characters_are_not_compared_with_tokens(tmp_path: Path) -> None:
    """They are marked as what they are."""
    path = tmp_path / "x.apf.xml"
    path.write_text(one(f"{NAME}{place('extent', [3, 5])}</entity_mention>"), "utf-8")
    assert scoref.read(path).unit == "character"
    assert scoref.score(path, path)["b3"].f1 == 1.0


def test_a_long_line_gets_an_answer() -> None:
    """Three megabytes of brackets, text or attributes."""
    began = time.process_time()
    for filler in ("<", "x", '<a b="c"/>'):
        read("apf", one(filler * (3_000_000 // len(filler))))
    assert time.process_time() - began < 10


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damage_is_refused_or_harmless(tmp_path: Path, data: st.DataObject) -> None:
    """Rubbish anywhere never gives a traceback."""
    text = apf(data.draw(st.sampled_from(CASES["ace_cases"]))["key"]).encode()
    at = data.draw(st.integers(0, len(text)))
    rubbish = data.draw(st.binary(max_size=9) | st.text('<>/"=&;0x ', max_size=4).map(str.encode))
    path = tmp_path / "broken"
    path.write_bytes(text[:at] + rubbish + text[at + data.draw(st.integers(0, 3)) :])
    with suppress(ScorefError):
        corpus = scoref.read(path, "apf")
        assert (corpus.start <= corpus.end).all()
