"""Units other than documents: the corpus, topics, any column."""

from __future__ import annotations

from pathlib import Path

import pytest

import scoref
from scoref import Policy

TOPICS = """\
#begin document (all)
t1\td1\t0\tAnn\t(1)
t1\td1\t1\tsaw\t-
t1\td2\t2\tshe\t(1)
t2\td3\t3\tBob\t(2)
t2\td3\t4\the\t(1)
#end document
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """One document with two topics and three texts; entity 1 is in both topics."""
    path = tmp_path / "x.conll"
    path.write_text(TOPICS, "utf-8")
    return path


def entities(path: Path, unit: str) -> dict[str, float]:
    """Count the key entities of each unit."""
    result = scoref.score(path, path, ["ceaf(phi=1)"], Policy(unit=unit))
    names = result.counts.units
    return dict(zip(names, result.counts.rows["ceaf(phi=1)"][:, 1].tolist(), strict=True))


def test_a_document_is_divided_by_a_column(path: Path) -> None:
    """And its entities with it, which a note says."""
    assert entities(path, "document") == {"all": 2}
    assert entities(path, "topic") == {"t1": 1, "t2": 2}
    assert entities(path, "column=2") == {"d1": 1, "d2": 1, "d3": 2}
    result = scoref.score(path, path, policy=Policy(unit="topic"))
    assert any("2 entities of documents became 3 of units (topic)" in note for note in result.notes)
    assert "|unit:topic|" in result.signature
    assert result["conll"].f1 == 1.0


def test_documents_are_put_together_by_the_names_of_entities(tmp_path: Path) -> None:
    """Which makes one entity of those that cross documents."""
    document = "#begin document ({})\n{}\tx\t0\tAnn\t(1)\n{}\tx\t1\tshe\t({})\n#end document\n"
    text = document.format("a", "t", "t", 1) + document.format("b", "t", "t", 2)
    path = tmp_path / "x.conll"
    path.write_text(text, "utf-8")
    assert entities(path, "corpus") == {"all": 2}
    assert entities(path, "topic") == {"t": 2}
    reordered = tmp_path / "y.conll"
    reordered.write_text(document.format("b", "t", "t", 2) + document.format("a", "t", "t", 1))
    for unit in ("corpus", "topic"):
        result = scoref.score(path, reordered, policy=Policy(unit=unit))
        assert result["conll"].f1 == result["mentions"].f1 == 1.0


def test_units_must_be_there(path: Path, tmp_path: Path) -> None:
    """A column that the file lacks, a mention in two units, mentions from Python."""
    with pytest.raises(scoref.ScorefError, match="no tokens with the column=9"):
        scoref.score(path, path, policy=Policy(unit="column=9"))
    crossing = tmp_path / "y.conll"
    crossing.write_text(TOPICS.replace("(1)\nt2", "(3\nt2").replace("(2)", "3)"), "utf-8")
    with pytest.raises(scoref.ScorefError, match="crosses two units"):
        scoref.score(crossing, crossing, policy=Policy(unit="topic"))
    sides = {"d": [["a"]], "e": [["a", "b"]]}
    assert scoref.score(sides, sides, policy=Policy(unit="corpus"))["conll"].f1 == 1.0
    with pytest.raises(scoref.ScorefError, match="no tokens"):
        scoref.score(sides, sides, policy=Policy(unit="topic"))
    with pytest.raises(scoref.ScorefError, match="unit is 'column=0'"):
        Policy(unit="column=0")


def test_types_are_told_before_texts_are_put_together(example: Path) -> None:
    """Measures that look at words work on any unit."""
    key, response = example / "key.conll", example / "careful.conll"
    for unit in ("corpus", "topic"):
        assert scoref.score(key, response, ["lmuc", "arcs"], Policy(unit=unit))["lmuc"].f1 > 0


def test_systems_are_compared_by_unit(path: Path, tmp_path: Path) -> None:
    """With units that counts files have too."""
    other = tmp_path / "y.conll"
    other.write_text(TOPICS.replace("(1)\nt2", "(4)\nt2"), "utf-8")
    policy = Policy(unit="column=2")
    compared = scoref.compare(path, {"a": path, "b": other}, metrics=["b3"], policy=policy)
    assert "3 documents" in str(compared)
