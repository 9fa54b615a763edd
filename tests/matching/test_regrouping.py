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


WHOLE = """\
#begin document (a)
t1\t0\tAnn\t(1)
t1\t1\tshe\t(2)
#end document
#begin document (b)
t1\t0\tAnn\t(1)
#end document
#begin document (c)
t2\t0\tAnn\t(1)
#end document
"""
TABLE = "document,start,end,entity\na,0,0,1\na,1,1,2\nb,0,0,1\nc,0,0,1\n"


def write(folder: Path, **files: str) -> list[Path]:
    """Write files, and return their paths."""
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    return [folder / name for name in files]


def test_a_response_without_the_column_has_the_units_of_the_key(tmp_path: Path) -> None:
    """A table has no columns of tokens, but its documents are those of the key."""
    key, table = write(tmp_path, key=WHOLE, table=TABLE)
    for unit in ("topic", "corpus"):
        with_column = scoref.score(key, key, policy=Policy(unit=unit))
        without = scoref.score(key, table, policy=Policy(unit=unit))
        assert without.counts.units == with_column.counts.units
        assert without["conll"].f1 == without["mentions"].f1 == 1.0
        assert without.signature == with_column.signature
    (wrong,) = write(tmp_path, wrong=TABLE.replace("b,0,0,1", "b,0,0,2"))
    assert scoref.score(key, wrong, policy=Policy(unit="topic"))["muc"].f1 == 0


def test_units_of_the_key_require_whole_documents_of_the_key(path: Path, tmp_path: Path) -> None:
    """A document of two topics, and a document that the key lacks."""
    (table,) = write(tmp_path, table="document,start,end,entity\nall,0,0,1\n")
    with pytest.raises(scoref.ScorefError, match="table has no tokens with the column=1"):
        scoref.score(path, table, policy=Policy(unit="topic"))
    key, more = write(tmp_path, key=WHOLE, more=TABLE + "d,0,0,1\n")
    policy = Policy(unit="topic", extra_documents="ignore")
    with pytest.raises(scoref.ScorefError, match="more has no tokens with the column=1"):
        scoref.score(key, more, policy=policy)
    with pytest.raises(scoref.ScorefError, match="more has no tokens with the column=1"):
        scoref.score(more, key, policy=policy)


@pytest.mark.parametrize("unit", ["topic", "corpus"])
@pytest.mark.parametrize("missing", ["a", "b", "c", "ab", "ac", "bc"])
def test_a_unit_can_lack_documents(unit: str, missing: str, tmp_path: Path) -> None:
    """A missing document is an empty response, and a note says so."""
    rows = [row for row in TABLE.splitlines() if row[0] not in missing]
    documents = {part[11]: f"#begin{part}" for part in WHOLE.split("#begin")[1:]}
    kept = "".join(text for name, text in documents.items() if name not in missing)
    empty = "".join(
        text.replace("(1)", "-").replace("(2)", "-") if name in missing else text
        for name, text in documents.items()
    )
    key, table, columns = write(tmp_path, key=WHOLE, table="\n".join(rows) + "\n", columns=kept)
    (whole,) = write(tmp_path, whole=empty)
    expected = scoref.score(key, whole, policy=Policy(unit=unit))
    for response in (table, columns):
        found = scoref.score(key, response, policy=Policy(unit=unit))
        assert found.to_dict()["scores"] == expected.to_dict()["scores"]
        assert any(f"the response lacks {len(missing)} of 3" in note for note in found.notes)


@pytest.mark.parametrize("unit", ["document", "corpus"])
def test_parts_are_part_of_a_mention(tmp_path: Path, unit: str) -> None:
    """A mention with a gap is not the mention of its whole span, in no unit."""
    header, second = "document,start,end,entity,nodes\n", "b,0,0,x,\n"
    for name, nodes in (("key", "2 4"), ("response", "")):
        path = tmp_path / f"{name}.csv"
        path.write_text(f"{header}a,2,4,x,{nodes}\n{second}", "utf-8")
    sides = tmp_path / "key.csv", tmp_path / "response.csv"
    assert scoref.score(*sides, ["mentions"], unit=unit)["mentions"].f1 == 0.5
    assert scoref.score(sides[0], sides[0], ["mentions"], unit=unit)["mentions"].f1 == 1


def test_documents_of_other_names_in_a_unit() -> None:
    """Documents that are paired by part have equal mentions, although their names differ."""
    key = {"a_0": [[(0, 0)], [(2, 2)]], "b_0": [[(0, 0), (1, 1)]]}
    response = {name.removesuffix("_0"): entities for name, entities in key.items()}
    for unit in ("document", "corpus"):
        assert scoref.score(key, response, ["mentions"], unit=unit)["mentions"].f1 == 1


def test_units_of_other_names(tmp_path: Path) -> None:
    """Units with the same tokens are the same, whatever each side calls them."""
    rows = ["t a 0 (1)", "t a 1 (1)", "t b 0 (2)", "t b 1 (1)"]
    sides = []
    for name, names in (("key", "ab"), ("response", "ba"), ("other", "ca")):
        path = tmp_path / f"{name}.conll"
        renamed = [row.translate(str.maketrans("ab", names)) for row in rows]
        path.write_text("\n".join(["#begin document (d)", *renamed, "#end document\n"]))
        sides.append(path)
    for response in sides[1:]:
        result = scoref.score(sides[0], response, ["b3"], unit="column=2")
        assert result["b3"].f1 == 1
        assert sum("paired by their tokens" in note for note in result.notes) == 1
    sides[2].write_text(sides[2].read_text().replace("t a 1", "t b 1"))
    with pytest.raises(scoref.ScorefError):
        scoref.score(sides[0], sides[2], ["b3"], unit="column=2")
