"""Statistics of a corpus, compared with a slow count over all pairs of spans."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoref import Corpus
from scoref.analysis.statistics import statistics
from scoref.cli import main
from scoref.views.statistics import StatisticsView

spans = st.tuples(st.integers(0, 12), st.integers(0, 5)).map(lambda s: (s[0], s[0] + s[1]))
documents = st.lists(st.lists(st.lists(spans, min_size=1), max_size=5), min_size=1, max_size=3)


@given(documents)
def test_nesting_and_crossing_by_looking_at_all_pairs(
    drawn: list[list[list[tuple[int, int]]]],
) -> None:
    """Each span counts once, even if it is repeated."""
    nested = crossing = deepest = 0
    for entities in drawn:
        found = {span for entity in entities for span in entity}
        nested += sum(
            any((s, e) != other and other[0] <= s and e <= other[1] for other in found)
            for s, e in found
        )
        crossing += sum(any(s < start <= e < end for s, e in found) for start, end in found)
        at = [sum(s <= token <= e for s, e in found) for token in range(20)]
        deepest = max(deepest, *at)
    result = statistics(Corpus.from_entities(dict(enumerate(drawn))))
    assert result.nested_mentions == nested
    assert result.crossing_mentions == crossing
    assert result.deepest_nesting == deepest


def test_entities_by_size_as_in_the_paper() -> None:
    """Recasens & Hovy 2011, Table 2: sizes 1 to 5, 6-10, and from 11 on."""
    sizes = [1, 1, 2, 5, 6, 10, 11, 40]
    labels = iter(range(1000))
    entities = [[next(labels) for _ in range(size)] for size in sizes]
    result = statistics(Corpus.from_entities({"d": entities}))
    assert [(one.name, one.count) for one in result.entities_by_size] == [
        ("1-mention", 2),
        ("2-mention", 1),
        ("3-mention", 0),
        ("4-mention", 0),
        ("5-mention", 1),
        ("6-10-mention", 2),
        (">=11-mention", 2),
    ]
    assert result.largest_entity == 40
    assert result.singletons == 2
    assert result.mentions_per_entity == pytest.approx(76 / 8)
    assert result.entities_by_size[0].share == pytest.approx(2 / 8)


def test_what_cannot_be_known_is_left_out() -> None:
    """Labels have no length; a corpus without text has no tokens; types may be missing."""
    result = statistics(Corpus.from_entities({"d": [["a"]]}))
    assert (result.tokens, result.nested_mentions, result.mentions_by_length) == (None, None, ())
    assert result.mentions_by_type == ()
    assert "token" not in StatisticsView([result]).render("text")


def test_types_where_they_are_given() -> None:
    """With those that are not known."""
    corpus = Corpus.from_entities({"d": [["a", "b"]]}, types={"a": "name"})
    counts = {one.name: one.count for one in statistics(corpus).mentions_by_type}
    assert counts == {"name": 1, "nominal": 0, "pronoun": 0, "unknown": 1}


def test_an_empty_corpus() -> None:
    """Has nothing, and no average."""
    result = statistics(Corpus.from_entities({"d": []}))
    assert (result.mentions, result.entities, result.mentions_per_entity) == (0, 0, None)
    assert result.deepest_nesting == 0


@pytest.mark.parametrize("output", ["text", "markdown", "latex", "csv", "json"])
def test_the_command(example: Path, capsys: pytest.CaptureFixture[str], output: str) -> None:
    """A column for each file, in every output."""
    files = [str(example / name) for name in ("key.conll", "careful.conll")]
    assert main(["stats", *files, "--to", output]) == 0
    shown = capsys.readouterr().out
    if output == "json":
        content = json.loads(shown)
        assert [corpus["mentions"] for corpus in content] == [66, 51]
    else:
        assert "mentions inside another" in shown
        assert "36.7" in shown


def test_a_bad_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Refused as by `score`."""
    path = tmp_path / "x"
    path.write_text("rubbish", "utf-8")
    assert main(["stats", str(path)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "found a file of an unknown format" in captured.err
